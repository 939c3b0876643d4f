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
