import ArgumentParser
import Foundation
import Tintype

struct AccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "Manage accounts.", subcommands: [Create.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Make an account, without an invitation.")

        @Argument(help: "The username: letters a to z, digits, dots and underscores.")
        var username: String

        @Option(name: .customLong("display-name"), help: "The name that people read.")
        var displayName: String

        @Option(
            name: .customLong("password-file"),
            help:
                "A file whose first line is the password, so that it stands in no process list; - for standard input."
        )
        var passwordFile: String

        @Flag(help: "Let the account administer the server. The first account may in any case.")
        var admin = false

        @OptionGroup var settings: Settings

        func run() async throws {
            let application = try await TintypeApplication(settings.load(), node: .tool)
            try await application.createAccount(
                username: username, displayName: displayName, password: readPassword(), isAdmin: admin)
            print("@\(username) can log in.")
        }

        private func readPassword() throws -> String {
            guard passwordFile != "-" else { return readLine() ?? "" }
            let text = try String(contentsOfFile: passwordFile, encoding: .utf8)
            return text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        }
    }
}
