import Foundation
import HTTPTypes
import Testing

@testable import Core

@Suite("Sign-up mode")
struct SignUpModeTests {
    private func signUp(_ world: World, _ username: String) async throws -> Int {
        try await world.stranger.submit(
            "/signup",
            multipart: [
                .text("username", username), .text("display_name", "Guest"),
                .text("password", "correct horse"),
            ]
        ).status
    }

    @Test("An administrator changes it, on record, and it stays changed after a restart")
    func changing() async throws {
        let world = try await World { $0.signUp = .invitation }
        let (olga, ana) = (try await world.account("olga"), try await world.account("ana"))
        #expect(try await olga.visit("/administration").shows("Invite only"))
        #expect(try await signUp(world, "ben") == 422)
        #expect(try await ana.submit("/administration/sign-up", ["mode": "open"]).status == 404)
        #expect(try await olga.submit("/administration/sign-up", ["mode": "maybe"]).status == 422)
        #expect(try await signUp(world, "ben") == 422)

        #expect(try await olga.submit("/administration/sign-up", ["mode": "open"]).status == 303)
        #expect(try await signUp(world, "ben") == 303)
        #expect(try await world.stranger.get("/api/v1/instance")["registrations"] == true)
        let record = try await olga.visit("/administration/record")
        #expect(record.shows("@olga changed who can sign up."))
        #expect(record.shows("From “Invite only” to “Open”"))

        // The operator's setting is what a server begins with.
        let again = try await World(folder: world.folder, clock: world.clock) { $0.signUp = .invitation }
        #expect(try await signUp(again, "cleo") == 303)
        #expect(try await olga.submit("/administration/sign-up", ["mode": "closed"]).status == 303)
        #expect(try await signUp(again, "dora") == 422)
        #expect(try await again.stranger.visit("/login").shows("/signup") == false)
        #expect(try await again.stranger.get("/api/v2/instance")["registrations"]["enabled"] == false)
    }

    @Test("Saving what is chosen already is no action")
    func unchanged() async throws {
        let world = try await World { $0.signUp = .closed }
        let olga = try await world.account("olga")
        #expect(try await olga.submit("/administration/sign-up", ["mode": "closed"]).status == 303)
        #expect(try await world.number("SELECT count(*) FROM administration_records") == 0)
    }

    @Test("Settings tell administrators how much is reported, and nobody else")
    func settings() async throws {
        let world = try await World()
        let olga = try await world.account("olga")
        let people = try await world.friends("ana", "ben")
        #expect(try await olga.visit("/settings").shows("1 report") == false)
        _ = try await people[1].post("/api/v1/reports", json: ["account_id": .text("\(people[0].id)")])
        #expect(try await olga.visit("/settings").shows("1 report"))
        #expect(try await people[1].visit("/settings").shows("report") == false)
    }
}
