import Foundation
import Testing

@testable import Core
@testable import People
@testable import Tintype

@Suite("Announcements, and the services that bring them", .timeLimit(.minutes(15)))
struct PushServiceTests {
    /// The number of messages that wait or are shown, of all devices.
    private static func messages(_ world: World) async throws -> Int {
        try await world.number("SELECT count(*) FROM push_messages")
    }

    // MARK: What push services answer

    @Test("A subscription that is gone ends", arguments: [404, 410])
    func gone(status: Int) async throws {
        try await PushServer.with { server in
            let world = try await World.outward()
            let ana = try await world.account("ana")
            _ = try await ana.device(on: server)
            server.answer { _ in .status(status) }
            _ = try await ana.post("/api/v1/push/test")
            try await world.work()
            #expect(server.pushes.count == 1)
            #expect(try await ana.get("/api/v1/push/subscription").status == 404)
            #expect(try await Self.messages(world) == 0)
        }
    }

    @Test("A push service that wants a pause gets it, and the announcement afterwards")
    func pause() async throws {
        try await PushServer.with { server in
            let world = try await World.outward()
            let ana = try await world.account("ana")
            _ = try await ana.device(on: server)
            server.answer { _ in .status(429, headers: [("Retry-After", "120")]) }
            _ = try await ana.post("/api/v1/push/test")
            try await world.work()
            #expect(server.pushes.count == 1)
            server.answer { _ in .status(201) }
            world.clock.advance(seconds: 100)
            try await world.work()
            #expect(server.pushes.count == 1)
            world.clock.advance(seconds: 40)
            try await world.work()
            #expect(server.pushes.count == 2)
            #expect(try await Self.messages(world) == 0)
        }
    }

    @Test(
        "A push service that fails, breaks off or refuses is asked again with growing pauses, for a day at most",
        arguments: [500, 503, 401, 403, 0])
    func failing(status: Int) async throws {
        try await PushServer.with { server in
            let world = try await World.outward()
            let ana = try await world.account("ana")
            _ = try await ana.device(on: server)
            server.answer { _ in status == 0 ? .silence : .status(status) }
            _ = try await ana.post("/api/v1/push/test")
            try await world.work()
            #expect(server.pushes.count == 1)
            let failing = "SELECT count(*) FROM push_subscriptions WHERE failing_since IS NOT NULL"
            #expect(try await world.number(failing) == 1)
            for _ in 1...3 {
                world.clock.advance(seconds: 1)
                try await world.work()
            }
            #expect(server.pushes.count == 1)
            for _ in 1...30 {
                world.clock.advance(hours: 1.01)
                try await world.work()
            }
            #expect((2...40).contains(server.pushes.count))
            // What is a day old isn't announced any more.
            #expect(try await Self.messages(world) == 0)
            #expect(try await ana.get("/api/v1/push/subscription").status == 200)
            server.answer { _ in .status(201) }
            _ = try await ana.post("/api/v1/push/test")
            world.clock.advance(hours: 1)
            try await world.work()
            #expect(try await world.number(failing) == 0)
        }
    }

    @Test("What is read while it is sent is taken back; news that come meanwhile are sent")
    func meanwhile() async throws {
        try await PushServer.withFriends { server, world, ana, ben, device in
            let chat = try await ben.chat(with: ana)
            let first = try await ben.write("First", in: chat)
            server.answer { push in
                if server.pushes.count == 1 {
                    do {
                        try await ana.read(through: first, in: chat)
                    } catch {
                        Issue.record(error)
                    }
                }
                return .status(201)
            }
            try await world.notify()
            #expect(server.pushes.count == 2)
            #expect(try device.open(server.pushes[1])["close"] == [.text("message-\(chat)")])
            #expect(try await Self.messages(world) == 0)
            server.answer { push in
                if server.pushes.count == 3 {
                    do {
                        _ = try await ben.write("Third", in: chat)
                    } catch {
                        Issue.record(error)
                    }
                }
                return .status(201)
            }
            _ = try await ben.write("Second", in: chat)
            try await world.notify()
            let said = try server.pushes.dropFirst(2).map { try device.open($0)["body"] }
            #expect(said == ["Second", "Third"])
        }
    }

