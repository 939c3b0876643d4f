import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Core
@testable import Tintype

@Suite("Photos in posts", .timeLimit(.minutes(15)))
struct PostPhotoTests {
    @Test("Deleting a photo deletes what only it had, keeps words and other photos, and updates open pages")
    func deletedPhoto() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let photo = try await ana.photo()
        let other = try await ana.photo()
        let alone = try await ana.post(caption: "Only this", photos: [photo])
        let two = try await ana.post(caption: "Two", photos: [photo, other])
        let post = try await ben.post(caption: "Ben's")
        func comment(_ text: String) async throws -> String {
            let body: JSON = [
                "status": .text(text), "in_reply_to_id": .text(post), "media_ids": [.text(photo)],
            ]
            return try #require(try await ana.post("/api/v1/statuses", json: body)["id"].string)
        }
        let (worded, wordless) = (try await comment("Look"), try await comment(""))
        _ = try await ben.comment("Nice one", on: worded)
        _ = try await ben.comment("And that", on: wordless)
        let question = try await ana.visit("/library/\(photo)")
        #expect(
            question.shows(
                "It is also in 2 posts and 2 comments. It will disappear from there too. Posts and comments without another photo will be deleted, with their likes and comments."
            ))
        #expect(try await ana.delete("/api/v1/photos/\(photo)").status == 409)

        var stream = world.tintype.events.subscribe(ben.id, session: ID(rawValue: 1), after: nil).stream
            .makeAsyncIterator()
        #expect(try await ana.delete("/api/v1/photos/\(photo)?force=true").status == 200)
        var deleted: Set<String> = []
        while let event = await stream.next() {
            if event.name == "delete" { deleted.insert(String(decoding: event.data, as: UTF8.self)) }
            let shown = JSON(event.data)
            // Counts from before may still be on their way.
            if shown["id"].string == post, shown["replies_count"] == 2 { break }
        }
        #expect(deleted == [alone, wordless])
        for gone in [alone, wordless] { #expect(try await ben.get("/api/v1/statuses/\(gone)").status == 404) }
        #expect(try await ben.get("/api/v1/statuses/\(two)")["media_attachments"].list.count == 1)
        let kept = try await ben.get("/api/v1/statuses/\(worded)")
        #expect(kept["text"] == "Look" && kept["media_attachments"] == [] && kept["replies_count"] == 1)
        #expect(try await world.tintype.problems() == [])
    }

    @Test("The question before the last photo of a post says that the post goes with it")
    func question() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let photo = try await ana.photo()
        _ = try await ana.post(caption: "Only this", photos: [photo])
        #expect(
            try await ana.visit("/library/\(photo)").shows(
                "It is also in one post. It will disappear from there too. That post will be deleted, with its likes and comments."
            )
        )
    }

    @Test("Without scripts, a refused form keeps none of its files, and those chosen next are posted once")
    func refusedFile() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let form = try await ana.visit("/posts/new").text
        let key = String(try #require(form.firstMatch(of: /name="key" value="([^"]+)"/)).1)
        func upload(_ page: String) throws -> FormPart {
            .text("upload", String(try #require(page.firstMatch(of: /name="upload" value="([^"]+)"/)).1))
        }
        let refused = try await ana.submit(
            "/posts",
            multipart: [
                .text("key", key), try upload(form), .text("caption", "Two"),
                .file("file", try await TestPicture.jpeg(width: 40, height: 40)),
                .file("file", Array("no picture".utf8)),
            ])
        #expect(refused.status == 415 && refused.shows("Two") && refused.shows("Choose your files again"))
        try await world.work()
        #expect(try await world.number("SELECT count(*) FROM photos") == 0)
        #expect(try await world.fileCount() == 0)
        let parts: [FormPart] = [
            .text("key", key), try upload(refused.text), .text("caption", "Two"),
            .file("file", try await TestPicture.jpeg(width: 40, height: 40)),
            .file("file", try await TestPicture.jpeg(width: 50, height: 30)),
        ]
        // Sent twice, as by a reload: it is posted once.
        for _ in 1...2 { #expect(try await ana.submit("/posts", multipart: parts).status == 303) }
        let posts = try await ana.get("/api/v1/timelines/home").json.list
        #expect(posts.count == 1)
        let widths = posts.first?["media_attachments"].list.map { $0["meta"]["original"]["width"].int }
        #expect(widths == [40, 50])
    }

    @Test("Without scripts, a post that is refused for its words or number takes no file in")
    func refusedPost() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let own = try await ana.photo()
        let files = try await world.fileCount()
        let picture = FormPart.file("file", try await TestPicture.jpeg())
        let forms: [([FormPart], String)] = [
            ([.text("caption", String(repeating: "a", count: 2_201)), picture], "2201 characters"),
            (
                [.text("caption", "Typed"), .text("photo", own)] + Array(repeating: picture, count: 10),
                "at most ten"
            ),
            ([.text("caption", "Typed"), .text("photo", "1"), picture], "in your library"),
        ]
        for (parts, sentence) in forms {
            let refused = try await ana.submit("/posts", multipart: parts + [.text("upload", sentence)])
            #expect(
                refused.status == 422 && refused.shows(sentence) && refused.shows("Choose your files again"))
            try await world.work()
            #expect(try await world.fileCount() == files)
        }
        #expect(try await world.tintype.problems() == [])
    }
}
