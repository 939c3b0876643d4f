import Storage

/// Values that the server creates for itself and keeps in the database, by name.
extension Transaction {
    /// Returns a value; nil when it was never set.
    package func serverValue(_ name: String) throws -> String? {
        try value("SELECT value FROM server_values WHERE name = $1", name)
    }

    /// Deletes a value.
    package func deleteServerValue(_ name: String) throws {
        try execute("DELETE FROM server_values WHERE name = $1", name)
    }

    /// Sets a value.
    package func setServerValue(_ name: String, _ value: String) throws {
        try execute(
            """
            INSERT INTO server_values (name, value) VALUES ($1, $2)
            ON CONFLICT (name) DO UPDATE SET value = $2
            """, name, value)
    }
}
