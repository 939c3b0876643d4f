import Foundation
import HTTPTypes
import Testing

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
}
