import Core
import Storage

/// The account that the demo's log-in page names.
package enum DemoAccount {
    /// Under this name the data folder remembers `USERNAME:PASSWORD`.
    private static let serverValue = "demo-account"

    /// Remembers it in the data folder, so that the server knows.
    package static func remember(_ username: String, password: String, in database: Database) async throws {
        try await database.write {
            try $0.setServerValue(serverValue, "\(username):\(password)")
        }
    }

    /// What the data folder remembers, nil when it isn't a demo's.
    static func remembered(in database: Database) async throws -> String? {
        try await database.read { try $0.serverValue(serverValue) }
    }
}
