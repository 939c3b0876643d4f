import Foundation
import HTTPTypes
import Testing

@testable import Core
@testable import People
@testable import Tintype

@Suite("Announcements on devices", .timeLimit(.minutes(15)))
struct PushDeliveryTests {
    /// What waits, or is shown, in all devices' queues.
    private static func messages(_ world: World) async throws -> Int {
        try await world.number("SELECT count(*) FROM push_messages")
    }

    // MARK: What is said

    @Test("A message is announced with its text, and a read one is taken back")
    func message() async throws {
        try await PushServer.withFriends { server, world, ana, ben, device in
            _ = try await ana.visit("/notifications")
            let chat = try await ben.chat(with: ana)
            let id = try await ben.write("See you at eight\nor nine", in: chat)
            try await world.notify()
            let push = try #require(server.pushes.first)
            #expect(push.path == "/device" && push.headers["content-encoding"] == "aes128gcm")
            #expect(push.headers["content-type"] == "application/octet-stream")
            #expect(push.headers["urgency"] == "high" && push.headers["ttl"] == "86400")
            #expect(push.headers["topic"]?.count == 32)
            let key = world.tintype.features.push.serverKey
            let authorization = try #require(push.headers["authorization"])
            #expect(authorization.hasPrefix("vapid t=") && authorization.hasSuffix(", k=\(key)"))
            let said = try device.open(push)
            #expect(said["title"] == "ben" && said["body"] == "See you at eight or nine")
            #expect(said["tag"] == .text("message-\(chat)") && said["badge"] == 1)
            #expect(said["path"] == "/messages/@ben" && said["icon"] == .null)
            #expect(said["at"].string?.isEmpty == false && said["id"].string?.isEmpty == false)
            #expect(server.pushes.count == 1)
            try await ana.read(through: id, in: chat)
            try await world.work()
            let closing = try #require(server.pushes.last)
            #expect(server.pushes.count == 2 && closing.headers["topic"] == push.headers["topic"])
            let closed = try device.open(closing)
            #expect(closed == ["close": [.text("message-\(chat)")], "badge": 0])
            #expect(try await Self.messages(world) == 0)
        }
    }

    @Test("Ten messages of a chat are one notification with the newest text")
    func ten() async throws {
        try await PushServer.withFriends { server, world, ana, ben, device in
            let chat = try await ben.chat(with: ana)
            for number in 1...5 { _ = try await ben.write("Message \(number)", in: chat) }
            try await world.notify()
            #expect(server.pushes.count == 1)
            for number in 6...10 { _ = try await ben.write("Message \(number)", in: chat) }
            try await world.work()
            // Those that came before anything was sent went out once.
            #expect(server.pushes.count == 2)
            let said = try server.pushes.map { try device.open($0) }
            #expect(said.map { $0["body"] } == ["Message 5", "Message 10"])
            #expect(Set(said.map { $0["tag"].string }).count == 1)
            #expect(Set(server.pushes.map { $0.headers["topic"] }).count == 1)
            #expect(try await world.number("SELECT count(*) FROM notifications WHERE kind = 'message'") == 1)
        }
    }

    @Test("A message that is read at once, or before the device is reached, isn't announced")
    func readBefore() async throws {
        try await PushServer.withFriends { server, world, ana, ben, _ in
            let chat = try await ben.chat(with: ana)
            let first = try await ben.write("Hi", in: chat)
            try await ana.read(through: first, in: chat)
            try await world.notify()
            #expect(server.pushes.isEmpty)
            // Unread for two seconds, then read before the push service takes it.
            server.answer { _ in .status(503) }
            let second = try await ben.write("Hi again", in: chat)
            try await world.notify()
            #expect(server.pushes.count == 1)
            try await ana.read(through: second, in: chat)
            server.answer { _ in .status(201) }
            world.clock.advance(hours: 1)
            try await world.work()
            #expect(server.pushes.count == 1)
            #expect(try await Self.messages(world) == 0)
        }
    }

