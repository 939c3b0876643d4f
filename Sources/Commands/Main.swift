import ArgumentParser
import Core
import Foundation
import Tintype

@main
struct TintypeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tintype",
        abstract: "Photo sharing among friends, on your own server.",
        discussion:
            "All commands take the same settings, as flags, as environment variables (TINTYPE_DATA) or from a file.",
        version: tintypeVersion,
        subcommands: [
            Serve.self, Setup.self, Demo.self, AccountCommand.self, TokenCommand.self, InviteCommand.self,
            Migrate.self,
            BackOutCommand.self, Backup.self, Restore.self, Check.self, Move.self, ImportCommand.self,
        ],
        defaultSubcommand: Serve.self)

    static func main() async {
        // What can't be written, to a reader that is gone or past the largest size that a file may have, is an error, and not
        // the end of the process.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        await main(nil)
    }
}
