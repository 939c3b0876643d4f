import ArgumentParser
import Core
import Foundation
import Serving
import Tintype

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve until the process gets SIGTERM or SIGINT.")

    @OptionGroup var settings: Settings

    /// How long a server may take to end whose place at the database another process has taken.
    private static let mostSecondsToEnd = 10.0

    func run() async throws {
        let configuration = try await settings.load()
        let application = try await TintypeApplication(configuration)
        let systemd = try Systemd(ProcessInfo.processInfo.environment)
        try await application.run(under: systemd) { port in
            FileHandle.standardOutput.tell(
                "Tintype is at \(configuration.publicURL) (listening on \(configuration.host):\(port)).\n")
        } onLoss: {
            // Nobody waits any longer for what still waits. Only the command may do this: a test's process has other servers, too.
            Thread.detachNewThread {
                Thread.sleep(forTimeInterval: Self.mostSecondsToEnd)
                _exit(EXIT_FAILURE)
            }
        }
    }
}
