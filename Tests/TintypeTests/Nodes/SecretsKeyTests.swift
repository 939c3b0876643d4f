import Foundation
import Storage
import TestPostgres
import Testing

@testable import Core
@testable import People
@testable import Serving
@testable import Tintype

/// The keys that several servers with one database have in common.
@Suite("Keys of several servers", .timeLimit(.minutes(15)))
struct SecretsKeyTests {
    @Test("What one server seals or signs, the other opens")
    func same() async throws {
        let (here, there) = try await World.two()
        let sealed = try here.tintype.parts.secrets.seal("secret", as: .pushIdentity)
        #expect(there.tintype.parts.secrets.unseal(sealed, as: .pushIdentity) == "secret")
        #expect(here.tintype.features.push.serverKey == there.tintype.features.push.serverKey)
    }

    @Test("A breach goes out on a connected account, whichever server publishes it")
    func crossPosts() async throws {
        try await OutsideMastodon.with { server in
            let (here, there) = try await World.two {
                $0.allowsPrivateAddresses = true
                $0.outgoingPace = .patient
            }
            let people = try await here.friends("ana", "ben")
            let (ana, ben) = (people[0], people[1])
            try await ana.connect(server)
            for (number, (asked, working)) in [(here, there), (there, here)].enumerated() {
                let contract = try await ana.contract(with: ben, changed: ["publish_to": ["connected"]])
                try await ana.at(asked).make("admit", contract)
                for _ in 0..<60 where server.posts.count == number {
                    try await working.work()
                    here.clock.advance(seconds: 60)
                }
                try await working.work()
                #expect(server.posts.count == number + 1)
                let publication = try await ben.get("\(Person.contracts)/\(contract)")["publication"]
                #expect(publication["state"] == "published")
            }
        }
    }
}

/// The key for secrets as a row, sealed with the key in the operator's file.
@Suite("The operator's key", .enabled(if: TestPostgres.isEngine), .timeLimit(.minutes(15)))
struct OperatorsKeyTests {
    /// An empty database, which goes when the closure is done.
    private func withDatabase(
        _ body: @Sendable (PostgresAddress) async throws -> Void
    ) async throws {
        let server = try #require(TestPostgres.engine)
        let name = "keys_\(UUID().uuidString.lowercased().replacing("-", with: "_"))"
        try server.make(name)
        defer { try? server.drop(name) }
        try await body(server.address(name))
    }

    /// Starts a server with a data folder of its own on a database.
    private func start(_ address: PostgresAddress, _ keyFile: String?) async throws -> World {
        try await World {
            $0.sharedDatabase = true
            $0.database = address
            $0.secretsKeyFile = keyFile
        }
    }

    /// Returns what is said by a command that refuses; empty when it doesn't.
    private func refusal(of command: () async throws -> Void) async -> String {
        do {
            try await command()
            return ""
        } catch {
            return "\(error)"
        }
    }

    @Test("Of servers that start at once on an empty database, all have the same keys")
    func firstStarts() async throws {
        let file = try await World()
        let keyFile = try World.secretsKeyFile(in: file.folder)
        try await withDatabase { address in
            let worlds = try await withThrowingTaskGroup(of: World.self) { group in
                for _ in 0..<4 { group.addTask { try await start(address, keyFile) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let first = try #require(worlds.first)
            let sealed = try first.tintype.parts.secrets.seal("secret", as: .pushIdentity)
            let reader = Reader(ID(rawValue: 5), in: ID(rawValue: 6))
            let signature = first.tintype.parts.signatures.query(7, viewer: reader)
            for world in worlds {
                #expect(world.tintype.parts.secrets.unseal(sealed, as: .pushIdentity) == "secret")
                #expect(world.tintype.parts.signatures.query(7, viewer: reader) == signature)
                #expect(world.tintype.features.push.serverKey == first.tintype.features.push.serverKey)
                // No server keeps the key in a file of its own.
                #expect(!FileManager.default.fileExists(atPath: "\(world.folder)/\(SecretsKey.fileName)"))
            }
        }
    }

    @Test("A server without the file, or with another key, refuses to start and changes nothing")
    func refused() async throws {
        let world = try await World { $0.sharedDatabase = true }
        let ana = try await world.account("ana")
        let address = try #require(world.tintype.configuration.database)
        _ = try await ana.subscribe(TestDevice(), at: "https://push.example/a")
        let other = "\(world.folder)/other.key"
        func write(_ text: String, mode: mode_t = 0o600) throws {
            try text.write(toFile: other, atomically: false, encoding: .utf8)
            chmod(other, mode)
        }
        func isRefused(_ path: String?, _ words: String) async {
            let refusal = await refusal { _ = try await start(address, path) }
            #expect(refusal.contains(words), "\(refusal)")
        }
        await isRefused(nil, "needs --secrets-key-file")
        await isRefused(other, "There is no file \(other)")
        try write("short")
        await isRefused(other, "doesn’t hold a key")
        let key = Data(count: 32).base64EncodedString()
        try write(key, mode: 0o640)
        await isRefused(other, "Others can read")
        try write(key)
        await isRefused(other, "isn’t the one")
        #expect(try await world.number("SELECT count(*) FROM push_subscriptions") == 1)
        let again = try await World(beside: world)
        #expect(again.tintype.features.push.serverKey == world.tintype.features.push.serverKey)
        // A command needs it as well.
        var configuration = world.tintype.configuration
        configuration.secretsKeyFile = other
        let command = await refusal {
            _ = try await TintypeApplication(existing: configuration, node: .tool)
        }
        #expect(command.contains("isn’t the one"))
    }

    @Test(
        "A backup has the key sealed only, and a restore with the operator's file makes it the folder's own")
    func backup() async throws {
        let world = try await World()
        let ours = try world.tintype.parts.secrets.seal("ours", as: .pushIdentity)
        let file = "\(world.folder)/backup.tar"
        _ = try await world.tintype.backUp(to: file)
        var configuration = ServerConfiguration()
        configuration.data = "\(world.folder)/restored"
        configuration.secretsKeyFile = "\(world.folder)/other.key"
        _ = try PrivateFile.contents(
            of: "\(world.folder)/other.key", orCreate: Array(Data(count: 32).base64EncodedString().utf8))
        let wrong = await refusal { _ = try await TintypeApplication.restore(from: file, configuration) }
        #expect(wrong.contains("isn’t the one"))
        #expect(!FileManager.default.fileExists(atPath: configuration.data))
        configuration.secretsKeyFile = try World.secretsKeyFile(in: world.folder)
        _ = try await TintypeApplication.restore(from: file, configuration)
        let restored = try await World(folder: configuration.data, clock: world.clock)
        #expect(restored.tintype.configuration.database == nil)
        #expect(restored.tintype.parts.secrets.unseal(ours, as: .pushIdentity) == "ours")
        #expect(restored.tintype.features.push.serverKey == world.tintype.features.push.serverKey)
        #expect(
            try await restored.number("SELECT count(*) FROM server_values WHERE name = 'secrets-key'") == 0)
    }
}
