import HTTPTypes
import Testing

@testable import Tintype

@Suite("What is between two people stays between them")
struct ChatPrivacyTests {
    /// Every address of chats, with the places of what is in them.
    private static let addresses: [(HTTPRequest.Method, String)] = [
        (.get, "/api/v1/chats/CHAT"),
        (.post, "/api/v1/chats/CHAT/accept"),
        (.post, "/api/v1/chats/CHAT/delivered"),
        (.post, "/api/v1/chats/CHAT/read"),
        (.post, "/api/v1/chats/CHAT/typing"),
        (.get, "/api/v1/chats/CHAT/messages"),
        (.post, "/api/v1/chats/CHAT/messages"),
        (.get, "/api/v1/chats/CHAT/messages/MESSAGE"),
        (.post, "/api/v1/chats/CHAT/messages/MESSAGE/save"),
        (.put, "/api/v1/chats/CHAT/messages/MESSAGE/reaction"),
        (.delete, "/api/v1/chats/CHAT/messages/MESSAGE/reaction"),
        (.post, "/api/v1/chats/CHAT/messages/ONCE/open"),
        (.post, "/api/v1/conversations/CHAT/read"),
        (.get, "/api/v1/statuses/MESSAGE"),
        (.get, "/api/v1/statuses/ONCE"),
        (.get, "/api/v1/statuses/MESSAGE/context"),
        (.get, "/api/v1/statuses/MESSAGE/source"),
        (.get, "/api/v1/statuses/MESSAGE/history"),
        (.get, "/api/v1/statuses/MESSAGE/favourited_by"),
        (.get, "/api/v1/statuses/MESSAGE/reblogged_by"),
        (.post, "/api/v1/statuses/MESSAGE/favourite"),
        (.post, "/api/v1/statuses/MESSAGE/unfavourite"),
        (.post, "/api/v1/statuses/MESSAGE/bookmark"),
        (.post, "/api/v1/statuses/MESSAGE/unbookmark"),
        (.post, "/api/v1/statuses/MESSAGE/pin"),
        (.post, "/api/v1/statuses/MESSAGE/unpin"),
        (.post, "/api/v1/statuses/MESSAGE/mute"),
        (.post, "/api/v1/statuses/MESSAGE/unmute"),
        (.put, "/api/v1/statuses/MESSAGE"),
        (.post, "/api/v1/statuses?status=Hi&in_reply_to_id=MESSAGE"),
        (.post, "/api/v1/statuses?status=Hi&in_reply_to_id=MESSAGE&visibility=direct"),
        (.get, "/messages/CHAT"),
        (.post, "/messages/CHAT"),
        (.get, "/messages/CHAT?max_id=MESSAGE"),
        (.get, "/messages/CHAT?message=MESSAGE"),
        (.get, "/messages/CHAT/search"),
        (.get, "/api/v1/messages/search?q=hello&chat_id=CHAT"),
        (.get, "/messages/CHAT/library"),
        (.get, "/messages/CHAT/photos/MESSAGE"),
        (.get, "/messages/CHAT/MESSAGE/options"),
        (.get, "/messages/CHAT/MESSAGE/report"),
        (.post, "/messages/CHAT/MESSAGE/report"),
        (.post, "/api/v1/reports?message_id=MESSAGE&chat_id=CHAT"),
        (.post, "/messages/CHAT/MESSAGE/save"),
        (.post, "/messages/CHAT/MESSAGE/react"),
        (.get, "/messages/CHAT?reply_to=MESSAGE"),
        (.post, "/messages/requests/CHAT/accept"),
        (.get, "/photos/PHOTO/large"),
        (.get, "/photos/PHOTO/medium"),
        (.get, "/photos/PHOTO/square"),
        (.get, "/api/v1/photos/PHOTO"),
        (.get, "/api/v1/photos/PHOTO/original"),
        (.get, "/api/v1/media/PHOTO"),
        (.get, "/library/PHOTO"),
    ]

