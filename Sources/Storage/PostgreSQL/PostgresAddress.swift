import CPostgres
import Foundation

/// Where a PostgreSQL database is, and how to reach it: what `--database` says, checked.
///
/// The form is that of libpq, with its parameters and environment variables
/// (https://www.postgresql.org/docs/15/libpq-connect.html): `postgres://user@host/database?sslmode=verify-full`. A password
/// belongs into `PGPASSWORD` or `~/.pgpass`, since other users of the machine see the arguments of programs.
public struct PostgresAddress: Sendable, CustomStringConvertible {
    /// The parameters in libpq's names.
    let parameters: [String: String]

    /// Reads an address.
    /// - Throws: `DatabaseError.other` with a sentence for the operator.
    public init(_ text: String) throws(DatabaseError) {
        guard text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") else {
            throw .other(message: "A database’s address begins with postgres:// or postgresql://.")
        }
        var problem: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(text, &problem) else {
            defer { PQfreemem(problem) }
            let reason = problem.map { String(cString: $0).trimmingCharacters(in: .whitespacesAndNewlines) }
            throw .other(message: "The database’s address isn’t understood: \(reason ?? "no memory").")
        }
        defer { PQconninfoFree(options) }
        var parameters: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val {
                parameters[String(cString: keyword)] = String(cString: value)
            }
            option += 1
        }
        self.parameters = Self.completed(parameters)
    }

    /// The host and the database, for the log, without user and password.
    public var description: String {
        let host = parameters["host"] ?? parameters["hostaddr"] ?? "localhost"
        return "\(parameters["dbname"] ?? "its default database") on \(host)"
    }

    /// Adds what Tintype wants where the operator says nothing.
    private static func completed(_ given: [String: String]) -> [String: String] {
        var parameters = given
        func setDefault(_ name: String, _ value: String) {
            if parameters[name] == nil { parameters[name] = value }
        }
        parameters["client_encoding"] = "UTF8"
        setDefault("application_name", "tintype")
        setDefault("connect_timeout", "5")
        // A server that is gone without a word is noticed within half a minute, also by a connection that waits.
        setDefault("keepalives_idle", "10")
        setDefault("keepalives_interval", "5")
        setDefault("keepalives_count", "3")
        setDefault("tcp_user_timeout", "20000")
        // Of several hosts, the one that takes writes.
        setDefault("target_session_attrs", "read-write")
        let environment = ProcessInfo.processInfo.environment
        let hosts = [
            parameters["host"] ?? environment["PGHOST"], parameters["hostaddr"] ?? environment["PGHOSTADDR"],
        ].flatMap { ($0 ?? "").split(separator: ",", omittingEmptySubsequences: false) }
        let isHere = hosts.allSatisfy { $0.isEmpty || $0.hasPrefix("/") || isLoopback($0) }
        if !isHere, environment["PGSSLMODE"] == nil {
            // libpq's own default goes on without encryption if the server has none.
            setDefault("sslmode", "verify-full")
            if parameters["sslmode"] == "verify-full" || parameters["sslmode"] == "verify-ca" {
                setDefault("sslrootcert", "/etc/ssl/certs/ca-certificates.crt")
            }
        }
        return parameters
    }

    private static func isLoopback(_ host: Substring) -> Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }
}
