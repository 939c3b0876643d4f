/// A kind of work that follows a transaction. Each feature declares its kinds in an extension, and provides their
/// handlers (``Feature/jobs``).
package struct JobKind: Sendable, Hashable, CustomStringConvertible {
    /// A group of kinds that is worked on beside the other groups, so that no work waits for work of another nature.
    /// Within a lane, jobs are done one after the other unless the lane is concurrent.
    package enum Lane: Sendable, CaseIterable {
        /// Erases something that must leave the disk, including the database's log. No other work delays it.
        case erasing
        /// Takes a moment.
        case short
        /// May take minutes.
        case long
        /// Makes a picture, which waits for its owner's turn. No other work waits for it.
        case picturing
        /// Sends a request to another server, which may be slow or down. No local work waits for it.
        case outward
        /// Sends an announcement to a push service. Beside ``outward``, so that thousands of announcements delay no other
        /// request, and a slow server no announcement.
        case announcing

        /// The number of jobs that are leased at once; in a concurrent lane, the number that are done at the same time.
        var batch: Int {
            switch self {
            case .erasing, .short: 64
            case .long: 1
            case .picturing: 4
            case .outward: 16
            case .announcing: 64
            }
        }

        /// Whether jobs are done at the same time, so that one slow server or picture doesn't delay others.
        var isConcurrent: Bool { self == .outward || self == .announcing || self == .picturing }
    }

    /// The kind's name in the database.
    package let name: String
    let lane: Lane

    package init(_ name: String, _ lane: Lane) {
        self.name = name
        self.lane = lane
    }

    package var description: String { name }
}