    /// What takes something away from those who may: asked for last.
    private static let ending: [(HTTPRequest.Method, String)] = [
        (.get, "/api/v1/once_views/VIEW"),
        (.post, "/api/v1/chats/CHAT/messages/ONCE/shown"),
        (.post, "/api/v1/chats/CHAT/messages/ONCE/close"),
        (.delete, "/api/v1/statuses/EXTRA"),
        (.delete, "/api/v1/chats/CHAT/messages/MESSAGE"),
        (.post, "/messages/CHAT/ONCE/delete"),
        (.delete, "/api/v1/conversations/CHAT"),
        (.delete, "/api/v1/chats/CHAT"),
        (.post, "/messages/requests/CHAT/delete"),
    ]

    /// What only a group has.
    private static let ofGroups: [(HTTPRequest.Method, String)] = [
        (.get, "/messages/CHAT/group"),
        (.get, "/messages/CHAT/group/add"),
        (.post, "/messages/CHAT/group/add?to=1"),
        (.post, "/api/v1/chats/CHAT/members"),
        (.delete, "/api/v1/chats/CHAT/members/1"),
        (.patch, "/api/v1/chats/CHAT"),
    ]

    /// A chat with something of everything in it.
    private struct Scene {
        var ana: Person
        var bea: Person
        var cleo: Person
        var places: [String: String]
    }

    private func scene(isGroup: Bool = false) async throws -> Scene {
        let people = try await World().friends("ana", "bea", "cleo", "dora")
        let (ana, bea, cleo) = (people[0], people[1], people[2])
        let chat = try await isGroup ? ana.group(with: bea, people[3]) : ana.chat(with: bea)
        let photo = try await ana.photo()
        let (message, once) = (
            try await ana.send(photo: photo, in: chat), try await ana.sendOnce(in: chat)
        )
        let extra = try await ana.write("One more", in: chat)
        let view = try #require(try await bea.open(once, in: chat).viewPath.split(separator: "/").last)
        return Scene(
            ana: ana, bea: bea, cleo: cleo,
            places: [
                "CHAT": chat, "PHOTO": photo, "MESSAGE": message, "ONCE": once, "EXTRA": extra,
                "VIEW": String(view),
            ])
    }

    private func ask(
        _ person: Person, _ method: HTTPRequest.Method, _ template: String, _ places: [String: String]
    ) async throws -> Answer {
        let path = places.reduce(template) { $0.replacing($1.key, with: $1.value) }
        if method == .get { return try await person.get(path) }
        let message = JSON.text(places["MESSAGE"] ?? "")
        return try await person.send(
            method, path,
            json: [
                "text": "Me too", "last_read_id": message, "last_delivered_id": message, "reason": "mean",
                "emoji": "🎉",
            ])
    }

