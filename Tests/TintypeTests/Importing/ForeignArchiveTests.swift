import Foundation
import Storage
import Testing

@testable import Core
@testable import Serving
@testable import Tintype

@Suite("Archives of strangers")
struct ForeignArchiveTests {
    private static let outbox = MastodonImportTests.outbox([
        MastodonImportTests.note(1, "2020-01-01T00:00:00Z", "Sea", files: [("1.jpg", "")])
    ])

    private func refusal(_ archive: TestArchive, limits: ForeignArchive.Limits = .init()) async throws
        -> String?
    {
        let world = try await World()
        let ana = try await world.account("ana")
        let refusal = await #expect(throws: Refusal.self) {
            try await ana.bring(archive, from: .mastodon, limits: limits)
        }
        #expect(try await world.number("SELECT count(*) FROM imported_items") == 0)
        #expect(try await world.fileCount() == 0)
        return refusal?.message
    }

    @Test("What is no archive, another one, cut off or not JSON is refused in a sentence")
    func broken() async throws {
        let picture = try await TestPicture.jpeg(width: 400, height: 300)
        #expect(try await refusal(TestArchive(bytes: [])) != nil)
        #expect(try await refusal(TestArchive(bytes: picture))?.contains("neither a zip nor a tar") == true)
        #expect(try await refusal(TestArchive(["a.txt": [65]]))?.contains("no outbox.json") == true)
        let cut = Array(Self.outbox.dropLast(3))
        #expect(try await refusal(TestArchive(["outbox.json": cut]))?.contains("damaged or cut off") == true)
        let deep = Array(String(repeating: "[", count: 100_000).utf8)
        #expect(try await refusal(TestArchive(["outbox.json": deep])) != nil)
        let whole = try TestArchive(
            ["media_attachments/files/1.jpg": picture, "outbox.json": Self.outbox], as: .tarGzip)
        let bytes = try Data(contentsOf: URL(filePath: whole.path))
        #expect(try await refusal(TestArchive(bytes: Array(bytes.dropLast(bytes.count / 2)))) != nil)
    }

    @Test("Archives with too many files, too long texts, or that unpack to too much are refused")
    func limits() async throws {
        let archive = try TestArchive(
            ["a": [1], "b": [2], "outbox.json": Self.outbox, "c": [UInt8](repeating: 0, count: 1_000_000)])
        #expect(try await refusal(archive, limits: .init(entries: 3))?.contains("more than 3 files") == true)
        #expect(try await refusal(archive, limits: .init(textBytes: 100))?.contains("too large") == true)
        #expect(
            try await refusal(archive, limits: .init(unpackedBytes: 1_000, unpackedRatio: 50))?
                .contains("far more than its own size") == true)
    }

    @Test("Links, strange names and files that nobody asked for lead nowhere")
    func names() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let secret = NSTemporaryDirectory() + "tintype-secret-\(UUID().uuidString).jpg"
        try Data(try await TestPicture.jpeg()).write(to: URL(filePath: secret))
        defer { try? FileManager.default.removeItem(atPath: secret) }
        let archive = try TestArchive(
            [
                "../../etc/outbox.json": Array("{}".utf8), "../media_attachments/files/1.jpg": [1],
                "outbox.json": Self.outbox,
            ], as: .tarGzip, links: ["media_attachments/files/1.jpg": secret])
        let report = try await ana.bring(archive, from: .mastodon)
        #expect(report.photos == 0 && report.posts == 0)
        #expect(report.reasons == [.missing, .photosGone])
    }

    @Test("A picture beyond the limit of uploads is left out, and the rest comes")
    func tooLarge() async throws {
        let world = try await World { $0.pictureBytes = 20_000 }
        let ana = try await world.account("ana")
        let archive = try TestArchive([
            "media_attachments/files/1.jpg": [UInt8](repeating: 0, count: 20_001),
            "media_attachments/files/2.jpg": try await TestPicture.jpeg(),
            "outbox.json": MastodonImportTests.outbox([
                MastodonImportTests.note(
                    1, "2020-01-01T00:00:00Z", "Sea", files: [("1.jpg", ""), ("2.jpg", "")])
            ]),
        ])
        let report = try await ana.bring(archive, from: .mastodon)
        #expect(report.photos == 1 && report.posts == 1, "\(report)")
        #expect(report.leftOut.lines.first?.contains("Pictures of more than") == true)
    }

    @Test("Control characters of an archive reach neither the report nor a caption")
    func characters() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let archive = try TestArchive([
            "media_attachments/files/1.jpg": try await TestPicture.jpeg(),
            "outbox.json": MastodonImportTests.outbox([
                MastodonImportTests.note(
                    1, "2020-01-01T00:00:00Z", "A\u{0}\u{1B}[31m&#0;B", files: [("1.jpg", "C\u{0}D")]),
                MastodonImportTests.note(
                    2, "2020-01-01T00:00:00Z", "", files: [("x\u{1B}[2J\u{0}.jpg", "")]),
            ]),
        ])
        let report = try await ana.bring(archive, from: .mastodon)
        #expect(report.posts == 1)
        #expect(!report.description.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
        let post = try #require(try await ana.ownPosts().first)
        #expect(post["text"].string?.contains("\u{0}") == false)
        #expect(post["media_attachments"][0]["description"] == "CD")
    }
}
