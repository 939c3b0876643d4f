import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Core
@testable import People
@testable import Tintype

/// The way in which a message request becomes a chat.
enum Acceptance: CaseIterable, Sendable {
    case api, page, answer, followBack
}

@Suite("What waits to be announced, and for whom", .timeLimit(.minutes(15)))
struct PushQueueTests {
    private static func messages(_ world: World) async throws -> Int {
        try await world.number("SELECT count(*) FROM push_messages")
    }

    private static func quietHours(from: String, to: String) -> QuietHours? {
        guard let from = ClockTime(from), let to = ClockTime(to), let zone = TimeZone(identifier: "UTC")
        else {
            return nil
        }
        return QuietHours(from: from, to: to, in: zone)
    }

    @Test("A chat that was a request announces its messages, read or not", arguments: Acceptance.allCases)
    func accepted(by way: Acceptance) async throws {
        try await PushServer.with { server in
            let world = try await World.outward()
            let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
            let device = try await ana.device(on: server)
            let chat = try await ben.chat(with: ana)
            _ = try await ben.write("Before", in: chat)
            try await world.notify()
            #expect(server.pushes.count == 1)
            switch way {
            case .api: #expect(try await ana.post("/api/v1/chats/\(chat)/accept").status == 200)
            case .page: #expect(try await ana.submit("/messages/requests/\(chat)/accept").status == 303)
            case .answer: _ = try await ana.write("Yes?", in: try await ana.chat(with: ben))
            case .followBack:
                try await ana.follow(ben)
                try await ben.follow(ana)
            }
            _ = try await ben.write("After", in: chat)
            try await world.notify()
            let said = try server.pushes.map { try device.open($0) }
            #expect(said.contains { $0["title"] == "ben" && $0["body"] == "After" }, "\(said)")
            #expect(said.contains { $0["close"] == [said[0]["tag"]] }, "\(said)")
            _ = try await ben.write("And more", in: chat)
            try await world.notify()
            #expect(try device.open(try #require(server.pushes.last))["body"] == "And more")
            let requests = "SELECT count(*) FROM notifications WHERE kind = 'message_request'"
            #expect(try await world.number(requests) == 0)
        }
    }

    @Test("A log-in that subscribes again keeps what waits, and what its device shows")
    func again() async throws {
        try await PushServer.withFriends { server, world, ana, ben, device in
            let chat = try await ben.chat(with: ana)
            let shown = try await ben.write("Shown", in: chat)
            try await world.notify()
            let post = try await ana.post(caption: "Morning")
            try await ben.like(post)
            for path in ["/device", "/other"] {
                #expect(try await ana.subscribe(device, at: server.url + path).status == 200)
            }
            try await world.work()
            #expect(server.pushes.map(\.path) == ["/device", "/other"])
            #expect(try device.open(server.pushes[1])["body"] == "ben liked your post.")
            try await ana.read(through: shown, in: chat)
            try await world.work()
            let closing = try #require(server.pushes.last)
            #expect(try device.open(closing)["close"] == [.text("message-\(chat)")])
            #expect(closing.path == "/other")
        }
    }

    @Test("What the old address of a device answers says nothing of its new one")
    func oldAddress() async throws {
        try await PushServer.withFriends { server, world, ana, ben, device in
            server.answer { push in
                guard push.path == "/device" else { return .status(201) }
                do {
                    _ = try await ana.subscribe(device, at: server.url + "/other")
                } catch {
                    Issue.record(error)
                }
                return .status(410)
            }
            let post = try await ana.post(caption: "Morning")
            try await ben.like(post)
            try await world.work()
            #expect(server.pushes.map(\.path) == ["/device", "/other"])
            #expect(try await ana.get("/api/v1/push/subscription").status == 200)
        }
    }

