import CPostgres
import Foundation

/// A connection to a PostgreSQL server, which one thread uses at a time.
///
/// Statements are sent in libpq's pipeline mode (https://www.postgresql.org/docs/15/libpq-pipeline-mode.html): what begins a
/// transaction goes with its first statement, and nobody waits for the end of one that only read. So a transaction of n
/// statements waits for the server n times, and once more for a commit.
final class PostgresConnection: Connection {
    /// What has been sent and not been answered.
    private enum Sent {
        /// A statement whose result nobody needs, such as BEGIN.
        case plain
        /// The end of an earlier transaction, which only read.
        case earlier
        /// The preparation of a statement.
        case preparation(PostgresStatement)
        /// The question for the transaction's number.
        case transactionID
        /// A statement whose result is awaited.
        case wanted(PostgresStatement?)
        /// The end of a part: after an error, all before it is skipped by the server.
        case part
    }

    /// The most statements to keep prepared, far more than the program contains.
    private static let statementLimit = 1_024

    private let pointer: OpaquePointer
    /// How long one answer may take.
    private let patience: Duration
    private let watch: StatementWatch?
    private var statements: [PostgresStatement.Key: PostgresStatement] = [:]
    private var prepared = 0
    private var unanswered: [Sent] = []
    /// What begins the transaction, to be sent with its first statement.
    private var beginning: Beginning?

    /// What the server says beside its answers.
    private let notices = PostgresNotices()

    /// The first failure of the open transaction, or the loss of the connection.
    private(set) var failure: PostgresFailure?

    /// The number of the open transaction, once a write has sent its first statement.
    private(set) var transactionID: String?

    /// The tables that statements have changed since `takeChangedTables()` was last called.
    private var changedTables: Set<String> = []

    /// The history of the server's transactions. A crash also ends all connections, so a connection has one history.
    let history: PostgresHistory

    /// Ends statements on the server before nobody waits for them any more, and asks for the history.
    private static let firstStatements = "SET statement_timeout = '25s'; \(PostgresHistory.question)"

    /// What a transaction is for.
    enum Beginning: String {
        /// All statements see one state.
        case read = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        /// The transaction has the effect that it would have if it were alone.
        case write = "BEGIN ISOLATION LEVEL SERIALIZABLE"
    }

    /// Connects.
    /// - Parameters:
    ///   - patience: how long one answer may take, in seconds.
    ///   - watch: is shown every statement, without a plan, and BEGIN for each transaction that reads.
    /// - Throws: `PostgresFailure`.
    init(
        _ address: PostgresAddress, patience: Double = 30, watch: StatementWatch? = nil
    ) throws(PostgresFailure) {
        let pointer = try Self.connect(address)
        let history: PostgresHistory
        do throws(PostgresFailure) {
            guard let known = try Self.ask(Self.firstStatements, pointer).flatMap({ PostgresHistory($0) }),
                PQsetnonblocking(pointer, 1) == 0, PQenterPipelineMode(pointer) == 1
            else { throw PostgresFailure.lost("the connection can’t be set up") }
            history = known
        } catch {
            PQfinish(pointer)
            throw error
        }
        // Last, since an object that is whole is also deinitialized when its initializer throws.
        self.pointer = pointer
        self.history = history
        self.patience = .seconds(patience)
        self.watch = watch
        notices.receive(from: pointer)
    }

    deinit {
        PQfinish(pointer)
    }

    // MARK: Transactions

    /// Begins a transaction, with its first statement.
    func begin(_ beginning: Beginning) {
        self.beginning = beginning
        failure = failure?.isLost == true ? failure : nil
        transactionID = nil
        changedTables.removeAll(keepingCapacity: true)
    }

    /// Commits what was written, and waits until it is durable, also on a standby where the server waits for one.
    /// - Throws: `PostgresFailure`. If the connection is lost, the transaction may have been committed.
    func commit() throws {
        guard beginning == nil else { return beginning = nil }
        if let failure { throw failure }
        notices.hasSkippedStandby = false
        try send(plain: "COMMIT", as: .wanted(nil))
        try sendPart()
        let result = try answers()
        defer { PQclear(result) }
        // The server answers ROLLBACK to the COMMIT of a transaction that failed before.
        guard let status = PQcmdStatus(result), String(cString: status) == "COMMIT" else {
            throw PostgresFailure(code: "25P02", message: "the transaction was rolled back")
        }
        // Somebody has cancelled the wait for the standby, after which the server answers as if it had been there.
        if notices.hasSkippedStandby { throw lose("the wait for a standby was cancelled") }
    }

