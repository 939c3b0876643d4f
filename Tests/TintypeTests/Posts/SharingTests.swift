import Foundation
import HTTPTypes
import Testing

@testable import Core
@testable import Feeds
@testable import Tintype

@Suite("Sharing a post with friends")
struct SharingTests {
    private func offered(_ page: Answer) -> [String] {
        page.text.matches(of: /<li data-account="(\d+)"/).map { String($0.1) }
    }

    @Test("Friends are offered however many others one follows since, and a sent post arrives once")
    func send() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        for number in 1...30 { try await ana.follow(try await world.account("star\(number)")) }
        let post = try await ana.post(caption: "Harbour")
        let page = try await ana.visit("/posts/\(post)/share")
        #expect(offered(page) == ["\(bea.id)"])
        #expect(!page.shows("Search friends"))
        let key = try #require(page.text.firstMatch(of: /name="key" value="([^"]+)"/)).1
        for _ in 1...2 {
            let sent = try await ana.submit("/posts/\(post)/send", ["to": "\(bea.id)", "key": String(key)])
            #expect(sent.status == 303)
        }
        let chat = try #require(try await bea.get("/api/v1/chats").json[0]["id"].string)
        let messages = try await bea.get("/api/v1/chats/\(chat)/messages").json.list
        #expect(messages.map { $0["text"].string } == ["http://localhost/posts/\(post)"])
        let none = try await ana.submit("/posts/\(post)/send", ["key": "k"])
        #expect(none.status == 303)
        #expect(try await bea.get("/api/v1/chats/\(chat)/messages").json.list.count == 1)
    }

    @Test("Many friends come in pages and are found by name; those chosen stay")
    func manyFriends() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        var ids: Set<String> = []
        for number in 10..<36 {
            let friend = try await world.account("friend\(number)", displayName: number == 30 ? "Zoë" : nil)
            try await friend.follow(ana)
            try await ana.follow(friend)
            ids.insert("\(friend.id)")
        }
        let fan = try await world.account("fan")
        try await fan.follow(ana)
        let share = "/posts/\(try await ana.post(caption: "Harbour"))/share"
        let first = try await ana.visit(share)
        let next = try #require(first.text.firstMatch(of: /class="more" href="([^"]+)"/)).1
        let second = try await ana.visit(String(next).replacing("&amp;", with: "&"))
        #expect(offered(first).count == 24)
        #expect(Set(offered(first) + offered(second)) == ids)
        #expect(offered(first).count + offered(second).count == ids.count)
        let chosen = try #require(offered(first).first)
        let found = try await ana.visit("\(share)?q=zoe&to=\(chosen)&to=\(fan.id)")
        #expect(offered(found).count == 2 && offered(found)[0] == chosen)
        #expect(found.shows(#"value="\#(chosen)" checked"#) && found.shows("Zoë") && !found.shows("Fan"))
        #expect(try await ana.visit("\(share)?q=nobody").shows("None of your friends is called “nobody”."))
    }

    @Test(
        "A shared post is a card for those who may see it, and not available for others and after its deletion"
    )
    func card() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let cleo = try await world.account("cleo")
        try await cleo.follow(ana)
        try await ana.follow(cleo)
        let post = try await bea.post(caption: "Harbour at noon")
        let chat = try await ana.chat(with: bea)
        let other = try await ana.chat(with: cleo)
        _ = try await ana.post("/api/v1/chats/\(chat)/messages", json: ["status_id": .text(post)])
        _ = try await ana.write("Look: http://localhost/posts/\(post)", in: other)
        let gone = "This post is no longer available."

        let seen = try await bea.visit("/messages/\(chat)")
        #expect(seen.shows("<shared-post") && seen.shows("Harbour at noon") && !seen.shows(gone))
        // The link alone would say the same twice.
        #expect(!seen.shows("http://localhost/posts/\(post)</a>"))
        let card = try await bea.visit("/posts/\(post)/card")
        #expect(card.shows("Harbour at noon") && card.shows(#"data-cut="5""#))
        let photo = try await bea.get("/api/v1/statuses/\(post)")["media_attachments"][0]["id"].string
        let path = try "/api/v1/media/\(#require(photo))"
        #expect(try await bea.send(.put, path, json: ["focus": "-1,-1"]).status == 200)
        let cut = try await bea.visit("/posts/\(post)/card")
        // The edge of the picture, whichever side is the longer one.
        #expect(cut.shows(#"data-cut="0""#) || cut.shows(#"data-cut="10""#))
        let hidden = try await cleo.visit("/messages/\(other)")
        #expect(hidden.shows(gone) && !hidden.shows("Harbour at noon") && hidden.shows("Look: "))
        #expect(try await cleo.visit("/posts/\(post)/card").status == 404)
        #expect(try await bea.visit("/messages").shows("Shared a post"))
        #expect(try await ana.visit("/friends").shows("You shared a post"))
        let messages = try await bea.get("/api/v1/chats/\(chat)/messages").json
        #expect(messages[0]["status_id"].string == post)
        #expect(messages[0]["text"].string == "http://localhost/posts/\(post)")
        _ = try await bea.delete("/api/v1/statuses/\(post)")
        #expect(try await bea.visit("/messages/\(chat)").shows(gone))
        let wrong = try await ana.post("/api/v1/chats/\(chat)/messages", json: ["status_id": "x"])
        #expect(wrong.status == 422)
    }

    @Test(
        "A message shares the first post that it links to on this server",
        arguments: [
            ("https://a.example/posts/7", "7", true), (" https://a.example/posts/7\n", "7", true),
            ("Look: https://a.example/posts/7, and https://a.example/posts/8", "7", false),
            ("https://a.example/posts/007", "7", true), ("https://a.example/posts/7/comments", nil, false),
            ("https://a.example.evil/posts/7", nil, false), ("https://a.example:99/posts/7", nil, false),
            ("https://a.example/posts/-7", nil, false), ("https://b.example/posts/7", nil, false),
            ("No link", nil, false),
        ] as [(String, String?, Bool)])
    func found(text: String, id: String?, isAlone: Bool) async throws {
        let world = try await World { $0.publicURL = "https://a.example" }
        let shared = world.tintype.features.chats.offers.shared.first(in: text)
        #expect(shared?.id == id)
        #expect((shared?.isAlone ?? false) == isAlone)
    }

    @Test("Links to this server are paths on its pages, and stay whole for apps")
    func ownLinks() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let caption = "http://localhost/users and http://localhost.evil/users"
        let post = try await ana.post(caption: caption)
        let page = try await ana.visit("/posts/\(post)")
        #expect(page.shows(#"<a href="/users">http://localhost/users</a>"#))
        #expect(
            page.shows(
                #"<a href="http://localhost.evil/users" rel="nofollow noopener noreferrer" target="_blank">"#)
        )
        let content = try await ana.get("/api/v1/statuses/\(post)")["content"].string
        #expect(content?.contains(#"<a href="http://localhost/users" rel="#) == true)
    }
}
