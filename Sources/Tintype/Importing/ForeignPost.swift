import Feeds
import Foundation
import Serving

/// A picture in an archive of another service.
struct ForeignPicture: Sendable, Hashable {
    /// The picture's place among the files of the archive (``ForeignService/place(ofFile:)``).
    var place: String
    /// What the picture shows, as its owner described it.
    var description = ""
}

/// A post in an archive of another service.
struct ForeignPost: Sendable {
    /// The post's own name over there, which is the same in every archive.
    var key: String
    var postedAt: Date
    var words: PostWords
    /// Who could see the post over there; nil when the archive doesn't say.
    var visibility: Post.Visibility?
    var pictures: [ForeignPicture]
    /// Whether the pictures are for the library alone, such as those of stories.
    var isLibraryOnly = false
}

/// What a reader has found in an archive.
struct ForeignCollection: Sendable {
    /// The posts, in no particular order.
    var posts: [ForeignPost] = []
    var leftOut = LeftOut()
}

/// What isn't imported, counted by the reason.
struct LeftOut: Sendable, Equatable {
    /// A reason not to import something, as the beginning of a line of the report.
    struct Reason: Sendable, Hashable {
        let words: String

        static let boost = Reason(words: "Posts of other people that were boosted")
        static let reply = Reason(words: "Replies to other people")
        static let direct = Reason(words: "Direct messages")
        static let poll = Reason(words: "Polls")
        static let withoutPhoto = Reason(words: "Posts without a photo")
        static let film = Reason(words: "Videos and sounds")
        static let undated = Reason(words: "Posts without a date")
        static let unreadable = Reason(words: "Entries that aren’t posts")
        static let missing = Reason(words: "Pictures that aren’t in the archive")
        static let damaged = Reason(words: "Pictures that can’t be read in the archive")
        static let photosGone = Reason(words: "Posts whose photos weren’t imported, or were deleted here")
        static let beyondTen = Reason(
            words: "Photos beyond the ten of a post, which are in the library alone")
        static let shortened = Reason(words: "Texts that were too long and end with …")

        /// Returns the reason for a picture that an upload would refuse, too.
        ///
        /// - Parameter sentence: what the upload would say.
        static func refused(_ sentence: String) -> Reason { Reason(words: sentence) }
    }

    /// The things with one reason.
    struct Group: Sendable, Equatable {
        var count = 0
        /// The names of the first of them.
        var names: [String] = []
    }

    private static let mostNames = 3
    private static let mostReasons = 100

    private(set) var groups: [Reason: Group] = [:]

    /// Counts something that isn't imported.
    ///
    /// - Parameter name: its name or place in the archive.
    mutating func add(_ reason: Reason, _ name: String) {
        guard groups[reason] != nil || groups.count < Self.mostReasons else { return }
        groups[reason, default: Group()].count += 1
        guard !name.isEmpty, groups[reason, default: Group()].names.count < Self.mostNames else { return }
        groups[reason]?.names.append(ImportedText.line(name))
    }

    /// The lines of a report, the most frequent reason first.
    var lines: [String] {
        groups.sorted { ($1.value.count, $0.key.words) < ($0.value.count, $1.key.words) }.map {
            reason, group in
            var line = "  \(group.count.grouped) × \(reason.words)"
            if !group.names.isEmpty {
                let more = group.count > group.names.count ? ", …" : ""
                line += ": \(group.names.joined(separator: ", "))\(more)"
            }
            return line
        }
    }
}
