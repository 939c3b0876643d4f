import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Core
@testable import Feeds
@testable import People
@testable import Serving
@testable import Tintype

@Suite("Comments")
struct CommentTests {
    @Test("A hundred people commenting and liking one post at once give exact counts and one group each")
    func crowd() async throws {
        // Nobody is refused: what is counted doesn't depend on how fast the machine is.
        let world = try await World { $0.databasePatience = 300 }
        let ana = try await world.account("ana")
        let post = try await ana.post(caption: "Sunset", visibility: "public")
        var people: [Person] = []
        for number in 1...100 { people.append(try await world.account("person\(number)")) }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for person in people {
                group.addTask { try await person.like(post).status }
                group.addTask {
                    try await person.post(
                        "/api/v1/statuses", json: ["status": "Lovely", "in_reply_to_id": .text(post)]
                    ).status
                }
            }
            for try await status in group { #expect(status == 200) }
        }
        let seen = try await ana.get("/api/v1/statuses/\(post)")
        #expect(seen["favourites_count"] == 100)
        #expect(seen["replies_count"] == 100)
        #expect(try await world.number("SELECT count(*) FROM posts WHERE root_id = \(post)") == 100)
        let account = try await world.tintype.database.read { try AccountRecords($0).unchecked(ana.id) }
        let groups = try await world.tintype.notifications.groups(
            for: #require(account), olderThan: nil, limit: 40
        ).groups
        #expect(groups.count == 2)
        #expect(Set(groups.map(\.newest.kind.kind)) == [.like, .comment])
        #expect(groups.allSatisfy { $0.peopleCount == 100 && $0.isUnread && $0.second != nil })
        #expect(try await ana.visit("/notifications").shows("<b>99 others</b> liked your post."))
    }

