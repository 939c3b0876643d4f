extension SQLiteConnection {
    /// Returns the names of the tables that migrations have made.
    func tables() throws -> [String] {
        var tables: [String] = []
        try run(
            """
            SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'
            AND name NOT IN ('storage_ids', 'storage_migrations') ORDER BY name
            """
        ) {
            tables.append(try $0.string("name"))
            return true
        }
        return tables
    }

    /// Returns the names of a table's columns.
    func columns(of table: String) throws -> [String] {
        var columns: [String] = []
        try run("SELECT name FROM pragma_table_info($1) ORDER BY cid", [table]) {
            columns.append(try $0.string("name"))
            return true
        }
        return columns
    }

    /// Returns the names of the columns of a table's key, in their order; empty if it has none.
    func key(of table: String) throws -> [String] {
        var columns: [String] = []
        try run("SELECT name FROM pragma_table_info($1) WHERE pk > 0 ORDER BY pk", [table]) {
            columns.append(try $0.string("name"))
            return true
        }
        return columns
    }
}
