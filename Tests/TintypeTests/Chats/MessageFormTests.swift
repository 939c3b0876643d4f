import HTTPTypes
import Testing

@testable import Feeds
@testable import Tintype

@Suite("Messages without scripts")
struct MessageFormTests {
    private let broken = FormPart.file("file", Array("no picture".utf8), name: "letter.jpg")

    private func count(_ person: Person, _ chat: String) async throws -> Int {
        try await person.get("/api/v1/chats/\(chat)/messages").json.list.count
    }

    @Test("Of several files of which one is broken none is sent or kept, and a second try sends each once")
    func allOrNone() async throws {
        for isOnce in [false, true] {
            let world = try await World()
            let people = try await world.friends("ana", "bea")
            let (ana, bea) = (people[0], people[1])
            let chat = try await ana.chat(with: bea)
            let good = FormPart.file(
                "file", try await TestPicture.jpeg(width: 60, height: 40), name: "one.jpg")
            let other = FormPart.file(
                "file", try await TestPicture.jpeg(width: 40, height: 60), name: "two.jpg")
            let fields: [FormPart] =
                [.text("key", "k"), .text("text", "Typed")] + (isOnce ? [.text("once", "true")] : [])
            let path = "/messages/\(chat)"
            let refused = try await ana.submit(path, multipart: fields + [good, broken])
            #expect(refused.status == 415)
            #expect(refused.shows("letter.jpg: This file isn’t a picture."))
            #expect(refused.shows("Nothing was sent. Choose your files again.") && refused.shows("Typed"))
            #expect(try await count(bea, chat) == 0)
            #expect(try await ana.get("/api/v1/photos").json.list.isEmpty)
            try await world.work()
            #expect(try await world.fileCount() == 0)
            // With the same form, as after Back, and then once more.
            for _ in 0..<2 {
                #expect(try await ana.submit(path, multipart: fields + [good, other]).status == 303)
            }
            #expect(try await count(bea, chat) == 3)
            let newest = try await bea.get("/api/v1/chats/\(chat)/messages").json[0]
            #expect(newest["text"] == "Typed")
            // Other words in the same form are another message.
            #expect(try await ana.submit(path, ["key": "k", "text": "Also"]).status == 303)
            #expect(try await count(bea, chat) == 4)
            #expect(try await world.tintype.problems() == [])
        }
    }

    @Test("A form that comes twice at the same moment sends each message once", arguments: [false, true])
    func simultaneous(isOnce: Bool) async throws {
        let people = try await World().friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let chat = try await ana.chat(with: bea)
        let picture = try await TestPicture.jpeg(width: 60, height: 40)
        let form: [FormPart] =
            [.text("key", "k"), .file("file", picture)] + (isOnce ? [.text("once", "true")] : [])
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask { try await ana.submit("/messages/\(chat)", multipart: form).status }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == [303, 303, 303, 303])
        #expect(try await count(bea, chat) == 1)
    }

    @Test("What a request has no room for is sent in no part")
    func requestLimit() async throws {
        let world = try await World()
        let (ana, cleo) = (try await world.account("ana"), try await world.account("cleo"))
        let chat = try await cleo.chat(with: ana)
        for number in 1..<MessageRules.requestLength { _ = try await cleo.write("\(number)", in: chat) }
        let picture = FormPart.file("file", try await TestPicture.jpeg())
        let answer = try await cleo.submit(
            "/messages/\(chat)", multipart: [.text("key", "k"), .text("text", "Typed"), picture])
        #expect(answer.status == 422 && answer.shows("Typed"))
        #expect(try await count(ana, chat) == MessageRules.requestLength - 1)
        #expect(try await cleo.get("/api/v1/photos").json.list.isEmpty)
    }

    @Test("A camera's snap that is posted twice is answered with the snap, at once or later")
    func snapTwice() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let form: [FormPart] = [
            .text("key", "k"), .text("feed_id", "memes"), .file("file", try await TestPicture.jpeg()),
        ]
        for _ in 0..<2 {
            let answer = try await ana.submit("/snaps", multipart: form)
            #expect(answer.status == 303 && answer.headers[.location] == "/snaps/new")
        }
        let again: [FormPart] = [.text("key", "other")] + form.dropFirst()
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 { group.addTask { try await ana.submit("/snaps", multipart: again).status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == [303, 303, 303, 303])
        #expect(try await world.number("SELECT count(*) FROM snaps") == 2)
    }
}
