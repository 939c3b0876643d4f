import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Core
@testable import People
@testable import Serving
@testable import Tintype

@Suite("Links to log in")
struct LogInLinkTests {
    private static let page = "/login/new-password"

    /// Returns the path and the code of a new link.
    private func link(for username: String, in world: World) async throws -> (path: String, code: String) {
        let link = try await world.tintype.createLogInLink(username: username)
        let path = String(link.dropFirst(world.tintype.configuration.publicURL.count))
        return (path, try #require(path.split(separator: "=").last.map(String.init)))
    }

    @Test("A link lets its owner choose a password, once, and ends all other log-ins")
    func once() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let (path, code) = try await link(for: "ana", in: world)
        // Programs that show what is behind a link use nothing up.
        for _ in 1...2 { #expect(try await world.stranger.visit(path).shows("@ana")) }
        let answer = try await world.stranger.submit(Self.page, ["code": code, "password": "another horse"])
        #expect(answer.status == 303 && answer.headers[.location] == "/home")
        #expect(answer.headers[values: .setCookie].contains { $0.hasPrefix("tintype_session=") })
        #expect(try await ana.visit("/home").headers[.location] == "/login")
        let logIn = try await world.stranger.submit(
            "/login", ["username": "ana", "password": "another horse"])
        #expect(logIn.status == 303)
        #expect(try await world.stranger.visit(path).status == 410)
        let again = try await world.stranger.submit(Self.page, ["code": code, "password": "a third horse"])
        #expect(again.status == 410)
    }

    @Test("A password that is too short is refused, and the link stays good")
    func short() async throws {
        let world = try await World()
        _ = try await world.account("ana")
        let (path, code) = try await link(for: "ana", in: world)
        let answer = try await world.stranger.submit(Self.page, ["code": code, "password": "horse"])
        #expect(answer.status == 422 && answer.shows("Use at least 8 characters."))
        #expect(try await world.stranger.visit(path).status == 200)
    }

    @Test("A link ends after a day, with a newer password, and with a suspension")
    func end() async throws {
        let world = try await World()
        for name in ["ana", "ben", "cleo"] { _ = try await world.account(name) }
        let paths = [
            try await link(for: "ana", in: world).path, try await link(for: "ben", in: world).path,
            try await link(for: "cleo", in: world).path,
        ]
        try await world.tintype.setPassword("another horse", username: "ben")
        let olga = try await world.account("olga", isAdmin: true)
        let cleo = try #require(
            try await world.tintype.database.read { try AccountRecords($0).unchecked(username: "cleo") })
        #expect(try await olga.submit("/administration/accounts/\(cleo.id)/suspend").status == 303)
        #expect(try await world.stranger.visit(paths[0]).status == 200)
        #expect(try await world.stranger.visit(paths[1]).status == 410)
        #expect(try await world.stranger.visit(paths[2]).status == 410)
        world.clock.advance(hours: 24)
        #expect(try await world.stranger.visit(paths[0]).status == 410)
    }

    @Test("What the server hasn’t made is no link", arguments: ["", "x", "AAAA", "..%2F", "é"])
    func foreign(code: String) async throws {
        let world = try await World()
        #expect(try await world.stranger.visit("\(Self.page)?code=\(code.queryEncoded)").status == 410)
    }

    @Test("A code that was changed is no link, nor is one of another server")
    func changed() async throws {
        let (world, other) = (try await World(), try await World())
        for world in [world, other] { _ = try await world.account("ana") }
        let code = try await link(for: "ana", in: world).code
        let first: Character = code.hasPrefix("A") ? "B" : "A"
        let changed = String(first) + code.dropFirst()
        #expect(try await world.stranger.visit("\(Self.page)?code=\(changed)").status == 410)
        #expect(try await other.stranger.visit("\(Self.page)?code=\(code)").status == 410)
    }
}

@Suite("Setting up a server")
struct SetupTests {
    @Test("The first account is made without a password, and saying it again makes another link")
    func first() async throws {
        let world = try await World()
        let link = try await world.tintype.setUp(administrator: "ana", displayName: "Ana")
        let again = try await world.tintype.setUp(administrator: "ana", displayName: "Ana")
        #expect(link != again)
        let ana = try #require(
            try await world.tintype.database.read { try AccountRecords($0).unchecked(username: "ana") })
        #expect(ana.isAdmin && ana.displayName == "Ana")
        await #expect(throws: Refusal.self) {
            try await world.tintype.setUp(administrator: "ben", displayName: "Ben")
        }
    }

    @Test("Somebody who has an account without being an administrator doesn’t become one")
    func others() async throws {
        let world = try await World()
        _ = try await world.account("olga", isAdmin: true)
        _ = try await world.account("ben")
        await #expect(throws: Refusal.self) {
            try await world.tintype.setUp(administrator: "ben", displayName: "Ben")
        }
    }

    @Test("The settings’ file keeps what isn’t changed, and isn’t touched if it holds something else")
    func file() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "settings-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "tintype.json").path
        try SettingsFile(path).set(["public-url": "https://a.example"])
        try Data(#"{"limit-reads": 7, "public-url": "https://a.example"}"#.utf8).write(
            to: URL(filePath: path))
        try SettingsFile(path).set(["public-url": "https://b.example", "data": "/srv/tintype"])
        let settings = try await ServerConfiguration.load(flags: [:], environment: [:], file: path)
        #expect(settings.publicURL == "https://b.example" && settings.data == "/srv/tintype")
        #expect(settings.limits.reads == 7)
        try Data("[1]".utf8).write(to: URL(filePath: path))
        #expect(throws: Refusal.self) { try SettingsFile(path).set(["data": "/srv"]) }
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("[1]".utf8))
    }
}
