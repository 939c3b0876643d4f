import Storage

/// Who may make an account: what an administrator has chosen in the app, or as long as none has, what the
/// operator's setting says.
package final class SignUpPolicy: Sendable {
    private let database: Database
    private let setting: SignUpMode

    /// - Parameter setting: the operator's.
    init(database: Database, setting: SignUpMode) {
        self.database = database
        self.setting = setting
    }

    /// Who may make an account now.
    package func mode() async throws -> SignUpMode {
        try await database.read { try self.mode($0) }
    }

    /// The same inside a transaction of another service.
    package func mode(_ transaction: Transaction) throws -> SignUpMode {
        try SignUpStore(transaction).mode() ?? setting
    }

    /// Chooses, in a transaction of the administration, which has checked that it may.
    package func set(_ mode: SignUpMode, _ transaction: Transaction) throws {
        try SignUpStore(transaction).set(mode)
    }
}

/// The SQL of what was chosen.
private struct SignUpStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    func mode() throws -> SignUpMode? {
        try transaction.value("SELECT value FROM server_settings WHERE name = 'sign-up'")
            .flatMap { SignUpMode(rawValue: $0) }
    }

    func set(_ mode: SignUpMode) throws {
        try transaction.execute(
            """
            INSERT INTO server_settings (name, value) VALUES ('sign-up', $1)
            ON CONFLICT (name) DO UPDATE SET value = $1
            """, mode.rawValue)
    }
}
