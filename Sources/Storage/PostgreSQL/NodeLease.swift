import Foundation
import Logging
import Synchronization

/// The number of this process among those that write to a PostgreSQL database, leased for half a minute at a time.
///
/// A number is in the ids that a process makes, so no two may have the same. The row of a number says until when it is
/// leased, and the last id made under it when the lease was last renewed.
final class NodeLease: Sendable {
    /// The number.
    let node: Int
    /// The ids to continue with.
    let ids: IDSequence

    /// How long a lease lasts, and the time between two renewals, in milliseconds.
    private static let duration = 30_000
    private static let interval = 5_000
    /// How long before its end a lease counts as lost: ids may be a bit ahead of the clock.
    private static let reserve = Duration.milliseconds(IDSequence.lead) + .seconds(2)
    /// The time before another try when the connection is lost, in milliseconds.
    private static let retry = 1_000

    private struct State {
        /// Until when this process may count on its lease.
        var end: ContinuousClock.Instant
        var isStopped = false
    }

    private let address: PostgresAddress
    private let place: DatabasePlace
    private let logger: Logger
    /// Who holds the lease.
    let holder = UUID().uuidString
    private let script: Mutex<Connected>
    private let state: Mutex<State>
    private let clock: Mutex<DatabaseClock>
    /// Yields when another process has the number or is the server, so that this one can't go on. For one reader.
    let losses: AsyncStream<Void>
    private let loss: AsyncStream<Void>.Continuation
    private let stopped = DispatchSemaphore(value: 0)
    private let running = DispatchGroup()

    /// The connection of the lease; nil while it is lost.
    private struct Connected: ~Copyable {
        // Only one thread at a time uses the connection: it is reached through the mutex alone.
        nonisolated(unsafe) var script: PostgresScript?
    }

    /// Takes a number that nobody has.
    /// - Parameter place: what this process is to the others.
    /// - Throws: `PostgresFailure`, `DatabaseError.other` if another server uses the database or all numbers are taken.
    init(_ address: PostgresAddress, as place: DatabasePlace, logger: Logger) throws {
        self.address = address
        self.place = place
        self.logger = logger
        (losses, loss) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        let script = try PostgresScript(address)
        let asked = ContinuousClock.now
        try Self.begin(script, holder: holder, as: place)
        try Self.createTable(script)
        // A process that was killed has recorded its last id at the last renewal only, but made none after its lease. Its
        // number is taken last, so that a holder who was only cut off for long finds it again. No lease is renewed meanwhile, so
        // all is one message: nobody waits for a process that is stopped in between.
        let taken = try script.run(
            """
            BEGIN;
            LOCK TABLE storage_nodes IN SHARE ROW EXCLUSIVE MODE;
            INSERT INTO storage_nodes (node, holder, expires_at, last_id)
            SELECT node, '\(holder)', \(Self.expiry),
                CASE WHEN known.expires_at > 0 THEN
                    greatest(
                        known.last_id, ((known.expires_at - \(IDSequence.epoch)) << 22) | (CAST(node AS BIGINT) << 12))
                ELSE coalesce(known.last_id, 0) END
            FROM generate_series(0, \(IDSequence.nodes.upperBound - 1)) AS node
            LEFT JOIN storage_nodes known USING (node)
            WHERE known.node IS NULL OR known.expires_at < \(Self.clock)
            ORDER BY coalesce(known.expires_at, 0), node LIMIT 1
            ON CONFLICT (node) DO UPDATE
                SET holder = excluded.holder, expires_at = excluded.expires_at, last_id = excluded.last_id,
                    migrations = NULL;
            COMMIT;
            SELECT node || ' ' || last_id FROM storage_nodes WHERE holder = '\(holder)'
            """)
        let numbers = taken?.split(separator: " ").compactMap { Int64($0) } ?? []
        guard numbers.count == 2 else {
            throw DatabaseError.other(
                message: "All \(IDSequence.nodes.count) numbers of processes are taken.")
        }
        node = Int(numbers[0])
        ids = IDSequence(node: node, last: numbers[1])
        var clock = DatabaseClock()
        let before = Date()
        clock.measure(try script.run("SELECT \(Self.clock)"), from: before, to: Date())
        self.clock = Mutex(clock)
        self.script = Mutex(Connected(script: script))
        state = Mutex(State(end: asked + .milliseconds(Self.duration)))
    }

    /// Returns the database's time for a time of this computer: all servers make ids by the same clock.
    func time(_ local: Date) -> Date { clock.withLock { $0.time(local) } }

    /// Whether the lease has ended or may end at any moment, so that no id may be made.
    var isLost: Bool {
        state.withLock { $0.isStopped || ContinuousClock.now + Self.reserve > $0.end }
    }

