import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Core
@testable import Serving
@testable import Tintype

@Suite("Importing an archive of Mastodon")
struct MastodonImportTests {
    private static let actor = "https://old.example/users/ana"
    private static let everyone = "https://www.w3.org/ns/activitystreams#Public"
    private static let followers = "\(actor)/followers"

    /// An entry of the outbox.
    static func note(
        _ number: Int, _ published: String, _ content: String, files: [(name: String, text: String)],
        to: [String] = [everyone], cc: [String] = [followers], changing changes: [String: JSON] = [:],
        media: String = "image/jpeg"
    ) -> JSON {
        var note: [String: JSON] = [
            "id": .text("\(actor)/statuses/\(number)"), "type": "Note", "published": .text(published),
            "content": .text(content), "contentMap": .object(["en": .text(content)]), "summary": .null,
            "sensitive": .bool(false), "inReplyTo": .null,
            "to": .list(to.map { .text($0) }), "cc": .list(cc.map { .text($0) }),
            "attachment": .list(
                files.map { file in
                    .object([
                        "type": "Document", "mediaType": .text(media),
                        "url": .text("/system/media_attachments/files/\(file.name)"),
                        "name": file.text.isEmpty ? .null : .text(file.text),
                    ])
                }),
        ]
        note.merge(changes) { $1 }
        return .object([
            "id": .text("\(actor)/statuses/\(number)/activity"), "type": "Create", "actor": .text(actor),
            "published": .text(published), "object": .object(note),
        ])
    }

    static func outbox(_ items: [JSON]) -> [UInt8] {
        let outbox: JSON = .object([
            "id": "outbox.json", "type": "OrderedCollection", "orderedItems": .list(items),
        ])
        return Array(outbox.text.utf8)
    }

    static let actorFile = Array(JSON.object(["id": .text(actor), "type": "Person"]).text.utf8)

