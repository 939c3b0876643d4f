import Foundation
import Testing

@testable import Core
@testable import Serving
@testable import Tintype

@Suite("Importing an archive of Instagram")
struct InstagramImportTests {
    private static func medium(_ uri: String, _ seconds: Double, _ title: String = "") -> JSON {
        .object(["uri": .text(uri), "creation_timestamp": .number(seconds), "title": .text(title)])
    }

    @Test(
        "Posts come for followers with mended texts; stories and what was archived come to the library alone",
        arguments: ["your_instagram_activity/content", "your_instagram_activity/media", "content"])
    func posts(folder: String) async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let pictures = try await [
            TestPicture.jpeg(), TestPicture.jpeg(), TestPicture.jpeg(), TestPicture.jpeg(),
        ]
        // "Zoë 🌊", as Instagram writes it.
        let mangled = "Zo\u{C3}\u{AB} \u{F0}\u{9F}\u{8C}\u{8A}"
        let posts: JSON = .list([
            .object(["media": .list([Self.medium("media/posts/201507/one.jpg", 1_437_000_000, mangled)])]),
            .object([
                "media": .list([
                    Self.medium("media/posts/202001/two.jpg", 1_580_000_000),
                    Self.medium("media/posts/202001/three.jpg", 1_580_000_001),
                    Self.medium("media/posts/202001/film.mp4", 1_580_000_002),
                ]), "title": "Two of three", "creation_timestamp": .number(1_580_000_100),
            ]),
            .object(["media": .list([]), "title": "Nothing"]), .number(7),
        ])
        let stories: JSON = .object([
            "ig_stories": .list([Self.medium("media/stories/four.jpg", 1_600_000_000)])
        ])
        let archive = try TestArchive([
            "\(folder)/posts_1.json": Array(posts.text.utf8),
            "\(folder)/stories.json": Array(stories.text.utf8),
            "media/posts/201507/one.jpg": pictures[0], "media/posts/202001/two.jpg": pictures[1],
            "media/posts/202001/three.jpg": pictures[2], "media/stories/four.jpg": pictures[3],
            "media/posts/202001/film.mp4": [0, 0, 0, 0], "messages/inbox/x/message_1.json": Array("{}".utf8),
        ])
        let report = try await ana.bring(archive, from: .instagram)
        #expect(report.photos == 4 && report.posts == 2, "\(report)")
        #expect(report.reasons == [.film, .withoutPhoto, .unreadable])
        let shown = try await ana.ownPosts()
        #expect(shown.map { $0["text"] } == ["Two of three", "Zoë 🌊"])
        #expect(shown.map { $0["visibility"] } == ["private", "private"])
        #expect(shown.map { $0["media_attachments"].list.count } == [2, 1])
        #expect(
            shown.map { String($0["created_at"].string?.prefix(10) ?? "") } == ["2020-01-26", "2015-07-15"])
        #expect(try await ana.library().count == 4)
        let again = try await ana.bring(archive, from: .instagram, audience: .everyone)
        #expect(again.photos == 0 && again.posts == 0 && again.knownPosts == 2)
    }

    @Test("A post has ten photos, and those beyond are in the library")
    func many() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        var media: [JSON] = []
        var files: [(String, [UInt8])] = []
        for number in 1...11 {
            media.append(Self.medium("media/posts/\(number).jpg", 1_580_000_000))
            files.append(("media/posts/\(number).jpg", try await TestPicture.jpeg()))
        }
        let posts: JSON = .list([
            .object(["media": .list(media), "title": .text(String(repeating: "ä", count: 3_000))])
        ])
        let archive = try TestArchive(files: files + [("posts_1.json", Array(posts.text.utf8))])
        let report = try await ana.bring(archive, from: .instagram)
        #expect(report.photos == 11 && report.posts == 1)
        #expect(report.reasons == [.beyondTen, .shortened])
        let post = try #require(try await ana.ownPosts().first)
        #expect(post["media_attachments"].list.count == 10)
        #expect(
            post["text"].string?.unicodeScalars.count == 2_200 && post["text"].string?.hasSuffix("ä…") == true
        )
    }

    @Test("Only texts that were written as bytes are mended", arguments: ["plain", "Zoë", "日本", "Ã", ""])
    func unmended(text: String) {
        #expect(InstagramArchive.mended(text) == text)
        let mangled = String(String.UnicodeScalarView(text.utf8.map { Unicode.Scalar($0) }))
        #expect(InstagramArchive.mended(mangled) == text)
    }

    @Test("An archive of web pages is refused with what to do")
    func pages() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let archive = try TestArchive(["your_instagram_activity/content/posts_1.html": Array("<p>".utf8)])
        let refusal = await #expect(throws: Refusal.self) { try await ana.bring(archive, from: .instagram) }
        #expect(refusal?.message.contains("choose JSON") == true)
    }
}
