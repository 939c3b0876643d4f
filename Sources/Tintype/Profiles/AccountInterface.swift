/// The calls of the JSON interface, and what they answer with.
extension ProfilesFeature {
    static let operations = [
        Operation("GET /api/v1/accounts/verify_credentials", "Your account", .one("Account")),
        Operation(
            "PATCH /api/v1/accounts/update_credentials", "Changes your profile", .one("Account"),
            "display_name note locked avatar"),
        Operation(
            "POST /api/v1/accounts/update_credentials", "The same, for apps that send a portrait by POST",
            .one("Account"), "display_name note locked avatar"),
        Operation("GET /api/v1/accounts/lookup", "A person by name", .one("Account"), "acct"),
        Operation(
            "GET /api/v1/accounts/search", "People by the beginning of their names", .list("Account"),
            "q limit"),
        Operation(
            "GET /api/v1/accounts/relationships", "How accounts relate to you", .list("Relationship"), "id[]"),
        Operation("GET /api/v1/accounts/{id}", "A person", .one("Account")),
        Operation("GET /api/v1/accounts/{id}/statuses", "Their posts", .page("Status"), "pinned only_media"),
        Operation("GET /api/v1/accounts/{id}/followers", "The account's followers", .page("Account")),
        Operation("GET /api/v1/accounts/{id}/following", "People the account follows", .page("Account")),
        Operation("POST /api/v1/accounts/{id}/follow", "Follows, or asks to", .one("Relationship")),
        Operation("POST /api/v1/accounts/{id}/unfollow", "Ends following", .one("Relationship")),
        Operation(
            "POST /api/v1/accounts/{id}/remove_from_followers", "Ends being followed", .one("Relationship")),
        Operation("POST /api/v1/accounts/{id}/block", "Blocks", .one("Relationship")),
        Operation("POST /api/v1/accounts/{id}/unblock", "Removes a block", .one("Relationship")),
        Operation("GET /api/v1/blocks", "People you block", .page("Account")),
        Operation("GET /api/v1/follow_requests", "People who ask to follow you", .page("Account")),
        Operation("POST /api/v1/follow_requests/{id}/authorize", "Accepts a follower", .one("Relationship")),
        Operation("POST /api/v1/follow_requests/{id}/reject", "Declines a follower", .one("Relationship")),
        Operation(
            "GET /api/v2/search", "People; posts and hashtags are not searched", .one("Search"),
            "q type limit"),
    ]

    static let schemas = [
        EntitySchema(
            "Account",
            """
            id:id username:text acct:text display_name:text locked:flag bot:flag discoverable:flag group:flag
            created_at:time note:text url:url uri:url avatar:url avatar_static:url header:url header_static:url
            followers_count:count following_count:count statuses_count:count last_status_at:day? website:text
            local:flag is_admin:flag emojis:object[] fields:object[] source*:object role*:object
            """),
        EntitySchema(
            "Relationship",
            """
            id:id following:flag showing_reblogs:flag notifying:flag languages:text[] followed_by:flag
            blocking:flag blocked_by:flag muting:flag muting_notifications:flag requested:flag requested_by:flag
            domain_blocking:flag endorsed:flag note:text
            """),
        EntitySchema("Search", "accounts:Account[] statuses:Status[] hashtags:object[]"),
    ]
}
