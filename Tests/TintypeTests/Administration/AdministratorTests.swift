import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Core
@testable import People
@testable import Serving
@testable import Tintype

@Suite("Administrators")
struct AdministratorTests {
    private static let path = "/administration/administrators"

    @Test("One makes another, on record; the other then may leave or take it back")
    func promoting() async throws {
        let world = try await World()
        let (olga, ana) = (try await world.account("olga"), try await world.account("ana"))
        #expect(try await ana.visit(Self.path).status == 404)
        #expect(try await ana.submit(Self.path, ["username": "ana"]).status == 404)
        #expect(try await ana.submit("\(Self.path)/olga/remove").status == 404)

        #expect(try await olga.submit(Self.path, ["username": "@Ana"]).status == 303)
        #expect(try await ana.visit(Self.path).shows("@olga"))
        #expect(try await ana.visit("/administration/record").shows("@olga promoted @ana."))
        #expect(try await olga.submit(Self.path, ["username": "ana"]).status == 303)
        #expect(try await world.number("SELECT count(*) FROM administration_records") == 1)

        #expect(try await ana.submit("\(Self.path)/ana/remove").status == 409)
        #expect(try await ana.submit("\(Self.path)/olga/remove").status == 303)
        #expect(try await olga.visit("/administration").status == 404)
        #expect(try await ana.visit("/administration/record").shows("@ana demoted @olga."))
    }

    @Test("Of two who remove each other at once, one remains")
    func race() async throws {
        let world = try await World()
        let (olga, ana) = (try await world.account("olga"), try await world.account("ana"))
        for _ in 0..<5 {
            try await world.tintype.setAdministrator(true, username: "olga")
            try await world.tintype.setAdministrator(true, username: "ana")
            for person in [olga, ana] { world.tintype.sessions.refresh(person.id) }
            async let first = olga.submit("\(Self.path)/ana/remove").status
            async let second = ana.submit("\(Self.path)/olga/remove").status
            #expect(Set(try await [first, second]) == [303, 404])
            #expect(try await world.number("SELECT count(*) FROM accounts WHERE is_admin = 1") == 1)
        }
    }

    @Test("Of two who suspend each other at once, one remains")
    func suspensions() async throws {
        let world = try await World()
        let (olga, ana) = (try await world.account("olga"), try await world.account("ana", isAdmin: true))
        // As both were when they asked.
        var viewers: [Account] = []
        for person in [olga, ana] {
            viewers.append(
                try #require(
                    try await world.tintype.database.read { try AccountStore($0).account(person.id) }))
        }
        let administration = world.tintype.administration
        try await administration.setSuspended(true, ana.id, because: "", by: viewers[0])
        await #expect(throws: Refusal.notFound) {
            try await administration.setSuspended(true, olga.id, because: "", by: viewers[1])
        }
        await #expect(throws: Refusal.notFound) {
            try await administration.setAdministrator(false, username: "olga", by: viewers[1])
        }
        for _ in 0..<5 {
            try await world.tintype.database.write { try $0.execute("UPDATE accounts SET is_suspended = 0") }
            let people = [
                try await world.again(olga), try await world.again(ana),
            ]
            for person in people { #expect(try await person.visit("/administration").status == 200) }
            async let first = people[0].submit("/administration/accounts/\(ana.id)/suspend").status
            async let second = people[1].submit("/administration/accounts/\(olga.id)/suspend").status
            #expect(try await [first, second].count { $0 == 303 } == 1)
            let active = "SELECT count(*) FROM accounts WHERE is_admin = 1 AND is_suspended = 0"
            #expect(try await world.number(active) == 1)
        }
    }

    @Test("Who has just become the last administrator may not leave, whatever memory holds of them")
    func leaving() async throws {
        let world = try await World()
        let (olga, ana) = (try await world.account("olga"), try await world.account("ana"))
        // Once, so that her session is answered from memory.
        #expect(try await ana.visit("/home").status == 200)
        try await world.tintype.setAdministrator(true, username: "ana")
        #expect(try await olga.submit("/settings/delete", ["password": "correct horse"]).status == 303)
        _ = try await world.account("ben")
        #expect(try await ana.submit("/settings/delete", ["password": "correct horse"]).status == 409)
    }

    @Test("A name that can't be used stays in its field, with the error beside it")
    func refused() async throws {
        let world = try await World()
        let (olga, ana) = (try await world.account("olga"), try await world.account("ana"))
        let unknown = try await olga.submit(Self.path, ["username": "nobody.here"])
        #expect(unknown.status == 404 && unknown.shows("Nobody here is called @nobody.here."))
        #expect(unknown.shows("value=\"nobody.here\""))
        #expect(try await olga.submit("/administration/accounts/\(ana.id)/suspend").status == 303)
        let suspended = try await olga.submit(Self.path, ["username": "ana"])
        #expect(suspended.status == 409 && suspended.shows("@ana is suspended."))
    }

    @Test("The last may not leave others alone, and may once there is another")
    func last() async throws {
        let world = try await World()
        let (olga, ana) = (try await world.account("olga"), try await world.account("ana"))
        let password: KeyValuePairs = ["password": "correct horse"]
        #expect(try await olga.submit("/settings/delete", password).status == 409)
        #expect(try await olga.submit("\(Self.path)/olga/remove").status == 409)
        // Nor by the command line.
        await #expect(throws: Refusal.self) {
            try await world.tintype.setAdministrator(false, username: "@olga")
        }
        try await world.tintype.setAdministrator(true, username: "ana")
        world.tintype.sessions.refresh(ana.id)
        #expect(try await olga.submit("/settings/delete", password).status == 303)
        #expect(try await ana.visit("/administration").status == 200)
    }

    @Test("Who is alone on a server stays its administrator")
    func alone() async throws {
        let world = try await World()
        _ = try await world.account("olga")
        await #expect(throws: Refusal.self) {
            try await world.tintype.setAdministrator(false, username: "olga")
        }
        #expect(try await world.number("SELECT count(*) FROM accounts WHERE is_admin = 1") == 1)
    }

    @Test("Administrators see what is stored and how much room is left")
    func storage() async throws {
        let world = try await World()
        let olga = try await world.account("olga")
        #expect(try await olga.visit("/administration").shows("<dt>Photos</dt><dd>0</dd>"))
        _ = try await olga.photo(try await TestPicture.jpeg(width: 1200, height: 900))
        let storage = try await world.tintype.gauges.storage()
        let files = try await world.number("SELECT CAST(sum(byte_count) AS BIGINT) FROM blobs")
        // What was added up a moment ago is believed for a minute.
        #expect(storage.pictures == 0 && files > 10_000)
        world.clock.advance(seconds: 61)
        let page = try await olga.visit("/administration")
        #expect(page.shows("<dt>Photos</dt><dd>1</dd>"))
        #expect(page.shows("<dd>\(AdministrationPages.size(files))</dd>"))
        #expect(storage.database > 100_000 && storage.free > 1_000_000)
        #expect(page.shows("<dt>Database</dt>") && page.shows("<dt>Free space</dt>"))
        #expect(page.shows("<dt>Late work</dt>") && page.shows("<dt>Errors, 24 h</dt>"))
    }
}

extension World {
    /// Logs a person in again.
    fileprivate func again(_ person: Person) async throws -> Person {
        let token = try await tintype.sessions.start(for: person.id, device: "Again", kind: .browser)
        return Person(world: self, id: person.id, username: person.username, token: token)
    }
}
