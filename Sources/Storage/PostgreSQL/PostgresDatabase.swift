import CPostgres
import Foundation
import Logging
import Synchronization

/// A database of a PostgreSQL server, over a few connections that read and a few that write.
///
/// Writes are serializable: PostgreSQL lets only such transactions commit together that have the effect of one after the
/// other, and the others are run again. Reads see one state each, without that guarantee.
final class PostgresDatabase: DatabaseEngine {
    private let address: PostgresAddress
    private let patience: Duration
    private let changes: TableChanges
    private let now: @Sendable () -> Date
    private let logger: Logger

    private let lease: NodeLease
    private let ids: IDSource
    private let readers: BlockingThreads<PostgresThread>
    private let writers: BlockingThreads<PostgresThread>
    private let order: CommitOrder
    /// A thread for copies, which take long.
    private let background = BlockingThreads<Void>(
        name: "database background", capacity: 16, loops: [{ $0(()) }])
    /// The migrations that the database has.
    private let migrations = Mutex<[Migration]>([])

    /// How long to ask what became of a commit whose answer was lost: longer than a failover takes.
    private static let settling = Duration.seconds(60)

    /// Connects, as `Database.init(address:)` says.
    init(
        address: PostgresAddress, as place: DatabasePlace, readers: Int, writers: Int, waitingReads: Int,
        waitingWrites: Int,
        patience: Double,
        changes: TableChanges, now: @escaping @Sendable () -> Date, logger: Logger, watch: StatementWatch?
    ) throws {
        self.address = address
        self.patience = .seconds(patience)
        self.changes = changes
        self.now = now
        self.logger = logger
        do {
            try Self.check(address)
            lease = try NodeLease(address, as: place, logger: logger)
        } catch let failure as PostgresFailure {
            // What libpq says when no host of the address takes writes.
            let advice = failure.message.hasSuffix("session is read-only") ? ". \(Self.readOnlyAdvice)" : ""
            throw DatabaseError.other(
                message: "The database \(address) can’t be used: \(failure.message)\(advice)")
        }
        ids = IDSource(lease.ids)
        let sessions = address.named("\(NodeLease.name(of: lease.holder)) pool")
        func threads(_ name: String, _ count: Int, capacity: Int) -> BlockingThreads<PostgresThread> {
            let turn = RetryTurn()
            return BlockingThreads(
                name: "database \(name)", capacity: capacity,
                loops: Array(
                    repeating: { serve in
                        serve(PostgresThread(sessions, logger: logger, watch: watch, turn: turn))
                    }, count: count))
        }
        self.readers = threads("reader", readers, capacity: waitingReads)
        self.writers = threads("writer", writers, capacity: waitingWrites)
        order = CommitOrder(address, capacity: waitingWrites + writers, logger: logger)
        lease.renew(last: { [ids] in ids.last })
    }

    private static let readOnlyAdvice = """
        It is a standby, or set to be read-only: name the server that takes writes, or all of them.
        """

    /// Checks that the server and the database are as the stores need them.
    /// - Throws: `PostgresFailure`; `DatabaseError.other` with a sentence that says how to mend it.
    private static func check(_ address: PostgresAddress) throws {
        let script = try PostgresScript(address)
        script.patience = .seconds(10)
        let version = try script.run("SHOW server_version_num").flatMap { Int($0) } ?? 0
        guard version >= 150_000 else {
            throw DatabaseError.other(
                message: "Tintype needs PostgreSQL 15 or later; the server has \(version / 10_000).")
        }
        guard try script.run("SHOW transaction_read_only") == "off" else {
            throw DatabaseError.other(message: "The database \(address) takes no writes. \(readOnlyAdvice)")
        }
        // Before the first table is made.
        let foreign = try script.run(
            """
            SELECT min(relname) FROM pg_class WHERE to_regclass('storage_nodes') IS NULL
            AND relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
            AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
            """)
        if let foreign {
            throw DatabaseError.other(
                message: """
                    The database \(address) is another program’s: it has a table \(foreign). Make one for Tintype alone with: \
                    CREATE DATABASE tintype TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'
                    """)
        }
        // Text is compared by its bytes, as SQLite does: another order would end lists too early.
        let isFit = try script.run(
            """
            SELECT 1 FROM pg_database WHERE datname = current_database() AND pg_encoding_to_char(encoding) = 'UTF8'
            AND datcollate IN ('C', 'POSIX', 'C.UTF-8', 'C.utf8')
            """)
        guard isFit != nil else {
            throw DatabaseError.other(
                message: """
                    The database \(address) sorts text by the rules of a language. Make it with: CREATE DATABASE tintype \
                    TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'
                    """)
        }
    }

