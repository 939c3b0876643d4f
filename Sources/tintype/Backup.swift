import ArgumentParser
import Tintype

struct Backup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write everything into one file, also while the server runs.",
        discussion:
            "Pictures that may be seen once are left out. The file holds all that people shared: guard it.")

    @Argument(
        help: "The file to write, a tar archive. One that is there is replaced when the new one is complete.")
    var file: String

    @OptionGroup var settings: Settings

    func run() async throws {
        let application = try await TintypeApplication(existing: settings.load(), node: .tool)
        let summary = try await application.backUp(to: file)
        print("\(summary) are in \(file).")
    }
}
