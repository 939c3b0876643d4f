import Core

/// What one account is to another, as seen by the first.
package struct Relationship: Sendable, Equatable {
    package var account: Account.ID
    package var follows = false
    var requested = false
    var isFollowedBy = false
    var isRequestedBy = false
    package var blocks = false
    package var isBlockedBy = false
    /// How the viewer mutes the other; nil when the viewer doesn't.
    package var mute: Mute?

    package init(
        account: Account.ID, follows: Bool = false, requested: Bool = false, isFollowedBy: Bool = false,
        isRequestedBy: Bool = false, blocks: Bool = false, isBlockedBy: Bool = false, mute: Mute? = nil
    ) {
        self.account = account
        self.follows = follows
        self.requested = requested
        self.isFollowedBy = isFollowedBy
        self.isRequestedBy = isRequestedBy
        self.blocks = blocks
        self.isBlockedBy = isBlockedBy
        self.mute = mute
    }

    /// Mutual followers: friends, who may write to each other and see each other's snaps.
    package var areFriends: Bool { follows && isFollowedBy }
}

/// What happens between a follower and the one they follow. Every feature hears of it, in the same transaction
/// (``RelationshipService/listeners``).
package enum RelationshipChange: Sendable, Equatable {
    /// The follower asks to follow.
    case asked
    /// The follower follows, without having to ask.
    case began
    /// The followee lets the follower follow, who has asked.
    case accepted
    /// The followee lets everyone follow who has asked; there is one change for all, with the followee in both places.
    case acceptedAll
    /// The followee declines the follower, who has asked.
    case declined
    /// The follow ends, or, if it wasn't accepted, the request for it.
    case ended(wasAccepted: Bool)
    /// The follower blocks the followee. Follows between them have ended before.
    case blocked
    /// The follower mutes the followee, who is not to learn of it. Neither has to follow the other.
    case muted
    /// The follower no longer mutes the followee, who is not to learn of it either.
    case unmuted
}
