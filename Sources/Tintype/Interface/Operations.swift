extension OpenAPI {
    /// Every call of the JSON interface, feature by feature.
    static let allOperations =
        server + accounts + photos + posts + notifications + snaps + chats + emptyLists

    private static let server = [
        Operation("GET /api/openapi.json", "This description", .object, isPublic: true),
        Operation("GET /api/v1/instance", "About this server", .one("Instance"), isPublic: true),
        Operation("GET /api/v2/instance", "About this server", .one("Instance"), isPublic: true),
        Operation("GET /api/nodeinfo/2.0.json", "What software this is", .object, isPublic: true),
        Operation("GET /api/v1/preferences", "How apps begin", .object),
        Operation("GET /api/v1/events", "What happens, with Tintype's own events", .events, "last_event_id"),
        Operation("GET /api/v1/streaming/user", "What happens, in Mastodon's dialect", .events),
        Operation("GET /api/v1/streaming/health", "Whether streams work", .text, isPublic: true),
    ]

    private static let accounts = [
        Operation("GET /api/v1/accounts/verify_credentials", "Oneself", .one("Account")),
        Operation(
            "PATCH /api/v1/accounts/update_credentials", "Changes one's profile", .one("Account"),
            "display_name note locked avatar"),
        Operation(
            "POST /api/v1/accounts/update_credentials", "The same, for apps that send a portrait by POST",
            .one("Account"), "display_name note locked avatar"),
        Operation("GET /api/v1/accounts/lookup", "A person by name", .one("Account"), "acct"),
        Operation(
            "GET /api/v1/accounts/search", "People by the beginning of their names", .list("Account"),
            "q limit"),
        Operation(
            "GET /api/v1/accounts/relationships", "What people are to oneself", .list("Relationship"), "id[]"),
        Operation("GET /api/v1/accounts/{id}", "A person", .one("Account")),
        Operation("GET /api/v1/accounts/{id}/statuses", "Their posts", .page("Status"), "pinned only_media"),
        Operation("GET /api/v1/accounts/{id}/followers", "Who follows them", .page("Account")),
        Operation("GET /api/v1/accounts/{id}/following", "Whom they follow", .page("Account")),
        Operation("POST /api/v1/accounts/{id}/follow", "Follows, or asks to", .one("Relationship")),
        Operation("POST /api/v1/accounts/{id}/unfollow", "Ends following", .one("Relationship")),
        Operation(
            "POST /api/v1/accounts/{id}/remove_from_followers", "Ends being followed", .one("Relationship")),
        Operation("POST /api/v1/accounts/{id}/block", "Blocks", .one("Relationship")),
        Operation("POST /api/v1/accounts/{id}/unblock", "Takes a block back", .one("Relationship")),
        Operation("GET /api/v1/blocks", "Whom one blocks", .page("Account")),
        Operation("GET /api/v1/follow_requests", "Who asks to follow", .page("Account")),
        Operation("POST /api/v1/follow_requests/{id}/authorize", "Accepts a follower", .one("Relationship")),
        Operation("POST /api/v1/follow_requests/{id}/reject", "Declines a follower", .one("Relationship")),
        Operation(
            "GET /api/v2/search", "People; posts and hashtags are not searched", .one("Search"),
            "q type limit"),
        Operation(
            "POST /api/v1/reports", "Reports a person, posts, a snap or a message", .one("Report"),
            "account_id status_ids[] snap_id message_id chat_id comment category"),
    ]

    private static let photos = [
        Operation(
            "POST /api/v1/media", "Uploads a picture", .one("MediaAttachment"),
            "file description purpose kind", takesKey: true),
        Operation(
            "POST /api/v2/media", "Uploads a picture", .one("MediaAttachment"),
            "file description purpose kind", takesKey: true),
        Operation("GET /api/v1/media/{id}", "One's own photo", .one("MediaAttachment")),
        Operation("PUT /api/v1/media/{id}", "Describes a photo", .one("MediaAttachment"), "description"),
        Operation("GET /api/v1/photos", "One's library", .page("MediaAttachment"), "kind[]"),
        Operation("GET /api/v1/photos/{id}", "One's own photo", .one("MediaAttachment")),
        Operation("GET /api/v1/photos/{id}/original", "The untouched original", .picture),
        Operation("DELETE /api/v1/photos/{id}", "Deletes a photo", .object, "force"),
    ]

    private static let posts = [
        Operation("GET /api/v1/timelines/home", "Own posts and those of followed people", .page("Status")),
        Operation(
            "GET /api/v1/timelines/public", "What everyone here may see", .page("Status"), "local only_media"),
        Operation("GET /api/v1/bookmarks", "What one saved", .page("Status")),
        Operation("GET /api/v1/favourites", "What one likes", .page("Status")),
        Operation(
            "POST /api/v1/statuses", "Posts photos, or comments", .one("Status"),
            "status media_ids[] visibility in_reply_to_id", takesKey: true),
        Operation("GET /api/v1/statuses/{id}", "A post or comment", .one("Status")),
        Operation("PUT /api/v1/statuses/{id}", "Changes a caption", .one("Status"), "status"),
        Operation("DELETE /api/v1/statuses/{id}", "Deletes a post or comment", .one("Status")),
        Operation("GET /api/v1/statuses/{id}/context", "What stands above and below", .one("Context")),
        Operation("GET /api/v1/statuses/{id}/favourited_by", "Who likes it", .page("Account")),
        Operation("GET /api/v1/statuses/{id}/reblogged_by", "Always empty", .list("Nothing")),
        Operation("POST /api/v1/statuses/{id}/favourite", "Likes", .one("Status")),
        Operation("POST /api/v1/statuses/{id}/unfavourite", "Takes a like back", .one("Status")),
        Operation("POST /api/v1/statuses/{id}/bookmark", "Saves", .one("Status")),
        Operation("POST /api/v1/statuses/{id}/unbookmark", "Takes a save back", .one("Status")),
        Operation(
            "POST /api/v1/statuses/{id}/reblog", "Refused: posts aren't passed on here", .one("Status")),
        Operation(
            "POST /api/v1/statuses/{id}/unreblog", "Refused: posts aren't passed on here", .one("Status")),
        Operation("POST /api/v1/statuses/{id}/guest_link", "Makes a link for guests", .one("GuestLink")),
        Operation("DELETE /api/v1/statuses/{id}/guest_link", "Revokes the link for guests", .object),
    ]

    private static let notifications = [
        Operation(
            "GET /api/v1/notifications", "What has happened", .page("Notification"),
            "types[] exclude_types[] account_id"),
        Operation("GET /api/v1/notifications/unread_count", "How much is unread", .one("Unread")),
        Operation("GET /api/v1/notifications/{id}", "One of them", .one("Notification")),
        Operation("POST /api/v1/notifications/clear", "Takes all away", .object),
        Operation("POST /api/v1/notifications/{id}/dismiss", "Takes one away", .object),
        Operation("GET /api/v1/markers", "How far one has read", .one("Markers"), "timeline[]"),
        Operation(
            "POST /api/v1/markers", "Notes how far one has read", .one("Markers"),
            "home[last_read_id] notifications[last_read_id]"),
    ]

    private static let snaps = [
        Operation("GET /api/v1/snap_feeds", "The feeds, in order", .list("SnapFeed")),
        Operation("GET /api/v1/snap_samples", "The predefined pictures", .list("SnapSample")),
        Operation("GET /api/v1/snaps", "Snaps by feed, every feed present", .list("SnapSection")),
        Operation(
            "POST /api/v1/snaps",
            "Posts a snap to one feed: an upload, an own photo or a predefined picture", .created("Snap"),
            "feed_id media_id photo_id sample_id description", takesKey: true),
        Operation("DELETE /api/v1/snaps/{id}", "Deletes one's own snap", .object),
        Operation("POST /api/v1/snaps/{id}/open", "Opens a snap, once", .one("SnapView")),
        Operation("POST /api/v1/snaps/{id}/shown", "The page has drawn it: no more fetching", .nothing),
        Operation("POST /api/v1/snaps/{id}/close", "Uses the snap up", .nothing),
        Operation("GET /api/v1/snaps/{id}/viewers", "Who has viewed one's snap", .page("SnapViewer")),
        Operation(
            "GET /api/v1/snap_views/{view}",
            "The bytes, to the log-in that opened it, for 30 seconds or until shown", .picture),
    ]

    private static let chats = [
        Operation("GET /api/v1/chats", "Conversations", .page("Chat"), "requests q"),
        Operation("POST /api/v1/chats", "Opens a conversation", .one("Chat"), "account_id"),
        Operation("GET /api/v1/chats/{id}", "A conversation", .one("Chat")),
        Operation("DELETE /api/v1/chats/{id}", "Drops a request or conversation", .object),
        Operation("POST /api/v1/chats/{id}/accept", "Takes a request", .one("Chat")),
        Operation(
            "POST /api/v1/chats/{id}/delivered", "Notes what has arrived", .object, "last_delivered_id"),
        Operation("POST /api/v1/chats/{id}/read", "Notes how far one has read", .object, "last_read_id"),
        Operation("POST /api/v1/chats/{id}/typing", "Tells that one writes", .object),
        Operation("GET /api/v1/chats/{id}/messages", "History", .page("Message")),
        Operation(
            "POST /api/v1/chats/{id}/messages", "Sends a message", .created("Message"),
            "text photo_id media_id view_once reply_to_id", takesKey: true),
        Operation("GET /api/v1/chats/{id}/messages/{message}", "A message", .one("Message")),
        Operation("DELETE /api/v1/chats/{id}/messages/{message}", "Deletes one's message for both", .object),
        Operation(
            "POST /api/v1/chats/{id}/messages/{message}/save", "Puts its photo into one's library",
            .one("MediaAttachment")),
        Operation(
            "PUT /api/v1/chats/{id}/messages/{message}/reaction",
            "Reacts to a message with one emoji, in place of an earlier one", .one("Message"), "emoji"),
        Operation(
            "DELETE /api/v1/chats/{id}/messages/{message}/reaction", "Takes one's reaction back",
            .one("Message")),
        Operation(
            "POST /api/v1/chats/{id}/messages/{message}/open", "Opens a picture, once", .one("SnapView")),
        Operation("POST /api/v1/chats/{id}/messages/{message}/shown", "The page has drawn it", .nothing),
        Operation("POST /api/v1/chats/{id}/messages/{message}/close", "Uses the picture up", .nothing),
        Operation("GET /api/v1/once_views/{view}", "The bytes, under an open view", .picture),
        Operation("GET /api/v1/conversations", "Conversations as Mastodon knows them", .page("Conversation")),
        Operation("POST /api/v1/conversations/{id}/read", "Marks all of one as read", .one("Conversation")),
        Operation("DELETE /api/v1/conversations/{id}", "Takes one out of one's list", .object),
        Operation("GET /api/v1/timelines/between", "Photos sent and received", .page("Exchange")),
    ]

    /// What Mastodon has and Tintype has not: apps ask for it at their start, for some before anyone is logged in.
    static let emptyLists =
        ["v1/custom_emojis", "v1/instance/peers", "v1/instance/rules"].map { emptyList($0, isPublic: true) }
        + [
            "v1/lists", "v1/followed_tags", "v1/mutes", "v1/announcements", "v1/trends/tags",
            "v1/trends/statuses", "v1/trends/links", "v1/suggestions", "v1/filters", "v2/filters",
            "v1/scheduled_statuses", "v1/accounts/{id}/featured_tags", "v1/accounts/{id}/lists",
            "v1/accounts/familiar_followers", "v1/timelines/tag/{tag}",
        ].map { emptyList($0, isPublic: false) }

    private static func emptyList(_ path: String, isPublic: Bool) -> Operation {
        Operation("GET /api/\(path)", "Always empty", .list("Nothing"), isPublic: isPublic)
    }
}