    @Test("An announcement that is too long for a push service is dropped")
    func tooLong() async throws {
        try await PushServer.with { server in
            let world = try await World.outward()
            let ana = try await world.account("ana")
            _ = try await ana.device(on: server)
            server.answer { _ in .status(413) }
            _ = try await ana.post("/api/v1/push/test")
            try await world.work()
            #expect(try await Self.messages(world) == 0)
            #expect(try await ana.get("/api/v1/push/subscription").status == 200)
        }
    }

    @Test("A name that leads to a private address ends its subscription, and is sent nothing")
    func inward() async throws {
        try await PushServer.with { server in
            let world = try await World.outward()
            let ana = try await world.account("ana")
            _ = try await ana.device(on: server)
            _ = try await ana.post("/api/v1/push/test")
            // The setting is off at the next start.
            let strict = try await World(folder: world.folder, clock: world.clock)
            try await strict.work()
            #expect(server.pushes.isEmpty)
            #expect(try await strict.number("SELECT count(*) FROM push_subscriptions") == 0)
        }
    }

    @Test("A slow push service holds up no other")
    func slow() async throws {
        try await PushServer.with { fast in
            try await PushServer.with(host: "127.0.0.2") { slow in
                let world = try await World.outward()
                let people = try await world.friends("ana", "ben", "cleo", "dora", "eli", "fay")
                let (release, open) = AsyncStream<Void>.makeStream()
                slow.answer { _ in
                    for await _ in release {}
                    return .status(201)
                }
                // Five people with devices at the slow service, one at the fast one.
                for person in people.prefix(5) {
                    _ = try await person.device(on: slow, path: "/\(person.id)")
                }
                _ = try await people[5].device(on: fast)
                for person in people { _ = try await person.post("/api/v1/push/test") }
                async let work: Void = world.work()
                await slow.has(5)
                await fast.has(1)
                open.finish()
                try await work
                #expect(slow.pushes.count == 5 && fast.pushes.count == 1)
                #expect(try await Self.messages(world) == 0)
            }
        }
    }

    // MARK: The server in between

    @Test("What is noted is announced after a restart, also when the server was killed in between")
    func restart() async throws {
        try await PushServer.withFriends { server, world, ana, ben, device in
            let post = try await ana.post(caption: "Morning")
            try await ben.like(post)
            // Nothing has worked on the jobs; another process opens the folder.
            let other = try await World.outward(folder: world.folder, clock: world.clock)
            try await other.work()
            #expect(server.pushes.count == 1)
            #expect(try device.open(server.pushes[0])["body"] == "ben liked your post.")
        }
    }

    @Test("A restored backup keeps subscriptions, and announces nothing old")
    func backup() async throws {
        try await PushServer.withFriends { server, world, ana, ben, device in
            let post = try await ana.post(caption: "Morning")
            try await ben.like(post)
            let file = NSTemporaryDirectory() + "tintype-test-" + UUID().uuidString
            let folder = file + "-restored"
            defer { for path in [file, folder] { try? FileManager.default.removeItem(atPath: path) } }
            _ = try await world.tintype.backUp(to: file)
            var configuration = world.tintype.configuration
            configuration.data = folder
            _ = try await TintypeApplication.restore(from: file, configuration)
            // The operator brings the file of the secrets along.
            let name = SecretsKey.fileName
            if world.tintype.configuration.database == nil {
                try FileManager.default.copyItem(
                    atPath: "\(world.folder)/\(name)", toPath: "\(folder)/\(name)")
            }
            let restored = try await World.outward(folder: folder, clock: world.clock)
            try await restored.work()
            #expect(server.pushes.isEmpty)
            #expect(
                restored.tintype.features.push.serverKey
                    == world.tintype.features.push.serverKey)
            let again = Person(world: restored, id: ben.id, username: "ben", token: ben.token)
            _ = try await again.comment("Nice", on: post)
            try await restored.work()
            #expect(try device.open(try #require(server.pushes.first))["body"] == "ben commented: Nice")
        }
    }

    @Test("A device has at most a hundred announcements, the newest")
    func hundred() async throws {
        try await PushServer.withFriends { server, world, ana, ben, _ in
            let photo = try await ana.photo()
            for number in 1...102 {
                let post = try await ana.post(caption: "\(number)", photos: [photo])
                try await ben.like(post)
            }
            #expect(try await Self.messages(world) == 100)
        }
    }
}
