import Foundation
import Logging
import Storage
import Synchronization

/// The PostgreSQL server that `./test` has started for the tests (`TINTYPE_POSTGRES`).
package struct TestPostgres: Sendable {
    private let url: String

    /// The server, if there is one.
    package static let server: TestPostgres? = ProcessInfo.processInfo.environment["TINTYPE_POSTGRES"].map(
        TestPostgres.init)

    /// Whether every test uses PostgreSQL in place of SQLite (`TINTYPE_ENGINE=postgres`).
    package static let isEngine = ProcessInfo.processInfo.environment["TINTYPE_ENGINE"] == "postgres"

    /// The server, where every test uses PostgreSQL.
    package static var engine: TestPostgres? { isEngine ? server : nil }

    private init(_ url: String) {
        self.url = url
    }

    /// Makes a database, and drops one that has its name.
    /// - Parameters:
    ///   - name: letters, digits and underscores.
    ///   - template: the database to copy; nil for an empty one.
    package func make(_ name: String, from template: String? = nil) throws {
        let script = try PostgresScript(address("postgres"))
        try script.run("DROP DATABASE IF EXISTS \(name) WITH (FORCE)")
        // Copying files is quicker for a small template than writing it to the log.
        try script.run("CREATE DATABASE \(name) TEMPLATE \(template ?? "template0") STRATEGY FILE_COPY")
    }

    /// Returns whether there is a database of this name.
    package func has(_ name: String) throws -> Bool {
        try PostgresScript(address("postgres")).run("SELECT 1 FROM pg_database WHERE datname = '\(name)'")
            != nil
    }

    /// Ends all connections to a database.
    package func disconnect(_ name: String) throws {
        try PostgresScript(address("postgres")).run(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '\(name)'")
    }

    /// Drops a database, and ends the connections to it.
    package func drop(_ name: String) throws {
        try PostgresScript(address("postgres")).run("DROP DATABASE IF EXISTS \(name) WITH (FORCE)")
    }

    /// The folder with the server's socket.
    package var folder: String {
        URLComponents(string: url)?.queryItems?.first { $0.name == "host" }?.value ?? ""
    }

    /// Returns the address of a database. With patience: many tests share few processors.
    package func address(_ name: String) throws -> PostgresAddress {
        try PostgresAddress(
            url.replacingOccurrences(of: "/postgres?", with: "/\(name)?") + "&connect_timeout=30")
    }

    /// Returns the name of a database for a folder: the same for the same folder.
    package static func name(for folder: String) -> String {
        let last = (folder as NSString).lastPathComponent.lowercased()
        return String(last.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }.suffix(60))
    }
}
