import Foundation

/// A person on this server.
public struct Account: Sendable, Hashable {
    /// The account's identifier; its time is when the person signed up.
    public typealias ID = Core.ID<Account>

    /// The account's identifier.
    public let id: ID
    /// The name in the account's address: letters, digits, dots and underscores, 1 to 30, unique without regard to
    /// case.
    public var username: String
    /// The name as the person writes it, 1 to 50 characters.
    public var displayName: String
    /// A few words about themselves, at most 500 characters.
    public var bio: String
    /// The portrait's pictures, nil for initials on a colour.
    public var portrait: Portrait.ID?
    /// The picture above the profile, nil for none.
    public var banner: Portrait.ID?
    /// The lines under the bio, such as a website, at most four.
    public var fields: [ProfileField] = []
    /// Whether the account is suggested to people who may know its owner.
    public var isDiscoverable = true
    /// Whether the person may see reports, remove content and suspend accounts.
    public var isAdmin: Bool
    /// Whether followers have to be accepted.
    public var approvesFollowers: Bool
    /// Which pictures of others and their own the person sees covered.
    public var covering = Covering.marked
    /// Whether an administrator has suspended the account, so that nobody sees it.
    public var isSuspended: Bool
    /// The number of posts, without comments.
    public var postsCount: Int
    /// The number of accepted followers.
    public var followersCount: Int
    /// The number of accounts that have accepted this one as a follower.
    public var followingCount: Int
    /// The time of the newest post; nil before the first.
    public var lastPostAt: Date?
}

/// Which pictures of posts somebody sees covered until they tap.
public enum Covering: String, Sendable, CaseIterable {
    /// Those that their authors cover.
    case marked
    /// None.
    case none
    /// All of them.
    case all
}

/// A picture of a profile, in two formats: a person's picture of themselves as two squares, or the banner above the
/// profile. Anyone with its URL may look at it, except people whom the owner blocks; nobody may once the account is
/// suspended or deleted.
public enum Portrait {
    /// The portrait's identifier. A new picture gets a new one, so that a URL always shows the same picture.
    public typealias ID = Core.ID<Portrait>

    /// The sizes in which portraits are kept.
    package enum Size: String, Sendable, CaseIterable {
        /// 480 px square, for profiles.
        case large = "portrait"
        /// 120 px square, for rows.
        case small = "portrait-small"
        /// The banner, 1,500 × 500 px.
        case banner
    }

    /// Returns the path of a portrait or banner. The browser's `Accept` header chooses the format.
    package static func path(_ id: ID, _ size: Size) -> String {
        switch size {
        case .large: "/portraits/\(id)"
        case .small: "/portraits/\(id)/small"
        case .banner: "/banners/\(id)"
        }
    }
}
