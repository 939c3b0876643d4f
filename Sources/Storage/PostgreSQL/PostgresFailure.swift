import CPostgres
import Foundation

/// What a PostgreSQL server said of a statement that failed, or that the connection is lost.
///
/// The codes: https://www.postgresql.org/docs/15/errcodes-appendix.html
package struct PostgresFailure: Error {
    /// The five characters of SQLSTATE. Connections that are lost have 08006.
    let code: String
    let message: String
    /// The table and the constraint or index that refused a row.
    var table = ""
    var constraint = ""
    /// More about the refused row: "Key (username)=(ana) already exists."
    var detail = ""
    /// The function of PostgreSQL's source that failed, which is never translated as messages are.
    var function = ""

    /// A connection that ended, or whose answer takes too long.
    static func lost(_ message: String) -> PostgresFailure {
        PostgresFailure(code: "08006", message: message)
    }

    /// Whether the connection can't be used any more, or leads to a server that takes no writes.
    var isLost: Bool {
        // 57P01 to 57P03: the server stops or starts. 25006: it has become a standby. 08P01 is a mistake in a statement.
        (code.hasPrefix("08") && code != "08P01")
            || ["57P01", "57P02", "57P03", "57P05", "25006"].contains(code)
    }

    /// Whether another transaction was first.
    var wasBeaten: Bool { ["40001", "40P01"].contains(code) }

    /// Whether the transaction may succeed when it is run again.
    var isPassing: Bool {
        // 0A000 and 26000: a prepared statement is out of date, after a migration of another process or behind a proxy.
        isLost || wasBeaten || hasOldPlan
    }

    /// Whether the connection's prepared statements are of no use any more.
    var hasOldPlan: Bool {
        code == "26000" || (code == "0A000" && function == "RevalidateCachedQuery")
    }

    /// The error that callers see.
    var error: DatabaseError {
        switch code {
        case "23505": .uniqueViolation(constraint: uniqueColumns)
        case "23503": .foreignKeyViolation
        case "23514": .checkViolation
        case "53100": .full
        // Refused for now: too many connections, a statement that took too long, a lock that wasn't free.
        case "53300", "57014", "55P03", "40001", "40P01": .busy
        case "XX001", "XX002": .corrupt
        case _ where isLost: .busy
        default: .other(message: "PostgreSQL error \(code): \(message)")
        }
    }

    /// The columns of a unique index as SQLite names them: `accounts.username`; of an index over an expression, its name.
    private var uniqueColumns: String {
        guard let start = detail.range(of: "("), let end = detail.range(of: ")=("),
            start.upperBound <= end.lowerBound
        else { return constraint }
        let columns = detail[start.upperBound..<end.lowerBound]
        guard !columns.contains("(") else { return constraint }
        return columns.components(separatedBy: ", ").map { "\(table).\($0)" }.joined(separator: ", ")
    }
}

extension PostgresFailure {
    /// Reads the failure that a result holds.
    init(_ result: OpaquePointer) {
        func field(_ name: Character) -> String {
            guard let value = name.asciiValue, let text = PQresultErrorField(result, CInt(value)) else {
                return ""
            }
            return String(cString: text)
        }
        // The letters of the protocol: https://www.postgresql.org/docs/15/protocol-error-fields.html
        let code = field("C")
        self.init(
            code: code.isEmpty ? "08006" : code,
            message: code.isEmpty
                ? String(cString: PQresultErrorMessage(result)).trimmingCharacters(
                    in: .whitespacesAndNewlines)
                : field("M"),
            table: field("t"), constraint: field("n"), detail: field("D"), function: field("R"))
    }
}
