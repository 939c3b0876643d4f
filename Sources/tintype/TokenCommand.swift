import ArgumentParser
import Tintype

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Manage bearer tokens for programs.", subcommands: [Create.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Print a new bearer token; it is told once and ends with the log-in in Settings › Devices.")

        @Argument(help: "Whose it is.")
        var username: String

        @OptionGroup var settings: Settings

        func run() async throws {
            let application = try await TintypeApplication(existing: settings.load(), node: .tool)
            print(try await application.createToken(username: username))
        }
    }
}
