import CPostgres

/// A connection for scripts of several statements, which PostgreSQL takes only outside of pipelines.
package final class PostgresScript {
    private let pointer: OpaquePointer
    /// How long an answer may take; nil for as long as it takes.
    var patience: Duration?

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
        let result = try PostgresConnection.execute(sql, on: pointer, within: patience)
        defer { PQclear(result) }
        guard [PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY].contains(PQresultStatus(result)) else {
            // If even that fails, the connection is lost, and the server takes the transaction back.
            PQclear(try? PostgresConnection.execute("ROLLBACK", on: pointer, within: patience))
            throw PostgresFailure(result)
        }
        guard PQntuples(result) > 0, PQgetisnull(result, 0, 0) == 0 else { return nil }
        return PQgetvalue(result, 0, 0).map { String(cString: $0) }
    }

    /// Runs a query.
    /// - Returns: the texts of its rows' values, empty for NULL.
    /// - Throws: `PostgresFailure`.
    func rows(_ sql: String) throws(PostgresFailure) -> [[String]] {
        let result = try PostgresConnection.execute(sql, on: pointer, within: patience)
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_TUPLES_OK else { throw PostgresFailure(result) }
        return (0..<PQntuples(result)).map { row in
            (0..<PQnfields(result)).map { PQgetvalue(result, row, $0).map { String(cString: $0) } ?? "" }
        }
    }

    /// Runs `COPY … FROM STDIN`.
    /// - Parameter body: sends the rows, in any pieces, through the function that it is given.
    /// - Throws: `PostgresFailure`, and what the closure throws.
    func copy(_ sql: String, _ body: ((String) throws -> Void) throws -> Void) throws {
        try expect(PGRES_COPY_IN, of: sql)
        do {
            try body { text in
                var text = text
                let isSent = text.withUTF8 { bytes in
                    bytes.withMemoryRebound(to: CChar.self) {
                        PQputCopyData(pointer, $0.baseAddress, CInt($0.count))
                    }
                }
                guard isSent == 1 else {
                    throw PostgresFailure.lost(String(cString: PQerrorMessage(pointer)))
                }
            }
        } catch {
            _ = PQputCopyEnd(pointer, "not all rows could be read")
            drain()
            throw error
        }
        guard PQputCopyEnd(pointer, nil) == 1 else {
            throw PostgresFailure.lost(String(cString: PQerrorMessage(pointer)))
        }
        if let failure = drain() { throw failure }
    }

    /// Runs `COPY … TO STDOUT`.
    /// - Parameter body: is given a function that returns the next row without the end of its line; nil after the last.
    /// - Throws: `PostgresFailure`, and what the closure throws; the connection is then of no more use.
    func copied(_ sql: String, _ body: (() throws -> String?) throws -> Void) throws {
        try expect(PGRES_COPY_OUT, of: sql)
        try body {
            var line: UnsafeMutablePointer<CChar>?
            let count = PQgetCopyData(pointer, &line, 0)
            defer { PQfreemem(line) }
            guard count > 0, let line else {
                guard count == -1 else {
                    throw PostgresFailure.lost(String(cString: PQerrorMessage(self.pointer)))
                }
                return nil
            }
            return String(decoding: UnsafeRawBufferPointer(start: line, count: Int(count) - 1), as: UTF8.self)
        }
        if let failure = drain() { throw failure }
    }

    private func expect(_ status: ExecStatusType, of sql: String) throws(PostgresFailure) {
        let result = PQexec(pointer, sql)
        defer { PQclear(result) }
        guard let result, PQresultStatus(result) == status else {
            throw result.map { PostgresFailure($0) } ?? .lost("no answer")
        }
    }

    /// Takes all results that are left.
    /// - Returns: the first failure among them.
    @discardableResult
    private func drain() -> PostgresFailure? {
        var failure: PostgresFailure?
        while let result = PQgetResult(pointer) {
            if PQresultStatus(result) == PGRES_FATAL_ERROR, failure == nil {
                failure = PostgresFailure(result)
            }
            PQclear(result)
        }
        return failure
    }
}
