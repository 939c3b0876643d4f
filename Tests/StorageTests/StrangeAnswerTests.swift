import Foundation
import Testing

@testable import Storage

@Suite("Strange answers of stores and servers")
struct StrangeAnswerTests {
    @Test(
        "A page that isn’t XML, nor UTF-8, has no texts",
        arguments: [
            "<html><!-- caf\u{E9} --></html>", "<a\u{E9}b>x</a\u{E9}b>", "<a \u{E9}='1'>", "<?\u{E9} x?>",
        ])
    func latin(page: String) {
        let bytes = page.unicodeScalars.map { UInt8($0.value) }
        #expect(S3Answer(bytes)["Code"] == nil)
        let error = Array("<Error><Code>SlowDown</Code>".utf8) + bytes
        #expect(S3Answer(error)["Code"] == "SlowDown")
    }

    @Test("A port that there can’t be is refused", arguments: [0, 65_536, 70_000])
    func port(number: Int) {
        #expect(throws: BlobError.self) { try S3Address("s3://pics/?endpoint=http://127.0.0.1:\(number)") }
    }

    @Test("A frame of another program is taken for a gap", arguments: [Int.min, 0])
    func frame(number: Int) {
        var frames = NodeFrames(node: 1)
        #expect(frames.arrivals(in: "2 1 \(number) . x") == [.gap])
    }

    @Test("Bytes past the end of a blob, however large the store says it is, are asked for up to its end")
    func end() async throws {
        let asked = AskedRanges()
        let blob = S3OpenBlob(byteCount: .max, first: nil) { range in
            await asked.add(range)
            throw BlobError.notFound
        }
        await #expect(throws: BlobError.notFound) { try await blob.read(Int.max - 5..<Int.max) }
        #expect(await asked.all == [Int.max - 5..<Int.max])
    }

    private actor AskedRanges {
        private(set) var all: [Range<Int>] = []
        func add(_ range: Range<Int>) { all.append(range) }
    }
}