    @Test("A log-in that was unused for too long gets no announcement more, also not one that waits")
    func endedLogIn() async throws {
        try await PushServer.withFriends { server, world, ana, ben, _ in
            let post = try await ana.post(caption: "Morning")
            let other = try await ana.logIn(.browser)
            _ = try await other.device(on: server, path: "/other")
            try await world.prefer(of: ana) { $0.quietHours = Self.quietHours(from: "14:00", to: "16:00") }
            try await ben.like(post)
            try await world.work()
            #expect(server.pushes.isEmpty)
            // The first log-in was used last as long ago as a log-in lasts.
            let old = world.clock.now.addingTimeInterval(-Session.lifetime)
            try await world.tintype.database.write { transaction in
                let session = "SELECT id FROM sessions WHERE account_id = $1 ORDER BY id LIMIT 1"
                try transaction.execute(
                    "UPDATE sessions SET seen_at = $2 WHERE id = (\(session))", ana.id, old)
            }
            world.clock.advance(hours: 2)
            try await world.work()
            #expect(server.pushes.map(\.path) == ["/other"])
            #expect(try await world.number("SELECT count(*) FROM push_subscriptions") == 1)
            _ = try await ben.comment("Nice", on: post)
            try await world.work()
            #expect(server.pushes.map(\.path) == ["/other", "/other"])
        }
    }

    @Test("What was read leaves the device that shows it, and stays where it has news")
    func behind() async throws {
        try await PushServer.withFriends { server, world, ana, ben, device in
            let policy: KeyValuePairs = ["data[policy]": "followed"]
            #expect(try await ana.send(.put, "/api/v1/push/subscription", form: policy).status == 200)
            let other = try await ana.logIn(.browser)
            let later = try await other.device(on: server, path: "/later")
            let cleo = try await world.account("cleo")
            try await cleo.follow(ana)
            _ = try await ana.visit("/notifications")
            let post = try await ana.post(caption: "Morning")
            try await ben.like(post)
            let read = try await ana.get("/api/v1/notifications").json[0]["id"]
            // The first device announces nothing of people whom ana doesn't follow.
            try await cleo.like(post)
            try await world.work()
            let before = server.pushes.count
            let marked = try await ana.post(
                "/api/v1/markers", json: ["notifications": ["last_read_id": read]])
            #expect(marked.status == 200)
            try await world.work()
            let closings = server.pushes.dropFirst(before)
            #expect(closings.map(\.path) == ["/device"])
            #expect(try closings.map { try device.open($0)["close"] } == [[.text("like-\(post)")]])
            let likes = server.pushes.filter { $0.path == "/later" }
            #expect(try later.open(try #require(likes.last))["body"] == "cleo and 1 other liked your post.")
        }
    }

    @Test("What is read in the quiet hours leaves the device at once, also when it has news")
    func readInQuietHours() async throws {
        try await PushServer.withFriends { server, world, ana, ben, device in
            let chat = try await ben.chat(with: ana)
            _ = try await ben.write("Before", in: chat)
            try await world.notify()
            #expect(server.pushes.count == 1)
            try await world.prefer(of: ana) { $0.quietHours = Self.quietHours(from: "14:00", to: "16:00") }
            let news = try await ben.write("News", in: chat)
            try await world.notify()
            #expect(server.pushes.count == 1)
            try await ana.read(through: news, in: chat)
            try await world.work()
            #expect(server.pushes.count == 2)
            #expect(try device.open(server.pushes[1])["close"] == [.text("message-\(chat)")])
            #expect(try await Self.messages(world) == 0)
        }
    }

