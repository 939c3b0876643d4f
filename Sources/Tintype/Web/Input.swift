import Foundation
import Hummingbird
import NIOCore
import Storage

/// The parameters of a request, wherever they stand: query, URL-encoded form, multipart form or JSON body.
///
/// Clients send the same parameter in any of these ways (CLIENTS.md, "Rules"). Nested JSON and form names are
/// flattened to one spelling, `source[privacy]`; lists are `media_ids[]` or a JSON array.
struct Input: Sendable {
    /// A file that came with a multipart form and lies complete in the blob store's incoming folder, not yet kept.
    struct File: Sendable {
        var name: String
        var filename: String
        var blob: IncomingBlob

        /// A file input that nobody filled sends a part without a name and without bytes.
        var isNone: Bool { filename.isEmpty && blob.byteCount == 0 }
    }

    private(set) var values: [String: [String]] = [:]
    private(set) var files: [File] = []
    /// What the reading ended with before the body's end.
    private var failure: (any Error)?

    /// The most bytes that everything but files may have.
    static let maximumBytes = 1024 * 1024
    private static let fileTooLarge = Refusal(.tooLarge, "This file is too large.")
    /// The most files in one request.
    static let maximumFiles = 20

    /// Reads query and body.
    ///
    /// - Parameters:
    ///   - blobs: where files are received; nil refuses them.
    /// - Throws: ``Refusal``: 400 when the body can't be read, 413 when it is too large.
    static func read(_ request: Request, files blobs: BlobFolder? = nil) async throws -> Input {
        let input = await readForm(request, files: blobs)
        try input.checkWhole()
        return input
    }

    /// Reads a form that comes back to the person when something is wrong with it: with what could be read of the
    /// fields, whatever happened to the rest. ``checkWhole()`` throws that.
    static func readForm(_ request: Request, files blobs: BlobFolder? = nil) async -> Input {
        var input = Input()
        if let query = request.uri.query { input.addURLEncoded(query) }
        do {
            try await input.addBody(of: request, blobs: blobs)
        } catch {
            if let blobs { await input.discardFiles(in: blobs) }
            input.files = []
            input.failure = error
        }
        return input
    }

    /// Throws what kept the body from being read to its end; see ``read(_:files:)``.
    func checkWhole() throws {
        if let failure { throw failure }
    }

    /// Reads the query only, for requests whose body is something else or empty.
    static func query(_ request: Request) -> Input {
        var input = Input()
        if let query = request.uri.query { input.addURLEncoded(query) }
        return input
    }

    /// Throws away files that nobody kept.
    func discardFiles(in blobs: BlobFolder) async {
        for file in files { await blobs.discard(file.blob) }
    }

    // MARK: Asking

    /// The last value of a parameter, nil when it is absent.
    func string(_ name: String) -> String? { values[name]?.last }

    /// Text as a person typed it, without white space at its ends, line ends as `\n`; empty when absent.
    func text(_ name: String) -> String {
        (string(name) ?? "").replacingOccurrences(of: "\r\n", with: "\n").trimmed
    }

    /// Every value of `name[]` or `name`, in order.
    func list(_ name: String) -> [String] { (values[name + "[]"] ?? []) + (values[name] ?? []) }

    /// `true`, `1` and `on` are yes, `false`, `0` and `off` no; anything else and nothing is nil.
    func bool(_ name: String) -> Bool? {
        switch string(name)?.lowercased() {
        case "true", "1", "on", "yes": true
        case "false", "0", "off", "no": false
        default: nil
        }
    }

    func integer(_ name: String) -> Int? { string(name).flatMap { Int($0) } }

    func number(_ name: String) -> Double? { string(name).flatMap { Double($0) } }

    /// An identifier; nil when it is absent, empty or zero, as some apps send it for "none".
    func id<Entity>(_ name: String, of entity: Entity.Type = Entity.self) -> ID<Entity>? {
        string(name).flatMap { ID($0) }
    }

    // MARK: Reading

    private mutating func addBody(of request: Request, blobs: BlobFolder?) async throws {
        let contentType = request.headers[.contentType] ?? ""
        if let boundary = MultipartParser.boundary(ofContentType: contentType) {
            try await addMultipart(request.body, boundary: boundary, blobs: blobs)
        } else if request.method != .get, request.method != .head {
            let body = try await request.collected(upTo: Self.maximumBytes)
            guard body.readableBytes > 0 else { return }
            if contentType.lowercased().contains("json") {
                try addJSON(body)
            } else {
                addURLEncoded(String(buffer: body))
            }
        }
    }

