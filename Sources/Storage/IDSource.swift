import Synchronization

/// The source of this process's ids, which the threads that write share.
final class IDSource: Sendable {
    private let sequence: Mutex<IDSequence>

    init(_ sequence: IDSequence) {
        self.sequence = Mutex(sequence)
    }

    /// The last id made, or 0.
    var last: Int64 { sequence.withLock { $0.last } }

    /// Returns the next id.
    /// - Parameter milliseconds: the time, in milliseconds since 1970.
    func next(at milliseconds: Int64) -> Int64 {
        sequence.withLock { $0.next(at: milliseconds) }
    }

    /// Returns the next id, higher than another node's, see ``IDSequence/next(at:after:)``.
    func next(at milliseconds: Int64, after other: Int64) -> Int64 {
        sequence.withLock { $0.next(at: milliseconds, after: other) }
    }
}
