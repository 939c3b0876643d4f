/// A sequence of 64-bit ids that grow with time: 41 bits of milliseconds since 2024, 10 bits of node, 12 bits of
/// sequence.
///
/// Each id is higher than the one before, even if the clock steps back, or if more than 4,096 ids are made in
/// a millisecond: the ids then run ahead of the clock until the clock catches up. The layout is that of
/// Twitter's Snowflake (https://github.com/twitter-archive/snowflake/tree/snowflake-2010) with another epoch.
/// It lasts until 2093.
package struct IDSequence {
    /// 2024-01-01 00:00:00 UTC, in milliseconds since 1970.
    package static let epoch: Int64 = 1_704_067_200_000

    /// The node numbers that fit into an id.
    package static let nodes = 0..<1024

    /// How far ahead of the clock ``next(at:after:)`` makes ids, in milliseconds. A node may make ids only while no other can
    /// have its number, so it stops that long before its lease ends.
    package static let lead: Int64 = 5_000

    let node: Int64

    /// The last id made, or 0.
    package private(set) var last: Int64

    /// - Parameters:
    ///   - node: the number of this process among the processes that write to the database, within `nodes`.
    ///   - last: an id made by the same node that all new ids must exceed; 0 for none.
    package init(node: Int, last: Int64 = 0) {
        self.node = Int64(node)
        self.last = last
    }

    /// Returns the next id.
    /// - Parameter milliseconds: the time, in milliseconds since 1970.
    package mutating func next(at milliseconds: Int64) -> Int64 {
        let byClock = max(0, milliseconds - Self.epoch) << 22 | node << 12
        let sequence = last & 0xfff
        let afterLast = sequence < 0xfff ? last + 1 : (last >> 22 + 1) << 22 | node << 12
        last = max(byClock, afterLast)
        return last
    }

    /// Returns the next id, higher than another node's unless that is ahead of the clock by more than ``lead``: a clock that was
    /// once far ahead must not take all others with it.
    /// - Parameters:
    ///   - milliseconds: the time, in milliseconds since 1970.
    ///   - other: an id of any node.
    package mutating func next(at milliseconds: Int64, after other: Int64) -> Int64 {
        let id = next(at: milliseconds)
        let later = other >> 22 + 1 + Self.epoch
        guard id <= other, later - milliseconds <= Self.lead else { return id }
        return next(at: later)
    }
}

/// The times of ids, which also name things that are older than the sequence: posts that people bring along.
///
/// No id of the sequence is of 2024-01-01, since the project is younger. The ids of that day mean older things instead:
/// whole seconds since 1970, then 17 bits of a number. They are less than all others and in the order of their times
/// (Documentation/Decisions/0022-ids-of-old-things.md).
extension IDSequence {
    /// The milliseconds from ``epoch`` to the first id of the sequence: a day.
    private static let firstMilliseconds: Int64 = 86_400_000

    /// The least id whose upper bits are milliseconds since ``epoch``; lesser ids are of older things.
    private static let firstOfSequence: Int64 = firstMilliseconds << 22

    /// The bits of an old thing's id below its seconds.
    private static let bitsOfOld: Int64 = 17

    /// Returns the time in an id, in milliseconds since 1970: to the millisecond, for old things to the second.
    package static func milliseconds(of id: Int64) -> Int64 {
        id < firstOfSequence ? (id >> bitsOfOld) * 1000 : id >> 22 + epoch
    }

    /// Returns the ids of things that were made at a time.
    ///
    /// - Parameter milliseconds: the time, in milliseconds since 1970; what is before 1970 counts as 1970.
    package static func ids(at milliseconds: Int64) -> ClosedRange<Int64> {
        let sinceEpoch = milliseconds - epoch
        let (time, bits) =
            sinceEpoch < firstMilliseconds ? (max(0, milliseconds) / 1000, bitsOfOld) : (sinceEpoch, 22)
        return time << bits...(time + 1) << bits - 1
    }
}
