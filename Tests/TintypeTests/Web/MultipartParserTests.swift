import Foundation
import NIOCore
import Testing

@testable import Serving
@testable import Tintype

@Suite("Multipart forms, however they are cut", .timeLimit(.minutes(15)))
struct MultipartParserTests {
    private struct Part: Equatable {
        var name: String
        var filename: String?
        var body: [UInt8] = []
    }

    /// What a form says; nil when it is refused.
    private func parse(_ form: [UInt8], cutAt cuts: [Int]) -> [Part]? {
        do {
            var parser = try MultipartParser(boundary: Self.boundary)
            var parts: [Part] = []
            var isOpen = false
            for (start, end) in zip([0] + cuts, cuts + [form.count]) {
                for event in try parser.append(ByteBuffer(bytes: form[start..<end])) {
                    switch event {
                    case .part(let name, let filename):
                        #expect(!isOpen)
                        isOpen = true
                        parts.append(Part(name: name, filename: filename))
                    case .body(let bytes):
                        #expect(isOpen && bytes.readableBytes > 0)
                        parts[parts.count - 1].body += Array(bytes.readableBytesView)
                    case .endOfPart:
                        #expect(isOpen)
                        isOpen = false
                    }
                }
            }
            try parser.finish()
            return isOpen ? nil : parts
        } catch {
            #expect(error is Refusal)
            return nil
        }
    }

    private static let boundary = "x--x"
    private static let picture: [UInt8] =
        [0xff, 0xd8, 13, 10, 13, 10, 45, 45, 13, 13, 10] + Array("\r\n--x-\r\n--x--X\r\r\n--x-".utf8)

    /// All that looks like a boundary and is none, empty parts, quotes, and bytes that are no text.
    private static let form: [UInt8] =
        Array(
            """
            What stands before the form\r\n--x--\r
            --x--x\r
            Content-Disposition: form-data; name="caption"\r\n\r\n--x--x and \r\n--x-x\r\n--x\r
            --x--x\r
            content-disposition: form-data; name=empty\r\n\r\n\r
            --x--x\r
            X-Other: 1\r
            Content-Disposition: form-data; filename="a \\"b\\"; name=c.jpg"; name="file"\r
            Content-Type: image/jpeg\r\n\r\n
            """.utf8) + picture + Array("\r\n--x--x--\r\nWhat stands behind it\r\n--x--x\r\n".utf8)

    private static let parts = [
        Part(name: "caption", body: Array("--x--x and \r\n--x-x\r\n--x".utf8)), Part(name: "empty"),
        Part(name: "file", filename: "a \"b\"; name=c.jpg", body: picture),
    ]

    @Test("It is the same form, cut at any one place, at any two near each other, or after each byte")
    func everyCut() {
        let form = Self.form
        #expect(parse(form, cutAt: []) == Self.parts)
        #expect(parse(form, cutAt: Array(1..<form.count)) == Self.parts)
        for cut in 0...form.count {
            #expect(parse(form, cutAt: [cut]) == Self.parts, "cut at \(cut)")
            for next in (cut + 1)..<(cut + 6) where next <= form.count {
                #expect(parse(form, cutAt: [cut, next]) == Self.parts, "cut at \(cut) and \(next)")
            }
        }
    }

    @Test("Ended early anywhere before its last boundary it is refused, and never taken for whole")
    func everyEnd() throws {
        let last = "--x--x--"
        let end =
            try #require(Data(Self.form).range(of: Data("\(last)\r\n".utf8))).lowerBound + last.utf8.count
        for length in 0..<Self.form.count {
            #expect((parse(Array(Self.form[..<length]), cutAt: []) != nil) == (length >= end), "\(length)")
        }
    }

    @Test("Changed at random it is read or refused, and the same way however it is cut")
    func mutations() {
        var random = SplitMix64(state: 20_261_121)
        var refused = 0
        for round in 0..<4_000 {
            var form = Self.form
            for _ in 0..<Int.random(in: 0...4, using: &random) { mutate(&form, &random) }
            let whole = parse(form, cutAt: [])
            if whole == nil { refused += 1 }
            let cuts = (0..<Int.random(in: 1...12, using: &random))
                .map { _ in Int.random(in: 0...form.count, using: &random) }.sorted()
            #expect(parse(form, cutAt: cuts) == whole, "round \(round), cuts \(cuts)")
        }
        // Both happen, or the test would say little.
        #expect((500...3_500).contains(refused))
    }

    private func mutate(_ form: inout [UInt8], _ random: inout SplitMix64) {
        guard !form.isEmpty else { return }
        let index = Int.random(in: 0..<form.count, using: &random)
        let end = min(form.count, index + Int.random(in: 1...40, using: &random))
        switch Int.random(in: 0..<5, using: &random) {
        case 0: form[index] = UInt8.random(in: 0...255, using: &random)
        case 1: form.remove(at: index)
        case 2: form.insert(contentsOf: form[index..<end], at: index)
        case 3: form.removeSubrange(index..<end)
        default: form.insert(contentsOf: Array("\r\n--x--x".utf8), at: index)
        }
    }

    @Test("Headers are bounded at the same byte, however they are cut", arguments: [8_192, 8_193])
    func headers(length: Int) {
        // The line break that ends the boundary counts as theirs.
        let begin = "\r\nContent-Disposition: form-data; name=\"a\"\r\nX: "
        let headers = begin + String(repeating: "y", count: length - begin.utf8.count)
        let form = Array("--x--x\(headers)\r\n\r\nbody\r\n--x--x--".utf8)
        let whole = parse(form, cutAt: [])
        #expect((whole != nil) == (length == 8_192))
        for cut in (form.count - 30)..<form.count { #expect(parse(form, cutAt: [cut]) == whole, "\(cut)") }
        #expect(parse(form, cutAt: Array((form.count - 30)..<form.count)) == whole)
    }
}
