import ArgumentParser
import Core
import Foundation
import Tintype

struct BackOutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "back-out",
        abstract:
            "Go back to the database from before the last update, so that the earlier version can use it.",
        discussion: """
            Stop the server first, and use the version that has updated the database. It says what would be lost, and asks. For a \
            week after an update, and for a SQLite database only.
            """)

    @Flag(help: "Don't ask.")
    var yes = false

    @OptionGroup var settings: Settings

    func run() async throws {
        let backOut = try ServerBackOut(try await settings.load())
        guard !backOut.isDone else {
            try backOut.run()
            print("The database is as before the update already. \(backOut.outcome)")
            return
        }
        print(backOut.plan)
        if !yes {
            print("Go back? Type yes: ", terminator: "")
            fflush(nil)
            guard readLine()?.trimmingCharacters(in: .whitespaces).lowercased() == "yes" else {
                backOut.cancel()
                print("\nNothing was changed.")
                throw ExitCode.failure
            }
        }
        try backOut.run()
        print(backOut.outcome)
    }
}
