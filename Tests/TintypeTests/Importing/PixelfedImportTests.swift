import Foundation
import Testing

@testable import Core
@testable import Serving
@testable import Tintype

@Suite("Importing what Pixelfed gives")
struct PixelfedImportTests {
    private static func status(
        _ number: Int, _ file: String?, visibility: String = "public", changing changes: [String: JSON] = [:]
    ) -> JSON {
        let medium: JSON = .object([
            "type": "image", "url": .text("https://pix.example/storage/m/_v2/1/\(file ?? "")"),
            "description": "A lake",
        ])
        var status: [String: JSON] = [
            "id": .text("\(number)"), "uri": .text("https://pix.example/p/ana/\(number)"),
            "url": .text("https://pix.example/p/ana/\(number)"), "in_reply_to_id": "", "reblog": .null,
            "content":
                "Lake <a href=\"https://pix.example/discover/tags/lake\" class=\"u-url hashtag\">#lake</a>",
            "created_at": "2021-06-07T08:09:10.000Z", "sensitive": .bool(true), "spoiler_text": "",
            "visibility": .text(visibility), "pf_type": "photo",
            "media_attachments": .list(file == nil ? [] : [medium]),
        ]
        status.merge(changes) { $1 }
        return .object(status)
    }

    @Test("Posts come with the pictures that were packed beside them, wherever those are")
    func posts() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let statuses: JSON = .list([
            Self.status(1, "abc/lake.jpg"), Self.status(2, "x/lost.jpg"), Self.status(3, nil),
            Self.status(4, "abc/lake.jpg", visibility: "draft"),
            Self.status(5, "abc/lake.jpg", changing: ["in_reply_to_id": "9"]),
        ])
        let archive = try TestArchive([
            "mine/pixelfed-statuses.json": Array(statuses.text.utf8),
            "pictures/lake.jpg": try await TestPicture.jpeg(),
        ])
        let report = try await ana.bring(archive, from: .pixelfed)
        #expect(report.photos == 1 && report.posts == 1, "\(report)")
        #expect(
            report.reasons == [.missing, .photosGone, .withoutPhoto, .direct, .reply],
            "\(report)")
        let post = try #require(try await ana.ownPosts().first)
        #expect(post["text"] == "Lake #lake" && post["sensitive"] == true && post["visibility"] == "public")
        #expect(post["created_at"].string?.hasPrefix("2021-06-07T08:09:10") == true)
        #expect(post["media_attachments"][0]["description"] == "A lake")
    }

    @Test("The file alone is refused with what to do")
    func alone() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let file = try TestArchive(bytes: Array("[]".utf8))
        let refusal = await #expect(throws: Refusal.self) { try await ana.bring(file, from: .pixelfed) }
        #expect(refusal?.message.contains("zip") == true)
    }
}
