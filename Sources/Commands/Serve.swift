import ArgumentParser
import Core
import Foundation
import Serving
import Tintype

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve until the process gets SIGTERM or SIGINT.")

    @OptionGroup var settings: Settings

    func run() async throws {
        let configuration = try await settings.load()
        let application = try await TintypeApplication(configuration)
        let systemd = try Systemd(ProcessInfo.processInfo.environment)
        try await application.run(under: systemd) { port in
            // `print` would buffer the line when the output isn't a terminal.
            let line =
                "Tintype is at \(configuration.publicURL) (listening on \(configuration.host):\(port)).\n"
            FileHandle.standardOutput.write(Data(line.utf8))
        }
    }
}