    /// Renews the lease at intervals on a thread of its own, until `stop()`.
    /// - Parameter last: returns the last id made.
    func renew(last: @escaping @Sendable () -> Int64) {
        running.enter()
        Thread.start(named: "database lease") { [self] in
            defer { running.leave() }
            var pause = Self.interval
            while stopped.wait(timeout: .now() + .milliseconds(pause)) == .timedOut {
                renewOnce(last())
                pause = script.withLock { $0.script == nil } ? Self.retry : Self.interval
            }
            release(last())
        }
    }

    /// Gives the number back.
    func stop() {
        let wasRunning = state.withLock { state in
            defer { state.isStopped = true }
            return !state.isStopped
        }
        if wasRunning { stopped.signal() }
    }

    /// Waits until the number is given back. Call `stop()` first.
    func wait() { running.wait() }

    private func renewOnce(_ last: Int64) {
        let asked = ContinuousClock.now
        let before = Date()
        do {
            let time = try script.withLock { connected in
                if connected.script == nil {
                    let script = try PostgresScript(address)
                    try Self.begin(script, holder: holder, as: place)
                    connected.script = script
                }
                do {
                    return try connected.script?.run(
                        """
                        UPDATE storage_nodes SET expires_at = \(Self.expiry), last_id = \(last)
                        WHERE node = \(node) AND holder = '\(holder)' RETURNING \(Self.clock)
                        """)
                } catch {
                    connected.script = nil
                    throw error
                }
            }
            guard let time else {
                logger.critical(
                    "another process has taken the number of this server; nothing more is written")
                state.withLock { $0.end = asked }
                loss.yield()
                return
            }
            clock.withLock { $0.measure(time, from: before, to: Date()) }
            state.withLock { $0.end = asked + .milliseconds(Self.duration) }
        } catch {
            logger.warning("the lease wasn’t renewed", metadata: ["error": "\(error)"])
            // Another server was started, or the rows are being moved, while this one was cut off.
            guard error is DatabaseError else { return }
            state.withLock { $0.end = asked }
            logger.critical("another server has taken the place of this server; nothing more is written")
            loss.yield()
        }
    }

    private func release(_ last: Int64) {
        script.withLock { connected in
            do {
                try connected.script?.run(
                    """
                    UPDATE storage_nodes SET expires_at = 0, last_id = \(last)
                    WHERE node = \(node) AND holder = '\(holder)'
                    """)
            } catch {
                logger.info("the lease ends by itself", metadata: ["error": "\(error)"])
            }
            connected.script = nil
        }
    }

    /// Returns what PostgreSQL calls the session of a lease. The names of a process's other sessions begin with it.
    static func name(of holder: String) -> String { "tintype \(holder)" }

    /// Begins the session of a lease, and ends an earlier one of the same holder.
    private static func begin(_ script: PostgresScript, holder: String, as place: DatabasePlace) throws {
        script.patience = .seconds(10)
        // PostgreSQL may not have noticed that the earlier connection is lost, and keeps the server's lock until then.
        try script.run(
            """
            SET application_name = '\(name(of: holder))';
            SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
            WHERE application_name = current_setting('application_name') AND pid <> pg_backend_pid()
            """)
        try take(place, script)
    }

    /// Takes the lock of a place, which ends with the connection: servers beside others share it.
    static func take(_ place: DatabasePlace, _ script: PostgresScript) throws {
        guard place != .command else { return }
        let lock = place == .server ? "pg_try_advisory_lock_shared" : "pg_try_advisory_lock"
        // A server that was just killed keeps it until PostgreSQL has noticed.
        for _ in 0..<50 {
            if try script.run("SELECT \(lock)(\(PostgresLock.server.rawValue))") == "t" {
                return
            }
            Thread.sleep(forTimeInterval: 0.1)
        }
        throw DatabaseError.other(
            message: """
                Another Tintype server uses this database. Several may only if all keep their pictures in the same store, \
                named by --blobs.
                """)
    }

    /// Makes the table of leases, if it isn't there.
    static func createTable(_ script: PostgresScript) throws(PostgresFailure) {
        // Two processes that make it at once would disturb each other.
        try script.run(
            """
            BEGIN;
            SELECT pg_advisory_xact_lock(\(PostgresLock.nodes.rawValue));
            CREATE TABLE IF NOT EXISTS storage_nodes (
                node INTEGER PRIMARY KEY,
                holder TEXT NOT NULL,
                expires_at BIGINT NOT NULL,
                last_id BIGINT NOT NULL,
                -- The last migration that the process knows; NULL until it has compared its own with those of the database.
                migrations INTEGER
            );
            ALTER TABLE storage_nodes ADD COLUMN IF NOT EXISTS migrations INTEGER;
            COMMIT
            """)
    }

    /// The processes that have a number, with whether their lease has ended although they haven't given the number back.
    static let holders = """
        SELECT holder, expires_at < \(clock) FROM storage_nodes WHERE expires_at > 0
        """

    static let clock = "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)"
    private static var expiry: String { "\(clock) + \(duration)" }
}
