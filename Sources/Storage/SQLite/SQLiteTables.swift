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
    ///
    /// - Parameter schema: the attached database with the table.
    func columns(of table: String, in schema: String = "main") throws -> [String] {
        try names("SELECT name FROM pragma_table_info($1, $2) ORDER BY cid", table, schema)
    }

    /// Returns the names of the columns of a table's key, in their order; empty if it has none.
    ///
    /// - Parameter schema: the attached database with the table.
    func key(of table: String, in schema: String = "main") throws -> [String] {
        try names("SELECT name FROM pragma_table_info($1, $2) WHERE pk > 0 ORDER BY pk", table, schema)
    }

    private func names(_ sql: String, _ table: String, _ schema: String) throws -> [String] {
        var names: [String] = []
        try run(sql, [table, schema]) {
            names.append(try $0.string("name"))
            return true
        }
        return names
    }
}
