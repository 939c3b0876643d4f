import ArgumentParser
import Core
import Tintype

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Manage bearer tokens for programs.", subcommands: [Create.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Print a new bearer token. It is shown only once. Revoke it in Settings › Devices.")

        @Argument(help: "The username.")
        var username: String

        @OptionGroup var settings: Settings

        func run() async throws {
            let application = try await TintypeApplication(existing: settings.load(), node: .tool)
            print(try await application.createToken(username: username))
        }
    }
}
