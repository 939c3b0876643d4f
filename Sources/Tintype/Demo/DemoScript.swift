import Core
import Foundation
import Imaging
import Serving

/// The script of the demo: people, pictures and posts, read from `Resources/demo/demo.json`.
struct DemoScript: Decodable {
    struct LogIn: Decodable {
        var username: String
        var password: String
    }

    struct Person: Decodable {
        var username: String
        var displayName: String
        var bio: String
    }

    /// A photograph of Debian's wallpaper packages with its credit, or a scene drawn for Tintype.
    struct Picture: Decodable {
        /// The name of a photograph's file.
        var file: String?
        var author: String?
        var licence: String?
        /// The name of a drawn scene.
        var scene: String?
        /// The drawn scene that stands in for a photograph that isn't installed.
        var otherwise: String?
        var description: String
    }

    struct Comment: Decodable {
        var by: String
        var text: String
    }

    struct Post: Decodable {
        var hoursAgo: Double
        var by: String
        /// The names of pictures, each with the square to cut out of it, if any: `dogs:0.1,0.2,0.6` (``CropSquare``).
        var photos: [String]
        var caption: String
        /// What covers the post until a tap; nil for a post that isn't covered.
        var warning: String?
        /// Whether everyone on the server may see the post, not only followers.
        var `public`: Bool?
        var comments: [Comment]?
    }

    /// A predefined picture, posted as a snap.
    struct Snap: Decodable {
        var hoursAgo: Double
        var by: String
        var sample: String
        var feed: String
    }

    /// A chat of several friends.
    struct Group: Decodable {
        var hoursAgo: Double
        /// The username of the person who makes it.
        var by: String
        /// The usernames of the others.
        var with: [String]
        var title: String
    }

    struct Message: Decodable {
        var hoursAgo: Double
        var by: String
        /// The username of the receiver, or the title of a group.
        var to: String
        var text: String
        /// The name of a picture.
        var photo: String?
        /// Whether the message quotes the one before.
        var isReply: Bool?
        /// The emoji with which the receiver reacts.
        var reaction: String?
    }

    struct Collage: Decodable {
        struct Cell: Decodable {
            var by: String
            var photo: String
        }

        var hoursAgo: Double
        /// The username of the person who begins the collage.
        var by: String
        /// The usernames of the people who fill the collage together with its owner.
        var with: [String]?
        var layout: String
        var background: String?
        var spacing: Int?
        var cornerRadius: Int?
        /// The filled cells, in order.
        var cells: [Cell]
        /// Whether the collage isn't finished yet.
        var isOpen: Bool?
    }

    /// A pair made of two drawn scenes: long ago and today.
    struct Pair: Decodable {
        var hoursAgo: Double
        var by: String
        /// The name of the past picture.
        var then: String
        /// The name of its match.
        var now: String
        /// The year of the past picture.
        var year: Int
        /// The mode of the pair; nil for the slider.
        var mode: String?
        /// The caption of the pair's post; nil for a pair that isn't posted.
        var caption: String?
    }

    /// A contract with the moves that have been made in it.
    struct Contract: Decodable {
        struct Move: Decodable {
            var hoursAgo: Double
            var by: String
            /// The move's name in the JSON interface, such as `claim`.
            var move: String
            /// The rule that a claim names, counted from 0.
            var rule: Int?
            var note: String?
            /// The name of the picture that an acceptance stakes.
            var stake: String?
        }

        var hoursAgo: Double
        /// The username of the proposer.
        var by: String
        /// The username of the partner.
        var with: String
        var witness: String?
        var promise: String
        var rules: [String]?
        /// The number of hours for which the promise holds.
        var hours: Double
        var breachText: String?
        /// The name of the proposer's picture.
        var stake: String
        var moves: [Move]?

        /// The usernames of everyone who takes part.
        var people: [String] { [by, with] + (witness.map { [$0] } ?? []) }
    }

    /// The account that the log-in page names.
    var account: LogIn
    var people: [Person]
    var photos: [String: Picture]
    /// The posts, newest first.
    var posts: [Post]
    var snaps: [Snap]
    var groups: [Group]
    var messages: [Message]
    var collages: [Collage]
    var pairs: [Pair]
    var contracts: [Contract]

    static func load() throws -> DemoScript {
        let file = try Resources.folder("demo").appending(path: "demo.json")
        return try JSONDecoder().decode(DemoScript.self, from: Data(contentsOf: file))
    }
}

extension DemoScript {
    /// The names of all pictures that the demo shows.
    var shown: Set<String> {
        Set(
            posts.flatMap(\.photos) + messages.compactMap(\.photo) + collages.flatMap(\.cells).map(\.photo)
                + pairs.flatMap { [$0.then, $0.now] }
                + contracts.flatMap { [$0.stake] + ($0.moves ?? []).compactMap(\.stake) })
    }

    /// The number of hours since the first event.
    var oldestHours: Double { posts.map(\.hoursAgo).max() ?? 0 }
}

/// A photo of the demo: a file on this machine, perhaps a square of it, and its description with the credit.
struct DemoShot: Sendable {
    var path: String
    var crop: CropSquare?
    var description: String

    /// The folder of Debian's wallpaper packages.
    private static let wallpapers = "/usr/share/backgrounds"

    /// Finds a photo.
    ///
    /// - Parameter name: as in ``DemoScript/Post/photos``.
    init(_ name: String, in script: DemoScript) throws {
        let parts = name.split(separator: ":")
        guard let picture = parts.first.flatMap({ script.photos[String($0)] }) else {
            throw Refusal.malformed("The demo has no picture “\(name)”.")
        }
        let numbers = parts.dropFirst().first?.split(separator: ",").compactMap { Double($0) } ?? []
        crop = numbers.count == 3 ? CropSquare(x: numbers[0], y: numbers[1], size: numbers[2]) : nil
        if let file = picture.file, FileManager.default.fileExists(atPath: "\(Self.wallpapers)/\(file)") {
            path = "\(Self.wallpapers)/\(file)"
            let credit = [picture.author.map { "Photo: \($0)" }, picture.licence].compactMap { $0 }
            description = "\(picture.description). \(credit.joined(separator: ", "))"
        } else {
            guard let scene = picture.scene ?? picture.otherwise, let drawn = script.photos[scene] else {
                throw Refusal.malformed("The demo has no drawing for “\(name)”.")
            }
            path = try Resources.folder("scenes").appending(path: "\(scene).webp").path
            description = drawn.description
        }
    }
}
