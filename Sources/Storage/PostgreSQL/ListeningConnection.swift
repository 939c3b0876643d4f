import CPostgres
import Foundation

/// A connection that listens to the notifications of a database and sends some, which one thread uses.
final class ListeningConnection {
    /// The name of the notifications' channel.
    private static let channel = "tintype"
    /// How long an answer may take.
    private static let patience = Duration.seconds(10)

    private let pointer: OpaquePointer

    /// Connects, and listens from then on.
    init(_ address: PostgresAddress) throws(PostgresFailure) {
        pointer = try PostgresConnection.connect(address)
        // The name tells an operator which connection of pg_stat_activity this is. A commit with a notification holds a lock
        // on the whole server, so it waits for no disk and no standby: a notification isn't durable anyway.
        try run(
            """
            SET application_name = 'tintype events'; SET synchronous_commit = off; LISTEN \(Self.channel)
            """)
    }

    deinit { PQfinish(pointer) }

    /// Sends notifications, all or none, in their order.
    func notify(_ texts: [String]) throws(PostgresFailure) {
        guard !texts.isEmpty else { return }
        var statements = ""
        for text in texts {
            guard let literal = PQescapeLiteral(pointer, text, text.utf8.count) else {
                throw .lost(message)
            }
            defer { PQfreemem(literal) }
            statements += "SELECT pg_notify('\(Self.channel)', \(String(cString: literal)));"
        }
        // Several statements in one query are one transaction.
        try run(statements)
    }

    /// Returns the texts of the notifications that have arrived.
    func notifications() -> [String] {
        var texts: [String] = []
        while let notification = PQnotifies(pointer) {
            texts.append(String(cString: notification.pointee.extra))
            PQfreemem(notification)
        }
        return texts
    }

    /// Waits until something arrives, another file can be read, or the time is over.
    func wait(for bell: CInt, milliseconds: Int) throws(PostgresFailure) {
        var files = [
            pollfd(fd: PQsocket(pointer), events: Int16(POLLIN), revents: 0),
            pollfd(fd: bell, events: Int16(POLLIN), revents: 0),
        ]
        let count = poll(&files, 2, CInt(clamping: milliseconds))
        guard count >= 0 || errno == EINTR else { throw .lost(String(cString: strerror(errno))) }
        guard PQconsumeInput(pointer) == 1 else { throw .lost(message) }
    }

    /// Runs statements.
    /// - Returns: the texts of the rows' values.
    @discardableResult
    func run(_ sql: String) throws(PostgresFailure) -> [[String]] {
        guard PQsendQuery(pointer, sql) == 1 else { throw .lost(message) }
        let end = ContinuousClock.now + Self.patience
        var failure: PostgresFailure?
        var rows: [[String]] = []
        while true {
            while PQisBusy(pointer) == 1 {
                guard ContinuousClock.now < end else { throw .lost("no answer within \(Self.patience)") }
                var file = pollfd(fd: PQsocket(pointer), events: Int16(POLLIN), revents: 0)
                poll(&file, 1, 1_000)
                guard PQconsumeInput(pointer) == 1 else { throw .lost(message) }
            }
            guard let result = PQgetResult(pointer) else { break }
            defer { PQclear(result) }
            if PQresultStatus(result) == PGRES_FATAL_ERROR, failure == nil {
                failure = PostgresFailure(result)
            }
            for row in 0..<PQntuples(result) {
                rows.append(
                    (0..<PQnfields(result)).map {
                        PQgetvalue(result, row, $0).map { String(cString: $0) } ?? ""
                    })
            }
        }
        if let failure { throw failure }
        return rows
    }

    private var message: String {
        String(cString: PQerrorMessage(pointer)).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
