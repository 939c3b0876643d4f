import ArgumentParser
import Core
import Foundation
import Serving
import Synchronization
import Tintype

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import the archive that someone downloaded from Instagram, Mastodon or Pixelfed.",
        discussion: """
            Photos are added to the library of the account, at their dates. With --posts, posts are made of them, at their \
            dates, without notifying anyone. The server may run meanwhile. Running the command again goes on where it \
            ended and adds nothing twice.

            Instagram: choose JSON as the format of the download. Pixelfed: its pixelfed-statuses.json has no pictures; \
            pack it into a zip with them.
            """)

    @Argument(help: "The service: \(ForeignService.allCases.map(\.rawValue).joined(separator: ", ")).")
    var service: ForeignService

    @Argument(help: "The archive, a zip or a tar.gz.", completion: .file())
    var archive: String

    @Option(help: "The username of the account that gets the photos.")
    var account: String

    @Flag(help: "Make posts, too, instead of photos in the library alone.")
    var posts = false

    @Option(
        help: """
            Who may see the posts at most: followers, unlisted or everyone. (default: who could see them over there; \
            Instagram doesn't say, so followers)
            """)
    var audience: ImportOptions.Audience?

    @OptionGroup var settings: Settings

    func validate() throws {
        guard audience == nil || posts else {
            throw ValidationError("--audience is for posts: say --posts, too.")
        }
    }

    func run() async throws {
        let application = try await TintypeApplication(existing: settings.load(), node: .tool)
        let progress = ProgressLines()
        let report = try await application.importArchive(
            at: archive, from: service, of: account, ImportOptions(makesPosts: posts, audience: audience)
        ) { progress.note($0) }
        print("\(report)")
    }
}

extension ForeignService: ExpressibleByArgument {}
extension ImportOptions.Audience: ExpressibleByArgument {}

/// Lines about what a long command has done so far, at most one in two seconds.
private final class ProgressLines: Sendable {
    private static let pause = Duration.seconds(2)

    private let last = Mutex<ContinuousClock.Instant?>(nil)

    func note(_ words: String) {
        let now = ContinuousClock.now
        let isDue = last.withLock { last in
            if let last, last.duration(to: now) < Self.pause { return false }
            last = now
            return true
        }
        if isDue { FileHandle.standardOutput.tell("\(words) …\n") }
    }
}
