/// The threads that read and write files, because these calls block.
final class FileThreads: Sendable {
    private let threads: BlockingThreads<Void>

    /// - Parameters:
    ///   - count: the number of threads.
    ///   - capacity: how many jobs may wait.
    init(count: Int, capacity: Int) {
        threads = BlockingThreads(
            name: "files", capacity: capacity, loops: Array(repeating: { serve in serve(()) }, count: count))
    }

    deinit {
        threads.stop()
    }

    /// The number of operations that wait for a thread.
    var waiting: Int { threads.waiting }

    /// Runs work on one of the threads.
    /// - Throws: `BlobError`, or `CancellationError` if the task was cancelled before the work started.
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
