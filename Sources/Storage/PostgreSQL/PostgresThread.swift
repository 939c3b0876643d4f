import Dispatch
import Foundation
import Logging

/// The connection of one thread of the pool, opened when it is first needed and again after it was lost.
final class PostgresThread {
    private let address: PostgresAddress
    private let logger: Logger
    private let watch: StatementWatch?
    private let turn: RetryTurn
    private var connection: PostgresConnection?
    /// Whether the log says already that the server can't be reached.
    private var isFailing = false

    /// Creates the connection of a thread, without opening it.
    ///
    /// - Parameter turn: that of all threads whose transactions may meet.
    init(
        _ address: PostgresAddress, logger: Logger, watch: StatementWatch? = nil,
        turn: RetryTurn = RetryTurn()
    ) {
        self.address = address
        self.logger = logger
        self.watch = watch
        self.turn = turn
    }

    /// Runs a closure with the connection, and again after failures that pass.
    ///
    /// - Parameters:
    ///   - end: when to stop trying.
    ///   - body: must leave no transaction open when it returns.
    /// - Throws: what the closure throws; `DatabaseError.busy` after `end`.
    func run<T>(until end: ContinuousClock.Instant, _ body: (PostgresConnection) throws -> T) throws -> T {
        var pause = Pause()
        var hasTurn = false
        defer { if hasTurn { turn.end() } }
        while true {
            guard ContinuousClock.now < end else { throw DatabaseError.busy }
            guard let connection = connected() else {
                pause.wait()
                continue
            }
            do {
                return try body(connection)
            } catch DatabaseError.unsettled {
                self.connection = nil
                throw DatabaseError.unsettled
            } catch {
                connection.end()
                guard let failure = connection.failure else { throw error }
                if failure.isLost {
                    logger.warning(
                        "the database connection was lost", metadata: ["reason": "\(failure.message)"])
                    self.connection = nil
                }
                guard failure.isPassing else { throw error is PostgresFailure ? failure.error : error }
                if failure.wasBeaten {
                    if !hasTurn { hasTurn = turn.begin(until: end) }
                    // At once: a pause would give a start to those who come after it.
                    if hasTurn { continue }
                }
            }
            pause.wait()
        }
    }

    private func connected() -> PostgresConnection? {
        if let connection { return connection }
        do {
            connection = try PostgresConnection(address, watch: watch)
            isFailing = false
        } catch {
            if !isFailing {
                logger.error("no connection to the database", metadata: ["reason": "\(error.message)"])
            }
            isFailing = true
        }
        return connection
    }
}

/// The turn of transactions that others beat: of these, one server runs one at a time.
///
/// So however many write to the same rows at once, at most one is run again while others run for the first time, and each of
/// these can beat it once: together they need about two transactions for each write.
final class RetryTurn: Sendable {
    private let free = DispatchSemaphore(value: 1)

    /// How long to wait, in seconds. Who has the turn may itself wait, for a lock of another server or for a standby.
    private static let patience = 0.5

    /// Blocks the thread until it is its turn. Returns whether it was, before `end` and in half a second.
    func begin(until end: ContinuousClock.Instant) -> Bool {
        let left = ContinuousClock.now.duration(to: end) / .seconds(1)
        return free.wait(timeout: .now() + min(max(left, 0), Self.patience)) == .success
    }

    /// Gives the turn to another.
    func end() { free.signal() }
}

/// Pauses that grow from 1 ms to half a second, each by chance a little longer or shorter, so that those who disturbed each
/// other don't meet again.
struct Pause {
    private var seconds = 0.001

    /// Blocks the thread for the next pause.
    mutating func wait() {
        Thread.sleep(forTimeInterval: seconds * .random(in: 0.5...1.5))
        seconds = min(seconds * 2, 0.5)
    }
}
