import Foundation
import HTTPTypes
import Testing

@testable import Core
@testable import Feeds
@testable import People
@testable import Serving
@testable import Tintype

@Suite("View-once pictures")
struct OncePictureTests {
    private func status(_ person: Person, _ chat: String, _ message: String) async throws -> (Bool?, Bool?) {
        let answer = try await person.get("/api/v1/chats/\(chat)/messages/\(message)")
        return (answer["opened"].bool, answer["expired"].bool)
    }

    @Test("However many open one at the same moment, one look is given, to the log-in that asked")
    func once() async throws {
        let people = try await World().friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let chat = try await ana.chat(with: bea)
        let message = try await ana.sendOnce(in: chat)
        let path = "/api/v1/chats/\(chat)/messages/\(message)"
        let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
            for _ in 0..<100 { group.addTask { try await bea.post("\(path)/open") } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.filter { $0.status == 410 }.count == 99)
        let view = try #require(answers.first { $0.status == 200 }).viewPath
        #expect(try await ana.get(view).status == 404)
        #expect(try await bea.world.device(of: bea).get(view).status == 404)
        let bytes = try await bea.get(view)
        #expect(bytes.status == 200)
        #expect(bytes.headers[.cacheControl] == "no-store")
        #expect(try await bea.post("\(path)/shown").status == 204)
        #expect(try await bea.get(view).status == 410)
        #expect(try await bea.post("\(path)/close").status == 204)
        #expect(try await status(ana, chat, message) == (true, false))
    }

    @Test("A repeated photo to be seen once is sent once, also when the photo was deleted meanwhile")
    func overtaken() async throws {
        let world = try await World { $0.readsInPlace = 0 }
        let people = try await world.friends("ana", "bea")
        let ana = try await people[0].account()
        let chat = try #require(Chat.ID(try await people[0].chat(with: people[1])))
        let photo = try #require(Photo.ID(try await people[0].photo()))
        let messages = world.tintype.features.chats.messages
        let draft = MessageService.Draft(text: "", picture: .onceCopy(of: photo))
        // Both had looked for the key in vain: the repeat is held before it finds the photo.
        let gate = world.clock.hold(look: 2)
        async let late = messages.send(draft, to: chat, by: ana, key: "k")
        await gate.isReached()
        let early = try await messages.send(draft, to: chat, by: ana, key: "k")
        try await world.tintype.photos.delete(photo, by: ana, force: true)
        gate.open()
        #expect(try await late.id == early.id)
    }

