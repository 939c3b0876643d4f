import Foundation
import HTTPTypes
import Testing

@testable import Core
@testable import People
@testable import Tintype

@Suite("Devices in Settings → Notifications", .timeLimit(.minutes(15)))
struct PushSettingsTests {
    private static let path = "/settings/notifications"

    @Test("The screen has this device's switch; a device is listed with when it last worked, and removed")
    func devices() async throws {
        try await PushServer.with { server in
            let world = try await World.outward()
            let people = try await world.friends("ana", "ben")
            let (ana, ben) = (people[0], people[1])
            let key = world.tintype.features.push.push.publicKey
            let before = try await ana.visit(Self.path)
            #expect(before.shows(#"data-key="\#(key)""#))
            #expect(!before.shows("Send a test") && !before.shows("Devices with notifications"))
            _ = try await ana.device(on: server)
            let other = try await ana.logIn(.browser, device: "Firefox on Android")
            _ = try await other.device(on: server, path: "/other")
            let page = try await ana.visit(Self.path)
            #expect(page.shows("Send a test") && page.shows("Test · this device"))
            #expect(page.shows("Firefox on Android") && page.shows("Nothing was sent yet"))
            #expect(try await ana.refresh("\(Self.path)/devices").shows("Firefox on Android"))
            #expect(try await ana.visit("\(Self.path)/devices").status == 303)

            let chat = try await ben.chat(with: ana)
            _ = try await ben.write("Hello", in: chat)
            try await world.notify()
            world.clock.advance(seconds: 300)
            #expect(try await ana.visit(Self.path).shows("5 minutes ago"))
            server.answer { _ in .status(400) }
            _ = try await ben.write("Hello again", in: chat)
            try await world.work()
            #expect(try await ana.visit(Self.path).shows("Hasn’t worked since"))

            // Nobody removes the devices of others.
            let id = try await world.number(
                "SELECT id FROM push_subscriptions WHERE endpoint LIKE '%/other'")
            #expect(try await ben.submit("\(Self.path)/devices/\(id)/remove").status == 404)
            #expect(try await ana.submit("\(Self.path)/devices/\(id)/remove").status == 303)
            #expect(try await !ana.visit(Self.path).shows("Firefox on Android"))
            #expect(try await ana.submit("\(Self.path)/devices/\(id)/remove").status == 404)
            #expect(try await world.number("SELECT count(*) FROM push_subscriptions") == 1)
            // The removed device learns it, and may be turned on again.
            let address = "/api/v1/push/subscription"
            #expect(try await other.get(address).status == 410)
            #expect(try await other.post("/api/v1/push/test").status == 410)
            _ = try await other.device(on: server, path: "/other")
            #expect(try await other.get(address).status == 200)
            #expect(try await other.delete(address).status == 200)
            #expect(try await other.get(address).status == 404)
        }
    }

    @Test("A test is sent without scripts, and says what to do first where there is no subscription")
    func test() async throws {
        try await PushServer.with { server in
            let world = try await World.outward()
            let ana = try await world.account("ana")
            func said() async throws -> Flash? {
                let answer = try await ana.submit("\(Self.path)/test")
                #expect(answer.status == 303 && answer.headers[.location] == Self.path)
                let cookie = answer.headers[values: .setCookie].first { $0.hasPrefix(Flash.cookieName) }
                let value = cookie?.split(separator: ";").first?.split(separator: "=", maxSplits: 1).last
                let text = value?.split(separator: ".").last.flatMap { Data(base64URL: String($0)) }
                return text.map { .good(String(decoding: $0, as: UTF8.self)) }
            }
            #expect(try await said()?.text == "Turn on notifications on this device first.")
            let device = try await ana.device(on: server)
            #expect(try await said()?.text == "Sent. Your device shows it in a moment.")
            try await world.work()
            #expect(try device.open(try #require(server.pushes.first))["path"] == "/settings/notifications")
        }
    }

    @Test("A muted chat isn't announced, nor is what waited for the end of quiet hours when it was muted")
    func mutedChat() async throws {
        try await PushServer.withFriends { server, world, ana, ben, device in
            let chat = try await ben.chat(with: ana)
            // A chat that was announced before gets no news, either.
            _ = try await ben.write("First", in: chat)
            try await world.notify()
            #expect(server.pushes.count == 1)
            #expect(try await ana.post("/api/v1/chats/\(chat)/mute", json: ["duration": 3_600]).status == 200)
            _ = try await ben.write("Second", in: chat)
            try await world.notify()
            #expect(server.pushes.count == 1)
            world.clock.advance(seconds: 3_600)
            _ = try await ben.write("Third", in: chat)
            try await world.notify()
            #expect(server.pushes.count == 2)

            // Now in quiet hours, an hour before their end.
            let now = ClockTime(minutes: Int(world.clock.now.timeIntervalSince1970 / 60) % 1440)
            let end = ClockTime(minutes: (Int(world.clock.now.timeIntervalSince1970 / 60) + 60) % 1440)
            let form: KeyValuePairs = [
                "topics[]": "messages", "quiet": "true", "quiet_from": try #require(now).text,
                "quiet_to": try #require(end).text, "time_zone": "UTC",
            ]
            #expect(try await ana.submit(Self.path, form).status == 303)
            _ = try await ben.write("Fourth", in: chat)
            try await world.notify()
            #expect(server.pushes.count == 2)
            #expect(try await ana.post("/api/v1/chats/\(chat)/mute").status == 200)
            world.clock.advance(hours: 2)
            try await world.work()
            let said = try server.pushes.map { try device.open($0)["body"] }
            #expect(said.filter { $0 != .null } == ["First", "Third"])
        }
    }
}
