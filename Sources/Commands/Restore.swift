import ArgumentParser
import Core
import Tintype

struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Fill an empty data folder from a backup, after checking all of it.")

    @Argument(help: "The file that `tintype backup` wrote.")
    var file: String

    @OptionGroup var settings: Settings

    func run() async throws {
        let configuration = try await settings.load()
        guard configuration.database == nil else {
            throw ValidationError(
                "A backup is restored into a folder with a SQLite file. Leave --database out.")
        }
        let summary = try await TintypeApplication.restore(from: file, configuration)
        print("\(summary) are in \(configuration.data).")
    }
}
