import Core
import Storage

/// The account that the demo's log-in page names.
package enum DemoAccount {
    /// The name of the server value that contains `USERNAME:PASSWORD`.
    private static let serverValue = "demo-account"

    /// Stores the account in the data folder, where the server finds it.
    package static func remember(_ username: String, password: String, in database: Database) async throws {
        try await database.write {
            try $0.setServerValue(serverValue, "\(username):\(password)")
        }
    }

    /// Returns what the data folder stores, as `USERNAME:PASSWORD`; nil when it isn't a demo's.
    static func remembered(in database: Database) async throws -> String? {
        try await database.read { try $0.serverValue(serverValue) }
    }
}