    deinit {
        // Doesn't wait for the threads, because a closure on one of them may have held the last reference.
        readers.stop()
        writers.stop()
        order.stop()
        background.stop()
        lease.stop()
    }

    var isShared: Bool { true }

    var node: Int { lease.node }

    var losses: AsyncStream<Void> { lease.losses }

    var waiting: (reads: Int, writes: Int) { (readers.waiting, writers.waiting) }

    func read<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        let (now, lease, end) = (now, lease, ContinuousClock.now + patience)
        return try await refusing {
            try await readers.run(within: patience) { thread in
                try thread.run(until: end) { connection in
                    // Without a lease, a later version may have changed the tables meanwhile.
                    guard !lease.isLost else { throw DatabaseError.busy }
                    return try connection.read {
                        try body(Transaction(on: connection, now: lease.time(now()), ids: nil))
                    }
                }
            }
        }
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        let end = ContinuousClock.now + patience
        let written = try await refusing { [self] in
            try await writers.run(within: patience) { [self] thread in
                try commit(body, on: thread, until: end)
            }
        }
        // The task goes on when what follows the commit has happened.
        await written.followed?.wait()
        return written.value
    }

    /// Something that was committed.
    private struct Written<T: Sendable>: Sendable {
        let value: T
        /// What to wait for until all that follows the commit has happened; nil if nothing does.
        let followed: Done?
    }

    private func commit<T: Sendable>(
        _ body: @Sendable (Transaction) throws -> T, on thread: PostgresThread,
        until end: ContinuousClock.Instant
    ) throws -> Written<T> {
        try thread.run(until: end) { connection in
            connection.begin(.write)
            // The time is taken before the lease is looked at: however long the process is stopped after that, its ids are of
            // a time in the lease.
            let time = lease.time(now())
            guard !lease.isLost, order.isFree else { throw DatabaseError.busy }
            let transaction = Transaction(on: connection, now: time, ids: ids)
            let value = try body(transaction)
            let place = order.enter()
            do {
                try commit(connection)
            } catch {
                // What may be committed counts as a change, too.
                if error as? DatabaseError == .unsettled { changes.add(connection.takeChangedTables()) }
                order.settle(place)
                throw error
            }
            changes.add(connection.takeChangedTables())
            let followUps = transaction.followUps
            guard !followUps.isEmpty else {
                order.settle(place)
                return Written(value: value, followed: nil)
            }
            return Written(
                value: value, followed: order.settle(place) { [self] in follow(followUps, on: $0) })
        }
    }

    /// Commits, and settles what became of a commit whose answer was lost.
    /// - Throws: `DatabaseError.unsettled` if that can't be found out; after any other error nothing was written.
    private func commit(_ connection: PostgresConnection) throws {
        do {
            try connection.commit()
        } catch let failure as PostgresFailure where failure.isLost {
            guard let transaction = connection.transactionID else { throw failure }
            logger.warning("the answer to a commit was lost", metadata: ["transaction": "\(transaction)"])
            guard try isCommitted(transaction, history: connection.history) else { throw failure }
        }
    }

    /// Asks whether a transaction was committed.
    ///
    /// A server that was promoted or has crashed may have lost the transaction, and may have given its number to another since.
    /// There, a number that is committed says nothing, and any other says that this transaction is lost. A server on an earlier
    /// timeline was replaced before, and can't know the transaction, so nothing that it says is believed. A transaction whose
    /// connection was ended while it waited for a standby counts as committed before a standby has it, so that is waited for.
    /// - Throws: `DatabaseError.unsettled` if nobody can say, and nothing else.
    private func isCommitted(_ transaction: String, history: PostgresHistory) throws -> Bool {
        let end = ContinuousClock.now + Self.settling
        var thread = PostgresThread(address, logger: logger)
        var pause = Pause()
        while ContinuousClock.now < end {
            var place = PostgresHistory.Order.same
            do {
                let status = try thread.run(until: end) { connection in
                    place = connection.history.order(after: history)
                    let status = try connection.read {
                        var status: String?
                        try connection.run("SELECT pg_xact_status(CAST($1 AS xid8)) AS status", [transaction])
                        {
                            status = try $0.optionalString("status")
                            return false
                        }
                        return status
                    }
                    if status == "committed", place == .same { try connection.waitForStandby() }
                    return status
                }
                switch (status, place) {
                case (_, .earlier): logger.warning("a server was asked for a commit that it can’t know")
                case ("committed", .same): return true
                // The server hasn't noticed yet that nobody waits for its answer.
                case ("in progress", .same): break
                case ("aborted", _), ("in progress", .later): return false
                default: throw DatabaseError.unsettled
                }
            } catch DatabaseError.other(let message)
                where message.contains("error 22023") && place != .earlier
            {
                // The number is in the future: no transaction has ever had it there.
                return false
            } catch DatabaseError.unsettled {
                throw DatabaseError.unsettled
            } catch {
                // Nobody knows yet, so it is asked again: only an answer may run the transaction again.
                logger.warning(
                    "asking for a commit failed",
                    metadata: ["transaction": "\(transaction)", "error": "\(error)"])
            }
            // The next connection may lead to the server that has taken its place.
            if place == .earlier { thread = PostgresThread(address, logger: logger) }
            pause.wait()
        }
        logger.critical("a commit may have been kept", metadata: ["transaction": "\(transaction)"])
        throw DatabaseError.unsettled
    }

    /// Runs what follows a commit.
    private func follow(_ followUps: [Transaction.FollowUp], on thread: PostgresThread) {
        for followUp in followUps {
            do {
                do {
                    try thread.run(until: ContinuousClock.now + patience) { connection in
                        try connection.read {
                            try followUp(Transaction(on: connection, now: lease.time(now()), ids: nil))
                        }
                    }
                } catch DatabaseError.busy {
                    // What needs no statement is done without the server, too: streams and log-ins end.
                    try followUp(Transaction(on: Unreachable(), now: lease.time(now()), ids: nil))
                }
            } catch {
                logger.error("work after a commit failed", metadata: ["error": "\(error)"])
            }
        }
    }

    func migrate(_ migrations: [Migration]) throws -> [String] {
        self.migrations.withLock { $0 = migrations }
        return try PostgresMigrations(address, for: lease.holder).apply(migrations, now: now, logger: logger)
    }

    func backup(to path: String) async throws {
        let copy = PostgresCopy(
            address: address, migrations: migrations.withLock { $0 }, logger: logger)
        do {
            try await background.run { try copy.write(to: path) }
        } catch let failure as PostgresFailure {
            throw failure.error
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw DatabaseError(error)
        }
    }

    func integrityProblems() async throws -> [String] {
        // PostgreSQL checks references at every write, and its pages by their checksums at every read.
        []
    }

    func size() async throws -> (data: Int, log: Int) {
        let bytes = try await read {
            try $0.value("SELECT pg_database_size(current_database())", as: Int.self)
        }
        return (bytes ?? 0, 0)
    }

    func eraseDeleted() async throws {}

    func close() throws {
        readers.stop()
        writers.stop()
        readers.wait()
        writers.wait()
        background.stop()
        background.wait()
        order.stop()
        order.wait()
        lease.stop()
        lease.wait()
    }

    private func refusing<T>(_ work: () async throws -> T) async throws -> T {
        do {
            return try await work()
        } catch let refusal as JobQueueRefusal {
            throw DatabaseError(refusal)
        }
    }
}

/// A connection to a server that can't be reached.
private final class Unreachable: Connection {
    func run(_: String, _: [(any SQLConvertible)?], row: (Row) throws -> Bool) throws -> Int {
        throw DatabaseError.busy
    }
}

extension PostgresConnection {
    /// Waits until a standby has all that was committed before, where the server waits for one at commits.
    fileprivate func waitForStandby() throws {
        begin(.write)
        // Something that changes nothing, but has a place in the log after all that.
        try run("SELECT pg_logical_emit_message(true, 'tintype', '') IS NULL AS done", []) { _ in false }
        try commit()
    }

    /// Runs a closure in a transaction that reads.
    func read<T>(_ body: () throws -> T) throws -> T {
        begin(.read)
        let value = try body()
        if let failure { throw failure }
        end()
        return value
    }
}