    @Test("A post without comments says so, unless some can't be shown")
    func empty() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let post = try await people[0].post(caption: "Sunset", visibility: "public")
        let path = "/posts/\(post)/comments"
        #expect(try await people[0].visit(path).shows("No comments yet"))
        _ = try await people[1].comment("Lovely", on: post)
        try await people[1].block(people[2])
        let hidden = try await people[2].visit(path)
        #expect(!hidden.shows("No comments yet") && hidden.shows("can’t be shown to you"))
    }

    @Test("A comment is a status that answers, and is in the thread around it")
    func conversation() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let post = try await people[0].post(caption: "Harbour")
        let comment = try await people[1].comment("Which one?", on: post)
        let reply = try await people[0].comment("The old one", on: comment)
        let later = try await people[1].comment("Still there", on: post)

        let above = try await people[1].get("/api/v1/statuses/\(reply)/context")
        #expect(above["ancestors"].list.map { $0["id"].string } == [post, comment])
        #expect(above["descendants"] == [])
        let below = try await people[1].get("/api/v1/statuses/\(post)/context")
        // Each comment is followed by its replies.
        #expect(below["descendants"].list.map { $0["id"].string } == [comment, reply, later])
        #expect(below["descendants"][0]["in_reply_to_id"].string == post)
        #expect(below["descendants"][0]["replies_count"] == 1)
        let page = try await people[0].visit("/posts/\(post)/comments")
        #expect(page.shows("Which one?") && page.shows("comment reply"))
        // Nothing of it is in the home feed.
        #expect(try await people[0].home() == ["Harbour"])
    }

    @Test("A reply that is deleted no longer counts for its comment, nor for the post")
    func deletedReply() async throws {
        let people = try await World().friends("ana", "ben")
        let post = try await people[0].post(caption: "Harbour")
        let comment = try await people[1].comment("Which one?", on: post)
        let reply = try await people[0].comment("The old one", on: comment)
        #expect(try await people[0].get("/api/v1/statuses/\(post)")["replies_count"] == 2)
        #expect(try await people[0].delete("/api/v1/statuses/\(reply)").status == 200)
        #expect(try await people[0].get("/api/v1/statuses/\(comment)")["replies_count"] == 0)
        #expect(try await people[0].get("/api/v1/statuses/\(post)")["replies_count"] == 1)
    }

    @Test("The key of a deleted comment answers 410 and writes nothing")
    func keyOfDeleted() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let post = try await people[0].post(caption: "Harbour")
        func comment(_ key: String) async throws -> Answer {
            try await people[1].post(
                "/api/v1/statuses", json: ["status": "Which one?", "in_reply_to_id": .text(post)],
                headers: [.idempotencyKey: key])
        }
        let first = try #require(try await comment("one")["id"].string)
        #expect(try await comment("one")["id"].string == first)
        #expect(try await people[1].delete("/api/v1/statuses/\(first)").status == 200)
        #expect(try await comment("one").status == 410)
        #expect(try await comment("two").status == 200)
        #expect(try await people[0].delete("/api/v1/statuses/\(post)").status == 200)
        #expect(try await comment("two").status == 410)
        // A new one has nothing to answer.
        #expect(try await comment("three").status == 404)
        #expect(try await world.number("SELECT count(*) FROM posts") == 0)
    }

    @Test("Of a long chain of replies as much is shown around a comment as is bounded, and always the post")
    func chain() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let post = try await people[0].post(caption: "Harbour")
        let depth = CommentService.contextDepth
        var chain: [String] = []
        for number in 0..<(2 * depth + 20) {
            chain.append(
                try await people[number == 5 ? 2 : number % 2].comment("\(number)", on: chain.last ?? post))
        }
        let middle = depth + 10
        let around = try await people[1].get("/api/v1/statuses/\(chain[middle])/context")
        #expect(around["ancestors"].list.compactMap { $0["id"].string } == [post] + chain[10..<middle])
        let below = Array(chain[(middle + 1)...(middle + depth)])
        #expect(around["descendants"].list.compactMap { $0["id"].string } == below)
        func above() async throws -> [String] {
            let answer = try await people[1].get("/api/v1/statuses/\(chain[8])/context")
            return answer["ancestors"].list.compactMap { $0["id"].string }
        }
        #expect(try await above() == [post] + chain[..<8])
        // Someone whom a block parts from the viewer leaves a gap.
        try await people[2].block(people[1])
        #expect(try await above() == [post] + chain[..<5] + chain[6..<8])
    }

    @Test("Deleting a comment takes its replies along and keeps the counts; only its author may")
    func deleting() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let post = try await people[0].post(caption: "Harbour")
        let comment = try await people[1].comment("First", on: post)
        _ = try await people[0].comment("Answer", on: comment)
        #expect(try await people[0].delete("/api/v1/statuses/\(comment)").status == 404)
        #expect(try await people[1].delete("/api/v1/statuses/\(comment)").status == 200)
        #expect(try await people[0].get("/api/v1/statuses/\(post)")["replies_count"] == 0)
        #expect(try await world.number("SELECT count(*) FROM posts WHERE parent_id IS NOT NULL") == 0)
        #expect(
            try await people[0].get("/api/v1/notifications").json.list.allSatisfy { $0["type"] == "follow" })
    }

    @Test("A count is the post's and the same for all; a thread that leaves comments out says so")
    func hiddenComments() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let post = try await people[0].post(caption: "Harbour")
        _ = try await people[1].comment("From ben", on: post)
        _ = try await people[2].comment("From cleo", on: post)
        let thread = "/posts/\(post)/comments"
        #expect(try await people[1].visit(thread).shows("can’t be shown") == false)
        try await people[1].block(people[2])
        for person in [people[1], people[2]] {
            let page = try await person.visit(thread)
            #expect(page.shows("Some comments can’t be shown to you."))
            #expect(page.shows("From ben") != page.shows("From cleo"))
            #expect(try await person.get("/api/v1/statuses/\(post)")["replies_count"] == 2)
        }
        #expect(try await people[0].visit(thread).shows("can’t be shown") == false)
    }

    @Test("An empty or too long comment says what is wrong beside the field and keeps the text")
    func wrongComments() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let post = try await ana.post(caption: "Harbour")
        let empty = try await ana.post(
            "/api/v1/statuses", json: ["status": " ", "in_reply_to_id": .text(post)])
        #expect(empty.status == 422)
        #expect(empty["details"]["status"][0]["error"] == "ERR_BLANK")
        let long = String(repeating: "x", count: 2_201)
        let page = try await ana.submit("/posts/\(post)/comments", ["text": long])
        #expect(page.status == 422)
        #expect(page.shows("2201 characters") && page.shows(long))
        #expect(try await ana.get("/api/v1/statuses/\(post)")["replies_count"] == 0)
    }

    @Test("The same form sent twice writes one comment")
    func sentTwice() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let post = try await ana.post(caption: "Harbour")
        for _ in 1...2 {
            let answer = try await ana.submit("/posts/\(post)/comments", ["text": "Once", "key": "k"])
            #expect(answer.status == 303)
        }
        #expect(try await ana.get("/api/v1/statuses/\(post)")["replies_count"] == 1)
    }

    @Test("A long thread comes in pages without a gap or a repetition")
    func pages() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let post = try await ana.post(caption: "Harbour")
        for number in 1...45 { _ = try await ana.comment("Comment number \(number).", on: post) }
        let first = try await ana.visit("/posts/\(post)/comments").text
        let next = try #require(first.firstMatch(of: /class="more" href="([^"]+)"/))
        let second = try await ana.visit(String(next.1)).text
        for number in 1...45 {
            #expect(
                [first, second].filter { $0.contains("Comment number \(number).") }.count == 1, "\(number)")
        }
    }

    @Test("A comment's own link opens the part of a long thread that holds it, with the ways to the rest")
    func partOfThread() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let post = try await ana.post(caption: "Harbour")
        var ids: [String] = []
        for number in 1...150 { ids.append(try await ana.comment("Comment \(number).", on: post)) }
        let link = try #require(try await ana.visit("/posts/\(ids[99])").headers[.location])
        #expect(link == "/posts/\(post)/comments?at=\(ids[99])#comment-\(ids[99])")
        let middle = try await ana.visit(link).text
        #expect(middle.contains(#"id="comment-\#(ids[99])""#) && !middle.contains("comment topic"))
        func shown(on page: String) -> [String] { page.matches(of: /data-id="(\d+)"/).map { String($0.1) } }
        func next(_ page: String, _ rel: String) throws -> String? {
            try page.firstMatch(of: Regex("rel=\"\(rel)\" class=\"more\" href=\"([^\"]+)\"")).map {
                String($0[1].substring ?? "")
            }
        }
        var found = shown(on: middle)
        for rel in ["prev", "next"] {
            var page = middle
            while let path = try next(page, rel) {
                page = try await ana.visit(path).text
                found = rel == "prev" ? shown(on: page) + found : found + shown(on: page)
            }
        }
        #expect(found == ids)
        // A comment that isn't there leads to the beginning.
        let beginning = try await ana.visit("/posts/\(post)/comments?at=1").text
        #expect(shown(on: beginning) == Array(ids.prefix(40)))
    }

    @Test("A refused reply in a long thread keeps what it answers, the way to more, and hides nothing")
    func refusedReply() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let post = try await ana.post(caption: "Harbour")
        var ids: [String] = []
        for number in 1...60 { ids.append(try await ana.comment("Comment \(number).", on: post)) }
        let thread = "/posts/\(post)/comments"
        let form = try await ana.visit("\(thread)?reply=\(ids[54])")
        #expect(form.shows(#"name="reply" value="\#(ids[54])""#) && form.shows("@ana </textarea>"))
        let long = String(repeating: "x", count: 2_201)
        let refused = try await ana.submit(thread, ["text": long, "reply": ids[54]])
        #expect(refused.status == 422 && refused.shows(long))
        #expect(refused.shows(#"name="reply" value="\#(ids[54])""#))
        #expect(refused.shows(#"id="comment-\#(ids[54])""#))
        let plain = try await ana.submit(thread, ["text": long])
        #expect(plain.shows(#"rel="next""#))
        for page in [refused, plain, try await ana.visit(thread)] { #expect(!page.shows("can’t be shown")) }
        let corrected = try await ana.submit(thread, ["text": "Short", "reply": ids[54]])
        let reply = try #require(corrected.headers[.location]?.firstMatch(of: /#comment-(\d+)/)).1
        let status = try await ana.get("/api/v1/statuses/\(reply)")
        #expect(status["in_reply_to_id"].string == ids[54])
        #expect(status["in_reply_to_account_id"].string == "\(ana.id)")
    }

    @Test("A last page with a comment that a block hides says so, and only that one")
    func hiddenOnLaterPage() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let post = try await people[0].post(caption: "Harbour")
        for number in 1...40 { _ = try await people[0].comment("Comment \(number).", on: post) }
        let cleo = try await world.account("cleo")
        try await cleo.follow(people[0])
        _ = try await cleo.comment("From cleo", on: post)
        for number in 41...45 { _ = try await people[0].comment("Comment \(number).", on: post) }
        try await cleo.block(people[1])
        let first = try await people[1].visit("/posts/\(post)/comments")
        #expect(!first.shows("can’t be shown"))
        let next = try #require(first.text.firstMatch(of: /class="more" href="([^"]+)"/)).1
        #expect(try await people[1].visit(String(next)).shows("can’t be shown"))
    }
}

extension Person {
    /// Comments on a post or answers a comment; the comment's id.
    func comment(_ text: String, on parent: String) async throws -> String {
        let answer = try await post(
            "/api/v1/statuses", json: ["status": .text(text), "in_reply_to_id": .text(parent)])
        try #require(answer.status == 200, "a comment was refused: \(answer.text)")
        return try #require(answer["id"].string)
    }
}