    /// Ends a transaction that only read, or takes back one that failed. Nobody waits for the answer.
    func end() {
        guard beginning == nil else { return beginning = nil }
        guard failure?.isLost != true else { return }
        // What is still to come says nothing of the next transaction.
        unanswered = unanswered.map { sent in if case .part = sent { .part } else { .earlier } }
        do {
            try send(plain: "ROLLBACK", as: .earlier)
            try sendPart()
        } catch {
            // The connection is lost: the next transaction sees that, and the server takes this one back.
            failure = error as? PostgresFailure ?? .lost("\(error)")
        }
    }

    /// Returns the tables that were changed since the transaction began.
    func takeChangedTables() -> Set<String> {
        defer { changedTables.removeAll(keepingCapacity: true) }
        return changedTables
    }

    @discardableResult
    func run(
        _ sql: String, _ arguments: [(any SQLConvertible)?], row: (Row) throws -> Bool
    ) throws -> Int {
        // The server takes nothing more in a transaction that failed.
        if let failure { throw failure.error }
        let result: PostgresResult
        do {
            result = try exchange(sql, arguments)
        } catch let failure as PostgresFailure {
            throw failure.error
        }
        if let table = result.statement.changedTable { changedTables.insert(table) }
        for index in 0..<result.count where try !row(Row(PostgresRow(index, of: result))) { break }
        return result.changedRows
    }

    // MARK: Sending and receiving

    /// Sends a statement, with what begins its transaction and prepares it, and waits for its result.
    private func exchange(_ sql: String, _ arguments: [(any SQLConvertible)?]) throws -> PostgresResult {
        // PostgreSQL's text has no NUL, and libpq would take what is before it for the whole. Seen before anything is sent, so
        // that no statement is left prepared of which nobody knows.
        for argument in arguments {
            if case .text(let text) = argument?.sqlValue, text.utf8.contains(0) {
                throw DatabaseError.nulCharacter
            }
        }
        if let beginning {
            self.beginning = nil
            if beginning == .read { watch?("BEGIN") { [] } }
            try send(plain: beginning.rawValue, as: .plain)
            if beginning == .write {
                try send(plain: "SELECT pg_current_xact_id()::text AS id", as: .transactionID)
            }
        }
        watch?(sql) { [] }
        let statement = try statement(sql, arguments)
        try send(statement, arguments)
        try sendPart()
        guard let result = try answers() else { throw lose("no result") }
        return PostgresResult(result, of: statement)
    }

    /// Returns the prepared statement of a text, and prepares it if there is none.
    private func statement(_ sql: String, _ arguments: [(any SQLConvertible)?]) throws -> PostgresStatement {
        let key = PostgresStatement.Key(
            sql: sql, types: arguments.map { PostgresType.oid(of: $0?.sqlValue ?? .null) })
        if let statement = statements[key] { return statement }
        if statements.count >= Self.statementLimit {
            try send(plain: "DEALLOCATE ALL", as: .plain)
            statements = [:]
        }
        prepared += 1
        let statement = PostgresStatement(key, name: "s\(prepared)")
        guard PQsendPrepare(pointer, statement.name, sql, CInt(key.types.count), key.types) == 1 else {
            throw lose()
        }
        unanswered.append(.preparation(statement))
        return statement
    }

    private func send(plain sql: String, as sent: Sent) throws {
        guard PQsendQueryParams(pointer, sql, 0, nil, nil, nil, nil, 0) == 1 else { throw lose() }
        unanswered.append(sent)
    }

