extension SQLiteConnection {
    /// Creates the table that stores each node's last id, if it doesn't exist.
    func createIDTable() throws {
        try execute(
            """
            CREATE TABLE IF NOT EXISTS storage_ids (
                node INTEGER PRIMARY KEY,
                last_id INTEGER NOT NULL
            ) STRICT
            """)
    }

    /// Returns the sequence of a node, continued after its last id.
    func ids(node: Int) throws -> IDSequence {
        var last: Int64 = 0
        try run("SELECT last_id FROM storage_ids WHERE node = $1", [node]) {
            last = try $0.int64("last_id")
            return false
        }
        return IDSequence(node: node, last: last)
    }

    /// Stores a node's last id.
    func keep(_ last: Int64, of node: Int) throws {
        try execute(
            """
            INSERT INTO storage_ids (node, last_id) VALUES ($1, $2)
            ON CONFLICT (node) DO UPDATE SET last_id = excluded.last_id
            """,
            [node, last])
    }
}
