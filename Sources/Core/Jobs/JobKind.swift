/// A kind of work that follows a transaction. Each feature declares its kinds in an extension, and hands over what does
/// them (``Feature/jobs``).
package struct JobKind: Sendable, Hashable, CustomStringConvertible {
    /// Kinds of work that are done beside those of the other lanes, so that nothing waits for work of another nature.
    /// Within a lane, one job is done after the other unless the lane is concurrent.
    package enum Lane: Sendable, CaseIterable {
        /// Erases something that must leave the disk, the database's log included. Nothing else holds it up.
        case erasing
        /// Takes a moment.
        case short
        /// May take minutes.
        case long
        /// Asks another server, which may be slow or away. Nothing local waits for it.
        case outward

        /// How many jobs are taken at once; in a concurrent lane, how many are done at the same time.
        var batch: Int {
            switch self {
            case .erasing, .short: 64
            case .long: 1
            case .outward: 16
            }
        }

        /// Whether jobs are done at the same time, so that one slow server doesn't hold up what goes to others.
        var isConcurrent: Bool { self == .outward }
    }

    /// What the kind is called in the database.
    package let name: String
    let lane: Lane

    package init(_ name: String, _ lane: Lane) {
        self.name = name
        self.lane = lane
    }

    package var description: String { name }
}
