import Synchronization

/// A job that is running: how it is ended early, what it costs, and whether it may continue.
package final class PictureRun: Sendable {
    /// The reason why a job is ended although nothing is wrong with its picture.
    package enum End: Sendable {
        /// Nobody waits for the job any longer.
        case cancelled
        /// The server stops.
        case stopping

        /// The error for the caller of the job.
        var error: any Error {
            switch self {
            case .cancelled: CancellationError()
            case .stopping: QueueRefusal.stopping
            }
        }
    }

    private struct State {
        var end: End?
        var interrupt: (@Sendable () -> Void)?
        var processorSeconds: Double?
        var isPutBack = false
    }

    private let state = Mutex(State())
    private let weigh: @Sendable (Double) -> Bool

    /// - Parameter weigh: charges the job's owner so many seconds, and returns whether the job may go on.
    package init(weigh: @escaping @Sendable (Double) -> Bool = { _ in true }) {
        self.weigh = weigh
    }

    /// Why the job was ended; nil if it wasn't.
    package var end: End? { state.withLock { $0.end } }

    /// Whether the job must be done again from the beginning, when its turn comes.
    package var isPutBack: Bool { state.withLock { $0.isPutBack } }

    /// The processor time that the job took; nil if nobody has measured it.
    package var processorSeconds: Double? { state.withLock { $0.processorSeconds } }

    /// Notes the processor time that the job took.
    package func note(processorSeconds seconds: Double) {
        state.withLock { $0.processorSeconds = seconds }
    }

    /// Ends the job early, now or as soon as it can be interrupted.
    package func end(_ reason: End) {
        state.withLock { state in
            guard state.end == nil else { return }
            state.end = reason
            // Inside the lock, so that what is interrupted can't be replaced or gone meanwhile.
            state.interrupt?()
        }
    }

    /// Does work that blocks the thread.
    ///
    /// - Parameters:
    ///   - interrupt: makes the work return early. Called at most once, while the work is done, on any thread. Must
    ///     neither block nor use the run.
    ///   - work: the work.
    package func interruptible<Value, Failure: Error>(
        by interrupt: @escaping @Sendable () -> Void, _ work: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        state.withLock { state in
            if state.end != nil { interrupt() }
            state.interrupt = interrupt
        }
        defer { state.withLock { $0.interrupt = nil } }
        return try work()
    }

    /// Reports what the job is going to cost, before the costly part begins.
    ///
    /// - Parameter seconds: the predicted processor time of the whole job.
    /// - Returns: whether to go on. If not, the job must return soon with any error, and is done again later.
    package func mayGoOn(costing seconds: Double) -> Bool {
        let mayGoOn = weigh(seconds)
        if !mayGoOn { state.withLock { $0.isPutBack = true } }
        return mayGoOn
    }
}
