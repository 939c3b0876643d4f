import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Core
@testable import Feeds
@testable import Serving
@testable import Tintype

@Suite("Snaps for friends and groups")
struct SnapSendingTests {
    /// Three friends with a group of ana's.
    private struct Scene {
        let world: World
        let ana: Person
        let bea: Person
        let cleo: Person
        let group: String

        init() async throws {
            world = try await World()
            let people = try await world.friends("ana", "bea", "cleo")
            (ana, bea, cleo) = (people[0], people[1], people[2])
            group = try await ana.group(with: bea, cleo, title: "Pizza or ramen?")
        }

        func send(_ more: JSON, key: String? = nil) async throws -> Answer {
            try await ana.post(
                "/api/v1/snaps/send", json: more, headers: key.map { [.idempotencyKey: $0] } ?? [:])
        }
    }

    @Test("Each gets the picture as a view-once photo, and an upload is used up", arguments: [false, true])
    func each(hasFeed: Bool) async throws {
        let scene = try await Scene()
        let before = try await scene.world.fileCount()
        let media = try await scene.ana.photo(purpose: "snap")
        var call: [String: JSON] = [
            "media_id": .text(media), "description": "A dog", "account_ids": [.text("\(scene.bea.id)")],
            "chat_ids": [.text(scene.group)],
        ]
        if hasFeed { call["feed_id"] = "memes" }
        let sent = try await scene.send(.object(call))
        #expect(sent.status == 201)
        #expect(sent.json["snap"]["feed_id"].string == (hasFeed ? "memes" : nil))
        let messages = sent.json["messages"].list
        #expect(messages.map { $0["view_once"].bool } == [true, true])
        #expect(messages.first?["chat_id"].string == scene.group)
        #expect(try await scene.world.number("SELECT count(*) FROM single_use_media") == 0)
        try await scene.world.work()
        // Two files for each message and the snap.
        #expect(try await scene.world.fileCount() == before + 2 * (hasFeed ? 3 : 2))
        for message in messages {
            let path =
                "/api/v1/chats/\(message["chat_id"].string ?? "")/messages/\(message["id"].string ?? "")"
            let look = try await scene.bea.post("\(path)/open")
            #expect(look["view"]["description"].string == "A dog")
            #expect(try await scene.bea.get(look.viewPath).status == 200)
            #expect(try await scene.bea.post("\(path)/close").status == 204)
            #expect(try await scene.bea.post("\(path)/open").status == 410)
        }
        try await scene.world.work()
        // Cleo hasn't looked yet.
        #expect(try await scene.world.fileCount() == before + 2 * (hasFeed ? 2 : 1))
    }

