import Foundation
import HTTPTypes
import Testing

@testable import Core
@testable import Tintype

@Suite("A client that resumes its events gets nothing of what is gone", .timeLimit(.minutes(15)))
struct EventForgettingTests {
    /// Ana, whose things go; bea, her friend, who was away; and mia, whose message shows that all events have come.
    private struct Scene {
        let world: World
        let ana: Person
        let bea: Person
        let mia: Person
        private let position: Int

        init() async throws {
            world = try await World()
            let people = try await world.friends("ana", "bea", "mia")
            (ana, bea, mia) = (people[0], people[1], people[2])
            position = world.tintype.events.position(of: bea.id)
        }

        /// What bea gets who was away since the beginning.
        func received() async throws -> String {
            _ = try await mia.write("The last", in: try await mia.chat(with: bea))
            return try await bea.takesUp(after: position, until: "The last")
        }
    }

    @Test("A message that was deleted for both, on either side")
    func message() async throws {
        let scene = try await Scene()
        let position = scene.world.tintype.events.position(of: scene.ana.id)
        let chat = try await scene.ana.chat(with: scene.bea)
        let message = try await scene.ana.write("Secret", in: chat)
        _ = try await scene.ana.write("Kept", in: chat)
        #expect(try await scene.ana.delete("/api/v1/chats/\(chat)/messages/\(message)").status == 200)
        for received in [
            try await scene.received(),
            try await scene.ana.takesUp(after: position, until: "tintype.message.deleted"),
        ] {
            #expect(!received.contains("Secret") && !received.contains("event: reset"))
            #expect(received.contains("Kept") && received.contains("tintype.message.deleted"))
        }
    }

    @Test("A chat that the reader took out of their own list")
    func clearedChat() async throws {
        let scene = try await Scene()
        let chat = try await scene.ana.chat(with: scene.bea)
        _ = try await scene.ana.write("Secret", in: chat)
        #expect(try await scene.bea.delete("/api/v1/chats/\(chat)").status == 200)
        let received = try await scene.received()
        #expect(!received.contains("Secret") && !received.contains("event: reset"))
    }

    @Test("A post, with those who were named in it and what stood below it")
    func post() async throws {
        let scene = try await Scene()
        let post = try await scene.ana.post(caption: "Secret for @bea")
        let comment = try await scene.bea.comment("Mine", on: post)
        _ = try await scene.mia.comment("Secret, too", on: comment)
        _ = try await scene.ana.post(caption: "Kept")
        #expect(try await scene.ana.delete("/api/v1/statuses/\(post)").status == 200)
        let received = try await scene.received()
        #expect(!received.contains("Secret") && !received.contains("event: reset"))
        #expect(received.contains("Kept") && received.contains("event: delete\n"))
    }

    @Test("A comment, with the replies below it, however deep")
    func comment() async throws {
        let scene = try await Scene()
        let post = try await scene.bea.post(caption: "Bea's")
        let comment = try await scene.ana.comment("Secret", on: post)
        let reply = try await scene.mia.comment("Secret, too", on: comment)
        _ = try await scene.mia.comment("Secret also to @bea", on: reply)
        _ = try await scene.mia.comment("Kept", on: post)
        #expect(try await scene.ana.delete("/api/v1/statuses/\(comment)").status == 200)
        let received = try await scene.received()
        #expect(!received.contains("Secret") && !received.contains("event: reset"))
        #expect(received.contains("Kept") && received.contains("event: delete\n"))
    }

    @Test("What a caption said before it was changed; the post comes as it is by now")
    func caption() async throws {
        let scene = try await Scene()
        let post = try await scene.ana.post(caption: "Secret for @bea")
        let answer = try await scene.ana.send(
            .put, "/api/v1/statuses/\(post)", json: ["status": "Said otherwise"])
        #expect(answer.status == 200)
        let received = try await scene.received()
        #expect(!received.contains("Secret") && !received.contains("event: reset"))
        #expect(received.contains("event: update\n") && received.contains("event: status.update\n"))
        #expect(received.components(separatedBy: "Said otherwise").count > 2)
    }

