import Foundation
import Storage
import Testing

/// A PostgreSQL server of a test's own, which the test may crash.
final class OwnPostgres: Sendable {
    /// The folder with its socket.
    let folder: String

    /// Starts the server.
    /// - Parameter settings: in PostgreSQL's names: `fsync=on`.
    init(_ settings: String...) throws {
        // The path of a socket has at most 107 bytes.
        folder = "/tmp/tintype-postgres-\(UInt32.random(in: .min ... .max))"
        try Self.run([folder] + settings)
    }

    deinit {
        try? Self.run([folder, "stop"])
        try? FileManager.default.removeItem(atPath: folder)
    }

    var address: PostgresAddress {
        get throws { try PostgresAddress("postgres:///postgres?host=\(folder)&user=postgres") }
    }

    /// Begins the server's next timeline, as a failover does.
    func promote() throws { try Self.run([folder, "promote"]) }

    /// Connects as soon as the server takes connections.
    func script() throws -> PostgresScript {
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            if let script = try? PostgresScript(address) { return script }
        }
        return try PostgresScript(address)
    }

    private static func run(_ arguments: [String]) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        // Not by Foundation's Process, which waits until the server ends, too.
        let command = ([root.appending(path: ".ci/postgres").path] + arguments).map { "'\($0)'" }
        let process = try #require(popen(command.joined(separator: " ") + " >/dev/null 2>&1", "r"))
        try #require(pclose(process) == 0)
    }
}
