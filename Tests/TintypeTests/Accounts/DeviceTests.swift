import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Core
@testable import Tintype

@Suite("Devices and passwords")
struct DeviceTests {
    /// Logs a person in on another device.
    private func other(_ person: Person, _ device: String = "Other") async throws -> Person {
        try await person.logIn(.browser, device: device)
    }

    @Test("Devices are listed, and one that is ended is logged out at once, whatever memory holds")
    func end() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let phone = try await other(ana, "Safari on iPhone")
        _ = try await ana.logIn(.token)
        // Once, so that the session is answered from memory.
        #expect(try await phone.visit("/home").status == 200)
        let page = try await ana.visit("/settings/devices")
        #expect(page.shows("Safari on iPhone") && page.shows("app token"))
        let id = try await world.number("SELECT id FROM sessions WHERE device = 'Safari on iPhone'")
        #expect(try await ana.submit("/settings/devices/\(id)/end").status == 303)
        #expect(try await phone.visit("/home").headers[.location] == "/login")
        #expect(try await ana.visit("/home").status == 200)
    }

    @Test("Nobody ends the log-in of somebody else")
    func foreign() async throws {
        let world = try await World()
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        let id = try await world.number("SELECT id FROM sessions WHERE account_id = \(ben.id)")
        #expect(try await ana.submit("/settings/devices/\(id)/end").status == 404)
        #expect(try await ben.visit("/home").status == 200)
    }

    @Test("Logging out everywhere else ends the event streams there at once", .timeLimit(.minutes(15)))
    func streams() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let phone = try await other(ana)
        try await world.live { server in
            try await server.connect { connection in
                try await connection.get("/api/v1/events", as: phone)
                async let received = connection.read(until: "nothing that ever comes")
                while world.tintype.events.streamsCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
                #expect(try await ana.submit("/settings/devices/end").status == 303)
                // The reading ends since the connection does.
                #expect(try await received.contains("text/event-stream"))
            }
        }
        #expect(world.tintype.events.streamsCount == 0)
        #expect(try await phone.get("/api/v1/events").status == 401)
    }

    @Test("A new password needs the current one, and logs the other devices out")
    func password() async throws {
        let world = try await World()
        let ana = try await world.account("ana", password: "correct horse")
        let phone = try await other(ana)
        let wrong = try await ana.submit(
            "/settings/password", ["current_password": "wrong horse", "new_password": "battery staple"])
        #expect(wrong.status == 422 && wrong.shows("That isn’t your current password."))
        let short = try await ana.submit(
            "/settings/password", ["current_password": "correct horse", "new_password": "short"])
        #expect(short.status == 422 && short.shows("Use at least 8 characters."))
        #expect(try await phone.visit("/home").status == 200)
        let changed = try await ana.submit(
            "/settings/password", ["current_password": "correct horse", "new_password": "battery staple"])
        #expect(changed.status == 303)
        #expect(try await phone.visit("/home").status == 303)
        #expect(try await ana.visit("/home").status == 200)
        for (password, status) in [("correct horse", 401), ("battery staple", 303)] {
            let logIn = try await world.stranger.submit("/login", ["username": "ana", "password": password])
            #expect(logIn.status == status)
        }
    }

    @Test("Guesses at the current password are slowed, and strangers' guesses don't use these up")
    func confirmation() async throws {
        let world = try await World { $0.limits.logIns = 3 }
        let ana = try await world.account("ana", password: "correct horse")
        for _ in 1...4 {
            _ = try await world.stranger.submit("/login", ["username": "ana", "password": "guess"])
        }
        for _ in 1...3 {
            let wrong = try await ana.submit(
                "/settings/password", ["current_password": "guess", "new_password": "battery staple"])
            #expect(wrong.status == 422)
        }
        let slowed = try await ana.submit(
            "/settings/password", ["current_password": "correct horse", "new_password": "battery staple"])
        #expect(slowed.status == 429)
        world.clock.advance(seconds: 301)
        let changed = try await ana.submit(
            "/settings/password", ["current_password": "correct horse", "new_password": "battery staple"])
        #expect(changed.status == 303)
    }

    @Test(
        "A log-in that nobody used for 400 days has ended, and one account keeps at most a hundred",
        .timeLimit(.minutes(15)))
    func bounds() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        for _ in 1...2 {
            world.clock.advance(hours: 24 * 399)
            let seen = try await world.number("SELECT seen_at FROM sessions")
            #expect(try await ana.visit("/home").status == 200)
            // No request waits for the note of its time.
            while try await world.number("SELECT seen_at FROM sessions") == seen { await Task.yield() }
        }
        world.clock.advance(hours: 24 * 401)
        #expect(try await ana.visit("/home").status == 303)
        for _ in 1...103 { _ = try await other(ana) }
        #expect(try await world.number("SELECT count(*) FROM sessions") == 100)
    }
}