    @Test(
        "Who isn't in a chat gets 404 at every address, and finds nothing in any list",
        arguments: [false, true])
    func thirdPerson(isGroup: Bool) async throws {
        let scene = try await scene(isGroup: isGroup)
        let (bea, cleo, places) = (scene.bea, scene.cleo, scene.places)
        let (chat, photo) = (try #require(places["CHAT"]), try #require(places["PHOTO"]))
        // In a chat of their own they find none of it either, and it all reads as what was never there.
        let own = places.merging(["CHAT": try await cleo.chat(with: scene.ana)]) { $1 }
        let never = places.mapValues { String($0.reversed()) }
        let messages = try await bea.get("/api/v1/chats/\(chat)/messages").json.list.count
        for (method, template) in Self.addresses + (isGroup ? Self.ofGroups : []) + Self.ending {
            let answer = try await ask(cleo, method, template, places)
            #expect(answer.status == 404, "\(method) \(template)")
            if template.contains("/MESSAGE") || template.contains("=MESSAGE&") || template.contains("/ONCE") {
                let answer = try await ask(cleo, method, template, own)
                #expect(answer.status == 404, "\(method) \(template) in their own chat")
            }
            let unknown = try await ask(cleo, method, template, never)
            #expect(unknown.status == 404, "\(method) \(template) of nothing")
            #expect(answer.json == unknown.json, "\(method) \(template)")
            #expect(!answer.shows("ana") && !answer.shows("bea"), "\(method) \(template)")
            #expect(try await bea.get("/api/v1/chats/\(chat)").status == 200, "\(method) \(template)")
        }
        for path in ["/api/v1/chats", "/api/v1/conversations", "/api/v1/timelines/between"] {
            #expect(try await cleo.get(path).json.list.isEmpty, "\(path)")
        }
        for path in ["/feed", "/messages", "/messages/requests", "/library"] {
            let page = try await cleo.visit(path)
            #expect(page.status == 200, "\(path)")
            #expect(!page.shows(chat) && !page.shows(photo), "\(path)")
        }
        #expect(try await bea.get("/api/v1/chats/\(chat)/messages").json.list.count == messages)
        #expect(try await cleo.world.number("SELECT count(*) FROM reports") == 0)
    }

    @Test("At every one of these addresses one of the two finds something")
    func theTwo() async throws {
        let scene = try await scene()
        for (method, template) in Self.addresses + Self.ending {
            var statuses: [Int] = []
            for person in [scene.bea, scene.ana] {
                statuses.append(try await ask(person, method, template, scene.places).status)
            }
            #expect(statuses.contains { $0 != 404 }, "\(method) \(template): \(statuses)")
        }
    }

    @Test("A picture's signed address is worth nothing to others, nor to the receiver after a block")
    func signedAddresses() async throws {
        let people = try await World().friends("ana", "bea", "cleo")
        let (ana, bea, cleo) = (people[0], people[1], people[2])
        let chat = try await ana.chat(with: bea)
        let message = try await ana.send(photo: try await ana.photo(), in: chat)
        let sent = try await bea.get("/api/v1/chats/\(chat)/messages/\(message)")
        let url = try #require(sent["photo"]["url"].string)
        let path = try #require(url.split(separator: "/photos/").last.map { "/photos/\($0)" })
        #expect(try await bea.world.stranger.get(path).status == 200)
        let bare = try #require(path.split(separator: "?").first.map(String.init))
        #expect(try await cleo.get(bare).status == 404)
        let (hers, others) = (try await bea.session, try await cleo.session)
        #expect(path.contains("v=\(hers)&"))
        #expect(try await cleo.get(path.replacing("v=\(hers)", with: "v=\(others)")).status == 404)
        try await ana.block(bea)
        #expect(try await bea.world.stranger.get(path).status == 404)
    }

    @Test("An app that may only write messages reads none in the answers to its calls")
    func writeOnly() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let chat = try await ben.chat(with: ana)
        let photo = try await ben.photo()
        let message = try await ben.write("Between us", in: chat)
        let app = try await world.app()
        for (scope, mayRead) in [
            ("write", false), ("write:chats write:conversations", false), ("read write", true),
        ] {
            let hers = try await app.logIn(ana, scope: scope)
            let reaction = "/api/v1/chats/\(chat)/messages/\(message)/reaction"
            for answer in [
                try await hers.post("/api/v1/chats", json: ["account_id": "\(ben.id)"]),
                try await hers.post("/api/v1/chats/\(chat)/accept"),
                try await hers.post("/api/v1/conversations/\(chat)/read"),
                try await hers.send(.put, reaction, json: ["emoji": "👍"]), try await hers.delete(reaction),
                try await hers.post(
                    "/api/v1/chats/\(chat)/messages", json: ["text": "Yes", "reply_to_id": .text(message)]),
            ] {
                #expect(answer.status == 200 || answer.status == 201, "\(answer.text)")
                #expect(answer.shows("Between us") == mayRead, "\(answer.text) with \(scope)")
            }
            let picture = try await ben.send(photo: photo, in: chat)
            let seen = try await hers.send(
                .put, "/api/v1/chats/\(chat)/messages/\(picture)/reaction", json: ["emoji": "👍"])
            #expect((seen["photo"] != .null) == mayRead)
            _ = try await ben.write("Between us", in: chat)
        }
    }
}
