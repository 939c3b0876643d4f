import Core
import People

/// The addresses of the administration.
enum AdministrationPaths {
    /// The page with the reports and the figures of the server.
    static let overview = "/administration"
    /// The list of all accounts.
    static let accounts = "/administration/accounts"
    /// The page to choose who may sign up.
    static let signUp = "/administration/sign-up"
    /// The list of the administrators.
    static let administrators = "/administration/administrators"
    /// The activity log.
    static let record = "/administration/record"

    /// Returns the action that suspends or restores an account.
    ///
    /// - Parameter verb: `suspend` or `restore`.
    static func change(_ account: Account.ID, _ verb: String) -> String { "\(accounts)/\(account)/\(verb)" }

    /// Returns the action that makes an administrator an ordinary person.
    static func removeAdministrator(_ username: String) -> String { "\(administrators)/\(username)/remove" }

    /// Returns the action that closes a report.
    ///
    /// - Parameter action: `remove`, `suspend` or `dismiss`: what happens to the subject of the report.
    static func close(_ report: Report.ID, _ action: String) -> String {
        "/administration/reports/\(report)/\(action)"
    }
}