    @Test("A call that comes again with its key sends nothing twice, though its upload is gone")
    func again() async throws {
        let scene = try await Scene()
        let media = try await scene.ana.photo(purpose: "snap")
        let call: JSON = [
            "media_id": .text(media), "account_ids": [.text("\(scene.bea.id)"), .text("\(scene.cleo.id)")],
            "chat_ids": [.text(scene.group)],
        ]
        let first = try await scene.send(call, key: "k")
        let second = try await scene.send(call, key: "k")
        #expect(second.status == 201)
        #expect(
            second.json["messages"].list.map { $0["id"].string }
                == first.json["messages"].list.map { $0["id"].string })
        #expect(try await scene.world.number("SELECT count(*) FROM messages WHERE is_once = 1") == 3)
        let other = try await scene.send(call, key: "another")
        #expect(other.status == 422)
    }

    @Test("Each receives it once, however often they are named")
    func named() async throws {
        let scene = try await Scene()
        let chat = try await scene.ana.chat(with: scene.bea)
        let bea: JSON = .text("\(scene.bea.id)")
        let sent = try await scene.send(
            [
                "sample_id": "memes-1", "account_ids": [bea, bea],
                "chat_ids": [.text(chat), .text(scene.group), .text(scene.group)],
            ])
        #expect(sent.json["messages"].list.count == 2)
        #expect(try await scene.world.number("SELECT count(*) FROM messages WHERE is_once = 1") == 2)
    }

    @Test("A call that was sent is answered again, though a friend has left since; new receivers get it once")
    func midway() async throws {
        let scene = try await Scene()
        let before = try await scene.world.fileCount()
        let (bea, cleo): (JSON, JSON) = (.text("\(scene.bea.id)"), .text("\(scene.cleo.id)"))
        let call: JSON = ["sample_id": "memes-1", "account_ids": [bea, cleo]]
        let half: JSON = ["sample_id": "memes-1", "account_ids": [bea]]
        #expect(try await scene.send(half, key: "k").status == 201)
        #expect(try await scene.send(call, key: "k").status == 201)
        #expect(try await scene.cleo.post("/api/v1/accounts/\(scene.ana.id)/unfollow").status == 200)
        #expect(try await scene.send(call, key: "k").status == 201)
        #expect(try await scene.send(call, key: "l").status == 422)
        #expect(try await scene.world.number("SELECT count(*) FROM messages WHERE is_once = 1") == 2)
        try await scene.world.work()
        #expect(try await scene.world.fileCount() == before + 4)
    }

    @Test("Photos of the library and predefined pictures are sent as copies, and stay")
    func copies() async throws {
        let scene = try await Scene()
        let photo = try await scene.ana.photo()
        for picture in ["photo_id": JSON.text(photo), "sample_id": "memes-1"] {
            let sent = try await scene.send(
                .object([picture.key: picture.value, "chat_ids": [.text(scene.group)]]))
            #expect(sent.status == 201)
        }
        #expect(try await scene.ana.get("/api/v1/photos/\(photo)").status == 200)
        let foreign = try await scene.bea.post(
            "/api/v1/snaps/send", json: ["photo_id": .text(photo), "chat_ids": [.text(scene.group)]])
        #expect(foreign.status == 404)
    }

    @Test("Nobody receives anything when one of them can't")
    func refused() async throws {
        let scene = try await Scene()
        let stranger = try await scene.world.account("dora")
        let others = try await scene.world.friends("emil", "fritz", "gerda")
        let foreign = try await others[0].group(with: others[1], others[2], title: "Theirs")
        let bea: JSON = .text("\(scene.bea.id)")
        let calls: [(JSON, Int)] = [
            (["sample_id": "memes-1"], 422), (["account_ids": [bea]], 422),
            (["sample_id": "memes-1", "account_ids": [bea, .text("\(stranger.id)")]], 422),
            (["sample_id": "memes-1", "account_ids": [bea, .text("\(scene.ana.id)")]], 422),
            (["sample_id": "memes-1", "account_ids": [bea], "chat_ids": [.text(foreign)]], 404),
            (["sample_id": "memes-1", "account_ids": [bea], "feed_id": "nothing"], 422),
            (["sample_id": "memes-1", "account_ids": [bea], "chat_ids": ["x"]], 422),
            (["sample_id": "nothing", "account_ids": [bea]], 404),
            (["sample_id": "memes-1", "account_ids": .list((1...25).map { .text("\($0)") })], 422),
        ]
        for (call, status) in calls { #expect(try await scene.send(call).status == status, "\(call)") }
        #expect(try await scene.world.number("SELECT count(*) FROM messages WHERE is_once = 1") == 0)
        #expect(try await scene.world.number("SELECT count(*) FROM snaps") == 0)
    }

    @Test("Without scripts a form sends to chosen friends and groups, a feed, or both; twice sends once")
    func form() async throws {
        let scene = try await Scene()
        let page = try await scene.ana.visit("/snaps/new/memes-1")
        #expect(page.text.contains("Friends and groups"))
        #expect(page.text.contains("value=\"\(scene.group)\""))
        let fields: KeyValuePairs = [
            "sample_id": "memes-1", "key": "f", "chat": scene.group, "to": "\(scene.bea.id)",
            "feed_id": "memes",
        ]
        for _ in 1...2 {
            let sent = try await scene.ana.submit("/snaps", fields)
            #expect(sent.status == 303)
        }
        #expect(try await scene.world.number("SELECT count(*) FROM messages WHERE is_once = 1") == 2)
        #expect(try await scene.world.number("SELECT count(*) FROM snaps") == 1)
        // A choice that is refused is still chosen.
        let again = try await scene.ana.submit(
            "/snaps", ["sample_id": "memes-1", "feed_id": "nothing", "chat": scene.group])
        #expect(again.status == 422)
        #expect(again.text.contains("value=\"\(scene.group)\" checked"))
    }

    @Test(
        "A picture that is sent twice by a form without scripts is sent once, and nothing of it stays behind")
    func uploadTwice() async throws {
        let scene = try await Scene()
        let before = try await scene.world.fileCount()
        let picture = try await TestPicture.jpeg()
        for _ in 1...2 {
            let sent = try await scene.ana.submit(
                "/snaps",
                multipart: [.file("file", picture), .text("key", "f"), .text("to", "\(scene.bea.id)")])
            #expect(sent.status == 303)
        }
        #expect(try await scene.world.number("SELECT count(*) FROM messages WHERE is_once = 1") == 1)
        try await scene.world.work()
        #expect(try await scene.world.fileCount() == before + 2)
    }

    @Test("A search finds friends and groups, and what was chosen stays")
    func search() async throws {
        let scene = try await Scene()
        let dogs = try await scene.ana.group(with: scene.bea, scene.cleo, title: "Dog people")
        _ = try await scene.ana.post("/api/v1/chats/\(dogs)/messages", json: ["text": "Hello"])
        let found = try await scene.ana.refresh("/snaps/receivers?q=dog&chat=\(scene.group)&chat=x&chat=5")
        #expect(found.text.contains("Dog people"))
        #expect(found.text.contains("value=\"\(scene.group)\" checked"))
        #expect(!found.text.contains("value=\"\(scene.bea.id)\""))
        let stranger = try await scene.world.account("dora")
        let foreign = try await stranger.refresh("/snaps/receivers?chat=\(dogs)")
        #expect(!foreign.text.contains("Dog people"))
    }

    @Test("An app needs the permission to write messages, and for a feed that to post snaps")
    func permissions() async throws {
        let scene = try await Scene()
        let app = try await scene.world.app(scopes: "write:snaps write:chats")
        for (scopes, feed, status) in [
            ("write:snaps", "", 403), ("write:chats", "", 201), ("write:chats", "memes", 403),
            ("write:snaps write:chats", "memes", 201),
        ] {
            let sent = try await app.logIn(scene.ana, scope: scopes).post(
                "/api/v1/snaps/send",
                json: ["sample_id": "memes-1", "chat_ids": [.text(scene.group)], "feed_id": .text(feed)])
            #expect(sent.status == status, "\(scopes) \(feed)")
        }
    }

    @Test("A post and a photo go to groups, too")
    func shares() async throws {
        let scene = try await Scene()
        let post = try await scene.ana.post(caption: "Seen today")
        let photo = try await scene.ana.photo()
        for path in ["/posts/\(post)/send", "/library/\(photo)/send"] {
            let sent = try await scene.ana.submit(path, ["chat": scene.group, "key": path])
            #expect(sent.status == 303)
        }
        let history = try await scene.bea.get("/api/v1/chats/\(scene.group)/messages").json.list
        #expect(history.filter { $0["status_id"].string == post }.count == 1)
        #expect(history.filter { $0["photo"]["id"].string != nil }.count == 1)
    }
}