    @Test("A picture that may be seen once is never described, and its text isn't shown")
    func once() async throws {
        try await PushServer.withFriends { server, world, ana, ben, device in
            let chat = try await ben.chat(with: ana)
            let media = try await ben.photo(description: "Secret place", purpose: "view_once")
            let sent = try await ben.post(
                "/api/v1/chats/\(chat)/messages",
                json: ["media_id": .text(media), "view_once": true, "text": "Secret words"])
            #expect(sent.status == 201, "\(sent.text)")
            try await world.notify()
            let said = try device.open(try #require(server.pushes.first))
            #expect(said["body"] == "Photo to view once")
            #expect(!said.text.contains("Secret"))
        }
    }

    @Test("A stranger's request says who writes, once, and nothing of what they write")
    func request() async throws {
        try await PushServer.with { server in
            let world = try await World.outward()
            let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
            let device = try await ana.device(on: server)
            let chat = try await ben.chat(with: ana)
            for _ in 1...3 {
                _ = try await ben.write("Buy my things", in: chat)
                try await world.notify()
            }
            #expect(server.pushes.count == 1)
            let said = try device.open(try #require(server.pushes.first))
            #expect(said["title"] == "Message requests")
            #expect(said["body"] == "ben wants to send you a message.")
        }
    }

    @Test("A group's message says where and by whom; a mention passes a mute; hidden people announce nothing")
    func groups() async throws {
        try await PushServer.with { server in
            let world = try await World.outward()
            let people = try await world.friends("ana", "ben", "cleo")
            let (ana, ben, cleo) = (people[0], people[1], people[2])
            let admin = try await world.account("olga", isAdmin: true)
            let device = try await ana.device(on: server)
            let group = try await ben.group(with: ana, cleo, title: "Pizza or ramen?")
            func announced() async throws -> [String] {
                let before = server.pushes.count
                try await world.notify()
                return try server.pushes.dropFirst(before).map { push in
                    let said = try device.open(push)
                    return "\(said["title"].string ?? "") / \(said["body"].string ?? "")"
                }
            }
            #expect(try await announced() == ["Message requests / ben added you to a group."])
            _ = try await ben.write("Seven?", in: group)
            #expect(try await announced() == ["Pizza or ramen? / Ben: Seven?"])
            _ = try await cleo.sendOnce(in: group)
            #expect(try await announced() == ["Pizza or ramen? / Cleo: Photo to view once"])
            #expect(try await ana.post("/api/v1/chats/\(group)/mute").status == 200)
            _ = try await ben.write("Or eight", in: group)
            #expect(try await announced() == [])
            _ = try await ben.write("@ana, are you there?", in: group)
            #expect(try await announced() == ["Pizza or ramen? / Ben: @ana, are you there?"])
            #expect(try await ana.delete("/api/v1/chats/\(group)/mute").status == 200)
            _ = try await cleo.write("What cleo says", in: group)
            #expect(try await admin.submit("/administration/accounts/\(cleo.id)/suspend").status == 303)
            #expect(try await !announced().contains { $0.contains("cleo") || $0.contains("Cleo") })
            #expect(try await admin.submit("/administration/accounts/\(cleo.id)/restore").status == 303)
            try await ana.block(ben)
            _ = try await ben.write("What ben says", in: group)
            #expect(try await !announced().contains { $0.contains("ben") || $0.contains("Ben") })
        }
    }

    @Test("A snap says from whom and where; likes are counted; undone and opened ones are taken back")
    func kinds() async throws {
        try await PushServer.with { server in
            let world = try await World.outward()
            let people = try await world.friends("ana", "ben", "cleo")
            let (ana, ben, cleo) = (people[0], people[1], people[2])
            let device = try await ana.device(on: server)
            let post = try await ana.post(caption: "Morning")
            try await ben.like(post)
            try await world.work()
            try await cleo.like(post)
            try await world.work()
            let likes = try server.pushes.map { try device.open($0) }
            #expect(likes.map { $0["title"] } == ["Likes", "Likes"])
            #expect(likes[0]["body"] == "ben liked your post.")
            #expect(likes[1]["body"] == "cleo and 1 other liked your post.")
            #expect(likes[1]["tag"] == .text("like-\(post)") && likes[1]["path"] == .text("/posts/\(post)"))
            #expect(server.pushes[0].headers["urgency"] == "normal")
            for person in [ben, cleo] {
                #expect(try await person.post("/api/v1/statuses/\(post)/unfavourite").status == 200)
            }
            try await world.work()
            #expect(server.pushes.count == 3)
            #expect(try device.open(server.pushes[2])["close"] == [.text("like-\(post)")])
            let snap = try await ben.snap()
            try await world.work()
            let said = try device.open(try #require(server.pushes.last))
            #expect(said["body"] == "New snap from ben in memes" && said["path"] == "/snaps")
            #expect(try await ana.post("/api/v1/snaps/\(snap)/open").status == 200)
            try await world.work()
            #expect(try device.open(server.pushes[4])["close"] == [said["tag"]])
        }
    }

    @Test("Opening the screen of notifications takes all announcements back; blocked people announce nothing")
    func screen() async throws {
        try await PushServer.with { server in
            let world = try await World.outward()
            let people = try await world.friends("ana", "ben", "cleo")
            let (ana, ben, cleo) = (people[0], people[1], people[2])
            let device = try await ana.device(on: server)
            let post = try await ana.post(caption: "Morning")
            try await ben.like(post)
            _ = try await ben.comment("Nice", on: post)
            try await world.work()
            #expect(server.pushes.count == 2)
            #expect(try server.pushes.contains { try device.open($0)["body"] == "ben commented: Nice" })
            #expect(try await ana.visit("/notifications").status == 200)
            try await world.work()
            #expect(server.pushes.count == 4)
            let closed = try server.pushes.suffix(2).map { try device.open($0)["close"] }
            #expect(closed.count == 2 && closed.allSatisfy { $0 != .null })
            try await cleo.like(post)
            try await ana.block(cleo)
            try await world.work()
            #expect(server.pushes.count == 4)
        }
    }

    @Test("Without previews an announcement says no more than its topic")
    func previews() async throws {
        try await PushServer.withFriends { server, world, ana, ben, device in
            try await world.prefer(of: ana) { $0.showsPreviews = false }
            _ = try await ben.write("Secret words", in: try await ben.chat(with: ana))
            try await world.notify()
            let said = try device.open(try #require(server.pushes.first))
            #expect(said["title"] == "Tintype" && said["body"] == "New message" && said["icon"] == .null)
            #expect(!said.text.contains("Secret"))
        }
    }

    @Test("A topic that is off announces nothing; quiet hours announce at their end")
    func quiet() async throws {
        try await PushServer.withFriends { server, world, ana, ben, device in
            let post = try await ana.post(caption: "Morning")
            try await world.prefer(of: ana) { $0.silentTopics = ["likes"] }
            try await ben.like(post)
            try await world.work()
            #expect(server.pushes.isEmpty)
            #expect(try await Self.messages(world) == 0)
            // The clock of the tests says 14:13 in UTC.
            try await world.prefer(of: ana) {
                $0.quietHours = QuietHours(
                    from: ClockTime("14:00")!, to: ClockTime("16:00")!, in: TimeZone(identifier: "UTC")!)
            }
            _ = try await ben.comment("First", on: post)
            try await world.work()
            _ = try await ben.comment("Second", on: post)
            try await world.work()
            #expect(server.pushes.isEmpty)
            world.clock.advance(hours: 2)
            try await world.work()
            let said = try server.pushes.map { try device.open($0)["body"].string ?? "" }
            #expect(said.count == 1 || said.count == 2, "\(said)")
            #expect(said.last?.contains("Second") == true || said.last?.contains("commented") == true)
        }
    }

    @Test("What waited is announced at once, and once, when the quiet hours are switched off")
    func quietNoMore() async throws {
        try await PushServer.withFriends { server, world, ana, ben, device in
            try await world.prefer(of: ana) {
                $0.quietHours = QuietHours(
                    from: ClockTime("14:00")!, to: ClockTime("16:00")!, in: TimeZone(identifier: "UTC")!)
            }
            let chat = try await ben.chat(with: ana)
            for number in 1...3 {
                _ = try await ben.write("Held \(number)", in: chat)
                try await world.notify()
            }
            #expect(server.pushes.isEmpty)
            // However many messages wait, one job does.
            #expect(try await world.number("SELECT count(*) FROM jobs WHERE kind = 'push'") == 1)
            let off: KeyValuePairs = [
                "topics[]": "messages", "previews": "true", "quiet_from": "14:00", "quiet_to": "16:00",
                "time_zone": "UTC",
            ]
            #expect(try await ana.submit("/settings/notifications", off).status == 303)
            try await world.work()
            #expect(try server.pushes.map { try device.open($0)["body"] } == ["Held 3"])
            world.clock.advance(hours: 3)
            try await world.work()
            #expect(server.pushes.count == 1)
        }
    }

    @Test("What is deleted is taken back: a snap, a post with its likes, a comment")
    func deleted() async throws {
        try await PushServer.withFriends { server, world, ana, ben, device in
            let post = try await ana.post(caption: "Morning")
            try await ben.like(post)
            let comment = try await ben.comment("Nice", on: post)
            let snap = try await ben.snap()
            try await world.work()
            let tags = try server.pushes.map { try device.open($0)["tag"].string ?? "" }
            #expect(tags.count == 3)
            #expect(try await ben.delete("/api/v1/snaps/\(snap)").status == 200)
            #expect(try await ben.delete("/api/v1/statuses/\(comment)").status == 200)
            #expect(try await ana.delete("/api/v1/statuses/\(post)").status == 200)
            try await world.work()
            let closed = try server.pushes.dropFirst(3).flatMap { try device.open($0)["close"].list }
            #expect(Set(closed.compactMap(\.string)) == Set(tags))
            #expect(try await Self.messages(world) == 0)
        }
    }

    @Test("A muted chat announces nothing, also what waits already")
    func mutedChat() async throws {
        try await PushServer.withFriends { server, world, ana, ben, _ in
            let chat = try await ben.chat(with: ana)
            server.answer { _ in .status(503) }
            _ = try await ben.write("Hi", in: chat)
            try await world.notify()
            #expect(server.pushes.count == 1)
            #expect(try await ana.post("/api/v1/chats/\(chat)/mute").status == 200)
            server.answer { _ in .status(201) }
            _ = try await ben.write("Hi again", in: chat)
            world.clock.advance(hours: 1)
            try await world.work()
            #expect(server.pushes.count == 1)
        }
    }

    @Test("An app gets Mastodon's form, and only the kinds that it asked for")
    func app() async throws {
        try await PushServer.with { server in
            let world = try await World.outward()
            let people = try await world.friends("ana", "ben")
            let (ana, ben) = (people[0], people[1])
            let app = try await world.app()
            let phone = try await app.logIn(ana)
            let device = TestDevice()
            let alerts: [String: JSON] = ["data": ["alerts": ["favourite": true]]]
            let made = try await phone.post(
                "/api/v1/push/subscription",
                json: .object(
                    [
                        "subscription": [
                            "endpoint": .text(server.url + "/app"),
                            "keys": ["p256dh": .text(device.p256dh), "auth": .text(device.auth)],
                        ]
                    ].merging(alerts) { $1 }))
            #expect(made.status == 200 && made["standard"] == false)
            let post = try await ana.post(caption: "Morning")
            try await ben.like(post)
            _ = try await ben.comment("Nice", on: post)
            _ = try await ben.write("Hi", in: try await ben.chat(with: ana))
            try await world.notify()
            #expect(server.pushes.count == 1)
            let push = try #require(server.pushes.first)
            #expect(push.headers["content-encoding"] == "aesgcm")
            #expect(push.headers["authorization"]?.hasPrefix("WebPush ") == true)
            let said = try device.open(push)
            #expect(said["access_token"] == .text(try #require(phone.token)))
            #expect(said["notification_type"] == "favourite" && said["preferred_locale"] == "en")
            #expect(said["title"] == "Likes" && said["body"] == "ben liked your post.")
            let id = try #require(said["notification_id"].number)
            let listed = try await ana.get("/api/v1/notifications?types[]=favourite").json[0]
            #expect(listed["id"].string.flatMap { Double($0) } == id)
            #expect(said["icon"].string?.hasPrefix("http://localhost/") == true)
            // Apps take their announcements back themselves.
            _ = try await ana.visit("/notifications")
            try await world.work()
            #expect(server.pushes.count == 1)
            #expect(try await Self.messages(world) == 0)
        }
    }

    @Test("A policy leaves out people whom the subscriber doesn't follow, or all")
    func policy() async throws {
        try await PushServer.with { server in
            let world = try await World.outward()
            let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
            _ = try await ana.device(on: server)
            for (policy, count) in [("followed", 0), ("none", 0), ("follower", 1), ("all", 2)] {
                let path = "/api/v1/push/subscription"
                #expect(try await ana.send(.put, path, form: ["data[policy]": policy]).status == 200)
                _ = try await ben.post("/api/v1/accounts/\(ana.id)/unfollow")
                try await ben.follow(ana)
                try await world.work()
                let follows = server.pushes.count
                #expect(follows >= count, "\(policy)")
                if count == 0 { #expect(follows == 0, "\(policy)") }
            }
        }
    }

    @Test("A test reaches the device that asks, a few times in a minute")
    func test() async throws {
        try await PushServer.with { server in
            let world = try await World.outward()
            let ana = try await world.account("ana")
            #expect(try await ana.post("/api/v1/push/test").status == 404)
            let device = try await ana.device(on: server)
            for _ in 1...5 { #expect(try await ana.post("/api/v1/push/test").status == 202) }
            #expect(try await ana.post("/api/v1/push/test").status == 429)
            try await world.work()
            #expect(server.pushes.count == 1)
            let said = try device.open(try #require(server.pushes.first))
            #expect(said["title"] == "Tintype" && said["tag"] == "push_test")
            #expect(try await Self.messages(world) == 0)
            world.clock.advance(seconds: 61)
            #expect(try await ana.post("/api/v1/push/test").status == 202)
        }
    }
}
