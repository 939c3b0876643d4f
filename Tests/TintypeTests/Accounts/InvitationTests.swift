import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Core
@testable import Tintype

@Suite("Invitations")
struct InvitationTests {
    private func signUp(_ world: World, _ username: String, code: String) async throws -> Answer {
        try await world.stranger.submit(
            "/signup",
            multipart: [
                .text("username", username), .text("display_name", "Guest"),
                .text("password", "correct horse"),
                .text("invitation_code", code),
            ])
    }

    @Test("A person makes a code, sees who used it, and a revoked code lets nobody in")
    func codes() async throws {
        let world = try await World { $0.signUp = .invitation }
        let ana = try await world.account("ana")
        #expect(try await ana.submit("/settings/invitations").status == 303)
        let invitation = try #require(
            try await world.tintype.database.read { try InvitationStore($0).invitations(of: ana.id) }.first)
        #expect(try await ana.visit("/settings/invitations").shows(invitation.code))
        #expect(try await signUp(world, "ben", code: invitation.code).status == 303)
        let page = try await ana.visit("/settings/invitations")
        #expect(page.shows("joined") && !page.shows(invitation.code))
        #expect(try await ana.submit("/settings/invitations/\(invitation.id)/revoke").status == 404)

        let second = try await world.tintype.invitations.invite(by: ana.id)
        let id = try await world.number("SELECT max(id) FROM invitations")
        let ben = try await world.account("stranger")
        #expect(try await ben.submit("/settings/invitations/\(id)/revoke").status == 404)
        #expect(try await ana.submit("/settings/invitations/\(id)/revoke").status == 303)
        #expect(try await signUp(world, "cy", code: second).shows("invalid, used or expired"))
    }

    @Test("Twenty codes may wait, no more, and after 30 days they are out of date")
    func bounds() async throws {
        let world = try await World { $0.signUp = .invitation }
        let ana = try await world.account("ana")
        for _ in 1...20 { #expect(try await ana.submit("/settings/invitations").status == 303) }
        #expect(try await ana.submit("/settings/invitations").status == 409)
        let code = try await world.tintype.invitations.invite(by: nil)
        world.clock.advance(hours: 30 * 24 + 1)
        #expect(try await signUp(world, "ben", code: code).status == 422)
        #expect(try await ana.submit("/settings/invitations").status == 303)
    }

    @Test("Without a good code nobody learns which names are taken", arguments: ["", "AAAA-AAAA"])
    func enumeration(code: String) async throws {
        let world = try await World { $0.signUp = .invitation }
        _ = try await world.account("ana")
        let taken = try await signUp(world, "ana", code: code)
        let free = try await signUp(world, "ben", code: code)
        #expect(taken.status == 422 && !taken.shows("is taken"))
        #expect(taken.text.replacingOccurrences(of: "ana", with: "ben") == free.text)
    }

    @Test("A closed server doesn't tell which names are taken either")
    func closed() async throws {
        let world = try await World { $0.signUp = .closed }
        _ = try await world.account("ana")
        let taken = try await signUp(world, "ana", code: "")
        #expect(taken.status == 422 && !taken.shows("is taken") && taken.shows("isn’t accepting new people"))
    }
}