    @Test("A library photo sent to be seen once is a copy of which nothing lasts")
    func libraryPhoto() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let chat = try await ana.chat(with: bea)
        let photo = try await ana.photo(description: "A dog on the stairs")
        let before = try await world.fileCount()
        let path = "/api/v1/chats/\(chat)/messages"
        let draft: JSON = ["photo_id": .text(photo), "view_once": true]
        for _ in 0..<2 {
            #expect(try await ana.post(path, json: draft, headers: [.idempotencyKey: "k"]).status == 201)
        }
        let form = try await ana.submit("/messages/\(chat)", ["photo": photo, "once": "true", "key": "f"])
        #expect(form.status == 303)
        // Two files each, and nothing of the repeated one.
        #expect(try await world.fileCount() == before + 4)
        let messages = try await bea.get(path).json.list
        #expect(messages.count == 2)
        for message in messages {
            #expect(message["view_once"] == true && message["photo"] == .null)
            let id = try #require(message["id"].string)
            let opened = try await bea.open(id, in: chat)
            #expect(opened["view"]["description"] == "A dog on the stairs")
            #expect(try await bea.get(opened.viewPath).status == 200)
            #expect(try await bea.post("\(path)/\(id)/close").status == 204)
        }
        try await world.work()
        #expect(try await world.fileCount() == before)
        for person in people {
            #expect(try await person.get("/api/v1/timelines/between").json.list.isEmpty)
        }
        #expect(try await ana.get("/photos/\(photo)/large").status == 200)
        #expect(try await bea.get("/photos/\(photo)/large").status == 404)
        // Another person's photo isn't in bea's library, and leaves nothing.
        #expect(try await bea.post(path, json: draft).status == 422)
        #expect(try await world.fileCount() == before)
    }

    @Test("One that nobody opens is expired after a day, and its files are erased")
    func expiry() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let chat = try await ana.chat(with: bea)
        let before = try await world.fileCount()
        let message = try await ana.sendOnce(in: chat)
        #expect(try await world.fileCount() > before)
        #expect(try await status(bea, chat, message) == (false, false))
        world.clock.advance(hours: 24)
        try await world.work()
        #expect(try await status(bea, chat, message) == (false, true))
        #expect(try await bea.post("/api/v1/chats/\(chat)/messages/\(message)/open").status == 410)
        #expect(try await world.fileCount() == before)
    }

    @Test("It appears in no library, feed, list of photos or download of either")
    func elsewhere() async throws {
        let people = try await World().friends("ana", "bea")
        let chat = try await people[0].chat(with: people[1])
        let message = try await people[0].sendOnce(in: chat)
        for person in people {
            #expect(try await person.get("/api/v1/photos").json.list.isEmpty)
            #expect(try await person.get("/api/v1/timelines/between").json.list.isEmpty)
            let seen = try await person.get("/api/v1/chats/\(chat)/messages/\(message)")
            #expect(seen["photo"] == .null)
            #expect(try await person.post("/api/v1/chats/\(chat)/messages/\(message)/save").status == 404)
        }
    }

    @Test("A backup leaves it out: after a restore an unopened one is expired, an opened one opened")
    func backup() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let chat = try await ana.chat(with: bea)
        let (unopened, opened) = (try await ana.sendOnce(in: chat), try await ana.sendOnce(in: chat))
        #expect(try await bea.post("/api/v1/chats/\(chat)/messages/\(opened)/open").status == 200)
        _ = try await ana.photo()
        let file = NSTemporaryDirectory() + "tintype-test-" + UUID().uuidString
        let folder = file + "-restored"
        defer { for path in [file, folder] { try? FileManager.default.removeItem(atPath: path) } }
        // The seven files of one library photo and nothing else.
        #expect(try await world.tintype.backUp(to: file).files == 7)
        var configuration = world.tintype.configuration
        configuration.data = folder
        _ = try await TintypeApplication.restore(from: file, configuration)
        let restored = try await World(folder: folder, clock: world.clock)
        let again = Person(world: restored, id: bea.id, username: "bea", token: bea.token)
        #expect(try await status(again, chat, unopened) == (false, true))
        #expect(try await status(again, chat, opened) == (true, false))
        #expect(try await again.post("/api/v1/chats/\(chat)/messages/\(unopened)/open").status == 410)
        #expect(try await restored.tintype.problems() == [])
        // Where the backup was made all is as it was.
        #expect(try await status(bea, chat, unopened) == (false, false))
    }

    @Test("Without scripts the picture is in one answer, which can't be fetched again")
    func withoutScripts() async throws {
        let people = try await World().friends("ana", "bea", "cleo")
        let (ana, bea) = (people[0], people[1])
        let chat = try await ana.chat(with: bea)
        let message = try await ana.sendOnce(in: chat)
        let path = "/messages/\(chat)/\(message)/open"
        #expect(try await bea.visit("/messages/\(chat)").shows("formaction=\"\(path)\""))
        #expect(try await people[2].submit(path).status == 404)
        #expect(try await ana.submit(path).status == 404)
        let page = try await bea.submit(path)
        #expect(page.status == 200 && page.headers[.cacheControl] == "no-store")
        #expect(page.shows("src=\"data:image/jpeg;base64,") && !page.shows("once_views"))
        #expect(try await status(bea, chat, message) == (true, false))
        #expect(try await bea.submit(path).status == 410)
    }
}
