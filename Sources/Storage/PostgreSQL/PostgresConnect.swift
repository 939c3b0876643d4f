import CPostgres
import Foundation

extension PostgresConnection {
    /// What a session begins with: a client that is gone without a word is noticed within half a minute, so that its locks end.
    private static let settings = """
        SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;
        SET tcp_user_timeout = 20000
        """

    /// Connects and waits.
    /// - Throws: `PostgresFailure`.
    static func connect(_ address: PostgresAddress) throws(PostgresFailure) -> OpaquePointer {
        let parameters = address.parameters.sorted { $0.key < $1.key }
        let pointer = withCStrings(parameters.map(\.key)) { keys in
            withCStrings(parameters.map(\.value)) { values in PQconnectdbParams(keys, values, 0) }
        }
        guard let pointer else { throw .lost("libpq has no memory") }
        guard PQstatus(pointer) == CONNECTION_OK else {
            defer { PQfinish(pointer) }
            throw .lost(problem(of: pointer))
        }
        // Notices go to standard error otherwise.
        _ = PQsetNoticeProcessor(pointer, { _, _ in }, nil)
        do throws(PostgresFailure) {
            _ = try ask(settings, pointer)
        } catch {
            PQfinish(pointer)
            throw error
        }
        return pointer
    }

    /// Runs statements before the connection is used.
    /// - Returns: the text of the last result's first value; nil if there is none or it is NULL.
    /// - Throws: `PostgresFailure`, also when the answer takes more than ten seconds.
    static func ask(_ sql: String, _ pointer: OpaquePointer) throws(PostgresFailure) -> String? {
        let result = try execute(sql, on: pointer, within: .seconds(10))
        defer { PQclear(result) }
        guard [PGRES_TUPLES_OK, PGRES_COMMAND_OK].contains(PQresultStatus(result)) else {
            throw PostgresFailure(result)
        }
        guard PQntuples(result) > 0, PQgetisnull(result, 0, 0) == 0 else { return nil }
        return PQgetvalue(result, 0, 0).map { String(cString: $0) }
    }

    /// Runs statements outside of a pipeline.
    /// - Parameter patience: how long the answer may take; nil for as long as it takes.
    /// - Returns: the last result, which the caller frees.
    /// - Throws: `PostgresFailure` if the connection is lost or the answer takes too long; it is then of no more use.
    static func execute(
        _ sql: String, on pointer: OpaquePointer, within patience: Duration?
    ) throws(PostgresFailure) -> OpaquePointer {
        guard PQsendQuery(pointer, sql) == 1 else { throw .lost(problem(of: pointer)) }
        let end = patience.map { ContinuousClock.now + $0 }
        var last: OpaquePointer?
        do throws(PostgresFailure) {
            while let result = try next(of: pointer, until: end) {
                PQclear(last)
                last = result
            }
        } catch {
            PQclear(last)
            throw error
        }
        guard let last else { throw .lost("no answer") }
        return last
    }

    /// Takes the next result; nil after the last of a statement.
    /// - Parameter end: until when to wait; nil for as long as it takes.
    /// - Throws: `PostgresFailure` if the connection is lost or the answer takes too long.
    static func next(
        of pointer: OpaquePointer, until end: ContinuousClock.Instant?
    ) throws(PostgresFailure) -> OpaquePointer? {
        while PQisBusy(pointer) == 1 {
            try wait(on: pointer, for: POLLIN, until: end)
            guard PQconsumeInput(pointer) == 1 else { throw .lost(problem(of: pointer)) }
        }
        guard PQstatus(pointer) == CONNECTION_OK else { throw .lost(problem(of: pointer)) }
        return PQgetResult(pointer)
    }

    /// Waits until there may be something to receive or to send.
    /// - Throws: `PostgresFailure` at the end of the time.
    static func wait(
        on pointer: OpaquePointer, for events: Int32, until end: ContinuousClock.Instant?
    ) throws(PostgresFailure) {
        // OpenSSL may hold bytes that poll doesn't see, since its records are larger than what libpq takes at a time. So
        // they are asked for now and then.
        var milliseconds: Int64 = PQsslInUse(pointer) == 1 ? 10 : 1_000
        if let end {
            let rest = ContinuousClock.now.duration(to: end)
            guard rest > .zero else { throw .lost("no answer in time") }
            let (seconds, attoseconds) = rest.components
            milliseconds = min(milliseconds, seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1)
        }
        var file = pollfd(fd: PQsocket(pointer), events: Int16(events), revents: 0)
        if poll(&file, 1, CInt(clamping: milliseconds)) < 0, errno != EINTR {
            throw .lost(String(cString: strerror(errno)))
        }
    }

    /// Returns what libpq says of a connection that failed.
    static func problem(of pointer: OpaquePointer) -> String {
        String(cString: PQerrorMessage(pointer)).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

/// Calls a function with an array of C strings that ends in NULL, as libpq's functions take them.
private func withCStrings<T>(_ texts: [String], _ body: ([UnsafePointer<CChar>?]) -> T) -> T {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies.map { UnsafePointer($0) } + [nil])
}
