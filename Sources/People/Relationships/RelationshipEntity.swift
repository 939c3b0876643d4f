import Core
import Serving

extension Entities {
    /// Writes the relationship of one account to another.
    package func relationship(_ relationship: Relationship, into json: inout JSONWriter) {
        json.object { json in
            json.member("id", relationship.account)
            json.member("following", relationship.follows)
            json.member("showing_reblogs", relationship.follows)
            json.member("notifying", false)
            json.emptyArray("languages")
            json.member("followed_by", relationship.isFollowedBy)
            json.member("blocking", relationship.blocks)
            json.member("blocked_by", relationship.isBlockedBy)
            json.member("muting", relationship.mute != nil)
            json.member("muting_notifications", relationship.mute?.hidesNotifications ?? false)
            json.member("requested", relationship.requested)
            json.member("requested_by", relationship.isRequestedBy)
            json.member("domain_blocking", false)
            json.member("endorsed", relationship.isFeatured)
            json.member("note", relationship.note)
        }
    }
}