    private mutating func add(_ name: String, _ value: String) {
        // PostgreSQL takes no NUL in text, and nobody types one.
        values[name, default: []].append(value.replacingOccurrences(of: "\0", with: ""))
    }

    private mutating func addURLEncoded(_ text: String) {
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? Self.decode(parts[1]) : ""
            add(Self.decode(parts[0]), value)
        }
    }

    private static func decode(_ text: Substring) -> String {
        let spaced = text.replacingOccurrences(of: "+", with: " ")
        return spaced.removingPercentEncoding ?? spaced
    }

    private mutating func addJSON(_ body: ByteBuffer) throws {
        let object: Any
        do {
            object = try JSONSerialization.jsonObject(
                with: Data(body.readableBytesView), options: [.fragmentsAllowed])
        } catch {
            throw Refusal.malformed("The body isn't valid JSON.")
        }
        guard let members = object as? [String: Any] else {
            throw Refusal.malformed("The body must be a JSON object.")
        }
        for (name, value) in members { addJSON(value, name: name, depth: 0) }
    }

    private mutating func addJSON(_ value: Any, name: String, depth: Int) {
        guard depth < 8 else { return }
        switch value {
        case let text as String: add(name, text)
        case let number as NSNumber: add(name, Self.text(number))
        case let list as [Any]:
            for element in list { addJSON(element, name: name + "[]", depth: depth + 1) }
        case let members as [String: Any]:
            for (key, member) in members { addJSON(member, name: "\(name)[\(key)]", depth: depth + 1) }
        default: break
        }
    }

    /// Foundation bridges JSON's `true` to a number whose C type is `char`.
    private static func text(_ number: NSNumber) -> String {
        String(cString: number.objCType) == "c" ? (number.boolValue ? "true" : "false") : number.stringValue
    }

    private mutating func addMultipart(_ body: RequestBody, boundary: String, blobs: BlobFolder?) async throws
    {
        var parser = try MultipartParser(boundary: boundary)
        var name = ""
        var field: [UInt8]?
        var file: IncomingBlob?
        var fieldBytes = 0
        // What stands behind a file that is too large is read all the same, so that a form comes back with what was
        // typed into it: as many bytes as a file may have, and no more.
        var surplus: Int?
        for try await chunk in body {
            if let bytes = surplus {
                surplus = bytes + chunk.readableBytes
                guard bytes <= blobs?.maximumBytes ?? 0 else { throw Self.fileTooLarge }
            }
            for event in try parser.append(chunk) {
                switch event {
                case .part(let partName, nil):
                    name = partName
                    field = []
                case .part(let partName, let filename?):
                    guard let blobs else { throw Refusal.malformed("No file is expected here.") }
                    guard files.count < Self.maximumFiles else {
                        throw Refusal(.tooLarge, "At most \(Self.maximumFiles) files at once.")
                    }
                    let blob = try blobs.receive()
                    files.append(File(name: partName, filename: filename, blob: blob))
                    file = blob
                case .body(let bytes):
                    if let open = file {
                        do {
                            try await open.write(Array(bytes.readableBytesView))
                        } catch BlobError.tooLarge {
                            surplus = surplus ?? 0
                            file = nil
                        }
                    } else if field != nil {
                        fieldBytes += bytes.readableBytes
                        guard fieldBytes <= Self.maximumBytes else {
                            throw Refusal(.tooLarge, "The form is too long.")
                        }
                        field?.append(contentsOf: bytes.readableBytesView)
                    }
                case .endOfPart:
                    if let text = field { add(name, String(decoding: text, as: UTF8.self)) }
                    field = nil
                    file = nil
                }
            }
        }
        try parser.finish()
        if surplus != nil { throw Self.fileTooLarge }
        for file in files where file.isNone { await blobs?.discard(file.blob) }
        files.removeAll(where: \.isNone)
    }
}

extension Request {
    /// The whole body, at most `limit` bytes.
    ///
    /// - Throws: ``Refusal`` (413) when there is more.
    func collected(upTo limit: Int) async throws -> ByteBuffer {
        if let length = headers[.contentLength].flatMap({ Int($0) }), length > limit {
            throw Refusal(.tooLarge, "The request is too long.")
        }
        var collected = ByteBuffer()
        for try await chunk in body {
            guard collected.readableBytes + chunk.readableBytes <= limit else {
                throw Refusal(.tooLarge, "The request is too long.")
            }
            collected.writeImmutableBuffer(chunk)
        }
        return collected
    }
}

extension StringProtocol {
    /// As the value of a parameter in a URL's query.
    var queryEncoded: String { addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }
}