    @Test("A photo that its owner deleted from a post of several")
    func photo() async throws {
        let scene = try await Scene()
        let photo = try await scene.ana.photo(description: "Secret")
        _ = try await scene.ana.post(caption: "Kept", photos: [photo, try await scene.ana.photo()])
        #expect(try await scene.ana.delete("/api/v1/photos/\(photo)?force=true").status == 200)
        let received = try await scene.received()
        #expect(!received.contains("Secret") && !received.contains("event: reset"))
        #expect(received.contains("Kept"))
    }

    @Test("A snap that its poster deleted")
    func snap() async throws {
        let scene = try await Scene()
        let snap = try await scene.ana.snap()
        try await scene.world.work()
        #expect(try await scene.ana.delete("/api/v1/snaps/\(snap)").status == 200)
        let received = try await scene.received()
        #expect(
            !received.contains("event: tintype.snap\n") && !received.contains("event: tintype.notification"))
        #expect(received.contains("event: tintype.snap.closed") && !received.contains("event: reset"))
    }

    @Test("Everything of an account that was suspended, or that its owner deleted", arguments: [true, false])
    func account(isSuspended: Bool) async throws {
        let scene = try await Scene()
        let olga = try await scene.world.account("olga", isAdmin: true)
        let mine = try await scene.bea.post(caption: "Bea's")
        let post = try await scene.ana.post(caption: "Secret")
        _ = try await scene.mia.comment("Secret to @bea", on: post)
        _ = try await scene.ana.comment("Secret, too", on: mine)
        try await scene.ana.like(mine)
        let chat = try await scene.ana.chat(with: scene.bea)
        _ = try await scene.ana.write("Secret also", in: chat)
        _ = try await scene.bea.write("Secret answer", in: chat)
        if isSuspended {
            #expect(try await olga.submit("/administration/accounts/\(scene.ana.id)/suspend").status == 303)
        } else {
            #expect(
                try await scene.ana.submit("/settings/delete", ["password": "correct horse"]).status == 303)
        }
        let received = try await scene.received()
        #expect(!received.contains("Secret") && !received.contains(#""username":"ana""#))
        #expect(received.contains("Bea's") && !received.contains("event: reset"))
    }

    @Test(
        "Posts for followers, once the follow has ended on either side; open pages fetch again",
        arguments: [true, false])
    func endedFollow(byAuthor: Bool) async throws {
        let scene = try await Scene()
        let (ana, bea) = (scene.ana, scene.bea)
        _ = try await ana.post(caption: "Secret")
        let open = try await bea.receives(until: "event: reset") {
            let answer =
                byAuthor
                ? try await ana.post("/api/v1/accounts/\(bea.id)/remove_from_followers")
                : try await bea.post("/api/v1/accounts/\(ana.id)/unfollow")
            #expect(answer.status == 200)
        }
        #expect(open.contains("event: reset"))
        let received = try await scene.received()
        #expect(!received.contains("Secret") && received.contains("event: reset"))
    }

    @Test("Public posts of an account that shows them to its followers alone from now on")
    func narrowed() async throws {
        let scene = try await Scene()
        let eve = try await scene.world.account("eve")
        let position = scene.world.tintype.events.position(of: eve.id)
        _ = try await scene.ana.post(caption: "Secret for @eve and @bea", visibility: "public")
        let locked = try await scene.ana.send(
            .patch, "/api/v1/accounts/update_credentials", json: ["locked": true])
        #expect(locked.status == 200)
        _ = try await scene.mia.post(caption: "The last for @eve", visibility: "public")
        let received = try await eve.takesUp(after: position, until: "The last")
        #expect(!received.contains("Secret") && !received.contains("event: reset"))
        #expect(try await scene.received().contains("Secret"), "bea follows")
    }

    @Test("Everything between two of whom one blocks the other")
    func block() async throws {
        let scene = try await Scene()
        _ = try await scene.ana.post(caption: "Secret for @bea")
        _ = try await scene.ana.write("Secret", in: try await scene.ana.chat(with: scene.bea))
        try await scene.ana.block(scene.bea)
        let received = try await scene.received()
        #expect(!received.contains("Secret") && received.contains("event: reset"))
    }
}