    @Test("Posts come with their dates, words, audiences and descriptions, and nobody is notified")
    func posts() async throws {
        let world = try await World()
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        try await ben.follow(ana)
        let newer = try await ana.post(caption: "Written here")
        let (one, two, three) = try await (TestPicture.jpeg(), TestPicture.jpeg(), TestPicture.jpeg())
        let archive = try TestArchive(
            [
                "media_attachments/files/1/a.jpg": one, "./media_attachments/files/2/b.jpg": two,
                "media_attachments/files/3/c.jpg": three,
                "outbox.json": Self.outbox([
                    Self.note(
                        1, "2019-05-04T10:00:00Z",
                        "<p>Hello <span class=\"h-card\"><a href=\"https://other.example/@ben\" class=\"u-url mention\">@<span>ben</span></a></span> &amp; all<br />second line</p><p><a href=\"https://old.example/tags/sea\" class=\"mention hashtag\">#<span>Sea</span></a> <a href=\"https://example.org/a/long\"><span class=\"invisible\">https://</span><span class=\"ellipsis\">example.org/a</span><span class=\"invisible\">/long</span></a></p>",
                        files: [("1/a.jpg", "The sea"), ("2/b.jpg", "")]),
                    Self.note(
                        2, "2025-02-03T04:05:06Z", "<p>For few</p>", files: [("3/c.jpg", "")],
                        to: [Self.followers], cc: [],
                        changing: ["summary": "Loud", "sensitive": .bool(true)]),
                ]), "actor.json": Self.actorFile,
            ], as: .tarGzip)
        let report = try await ana.bring(archive, from: .mastodon)
        #expect(report.photos == 3 && report.posts == 2 && report.leftOut.groups.isEmpty, "\(report)")
        let posts = try await ana.ownPosts()
        #expect(
            posts.map { $0["created_at"].string?.prefix(19) ?? "" }.dropFirst() == [
                "2025-02-03T04:05:06", "2019-05-04T10:00:00",
            ])
        #expect(posts[0]["id"].string == newer)
        #expect(posts[1]["text"].string == "For few" && posts[1]["spoiler_text"] == "Loud")
        #expect(posts[1]["visibility"] == "private" && posts[2]["visibility"] == "public")
        #expect(posts[1]["language"] == "en")
        #expect(
            posts[2]["text"].string
                == "Hello https://other.example/@ben & all\nsecond line\n\n#Sea https://example.org/a/long")
        #expect(posts[2]["media_attachments"].list.map { $0["description"] } == ["The sea", .null])
        // The library is in the order of the dates, too, and the first photo of a post is the oldest.
        let library = try await ana.library()
        #expect(library.count == 4)
        #expect(library[1]["created_at"].string?.hasPrefix("2025-02-03T04:05:05") == true)
        #expect(library[3]["description"] == "The sea")
        #expect(library[3]["created_at"].string?.hasPrefix("2019-05-04T09:59:58") == true)
        // Home begins with what was written here.
        #expect(try await ben.home() == ["Written here", "For few", posts[2]["text"].string ?? ""])
        try await world.work()
        #expect(try await ben.get("/api/v1/notifications").json.list.isEmpty)
        #expect(try await ana.get("/api/v1/accounts/\(ana.id)")["statuses_count"] == 3)
        #expect(try await world.tintype.problems() == [])
    }

    @Test("What isn’t a post of photos is left out, and counted with its reason")
    func leftOut() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let picture = try await TestPicture.jpeg()
        let archive = try TestArchive([
            "export/media_attachments/files/1/a.jpg": picture,
            "export/media_attachments/files/2/b.jpg": Array("no picture".utf8),
            "export/outbox.json": Self.outbox([
                .object([
                    "id": "x", "type": "Announce", "actor": .text(Self.actor),
                    "object": "https://a.example/1",
                ]),
                Self.note(1, "2020-01-01T00:00:00Z", "Words", files: []),
                Self.note(
                    2, "2020-01-01T00:00:00Z", "An answer", files: [("1/a.jpg", "")],
                    changing: ["inReplyTo": "https://a.example/1"]),
                Self.note(
                    3, "2020-01-01T00:00:00Z", "My thread", files: [("1/a.jpg", "")],
                    changing: ["inReplyTo": .text("\(Self.actor)/statuses/1")]),
                Self.note(
                    4, "2020-01-01T00:00:00Z", "Hush", files: [("1/a.jpg", "")],
                    to: ["https://a.example/eve"],
                    cc: []),
                Self.note(5, "2020-01-01T00:00:00Z", "Film", files: [("1/a.mp4", "")], media: "video/mp4"),
                Self.note(6, "yesterday", "When?", files: [("1/a.jpg", "")]),
                Self.note(7, "2020-01-01T00:00:00Z", "Broken", files: [("2/b.jpg", "")]),
                Self.note(8, "2020-01-01T00:00:00Z", "Lost", files: [("9/z.jpg", "")]),
                Self.note(9, "2020-01-01T00:00:00Z", "Choose", files: [], changing: ["type": "Question"]),
                "nonsense", .object(["type": "Create", "object": .object(["id": .number(3)])]),
            ]), "export/actor.json": Self.actorFile,
        ])
        let report = try await ana.bring(archive, from: .mastodon)
        #expect(report.photos == 1 && report.posts == 1, "\(report)")
        #expect(try await ana.ownPosts().map { $0["text"] } == ["My thread"])
        let counts = Dictionary(
            uniqueKeysWithValues: report.leftOut.groups.map { ($0.key.words, $0.value.count) })
        func count(_ reason: LeftOut.Reason) -> Int? { counts[reason.words] }
        #expect(count(.boost) == 1 && count(.withoutPhoto) == 1 && count(.reply) == 1)
        #expect(count(.direct) == 1 && count(.film) == 1 && count(.undated) == 1 && count(.poll) == 1)
        #expect(count(.missing) == 1 && count(.photosGone) == 2 && count(.unreadable) == 2)
        #expect(report.description.contains("1 × Replies to other people: \(Self.actor)/statuses/2"))
        #expect(counts.values.reduce(0, +) == 13, "\(report)")
    }

    @Test(
        "An import goes on where another was stopped, and nothing comes twice, not even from a newer archive")
    func again() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let pictures = try await [TestPicture.jpeg(), TestPicture.jpeg(), TestPicture.jpeg()]
        func archive(folder: String) throws -> TestArchive {
            try TestArchive([
                "media_attachments/files/\(folder)/1.jpg": pictures[0],
                "media_attachments/files/\(folder)/2.jpg": pictures[1],
                "media_attachments/files/\(folder)/3.jpg": pictures[2],
                "outbox.json": Self.outbox(
                    (1...3).map {
                        Self.note(
                            $0, "202\($0)-01-01T00:00:00Z", "Post \($0)", files: [("\(folder)/\($0).jpg", "")]
                        )
                    }),
            ])
        }
        let first = try await ana.bring(try archive(folder: "a"), from: .mastodon, stopping: 2)
        #expect(first.isStopped && first.photos == 2 && first.posts == nil, "\(first)")
        let second = try await ana.bring(try archive(folder: "a"), from: .mastodon, stopping: 4)
        #expect(second.isStopped && second.photos == 1 && second.knownPhotos == 2 && second.posts == 1)
        // The person deletes a photo and its post.
        let post = try #require(try await ana.ownPosts().first?["id"].string)
        #expect(try await ana.delete("/api/v1/statuses/\(post)").status == 200)
        let third = try await ana.bring(try archive(folder: "b"), from: .mastodon)
        #expect(third.photos == 0 && third.knownPhotos == 3 && third.posts == 2 && third.knownPosts == 1)
        #expect(try await ana.ownPosts().map { $0["text"] } == ["Post 3", "Post 2"])
        #expect(try await ana.library().count == 3)
        let rows = try await world.downloaded("imported", of: ana)
        #expect(rows.count == 6 && rows.count { $0["post_id"] != .null } == 2)
        // Another account isn't concerned.
        let ben = try await world.account("ben")
        #expect(try await ben.bring(try archive(folder: "a"), from: .mastodon, posts: false).photos == 3)
        #expect(try await ben.ownPosts().isEmpty)
        #expect(try await world.tintype.problems() == [])
    }

    @Test(
        "Nobody sees a post who couldn’t over there, and an account that approves followers has posts for them alone"
    )
    func audience() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let (one, two) = try await (TestPicture.jpeg(), TestPicture.jpeg())
        let archive = try TestArchive([
            "media_attachments/files/1.jpg": one, "media_attachments/files/2.jpg": two,
            "outbox.json": Self.outbox([
                Self.note(1, "2020-01-01T00:00:00Z", "All", files: [("1.jpg", "")]),
                Self.note(
                    2, "2021-01-01T00:00:00Z", "Few", files: [("2.jpg", "")], to: [Self.followers], cc: []),
            ]),
        ])
        try await ana.bring(archive, from: .mastodon, audience: .unlisted)
        #expect(try await ana.ownPosts().map { $0["visibility"] } == ["private", "unlisted"])
        let ben = try await world.account("ben")
        _ = try await ben.send(.patch, "/api/v1/accounts/update_credentials", json: ["locked": true])
        try await ben.bring(archive, from: .mastodon, audience: .everyone)
        #expect(try await ben.ownPosts().map { $0["visibility"] } == ["private", "private"])
    }

    @Test("An import ends when the storage is full, and says so")
    func storage() async throws {
        let world = try await World { $0.storagePerAccount = 1 }
        let ana = try await world.account("ana")
        let archive = try TestArchive([
            "media_attachments/files/1.jpg": try await TestPicture.jpeg(),
            "outbox.json": Self.outbox([
                Self.note(1, "2020-01-01T00:00:00Z", "All", files: [("1.jpg", "")])
            ]),
        ])
        let refusal = await #expect(throws: Refusal.self) { try await ana.bring(archive, from: .mastodon) }
        #expect(refusal?.fields["file"]?.code == "ERR_STORAGE_FULL")
        #expect(try await world.fileCount() == 0)
    }

    @Test("Posts whose long names differ at the end are two, and a picture without an address is reported")
    func longNames() async throws {
        let ana = try await World().account("ana")
        let name = "\(Self.actor)/statuses/" + String(repeating: "e\u{301}", count: 2_000)
        let file = (name: "1/a.jpg", text: "")
        var entries = (1...2).map { number in
            Self.note(
                number, "2020-01-0\(number)T00:00:00Z", "<p>Post \(number)</p>", files: [file],
                changing: ["id": .text("\(name)\(number)")])
        }
        entries.append(
            Self.note(
                3, "2020-01-03T00:00:00Z", "<p>In work</p>", files: [],
                changing: ["attachment": .list([.object(["type": "Document", "url": .null])])]))
        let archive = try TestArchive([
            "media_attachments/files/1/a.jpg": try await TestPicture.jpeg(),
            "outbox.json": Self.outbox(entries), "actor.json": Self.actorFile,
        ])
        let report = try await ana.bring(archive, from: .mastodon)
        #expect(report.posts == 2, "\(report)")
        #expect(report.leftOut.groups[.missing]?.count == 1, "\(report)")
        let again = try await ana.bring(archive, from: .mastodon)
        #expect(again.posts == 0 && again.knownPosts == 2)
    }
}
