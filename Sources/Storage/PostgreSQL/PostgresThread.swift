import Foundation
import Logging

/// The connection of one thread of the pool, opened when it is first needed and again after it was lost.
final class PostgresThread {
    private let address: PostgresAddress
    private let logger: Logger
    private let watch: StatementWatch?
    private var connection: PostgresConnection?
    /// Whether the log says already that the server can't be reached.
    private var isFailing = false

    init(_ address: PostgresAddress, logger: Logger, watch: StatementWatch? = nil) {
        self.address = address
        self.logger = logger
        self.watch = watch
    }

    /// Runs a closure with the connection, and again after failures that pass.
    ///
    /// - Parameters:
    ///   - end: when to stop trying.
    ///   - body: must leave no transaction open when it returns.
    /// - Throws: what the closure throws; `DatabaseError.busy` after `end`.
    func run<T>(until end: ContinuousClock.Instant, _ body: (PostgresConnection) throws -> T) throws -> T {
        var pause = Pause()
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
