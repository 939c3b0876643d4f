import GRDBSQLite
import Logging
import Synchronization

/// Keeps the write-ahead log short, by copying its pages into the database now and then.
///
/// SQLite would do that within a commit, at every commit while reads overlap without a pause, and would let the log
/// grow meanwhile. Here a thread with a connection of its own copies at intervals, while writes go on; beyond a
/// limit the log is begun anew, in a short gap between writes and reads.
struct WriteAheadLog {
    /// After how many pages, of 4 kB mostly, they are copied.
    private static let interval = 2_000

    /// How many pages the log may have before writes and reads are made to leave it.
    private static let limit = 8_000

    let connection: Connection
    let copier: LogCopier
    let logger: Logger

    /// How many pages the log had at the last commit, and how many it must have for the next copy.
    private var pages = 0
    private var due = interval
    private var isFailing = false

    init(of connection: Connection, copier: LogCopier, logger: Logger) {
        self.connection = connection
        self.copier = copier
        self.logger = logger
        connection.countLogPages()
    }

    /// Has pages copied if it is time to; called between transactions.
    mutating func copyIfDue() {
        if connection.logPages < pages { due = Self.interval }
        pages = connection.logPages
        guard pages >= due else { return }
        due = pages + Self.interval
        guard pages >= Self.limit else { return copier.copy() }
        do {
            try copier.alone { try connection.copyLog(SQLITE_CHECKPOINT_RESTART) }
            isFailing = false
        } catch {
            // Nothing is lost: the pages stay in the log, and it is tried again.
            if !isFailing { logger.warning("the database log grows", metadata: ["error": "\(error)"]) }
            isFailing = true
        }
    }

    /// Makes sure that a transaction whose COMMIT has just failed can't come back.
    ///
    /// SQLite has undone it, but its pages may lie in the log, complete: after a crash the next process to open the
    /// database would take it for committed. In an emptied log there are none.
    /// - Throws: `DatabaseError.unsettled` when the log can't be emptied either.
    func dropFailedCommit() throws(DatabaseError) {
        // The page that marks a transaction as committed is written last, so it isn't there when there was no room.
        guard !connection.hasFailedForRoom else { return }
        do {
            try copier.alone { try connection.copyLog(SQLITE_CHECKPOINT_TRUNCATE) }
        } catch {
            logger.critical("a commit failed and may have been kept", metadata: ["error": "\(error)"])
            throw .unsettled
        }
    }
}

/// Copies pages of the log on a thread of its own.
///
/// SQLite has one copy made at a time, and refuses a second instead of letting it wait.
final class LogCopier: Sendable {
    private let thread: BlockingThreads<Connection>
    private let isCopying = Mutex(())
    private let logger: Logger

    init(on connection: @escaping @Sendable ((Connection) -> Void) -> Void, logger: Logger) {
        self.logger = logger
        thread = BlockingThreads(name: "database log", capacity: 1, loops: [connection])
    }

    /// Has those pages copied that no read needs any more.
    func copy() {
        // Not accepted means that a copy is asked for already, or that the last connection makes it as it closes.
        _ = thread.offer { [self] connection in
            do {
                try alone { try connection.copyLog(SQLITE_CHECKPOINT_PASSIVE) }
            } catch {
                // Nothing is lost: the pages stay in the log, and the next copy takes them.
                logger.warning("the database log was not copied", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Does something while no copy is made.
    func alone<T>(_ body: () throws -> T) rethrows -> T {
        try isCopying.withLock { _ in try body() }
    }

    /// Accepts no more work.
    func stop() { thread.stop() }

    /// Waits until a copy that is made is done, after `stop()`.
    func wait() { thread.wait() }
}

extension Connection {
    /// Whether the last call failed since a page couldn't be written for lack of room on the disk.
    fileprivate var hasFailedForRoom: Bool { sqlite3_errcode(pointer) == SQLITE_FULL }

    /// How long a copy of the log may wait for reads, in milliseconds: all writes wait meanwhile.
    private static let copyTimeout: CInt = 250

    /// Makes `logPages` follow the log, instead of SQLite's copying within commits.
    fileprivate func countLogPages() {
        sqlite3_wal_hook(
            pointer,
            { context, _, _, pages in
                guard let context else { return SQLITE_MISUSE }
                Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().logPages = Int(pages)
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Copies the log's pages into the database.
    /// - Parameter mode: what else, https://www.sqlite.org/c3ref/wal_checkpoint_v2.html.
    /// - Throws: `DatabaseError.busy` when reads need the log for too long.
    func copyLog(_ mode: CInt) throws(DatabaseError) {
        sqlite3_busy_timeout(pointer, Self.copyTimeout)
        defer { sqlite3_busy_timeout(pointer, CInt(busyTimeout * 1000)) }
        let code = sqlite3_wal_checkpoint_v2(pointer, nil, mode, nil, nil)
        guard code == SQLITE_OK else { throw DatabaseError(code: code, on: pointer) }
    }
}
