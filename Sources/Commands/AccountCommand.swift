import ArgumentParser
import Core
import Foundation
import Tintype

struct AccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "Manage accounts.",
        subcommands: [Create.self, Password.self, Link.self, Promote.self, Demote.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Create an account, without an invitation.")

        @Argument(help: "The username: letters a to z, digits, dots and underscores.")
        var username: String

        @Option(name: .customLong("display-name"), help: "The name that people read.")
        var displayName: String

        @OptionGroup var password: PasswordFile

        @Flag(help: "Make the account an administrator. The first account always is one.")
        var admin = false

        @OptionGroup var settings: Settings

        func run() async throws {
            let application = try await TintypeApplication(settings.load(), node: .tool)
            try await application.createAccount(
                username: username, displayName: displayName, password: password.read(), isAdmin: admin)
            print("@\(username) can log in.")
        }
    }

    struct Password: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Set a new password for someone who forgot theirs, and end all their log-ins.")

        @Argument(help: "The username.")
        var username: String

        @OptionGroup var password: PasswordFile

        @OptionGroup var settings: Settings

        func run() async throws {
            let application = try await TintypeApplication(existing: settings.load(), node: .tool)
            try await application.setPassword(password.read(), username: username)
            print("@\(username) can log in with the new password.")
        }
    }

    struct Link: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a link with which someone chooses a new password. It works once, for a day.")

        @Argument(help: "The username.")
        var username: String

        @OptionGroup var settings: Settings

        func run() async throws {
            let application = try await TintypeApplication(existing: settings.load(), node: .tool)
            print(try await application.createLogInLink(username: username))
        }
    }

    struct Promote: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Make someone an administrator.")

        @Argument(help: "The username.")
        var username: String

        @OptionGroup var settings: Settings

        func run() async throws {
            let application = try await TintypeApplication(existing: settings.load(), node: .tool)
            try await application.setAdministrator(true, username: username)
            print("@\(username) is an administrator.")
        }
    }

    struct Demote: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove someone as an administrator.")

        @Argument(help: "The username.")
        var username: String

        @OptionGroup var settings: Settings

        func run() async throws {
            let application = try await TintypeApplication(existing: settings.load(), node: .tool)
            try await application.setAdministrator(false, username: username)
            print("@\(username) is no longer an administrator.")
        }
    }
}

/// The option that reads a password from a file, so that it appears in no process list.
struct PasswordFile: ParsableArguments {
    @Option(
        name: .customLong("password-file"),
        help: "A file whose first line is the password; - for standard input.")
    var path: String

    func read() throws -> String {
        guard path != "-" else { return readLine() ?? "" }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        return text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    }
}
