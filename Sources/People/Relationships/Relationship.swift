import Core

/// The relationship of one account to another, as the first may see it.
package struct Relationship: Sendable, Equatable {
    package var account: Account.ID
    package var follows = false
    var requested = false
    var isFollowedBy = false
    var isRequestedBy = false
    package var blocks = false
    package var isBlockedBy = false
    /// The way in which the viewer mutes the other person; nil when the viewer doesn't.
    package var mute: Mute?
    /// What the viewer wrote about the other person, seen by nobody else; empty for nothing.
    package var note = ""
    /// Whether the viewer features the other person on their profile.
    package var isFeatured = false

    package init(
        account: Account.ID, follows: Bool = false, requested: Bool = false, isFollowedBy: Bool = false,
        isRequestedBy: Bool = false, blocks: Bool = false, isBlockedBy: Bool = false, mute: Mute? = nil,
        note: String = "", isFeatured: Bool = false
    ) {
        self.account = account
        self.follows = follows
        self.requested = requested
        self.isFollowedBy = isFollowedBy
        self.isRequestedBy = isRequestedBy
        self.blocks = blocks
        self.isBlockedBy = isBlockedBy
        self.mute = mute
        self.note = note
        self.isFeatured = isFeatured
    }

    /// Whether the two follow each other. Friends may write to each other and see each other's snaps.
    package var areFriends: Bool { follows && isFollowedBy }
}

/// A change between a follower and the person whom they follow. Every feature is notified in the transaction of the
/// change (``RelationshipService/listeners``).
package enum RelationshipChange: Sendable, Equatable {
    /// The follower asks to follow.
    case asked
    /// The follower follows, without having to ask.
    case began
    /// The followee accepts the follower's request.
    case accepted
    /// The followee accepts everyone who has asked to follow. There is one change for all of them, with the followee in
    /// both places.
    case acceptedAll
    /// The followee declines the follower's request.
    case declined
    /// The follow ends, or, if it wasn't accepted, the request for it.
    case ended(wasAccepted: Bool)
    /// The follower blocks the followee. Follows between them have already ended.
    case blocked
    /// The follower mutes the followee, who must not learn of it. Neither has to follow the other.
    case muted
    /// The follower no longer mutes the followee, who must not learn of it either.
    case unmuted
}
