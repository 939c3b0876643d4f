import Core
import Feeds
import People

/// The calls of the JSON interface about accounts, and the entities of their answers.
extension ProfilesFeature {
    package var operations: [Operation] {
        [
            Operation("GET /api/v1/accounts/verify_credentials", "Your account", .one("Account")),
            Operation(
                "PATCH /api/v1/accounts/update_credentials", "Changes your profile", .one("Account"),
                Self.changes
            ),
            Operation(
                "POST /api/v1/accounts/update_credentials",
                "Changes your profile, for apps that send a portrait by POST",
                .one("Account"),
                Self.changes
            ),
            Operation("DELETE /api/v1/profile/avatar", "Removes your portrait", .one("Account")),
            Operation(
                "DELETE /api/v1.1/accounts/avatar", "Removes your portrait, as pixelfed-rn asks",
                .one("Account")),
            Operation("DELETE /api/v1/profile/header", "Removes your banner", .one("Account")),
            Operation(
                "GET /api/v1/accounts", "People by their ids, as far as you can see them", .list("Account"),
                "id[]:text"),
            Operation(
                "GET /api/v1/directory", "People who want to be found", .list("Account"),
                "order:active|new offset:0...999 limit local:flag", scope: .read()),
            Operation("GET /api/v1/accounts/lookup", "A person by name", .one("Account"), "acct"),
            Operation(
                "GET /api/v1/accounts/search", "People by the beginning of their names", .list("Account"),
                "q limit offset:limit following:flag resolve:flag"),
            Operation(
                "GET /api/v1/accounts/relationships", "How accounts relate to you", .list("Relationship"),
                "id[]:text",
                scope: .read(.follows)),
            Operation("GET /api/v1/accounts/{id}", "A person", .one("Account")),
            Operation(
                "GET /api/v1/accounts/{id}/statuses", "Their posts", .page("Status"),
                "pinned:flag only_media:flag tagged",
                scope: .read(.statuses)),
            Operation("GET /api/v1/accounts/{id}/followers", "The account's followers", .page("Account")),
            Operation("GET /api/v1/accounts/{id}/following", "People the account follows", .page("Account")),
            Operation(
                "GET /api/v1/accounts/{id}/endorsements", "People on a profile", .page("Account")),
            Operation("GET /api/v1/endorsements", "People on your profile", .page("Account")),
            Operation(
                "POST /api/v1/accounts/{id}/endorse", "Puts someone whom you follow on your profile",
                .one("Relationship")),
            Operation(
                "POST /api/v1/accounts/{id}/unendorse", "Takes someone off your profile", .one("Relationship")
            ),
            Operation(
                "POST /api/v1/accounts/{id}/pin", "Puts someone whom you follow on your profile",
                .one("Relationship")),
            Operation(
                "POST /api/v1/accounts/{id}/unpin", "Takes someone off your profile", .one("Relationship")),
            Operation(
                "POST /api/v1/accounts/{id}/follow", "Follows, or asks to", .one("Relationship"),
                scope: .write(.follows)),
            Operation(
                "POST /api/v1/accounts/{id}/unfollow", "Ends following", .one("Relationship"),
                "unless_waiting:flag",
                scope: .write(.follows)),
            Operation(
                "POST /api/v1/accounts/{id}/remove_from_followers", "Removes someone from your followers",
                .one("Relationship"),
                scope: .write(.follows)),
            Operation(
                "POST /api/v1/accounts/{id}/block", "Blocks", .one("Relationship"), scope: .write(.blocks)),
            Operation(
                "POST /api/v1/accounts/{id}/unblock", "Removes a block", .one("Relationship"),
                scope: .write(.blocks)),
            Operation(
                "POST /api/v1/accounts/{id}/mute", "Hides what someone posts and does", .one("Relationship"),
                "notifications:flag duration:\(Mute.durations)", scope: .write(.mutes)),
            Operation(
                "POST /api/v1/accounts/{id}/unmute", "Removes a mute", .one("Relationship"),
                scope: .write(.mutes)),
            Operation(
                "POST /api/v1/accounts/{id}/note", "Writes a note about someone, which only you see",
                .one("Relationship"), "comment:text(0...\(NoteRules.length))"),
            Operation("GET /api/v1/mutes", "People you mute", .page("MutedAccount"), scope: .read(.mutes)),
            Operation(
                "GET /api/v1/suggestions", "People you may know", .list("Account"), "limit", scope: .read()),
            Operation(
                "GET /api/v1.1/discover/accounts/popular", "People you may know, as Pixelfed's apps ask",
                .list("Account"), "limit", scope: .read()),
            Operation(
                "GET /api/v2/suggestions", "People you may know", .list("Suggestion"), "limit", scope: .read()
            ),
            Operation("DELETE /api/v1/suggestions/{id}", "Takes someone out of the suggestions", .object),
            Operation(
                "GET /api/v1.1/accounts/username/{username}", "A person by name, as pixelfed-rn asks",
                .one("Account")),
            Operation(
                "GET /api/v1.1/accounts/mutuals/{id}", "People you follow who follow them", .list("Account"),
                scope: .read(.follows)),
            Operation(
                "GET /api/v1/accounts/familiar_followers", "People you follow who follow others",
                .list("FamiliarFollowers"), "id[]:text", scope: .read(.follows)),
            Operation("GET /api/v1/blocks", "People you block", .page("Account"), scope: .read(.blocks)),
            Operation(
                "GET /api/v1/follow_requests", "People who ask to follow you", .page("Account"),
                scope: .read(.follows)),
            Operation(
                "POST /api/v1/follow_requests/{id}/authorize", "Accepts a follower", .one("Relationship"),
                scope: .write(.follows)),
            Operation(
                "POST /api/v1/follow_requests/{id}/reject", "Declines a follower", .one("Relationship"),
                scope: .write(.follows)),
            Operation(
                "GET /api/v2/search", "People, posts and hashtags", .one("Search"),
                "q type limit offset:limit max_id since_id min_id account_id:id following:flag resolve:flag",
                scope: .read(.search)),
        ].about(.accounts)
    }

