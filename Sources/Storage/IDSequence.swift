/// Makes 64-bit ids that grow with time: 41 bits of milliseconds since 2024, 10 bits of node, 12 bits
/// of sequence.
///
/// An id is always higher than the one before, also when the clock steps back or more than 4,096 are
/// made in a millisecond: then it runs ahead of the clock until that catches up. The layout is that of
/// Twitter's Snowflake (https://github.com/twitter-archive/snowflake/tree/snowflake-2010) with another
/// epoch; it lasts until 2093.
package struct IDSequence {
    /// 2024-01-01 00:00:00 UTC, in milliseconds since 1970.
    package static let epoch: Int64 = 1_704_067_200_000

    /// The nodes that fit into an id.
    package static let nodes = 0..<1024

    let node: Int64

    /// The last id made, or 0.
    package private(set) var last: Int64

    /// - Parameters:
    ///   - node: the number of this process among those that write to the database, within `nodes`.
    ///   - last: an id that all ids to come must exceed, made by the same node; 0 for none.
    package init(node: Int, last: Int64 = 0) {
        self.node = Int64(node)
        self.last = last
    }

    /// The next id.
    /// - Parameter milliseconds: the time, in milliseconds since 1970.
    package mutating func next(at milliseconds: Int64) -> Int64 {
        let byClock = max(0, milliseconds - Self.epoch) << 22 | node << 12
        let sequence = last & 0xfff
        let afterLast = sequence < 0xfff ? last + 1 : (last >> 22 + 1) << 22 | node << 12
        last = max(byClock, afterLast)
        return last
    }
}

extension Connection {
    /// Makes the table that remembers each node's last id, if there is none.
    func createIDTable() throws {
        try execute(
            """
            CREATE TABLE IF NOT EXISTS storage_ids (
                node INTEGER PRIMARY KEY,
                last_id INTEGER NOT NULL
            ) STRICT
            """)
    }

    /// The sequence of a node, continued where it ended.
    func ids(node: Int) throws -> IDSequence {
        var last: Int64 = 0
        try run("SELECT last_id FROM storage_ids WHERE node = $1", [node]) {
            last = try Row($0).int64(0)
            return false
        }
        return IDSequence(node: node, last: last)
    }

    /// Remembers a node's last id.
    func keep(_ ids: IDSequence) throws {
        try execute(
            """
            INSERT INTO storage_ids (node, last_id) VALUES ($1, $2)
            ON CONFLICT (node) DO UPDATE SET last_id = excluded.last_id
            """,
            [ids.node, ids.last])
    }
}
