import HTTPTypes
import Testing

@testable import Tintype

@Suite("What is between two people stays between them")
struct ChatPrivacyTests {
    /// Every address of conversations, with the places of what is in them.
    private static let addresses: [(HTTPRequest.Method, String)] = [
        (.get, "/api/v1/chats/CHAT"),
        (.delete, "/api/v1/chats/CHAT"),
        (.post, "/api/v1/chats/CHAT/accept"),
        (.post, "/api/v1/chats/CHAT/delivered"),
        (.post, "/api/v1/chats/CHAT/read"),
        (.post, "/api/v1/chats/CHAT/typing"),
        (.get, "/api/v1/chats/CHAT/messages"),
        (.post, "/api/v1/chats/CHAT/messages"),
        (.get, "/api/v1/chats/CHAT/messages/MESSAGE"),
        (.delete, "/api/v1/chats/CHAT/messages/MESSAGE"),
        (.post, "/api/v1/chats/CHAT/messages/MESSAGE/save"),
        (.post, "/api/v1/chats/CHAT/messages/ONCE/open"),
        (.post, "/api/v1/chats/CHAT/messages/ONCE/shown"),
        (.post, "/api/v1/chats/CHAT/messages/ONCE/close"),
        (.get, "/api/v1/once_views/VIEW"),
        (.post, "/api/v1/conversations/CHAT/read"),
        (.delete, "/api/v1/conversations/CHAT"),
        (.get, "/messages/CHAT"),
        (.post, "/messages/CHAT"),
        (.get, "/messages/CHAT?max_id=MESSAGE"),
        (.get, "/messages/CHAT/library"),
        (.get, "/messages/CHAT/photos/MESSAGE"),
        (.get, "/messages/CHAT/MESSAGE/options"),
        (.post, "/messages/CHAT/MESSAGE/save"),
        (.post, "/messages/CHAT/MESSAGE/delete"),
        (.post, "/messages/requests/CHAT/accept"),
        (.post, "/messages/requests/CHAT/delete"),
        (.get, "/photos/PHOTO/large"),
        (.get, "/photos/PHOTO/medium"),
        (.get, "/photos/PHOTO/square"),
        (.get, "/api/v1/photos/PHOTO"),
        (.get, "/api/v1/photos/PHOTO/original"),
        (.get, "/api/v1/media/PHOTO"),
        (.get, "/library/PHOTO"),
    ]

    @Test("A third person gets 404 at every address, and finds nothing in any list")
    func thirdPerson() async throws {
        let people = try await World().friends("ana", "bea", "cleo")
        let (ana, bea, cleo) = (people[0], people[1], people[2])
        let chat = try await ana.chat(with: bea)
        let photo = try await ana.photo()
        let places = [
            "CHAT": chat, "PHOTO": photo, "MESSAGE": try await ana.send(photo: photo, in: chat),
            "ONCE": try await ana.sendOnce(in: chat),
        ]
        let opened = try await bea.post("/api/v1/chats/\(chat)/messages/\(places["ONCE"] ?? "")/open")
        let view = try #require(try opened.viewPath.split(separator: "/").last)
        for (method, template) in Self.addresses {
            let path = places.merging(["VIEW": String(view)]) { one, _ in one }
                .reduce(template) { $0.replacing($1.key, with: $1.value) }
            let message = JSON.text(places["MESSAGE"] ?? "")
            let body: JSON = ["text": "Me too", "last_read_id": message, "last_delivered_id": message]
            let answer =
                method == .get
                ? try await cleo.get(path) : try await cleo.send(method, path, json: body)
            #expect(answer.status == 404, "\(method) \(template)")
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
        #expect(try await bea.get("/api/v1/chats/\(chat)/messages").json.list.count == 2)
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
        #expect(try await cleo.get(path.replacing("v=\(bea.id)", with: "v=\(cleo.id)")).status == 404)
        try await ana.block(bea)
        #expect(try await bea.world.stranger.get(path).status == 404)
    }
}