    @Test("A pause that a push service wants for one device holds up no other device there")
    func pauseOfOne() async throws {
        try await PushServer.withFriends { server, world, ana, ben, _ in
            _ = try await ben.device(on: server, path: "/ben")
            server.answer { push in
                push.path == "/ben"
                    ? .status(201) : .status(429, headers: [("Retry-After", "3600")])
            }
            #expect(try await ana.post("/api/v1/push/test").status == 202)
            try await world.work()
            #expect(try await ben.post("/api/v1/push/test").status == 202)
            try await world.work()
            #expect(server.pushes.map(\.path) == ["/device", "/ben"])
            // Whatever else happens to the first, its device gets nothing before the end.
            try await ben.like(try await ana.post(caption: "Morning"))
            #expect(try await ana.post("/api/v1/push/test").status == 202)
            try await world.work()
            #expect(server.pushes.count == 2)
            server.answer { _ in .status(201) }
            world.clock.advance(seconds: 3_700)
            try await world.work()
            #expect(server.pushes.map(\.path) == ["/device", "/ben", "/device", "/device"])
        }
    }

    @Test("A push service that can't serve anyone holds up its host for a minute at most")
    func pauseOfHost() async throws {
        try await PushServer.withFriends { server, world, ana, ben, _ in
            _ = try await ben.device(on: server, path: "/ben")
            server.answer { _ in .status(503, headers: [("Retry-After", "3600")]) }
            #expect(try await ana.post("/api/v1/push/test").status == 202)
            try await world.work()
            server.answer { _ in .status(201) }
            #expect(try await ben.post("/api/v1/push/test").status == 202)
            try await world.work()
            #expect(server.pushes.map(\.path) == ["/device"])
            world.clock.advance(seconds: 75)
            try await world.work()
            #expect(server.pushes.map(\.path) == ["/device", "/ben"])
            world.clock.advance(seconds: 3_600)
            try await world.work()
            #expect(server.pushes.map(\.path) == ["/device", "/ben", "/device"])
        }
    }

    @Test(
        "What a suspended or deleted person caused leaves other people's devices", arguments: [true, false])
    func leaving(isSuspended: Bool) async throws {
        try await PushServer.withFriends { server, world, ana, ben, device in
            let admin = try await world.account("zoe", isAdmin: true)
            let chat = try await ben.chat(with: ana)
            _ = try await ben.write("Bad words", in: chat)
            try await world.notify()
            #expect(server.pushes.count == 1)
            if isSuspended {
                #expect(try await admin.submit("/administration/accounts/\(ben.id)/suspend").status == 303)
            } else {
                #expect(try await ben.submit("/settings/delete", ["password": "correct horse"]).status == 303)
            }
            try await world.work()
            let closed = try server.pushes.dropFirst().map { try device.open($0)["close"] }
            #expect(closed == [[.text("message-\(chat)")]])
            #expect(try await Self.messages(world) == 0)
        }
    }

    @Test("An announcement is never too long for a push, whatever its characters")
    func bounds() throws {
        let family = "👨‍👩‍👧‍👦"
        let giant = "a" + String(repeating: "\u{301}", count: 50_000)
        for body in [String(repeating: family, count: 400), giant, String(repeating: "\"", count: 900)] {
            let text = Announcement.Text(title: body, body: body)
            #expect(text.body.utf8.count <= 1_200 && text.title.utf8.count <= 400)
            #expect(body == giant ? text.body.isEmpty : text.body.hasSuffix("…"))
            let content = PushPayload.Content(
                id: "1", tag: "message-1", text: text, path: "/messages/1", icon: nil, type: "mention",
                badge: 100, at: Date())
            #expect(PushPayload.browser(content).count <= PushEncryption.mostBytes)
        }
        #expect(Announcement.Text(title: "ben", body: "See you at\neight").body == "See you at eight")
    }

    @Test("A message that has nothing to read in one line is announced as a new message")
    func unreadable() async throws {
        try await PushServer.withFriends { server, world, ana, ben, device in
            let giant = "a" + String(repeating: "\u{301}", count: 1_500)
            _ = try await ben.write(giant, in: try await ben.chat(with: ana))
            try await world.notify()
            let said = try device.open(try #require(server.pushes.first))
            #expect(said["title"] == "ben" && said["body"] == "New message")
        }
    }
}
