import CPostgres
import Foundation

/// Where a PostgreSQL database is, and how to reach it: what `--database` says, checked.
///
/// The form is that of libpq, with its parameters and environment variables
/// (https://www.postgresql.org/docs/15/libpq-connect.html): `postgres://user@host/database?sslmode=verify-full`. A password
/// belongs into `PGPASSWORD` or `~/.pgpass`, since other users of the machine see the arguments of programs.
public struct PostgresAddress: Sendable, CustomStringConvertible {
    /// The parameters in libpq's names.
    package private(set) var parameters: [String: String]

    /// Reads an address.
    /// - Throws: `DatabaseError.other` with a sentence for the operator.
    public init(_ text: String) throws(DatabaseError) {
        try self.init(text, environment: ProcessInfo.processInfo.environment)
    }

    /// Reads an address.
    /// - Parameter environment: the environment variables, which libpq reads too.
    /// - Throws: `DatabaseError.other` with a sentence for the operator, which has no part of a password.
    package init(_ text: String, environment: [String: String]) throws(DatabaseError) {
        guard text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") else {
            throw .other(message: "A database’s address begins with postgres:// or postgresql://.")
        }
        // libpq would read the rest of such a password as host, port or database, which messages name.
        let credentials = text.range(of: "@", options: .backwards).map { text[..<$0.lowerBound] } ?? ""
        guard credentials.filter({ $0 == "/" }).count <= 2, !credentials.contains("@") else {
            throw .other(
                message: """
                    The database’s address has an @ after a character that must be percent-encoded. In passwords, names and \
                    parameters write %2F for / and %40 for @.
                    """)
        }
        var problem: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(text, &problem) else {
            defer { PQfreemem(problem) }
            var reason = problem.map { String(cString: $0) } ?? "no memory"
            // What libpq quotes may be a password, unless it is the name of a parameter.
            if !reason.contains("query parameter"), let quote = reason.range(of: ": \"") {
                reason = String(reason[..<quote.lowerBound])
            }
            reason = reason.trimmingCharacters(in: .whitespacesAndNewlines)
            throw .other(message: "The database’s address isn’t understood: \(reason).")
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
        self.parameters = Self.completed(parameters, environment)
    }

    /// Returns the address for sessions that PostgreSQL calls by a name.
    func named(_ name: String) -> PostgresAddress {
        var copy = self
        copy.parameters["application_name"] = name
        return copy
    }

    /// The host and the database, for the log, without user and password.
    public var description: String {
        let host = parameters["host"] ?? parameters["hostaddr"] ?? "localhost"
        return "\(parameters["dbname"] ?? "its default database") on \(host)"
    }

    /// Adds what Tintype wants where the operator says nothing.
    private static func completed(
        _ given: [String: String], _ environment: [String: String]
    ) -> [String: String] {
        var parameters = given
        func setDefault(_ name: String, _ value: String, unless variable: String? = nil) {
            guard parameters[name] == nil, variable.flatMap({ environment[$0] }) == nil else { return }
            parameters[name] = value
        }
        parameters["client_encoding"] = "UTF8"
        setDefault("application_name", "tintype", unless: "PGAPPNAME")
        setDefault("connect_timeout", "5", unless: "PGCONNECT_TIMEOUT")
        // A server that is gone without a word is noticed within half a minute, also by a connection that waits.
        setDefault("keepalives_idle", "10")
        setDefault("keepalives_interval", "5")
        setDefault("keepalives_count", "3")
        setDefault("tcp_user_timeout", "20000")
        // Of several hosts, the one that takes writes.
        setDefault("target_session_attrs", "read-write", unless: "PGTARGETSESSIONATTRS")
        let hosts = [
            parameters["host"] ?? environment["PGHOST"], parameters["hostaddr"] ?? environment["PGHOSTADDR"],
        ].flatMap { ($0 ?? "").split(separator: ",", omittingEmptySubsequences: false) }
        // A service is a part of a file that only libpq reads: its host may be anywhere.
        let isHere =
            parameters["service"] == nil && environment["PGSERVICE"] == nil
            && hosts.allSatisfy { $0.isEmpty || $0.hasPrefix("/") || isLoopback($0) }
        if !isHere, environment["PGSSLMODE"] == nil {
            // libpq's own default goes on without encryption if the server has none.
            setDefault("sslmode", "verify-full")
            if parameters["sslmode"] == "verify-full" || parameters["sslmode"] == "verify-ca" {
                setDefault("sslrootcert", "/etc/ssl/certs/ca-certificates.crt", unless: "PGSSLROOTCERT")
            }
        }
        return parameters
    }

    private static func isLoopback(_ host: Substring) -> Bool {
        // Other names may begin with 127, too.
        host == "localhost" || host == "::1"
            || (host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." })
    }
}