    /// The parameters with which a profile is changed.
    private static let changes = """
        display_name:line(\(AccountRules.displayNameLength)) note:text(\(AccountRules.bioLength)) locked:flag \
        discoverable:flag avatar:file header:file \
        fields_attributes[][name]:line(0...\(ProfileField.mostCharacters)) \
        fields_attributes[][value]:line(0...\(ProfileField.mostCharacters)) \
        source[privacy]:\(Post.Visibility.allCases.map(\.rawValue).joined(separator: "|")) \
        source[sensitive]:flag source[language]:language
        """

    private static let accountMembers = """
        id:id username:text acct:text display_name:text locked:flag bot:flag discoverable:flag group:flag
        created_at:time note:text url:url uri:url avatar:url avatar_static:url header:url header_static:url
        followers_count:count following_count:count statuses_count:count last_status_at:day? website:text
        local:flag is_admin:flag emojis:object[] fields:object[] source*:object role*:object
        """

    package var schemas: [EntitySchema] {
        [
            EntitySchema("Account", Self.accountMembers),
            EntitySchema(
                "Relationship",
                """
                id:id following:flag showing_reblogs:flag notifying:flag languages:text[] followed_by:flag
                blocking:flag blocked_by:flag muting:flag muting_notifications:flag requested:flag requested_by:flag
                domain_blocking:flag endorsed:flag note:text
                """),
            EntitySchema("FamiliarFollowers", "id:id accounts:Account[]"),
            EntitySchema("Suggestion", "source:text sources:text[] account:Account"),
            EntitySchema("MutedAccount", Self.accountMembers + " mute_expires_at:time?"),
            EntitySchema("Search", "accounts:Account[] statuses:Status[] hashtags:object[]"),
        ]
    }
}
