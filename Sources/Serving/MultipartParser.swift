import Foundation
import NIOCore

/// A parser of `multipart/form-data` (RFC 7578) that reads a body as it arrives, and holds no more than the length of a
/// boundary of a part's body and one bounded block of headers.
package struct MultipartParser {
    /// A piece of the form that the parser has recognised.
    package enum Event: Equatable {
        /// The beginning of a part: the name of its field, and its file name when it is a file.
        case part(name: String, filename: String?)
        /// Some bytes of the part's body.
        case body(ByteBuffer)
        /// The end of the part.
        case endOfPart
    }

    private enum State { case preamble, afterBoundary, headers, body, finished }

    private let delimiter: [UInt8]
    private var state = State.preamble
    private var buffer = ByteBuffer()
    private var parts = 0

    /// The most bytes of headers in one part.
    static let maximumHeaderBytes = 8 * 1024
    /// The most parts in one request.
    static let maximumParts = 200

    /// - Parameter boundary: the parameter `boundary` of the request's `Content-Type`, 1 to 70 characters.
    package init(boundary: String) throws {
        guard (1...70).contains(boundary.utf8.count) else {
            throw Refusal.malformed("The form has no boundary.")
        }
        delimiter = Array("\r\n--\(boundary)".utf8)
        // The first boundary has no line break of its own before it.
        buffer.writeString("\r\n")
    }

    /// Returns the boundary that a `Content-Type` header names; nil when the type isn't `multipart/form-data`.
    package static func boundary(ofContentType contentType: String) -> String? {
        let parts = contentType.split(separator: ";").map { $0.trimmed }
        guard parts.first?.lowercased() == "multipart/form-data" else { return nil }
        for part in parts.dropFirst() where part.lowercased().hasPrefix("boundary=") {
            let value = part.dropFirst("boundary=".count)
            return value.hasPrefix("\"") && value.hasSuffix("\"") && value.count >= 2
                ? String(value.dropFirst().dropLast()) : String(value)
        }
        return nil
    }

    /// Takes the next bytes of the request and returns the events that they complete.
    ///
    /// - Throws: ``Refusal`` (400) when the body isn't a form.
    package mutating func append(_ chunk: ByteBuffer) throws -> [Event] {
        buffer.discardReadBytes()
        buffer.writeImmutableBuffer(chunk)
        var events: [Event] = []
        while try step(&events) {}
        return events
    }

    /// Notes that the request has ended.
    ///
    /// - Throws: ``Refusal`` (400) when the form was cut off.
    package func finish() throws {
        guard state == .finished else { throw Refusal.malformed("The form was cut off before its end.") }
    }

    private mutating func step(_ events: inout [Event]) throws -> Bool {
        switch state {
        case .preamble:
            guard let index = position(of: delimiter) else {
                keepTail()
                return false
            }
            buffer.moveReaderIndex(forwardBy: index + delimiter.count)
            state = .afterBoundary
            return true
        case .afterBoundary:
            guard let end = buffer.getBytes(at: buffer.readerIndex, length: 2) else { return false }
            if end == [0x2D, 0x2D] {
                state = .finished
                return true
            }
            guard end == [0x0D, 0x0A] else { throw Refusal.malformed("A boundary of the form is broken.") }
            parts += 1
            guard parts <= Self.maximumParts else { throw Refusal.malformed("The form has too many parts.") }
            state = .headers
            return true
        case .headers:
            // The line break that ends the boundary is still in the buffer, so that a part without headers ends like
            // every other part, with an empty line.
            guard let index = position(of: [0x0D, 0x0A, 0x0D, 0x0A]) else {
                // Up to three bytes of the empty line may already be in the buffer.
                guard buffer.readableBytes <= Self.maximumHeaderBytes + 3 else {
                    throw Refusal.malformed("A part of the form has too many headers.")
                }
                return false
            }
            let text = buffer.readString(length: index) ?? ""
            guard text.utf8.count <= Self.maximumHeaderBytes else {
                throw Refusal.malformed("A part of the form has too many headers.")
            }
            buffer.moveReaderIndex(forwardBy: 4)
            events.append(try Self.part(headers: text))
            state = .body
            return true
        case .body:
            return stepInBody(&events)
        case .finished:
            buffer.moveReaderIndex(to: buffer.writerIndex)
            return false
        }
    }

    private mutating func stepInBody(_ events: inout [Event]) -> Bool {
        let found = position(of: delimiter)
        // Without a delimiter in the buffer, everything but a possible beginning of one is body.
        let length = found ?? max(0, buffer.readableBytes - delimiter.count + 1)
        if length > 0, let body = buffer.readSlice(length: length) { events.append(.body(body)) }
        guard found != nil else { return false }
        buffer.moveReaderIndex(forwardBy: delimiter.count)
        events.append(.endOfPart)
        state = .afterBoundary
        return true
    }

    private mutating func keepTail() {
        let surplus = buffer.readableBytes - delimiter.count + 1
        if surplus > 0 { buffer.moveReaderIndex(forwardBy: surplus) }
    }

    private func position(of pattern: [UInt8]) -> Int? {
        buffer.withUnsafeReadableBytes { bytes in
            guard bytes.count >= pattern.count else { return nil }
            var index = 0
            let last = bytes.count - pattern.count
            while index <= last {
                // Boundaries begin with a carriage return, which is rare in pictures: memchr skips fast.
                guard let base = bytes.baseAddress,
                    let hit = memchr(base + index, Int32(pattern[0]), last - index + 1)
                else { return nil }
                index = UnsafeRawPointer(hit) - base
                if bytes[index..<(index + pattern.count)].elementsEqual(pattern) { return index }
                index += 1
            }
            return nil
        }
    }

    private static func part(headers: String) throws -> Event {
        for line in headers.split(separator: "\r\n") {
            guard let colon = line.firstIndex(of: ":"),
                line[..<colon].lowercased() == "content-disposition"
            else { continue }
            let parameters = Self.parameters(of: line[line.index(after: colon)...])
            guard let name = parameters["name"] else { break }
            return .part(name: name, filename: parameters["filename"])
        }
        throw Refusal.malformed("A part of the form has no name.")
    }

    /// Parses the parameters of a header such as `form-data; name="file"; filename="a \"b\".jpg"`: names and values,
    /// with quotes and backslashes resolved. Browsers send quotes as `%22`, which stays as it is.
    private static func parameters(of header: Substring) -> [String: String] {
        var result: [String: String] = [:]
        var rest = header[...]
        while let semicolon = rest.firstIndex(of: ";") {
            rest = rest[rest.index(after: semicolon)...]
            guard let equals = rest.firstIndex(of: "=") else { break }
            let name = rest[..<equals].trimmed.lowercased()
            rest = rest[rest.index(after: equals)...]
            var value = ""
            if rest.first == "\"" {
                rest = rest.dropFirst()
                while let character = rest.popFirst(), character != "\"" {
                    if character == "\\", let next = rest.popFirst() {
                        value.append(next)
                    } else {
                        value.append(character)
                    }
                }
            } else {
                let end = rest.firstIndex(of: ";") ?? rest.endIndex
                value = rest[..<end].trimmed
                rest = rest[end...]
            }
            result[name] = value
        }
        return result
    }
}

extension StringProtocol {
    /// The text without white space at either end.
    package var trimmed: String {
        var slice = self[...]
        while let first = slice.first, first.isWhitespace { slice = slice.dropFirst() }
        while let last = slice.last, last.isWhitespace { slice = slice.dropLast() }
        return String(slice)
    }
}
