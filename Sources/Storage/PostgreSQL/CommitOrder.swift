import Logging
import Synchronization

/// Runs what follows commits, one after the other, in an order in which the commits can have happened.
///
/// Commits of several connections overlap, and their answers come in any order. But a transaction that depends on another
/// sends its COMMIT after that of the other was sent. So each takes a place just before it sends its COMMIT, and what
/// follows runs in the order of the places, as soon as all before it are settled.
final class CommitOrder: Sendable {
    /// What follows a commit.
    typealias Work = @Sendable (PostgresThread) -> Void

    private struct State {
        /// The next place to give.
        var next = 0
        /// The first place that isn't settled.
        var first = 0
        /// The places from the first on that are settled, with what hands over what follows them.
        var settled: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())
    private let thread: BlockingThreads<PostgresThread>
    private let capacity: Int
    private let logger: Logger

    /// - Parameters:
    ///   - capacity: how many commits may wait for what follows them.
    init(_ address: PostgresAddress, capacity: Int, logger: Logger) {
        self.capacity = capacity
        self.logger = logger
        // What follows an acknowledged commit is never dropped; `isFree` is the limit.
        thread = BlockingThreads(
            name: "database follower", capacity: .max,
            loops: [{ $0(PostgresThread(address, logger: logger)) }])
    }

    /// Whether fewer commits wait for what follows them than may. Otherwise nothing more should be written.
    var isFree: Bool {
        thread.waiting + state.withLock { $0.next - $0.first } < capacity
    }

    /// Takes the next place. Each place must be settled.
    func enter() -> Int {
        state.withLock { state in
            defer { state.next += 1 }
            return state.next
        }
    }

    /// Settles a place after which nothing follows, for example since its commit failed.
    func settle(_ place: Int) {
        settle(place) {}
    }

    /// Settles the place of a commit.
    /// - Parameters:
    ///   - work: what follows the commit.
    /// - Returns: what to wait for until it has been done.
    func settle(_ place: Int, work: @escaping Work) -> Done {
        let done = Done()
        settle(place) { [thread, logger] in
            let isOffered = thread.offer {
                work($0)
                done.set()
            }
            guard !isOffered else { return }
            logger.error("work after a commit was dropped: the database is closed")
            done.set()
        }
        return done
    }

    private func settle(_ place: Int, handOver: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.settled[place] = handOver
            // Handed over while the lock is held, so that the thread gets them in their order.
            while let handOver = state.settled.removeValue(forKey: state.first) {
                state.first += 1
                handOver()
            }
        }
    }

    /// Stops accepting work. Accepted work is still done.
    func stop() { thread.stop() }

    /// Waits until accepted work is done. Call `stop()` first.
    func wait() { thread.wait() }
}

/// Something that is done once, for which one task waits.
final class Done: Sendable {
    private struct State {
        var isSet = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Lets the task that waits go on.
    func set() {
        let waiting = state.withLock { state in
            state.isSet = true
            return state.waiting.take()
        }
        waiting?.resume()
    }

    /// Waits until `set()` has been called.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isSet = state.withLock { state in
                if !state.isSet { state.waiting = continuation }
                return state.isSet
            }
            if isSet { continuation.resume() }
        }
    }
}
