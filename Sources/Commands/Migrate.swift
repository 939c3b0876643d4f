import ArgumentParser
import Core
import Tintype

struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Bring the database up to date. `tintype serve` does this automatically.")

    @OptionGroup var settings: Settings

    func run() async throws {
        _ = try await TintypeApplication(settings.load(), node: .tool)
        print("The database is up to date.")
    }
}
