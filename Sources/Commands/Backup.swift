import ArgumentParser
import Core
import Tintype

struct Backup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write everything into one file. The server may be running.",
        discussion:
            "View-once pictures are left out. The file contains everything else that people shared, so keep it safe."
    )

    @Argument(
        help: "The tar archive to write. An existing file is replaced when the new one is complete.")
    var file: String

    @OptionGroup var settings: Settings

    func run() async throws {
        let application = try await TintypeApplication(existing: settings.load(), node: .tool)
        let summary = try await application.backUp(to: file)
        print("\(summary) are in \(file).")
    }
}
