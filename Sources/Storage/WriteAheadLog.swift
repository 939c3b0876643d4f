import GRDBSQLite
import Logging

/// Keeps the write-ahead log short, by copying its pages into the database now and then.
///
/// SQLite would do that within a commit, at every commit while reads overlap without a pause, and would let the log
/// grow meanwhile. Here it is done after the tasks that wait for a commit have their answer, at intervals,
/// and beyond a limit the log is begun anew in a short gap between reads.
struct WriteAheadLog {
    /// After how many pages, of 4 kB mostly, they are copied.
    private static let interval = 2_000

    /// How many pages the log may have before reads are made to leave it.
    private static let limit = 16_000

    let connection: Connection
    let logger: Logger

    /// How many pages the log had at the last commit, and how many it must have for the next copy.
    private var pages = 0
    private var due = interval
    private var isFailing = false

    init(of connection: Connection, logger: Logger) {
        self.connection = connection
        self.logger = logger
        connection.countLogPages()
    }

    /// Copies pages if it is time to; called between transactions.
    mutating func copyIfDue() {
        if connection.logPages < pages { due = Self.interval }
        pages = connection.logPages
        guard pages >= due else { return }
        due = pages + Self.interval
        do {
            try connection.copyLog(pages < Self.limit ? SQLITE_CHECKPOINT_PASSIVE : SQLITE_CHECKPOINT_RESTART)
            isFailing = false
        } catch {
            // Nothing is lost: the pages stay in the log, and it is tried again.
            if !isFailing { logger.warning("the database log grows", metadata: ["error": "\(error)"]) }
            isFailing = true
        }
    }
}

extension Connection {
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
