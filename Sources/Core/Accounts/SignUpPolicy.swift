import Storage

/// The policy of who may sign up: an administrator's choice in the app or, while there is none, the operator's setting.
package final class SignUpPolicy: Sendable {
    private let database: Database
    private let setting: SignUpMode

    /// - Parameter setting: the operator's setting.
    init(database: Database, setting: SignUpMode) {
        self.database = database
        self.setting = setting
    }

    /// Returns who may sign up now.
    package func mode() async throws -> SignUpMode {
        try await database.read { try self.mode($0) }
    }

    /// Returns who may sign up now, in a transaction of another service.
    package func mode(_ transaction: Transaction) throws -> SignUpMode {
        try SignUpStore(transaction).mode() ?? setting
    }

    /// Sets who may sign up, in a transaction of the administration, which has checked that the caller may.
    package func set(_ mode: SignUpMode, _ transaction: Transaction) throws {
        try SignUpStore(transaction).set(mode)
    }
}

/// The SQL of the administrator's choice.
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
