import Foundation
import Serving

/// What an import has done, as the command prints it.
public struct ImportReport: Sendable, CustomStringConvertible {
    /// Whether the import was stopped before the end.
    public internal(set) var isStopped = false
    /// The photos that are new in the library.
    public internal(set) var photos = 0
    /// The photos that an earlier import has brought.
    public internal(set) var knownPhotos = 0
    /// The new posts; nil when posts weren't asked for.
    public internal(set) var posts: Int?
    /// The posts that an earlier import has brought.
    public internal(set) var knownPosts = 0
    var leftOut = LeftOut()

    /// The report in lines.
    public var description: String {
        var lines = [
            isStopped ? "Stopped. Run the same command again to go on." : "Done.",
            "\(photos.of("photo")) added to the library\(before(knownPhotos)).",
        ]
        if let posts {
            let dates = posts == 1 ? "its date" : "their dates"
            lines.append("\(posts.of("post")) added with \(dates)\(before(knownPosts)).")
        }
        if !leftOut.lines.isEmpty { lines += ["Not imported, or not as it was:"] + leftOut.lines }
        return lines.joined(separator: "\n")
    }

    private func before(_ known: Int) -> String { known == 0 ? "" : ", \(known.grouped) were here already" }
}

/// What a person wants of an import.
public struct ImportOptions: Sendable {
    /// Who may see the posts that are made.
    public enum Audience: String, Sendable, CaseIterable {
        case followers, unlisted, everyone
    }

    /// Whether posts are made, besides photos of the library.
    public var makesPosts: Bool
    /// The most people who may see a post. Who couldn't see it over there can't here. Nil is as it was over there, and for
    /// followers where the archive doesn't say.
    public var audience: Audience?

    /// Creates options.
    public init(makesPosts: Bool = false, audience: Audience? = nil) {
        self.makesPosts = makesPosts
        self.audience = audience
    }
}
