import ArgumentParser
import Core
import Tintype

struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Recount all counters and compare every picture's file with its row; exit 1 if something is wrong."
    )

    @Flag(help: "Only see whether the database answers and the disk has room, for a health probe.")
    var quick = false

    @OptionGroup var settings: Settings

    func run() async throws {
        let application = try await TintypeApplication(existing: settings.load(), node: .tool)
        let problems = quick ? try await application.quickProblems() : try await application.problems()
        for problem in problems { print(problem) }
        guard problems.isEmpty else { throw ExitCode.failure }
        print("No problems found.")
    }
}
