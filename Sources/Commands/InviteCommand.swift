import ArgumentParser
import Core
import Tintype

struct InviteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Manage invitations.", subcommands: [Create.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a code and a link that let one person in, for 30 days.")

        @OptionGroup var settings: Settings

        func run() async throws {
            let configuration = try await settings.load()
            let application = try await TintypeApplication(existing: configuration, node: .tool)
            let code = try await application.createInvitation()
            print(code)
            print(configuration.publicURL + AppPaths.signUp(code: code))
        }
    }
}
