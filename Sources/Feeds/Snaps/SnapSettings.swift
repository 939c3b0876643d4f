import Core
import Foundation
import Serving

/// The feeds of a server, in order, and the lifetime of snaps.
public struct SnapSettings: Sendable, Equatable, FeatureSettings {
    /// The feeds: at least one, with different ids.
    public var feeds: [SnapFeed] = ["memes", "dog spots", "random"].map(SnapFeed.init(title:))
    /// The feeds whose snaps everyone on this server sees. The other feeds are for friends.
    public var openFeeds: Set<SnapFeed> = []
    /// How long a snap can be opened after it was posted, in seconds.
    public var lifetime: TimeInterval = 24 * 3600

    private static let mostHours = 720
    /// The longest lifetime that can be set, in seconds.
    static let longestLifetime = TimeInterval(mostHours) * 3600

    /// Creates the default settings.
    public init() {}

    /// Parses the names of feeds, separated by commas; returns nil when there is none, when a name has no letter or
    /// digit or more than 40 characters, and when two names have the same id.
    static func feeds(_ list: String) -> [SnapFeed]? {
        let feeds = list.split(separator: ",").map { SnapFeed(title: $0.trimmed) }
        guard !feeds.isEmpty, feeds.allSatisfy({ !$0.id.isEmpty && $0.title.count <= 40 }),
            Set(feeds.map(\.id)).count == feeds.count
        else { return nil }
        return feeds
    }

    /// Returns the configured feed with an id.
    func feed(id: String) -> SnapFeed? { feeds.first { $0.id == id } }

    package static let names = ["snap-feeds", "snap-open-feeds", "snap-hours"]

    package mutating func read(_ given: GivenSettings) throws {
        if let list = given.text("snap-feeds") {
            guard let feeds = Self.feeds(list) else {
                throw SettingError(
                    name: "snap-feeds", value: list,
                    expected: "a list of different names with commas, at least one")
            }
            self.feeds = feeds
        }
        if let list = given.text("snap-open-feeds"), !list.isEmpty {
            guard let open = Self.feeds(list), open.allSatisfy(feeds.contains) else {
                throw SettingError(
                    name: "snap-open-feeds", value: list,
                    expected: "a list of some of the snap-feeds, with commas")
            }
            openFeeds = Set(open)
        }
        if let hours = try given.integer("snap-hours", 1...Self.mostHours) {
            lifetime = TimeInterval(hours) * 3600
        }
    }
}

extension ServerConfiguration {
    /// The settings of snaps: the feeds, the feeds that are open to the whole server, and how long snaps live.
    public var snaps: SnapSettings {
        get { self[SnapSettings.self] }
        set { self[SnapSettings.self] = newValue }
    }
}
