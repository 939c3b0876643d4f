/// A kind of work that follows a transaction. Each feature declares its kinds in an extension, and hands over what does
/// them (``Feature/jobs``).
struct JobKind: Sendable, Hashable, CustomStringConvertible {
    /// Kinds of work that are done one after the other, beside those of the other lanes: so that nothing waits for work
    /// of another nature.
    enum Lane: Sendable, CaseIterable {
        /// Erases something that must leave the disk, the database's log included. Nothing else holds it up.
        case erasing
        /// Takes a moment.
        case short
        /// May take minutes.
        case long

        /// How many jobs are taken at once.
        var batch: Int { self == .long ? 1 : 64 }
    }

    /// What the kind is called in the database.
    let name: String
    let lane: Lane

    init(_ name: String, _ lane: Lane) {
        self.name = name
        self.lane = lane
    }

    var description: String { name }
}
