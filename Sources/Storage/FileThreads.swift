/// The threads on which files are read and written, since that blocks.
final class FileThreads: Sendable {
    private let threads: BlockingThreads<Void>

    /// - Parameters:
    ///   - count: how many threads.
    ///   - capacity: how many jobs may wait.
    init(count: Int, capacity: Int) {
        threads = BlockingThreads(
            name: "files", capacity: capacity, loops: Array(repeating: { serve in serve(()) }, count: count))
    }

    deinit {
        threads.stop()
    }

    /// How many operations wait for a thread.
    var waiting: Int { threads.waiting }

    /// Runs work on one of the threads.
    /// - Throws: `BlobError`, or `CancellationError` when the task was cancelled before the work began.
    func run<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws -> T {
        do {
            return try await threads.run { try work() }
        } catch let error as CancellationError {
            throw error
        } catch {
            throw BlobError(error)
        }
    }
}
