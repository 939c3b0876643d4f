import ArgumentParser
import Core
import Tintype

struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Fill an empty data folder with people and photos to look around in.")

    @OptionGroup var settings: Settings

    func run() async throws {
        let configuration = try await settings.load()
        print("Filling \(configuration.data) with the demo …")
        let summary = try await TintypeApplication.fillDemo(configuration)
        print("\(summary)")
    }
}
