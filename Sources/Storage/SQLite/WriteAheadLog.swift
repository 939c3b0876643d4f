import CSQLite
import Logging
import Synchronization

/// A thread that keeps the write-ahead log short by copying its pages into the database at intervals.
///
/// SQLite would copy within a commit. While reads overlap without a pause, it would try at every commit, and
/// the log would still grow. Here a thread with its own connection copies while writes go on. When the log
/// reaches a limit, writes and reads pause briefly and the log starts from its beginning again.
struct WriteAheadLog {
    /// The number of pages, usually of 4 kB, after which they are copied.
    private static let interval = 2_000

    /// The number of pages at which writes and reads pause so that the log can start again.
    private static let limit = 8_000

    let connection: SQLiteConnection
    let copier: LogCopier
    let logger: Logger

    /// The number of pages in the log at the last commit, and the number at which the next copy is due.
    private var pages = 0
    private var due = interval
    private var isFailing = false

    init(of connection: SQLiteConnection, copier: LogCopier, logger: Logger) {
        self.connection = connection
        self.copier = copier
        self.logger = logger
        connection.countLogPages()
    }

    /// Starts a copy if one is due. Called between transactions.
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
            // Nothing is lost: the pages stay in the log, and the copy is tried again.
            if !isFailing { logger.warning("the database log grows", metadata: ["error": "\(error)"]) }
            isFailing = true
        }
    }

    /// Makes sure that a transaction whose COMMIT has just failed can't reappear.
    ///
    /// SQLite has rolled the transaction back, but its pages may be complete in the log. After a crash, the
    /// next process that opens the database would then take it for committed. Emptying the log removes these
    /// pages.
    /// - Throws: `DatabaseError.unsettled` if the log can't be emptied either.
    func dropFailedCommit() throws(DatabaseError) {
        // The page that marks a transaction as committed is written last. On a full disk it was not written.
        guard !connection.hasFailedForRoom else { return }
        do {
            try copier.alone { try connection.copyLog(SQLITE_CHECKPOINT_TRUNCATE) }
        } catch {
            logger.critical("a commit failed and may have been kept", metadata: ["error": "\(error)"])
            throw .unsettled
        }
    }
}

/// A thread that copies pages of the log.
///
/// SQLite allows one copy at a time, and refuses a second one instead of letting it wait.
final class LogCopier: Sendable {
    private let thread: BlockingThreads<SQLiteConnection>
    private let isCopying = Mutex(())
    private let logger: Logger

    init(on connection: @escaping @Sendable ((SQLiteConnection) -> Void) -> Void, logger: Logger) {
        self.logger = logger
        thread = BlockingThreads(name: "database log", capacity: 1, loops: [connection])
    }

    /// Copies the pages that no read needs any more.
    func copy() {
        // A refusal means that a copy is already requested, or that the last connection makes one when it
        // closes.
        _ = thread.offer { [self] connection in
            do {
                try alone { try connection.copyLog(SQLITE_CHECKPOINT_PASSIVE) }
            } catch {
                // Nothing is lost: the pages stay in the log, and the next copy includes them.
                logger.warning("the database log was not copied", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Runs a closure while no copy is being made.
    func alone<T>(_ body: () throws -> T) rethrows -> T {
        try isCopying.withLock { _ in try body() }
    }

    /// Stops accepting work.
    func stop() { thread.stop() }

    /// Waits until a running copy is done. Call `stop()` first.
    func wait() { thread.wait() }
}

extension SQLiteConnection {
    /// Whether the last call failed because the disk had no room for a page.
    fileprivate var hasFailedForRoom: Bool { sqlite3_errcode(pointer) == SQLITE_FULL }

    /// How long a copy of the log may wait for reads, in milliseconds. All writes wait meanwhile.
    private static let copyTimeout: CInt = 250

    /// Lets `logPages` follow the size of the log, in place of SQLite's own copying within commits.
    fileprivate func countLogPages() {
        sqlite3_wal_hook(
            pointer,
            { context, _, _, pages in
                guard let context else { return SQLITE_MISUSE }
                Unmanaged<SQLiteConnection>.fromOpaque(context).takeUnretainedValue().logPages = Int(pages)
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Copies the log's pages into the database.
    /// - Parameter mode: what to do in addition, see https://www.sqlite.org/c3ref/wal_checkpoint_v2.html.
    /// - Throws: `DatabaseError.busy` if reads need the log for too long.
    func copyLog(_ mode: CInt) throws(DatabaseError) {
        sqlite3_busy_timeout(pointer, Self.copyTimeout)
        defer { sqlite3_busy_timeout(pointer, CInt(busyTimeout * 1000)) }
        let code = sqlite3_wal_checkpoint_v2(pointer, nil, mode, nil, nil)
        guard code == SQLITE_OK else { throw DatabaseError(code: code, on: pointer) }
    }
}