    private func send(_ statement: PostgresStatement, _ arguments: [(any SQLConvertible)?]) throws {
        // libpq copies the arguments, so they need one place in memory only for the call.
        var bytes: [UInt8] = []
        var places: [(start: Int, count: Int, isBinary: Bool)?] = []
        for argument in arguments {
            let start = bytes.count
            var isBinary = false
            switch argument?.sqlValue ?? .null {
            case .null:
                places.append(nil)
                continue
            case .integer(let value): bytes += String(value).utf8
            case .real(let value): bytes += "\(value)".utf8
            case .text(let value): bytes += value.utf8
            case .bytes(let value):
                bytes += value
                isBinary = true
            }
            places.append((start, bytes.count - start, isBinary))
            bytes.append(0)
        }
        let lengths = places.map { CInt($0?.count ?? 0) }
        let formats = places.map { CInt($0?.isBinary == true ? 1 : 0) }
        let isSent = bytes.withUnsafeBytes { buffer in
            let base = buffer.bindMemory(to: CChar.self).baseAddress
            let values = places.map { place in place.flatMap { place in base.map { $0 + place.start } } }
            return PQsendQueryPrepared(
                pointer, statement.name, CInt(values.count), values, lengths, formats, 1)
        }
        guard isSent == 1 else { throw lose() }
        unanswered.append(.wanted(statement))
    }

    /// Marks the end of a part, and sends what is not on its way.
    private func sendPart() throws {
        guard PQpipelineSync(pointer) == 1 else { throw lose() }
        unanswered.append(.part)
        let end = ContinuousClock.now + patience
        while true {
            switch PQflush(pointer) {
            case 0: return
            case 1:
                // Answers are taken meanwhile: a server that can't send reads no more.
                do {
                    try Self.wait(on: pointer, for: POLLIN | POLLOUT, until: end)
                } catch {
                    throw lose(error.message)
                }
                guard PQconsumeInput(pointer) == 1 else { throw lose() }
            default: throw lose()
            }
        }
    }

    /// Receives all answers that are due.
    /// - Returns: the wanted result, which the caller frees.
    /// - Throws: `PostgresFailure`, the first.
    private func answers() throws -> OpaquePointer? {
        let end = ContinuousClock.now + patience
        var wanted: OpaquePointer?
        var problem: (any Error)?
        func fail(_ error: any Error) {
            if problem == nil { problem = error }
        }
        var isComplete = false
        defer { if !isComplete { PQclear(wanted) } }
        for sent in unanswered {
            if case .part = sent {
                let result = try next(until: end)
                defer { PQclear(result) }
                guard PQresultStatus(result) == PGRES_PIPELINE_SYNC else {
                    throw lose("answers out of order")
                }
                continue
            }
            while let result = try next(until: end) {
                var isKept = false
                defer { if !isKept { PQclear(result) } }
                switch PQresultStatus(result) {
                case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
                    switch sent {
                    case .preparation(let statement): statements[statement.key] = statement
                    case .transactionID: transactionID = PQgetvalue(result, 0, 0).map { String(cString: $0) }
                    case .wanted(let statement):
                        do {
                            try statement?.learn {
                                (0..<PQnfields(result)).map {
                                    PQfname(result, $0).map { String(cString: $0) } ?? ""
                                }
                            }
                            wanted = result
                            isKept = true
                        } catch {
                            fail(error)
                        }
                    case .plain, .earlier, .part: break
                    }
                case PGRES_PIPELINE_ABORTED: break
                default:
                    let failure = PostgresFailure(result)
                    if failure.isLost { throw lose(failure.message, code: failure.code) }
                    // They are prepared again, by other names.
                    if failure.hasOldPlan { statements = [:] }
                    if case .earlier = sent { break }
                    if self.failure == nil { self.failure = failure }
                    fail(failure)
                }
            }
        }
        unanswered.removeAll(keepingCapacity: true)
        if let problem { throw problem }
        isComplete = true
        return wanted
    }

    /// Takes the next result; nil after the last of a statement.
    private func next(until end: ContinuousClock.Instant) throws -> OpaquePointer? {
        do {
            return try Self.next(of: pointer, until: end)
        } catch {
            throw lose(error.message)
        }
    }

    /// Marks the connection as lost.
    private func lose(_ message: String? = nil, code: String = "08006") -> PostgresFailure {
        let lost = PostgresFailure(code: code, message: message ?? Self.problem(of: pointer))
        failure = lost
        return lost
    }
}
