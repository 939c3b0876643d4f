import Storage

/// The account that the demo's log-in page names.
enum DemoAccount {
    /// Under this name the data folder remembers `USERNAME:PASSWORD`.
    private static let serverValue = "demo-account"

    /// Remembers it in the data folder, so that the server knows.
    static func remember(_ logIn: DemoScript.LogIn, in database: Database) async throws {
        try await database.write {
            try SessionStore($0).setServerValue(serverValue, "\(logIn.username):\(logIn.password)")
        }
    }

    /// The settings with the account that the data folder remembers, unless they name one themselves.
    static func named(
        in configuration: ServerConfiguration, from database: Database
    ) async throws -> ServerConfiguration {
        guard configuration.demoAccount == nil else { return configuration }
        var configuration = configuration
        configuration.demoAccount = try await database.read { try SessionStore($0).serverValue(serverValue) }
        return configuration
    }
}
