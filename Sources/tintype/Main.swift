import ArgumentParser
import Tintype

@main
struct TintypeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tintype",
        abstract: "Photos among friends, on a server of your own.",
        discussion:
            "Every command takes the same settings, as flags, as variables (TINTYPE_DATA) or from a file.",
        version: tintypeVersion,
        subcommands: [
            Serve.self, Demo.self, AccountCommand.self, TokenCommand.self, InviteCommand.self, Migrate.self,
            Backup.self, Restore.self, Check.self,
        ],
        defaultSubcommand: Serve.self)
}
