import CSQLite

/// Reads of a SQLite file that run on the thread that asks, as long as all they need is in memory.
///
/// To hand a read to another thread and its result back takes longer than most reads: two threads are woken. A read in
/// place never waits for a disk (`RWF_NOWAIT`, preadv2(2)) or a lock, and ends after `steps`, so that an event loop may run
/// it. One that would have to wait, or takes longer, is given up and belongs to a thread that may wait. A few file systems
/// have no such reads: there only those are done in place that need nothing besides SQLite's own memory.
final class ReadsInPlace: Sendable {
    /// How long a read may take, in thousands of steps of SQLite's virtual machine, each some 30 ns: far more than a page
    /// takes, and half a millisecond at most.
    private static let steps: CInt = 16

    private let handles: [SQLiteHandle]
    private let watch: StatementWatch?

    /// Opens the connections of a file that exists.
    /// - Parameter count: how many reads may run at the same time; none where this system can't do it.
    init(path: String, count: Int, watch: StatementWatch?) throws {
        self.watch = watch
        handles = Self.isPossible ? try (0..<count).map { _ in try Self.handle(path) } : []
    }

    /// Runs a read, if it can be done in place.
    /// - Returns: nil if the read has to be done by another thread.
    /// - Throws: what the closure throws.
    func run<T>(_ body: (SQLiteConnection) throws -> T) throws -> T? {
        for handle in handles {
            // A connection that another thread uses is not waited for.
            if let outcome = try handle.withKeptConnection(watch: watch, { try Self.outcome(body, on: $0) }) {
                return outcome
            }
        }
        return nil
    }

    /// Closes the connections, and waits for the reads that use them.
    func close() throws {
        for handle in handles { try handle.close() }
    }

    private static let isPossible = tintype_sqlite_prepare_in_place() != 0

    private static func handle(_ path: String) throws -> SQLiteHandle {
        let handle = try SQLiteHandle(path: path, for: .reading, busyTimeout: 0)
        try handle.withConnection { connection in
            tintype_sqlite_limit(connection.pointer)
            // Opens the log and its index, which could wait for the disk.
            _ = try connection.read { try connection.execute("SELECT count(*) FROM sqlite_schema") }
        }
        return handle
    }

    /// Returns what the closure returns; nil if it was refused something, whatever it made of that.
    private static func outcome<T>(
        _ body: (SQLiteConnection) throws -> T, on connection: SQLiteConnection
    ) throws -> T? {
        tintype_sqlite_begin_in_place(steps)
        let result = Result { try body(connection) }
        let wasRefused = tintype_sqlite_end_in_place() != 0
        // SQLite counts the steps of a statement over all of its runs. So a ROLLBACK is asked now and then whether it may go on,
        // and is refused like the read before it: then the transaction is still open.
        try connection.rollback()
        guard !wasRefused else { return nil }
        if case .failure(DatabaseError.busy) = result { return nil }
        return try result.get()
    }
}
