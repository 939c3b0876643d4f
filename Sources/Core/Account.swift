import Foundation

/// A person on this server.
public struct Account: Sendable, Hashable {
    /// The account's identifier; its time is when the person signed up.
    public typealias ID = Core.ID<Account>

    /// Identifier.
    public let id: ID
    /// Unique without regard to case: letters, digits, dots and underscores, 1 to 30.
    public var username: String
    /// The name as the person writes it, 1 to 50 characters.
    public var displayName: String
    /// A few words about themselves, at most 500 characters.
    public var bio: String
    /// The portrait's pictures, nil for initials on a colour.
    public var portrait: Portrait.ID?
    /// May see reports, remove content and suspend accounts.
    public var isAdmin: Bool
    /// Followers have to be accepted.
    public var approvesFollowers: Bool
    /// Taken out of sight by an administrator.
    public var isSuspended: Bool
    /// Posts, comments not counted.
    public var postsCount: Int
    /// Accepted followers.
    public var followersCount: Int
    /// Accounts that accepted this one as a follower.
    public var followingCount: Int
    /// When the newest post was posted, nil before the first.
    public var lastPostAt: Date?
}

/// A person's picture of themselves: two squares in two formats. Who has its URL may look, but for those whom the
/// person blocks; nobody may once the account is suspended or given up.
public enum Portrait {
    /// The portrait's identifier; a new picture gets a new one, so that its URL never changes meaning.
    public typealias ID = Core.ID<Portrait>

    /// The sizes in which portraits are kept.
    package enum Size: String, Sendable, CaseIterable {
        /// 480 px square, for profiles.
        case large = "portrait"
        /// 120 px square, for rows.
        case small = "portrait-small"
    }

    /// Where the server offers it. The browser's `Accept` header chooses the format.
    static func path(_ id: ID, _ size: Size) -> String {
        size == .large ? "/portraits/\(id)" : "/portraits/\(id)/small"
    }
}
