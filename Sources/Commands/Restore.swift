import ArgumentParser
import Core
import Tintype

struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Fill an empty data folder from a backup, after checking all of it.",
        discussion: "With --database and --blobs its rows and pictures are then moved there.")

    @Argument(help: "The file that `tintype backup` wrote.")
    var file: String

    @OptionGroup var settings: Settings

    func run() async throws {
        let configuration = try await settings.load()
        let summary = try await TintypeApplication.restore(from: file, configuration)
        print("\(summary) are in \(configuration.data).")
        guard configuration.database != nil || configuration.blobs != nil else { return }
        // What fails now can be done again with `tintype move`.
        let moved = try await ServerMove(
            folder: configuration.data, database: configuration.database,
            secretsKeyFile: configuration.secretsKeyFile, blobs: configuration.blobs
        ).out()
        print(moved.map { "\($0)." }.joined(separator: "\n"))
    }
}
