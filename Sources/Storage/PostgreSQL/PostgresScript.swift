import CPostgres

/// A connection for scripts of several statements, which PostgreSQL takes only outside of pipelines.
package final class PostgresScript {
    private let pointer: OpaquePointer

    /// Connects and waits.
    package init(_ address: PostgresAddress) throws(PostgresFailure) {
        pointer = try PostgresConnection.connect(address)
    }

    deinit {
        PQfinish(pointer)
    }

    /// Runs the statements and waits.
    /// - Returns: the text of the last result's first value; nil if there is none.
    /// - Throws: `PostgresFailure`, and then takes an open transaction back.
    @discardableResult
    package func run(_ sql: String) throws(PostgresFailure) -> String? {
        let result = PQexec(pointer, sql)
        defer { PQclear(result) }
        guard let result else { throw .lost("no answer") }
        guard [PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY].contains(PQresultStatus(result)) else {
            let failure = PostgresFailure(result)
            PQclear(PQexec(pointer, "ROLLBACK"))
            throw failure
        }
        guard PQntuples(result) > 0, PQgetisnull(result, 0, 0) == 0 else { return nil }
        return PQgetvalue(result, 0, 0).map { String(cString: $0) }
    }
}
