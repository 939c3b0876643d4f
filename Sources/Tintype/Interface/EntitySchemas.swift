extension OpenAPI {
    /// Every entity of the JSON interface, with the members that it always has. A test compares them with what
    /// the server really answers.
    static let schemas =
        [
            EntitySchema(
                "Instance",
                """
                title:text version:text description:text configuration:object languages:text[] rules:object[]
                uri*:text short_description*:text email*:text urls*:object stats*:object approval_required*:flag
                invites_enabled*:flag domain*:text source_url*:text usage*:object contact*:object
                """),
            EntitySchema("Nothing", ""),
            EntitySchema("Unread", "count:count"),
        ] + people + pictures + posts + told + snaps + chats

    private static let people = [
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
        EntitySchema(
            "Report",
            """
            id:id action_taken:flag action_taken_at:time? category:text comment:text forwarded:flag
            created_at:time status_ids:id[] rule_ids:id[]? target_account:Account snap_id*:id message_id*:id
            chat_id*:id
            """),
    ]

    private static let pictures = [
        EntitySchema(
            "MediaAttachment",
            """
            id:id type:text url:url? preview_url:url? remote_url:url? text_url:url? meta:object description:text?
            blurhash:text? preview_remote_url*:url? purpose*:text expires_at*:time kind*:text created_at*:time
            captured_at*:time? place*:object?
            """)
    ]

    private static let posts = [
        EntitySchema(
            "Status",
            """
            id:id created_at:time in_reply_to_id:id? in_reply_to_account_id:id? sensitive:flag spoiler_text:text
            visibility:text language:text? uri:url url:url replies_count:count reply_count:count
            reblogs_count:count favourites_count:count favourited:flag bookmarked:flag reblogged:flag muted:flag
            pinned:flag edited_at:time? content:text text*:text account:Account media_attachments:MediaAttachment[]
            mentions:Mention[] tags:object[] emojis:object[] filtered:object[] reblog:object? application:object?
            card:object? poll:object? liked_by:object? pf_type:text
            """),
        EntitySchema("Mention", "id:id username:text url:url acct:text"),
        EntitySchema("Context", "ancestors:Status[] descendants:Status[]"),
        EntitySchema("GuestLink", "url:url expires_at:time"),
    ]

    private static let told = [
        EntitySchema(
            "Notification",
            "id:id type:text created_at:time group_key:text account:Account status*:Status snap*:SnapReference"
        ),
        EntitySchema("SnapReference", "id:id feed_id:text"),
        EntitySchema("Markers", "home*:Marker notifications*:Marker"),
        EntitySchema("Marker", "last_read_id:id version:count updated_at:time"),
    ]

    private static let snaps = [
        EntitySchema("SnapFeed", "id:text title:text unread_count:count"),
        EntitySchema("SnapSample", "id:text kind:text url:url description:text"),
        EntitySchema("SnapSection", "feed:SnapFeed snaps:Snap[]"),
        EntitySchema(
            "Snap",
            """
            id:id feed_id:text account:Account created_at:time expires_at:time read:flag own:flag
            viewers_count:count?
            """),
        EntitySchema("SnapViewer", "account:Account opened_at:time"),
        EntitySchema("SnapView", "view:Look"),
        EntitySchema("Look", "id:text url:url expires_at:time description:text?"),
    ]

    private static let chats = [
        EntitySchema(
            "Chat",
            """
            id:id account:Account request:flag messages_count:count unread_count:count last_read_id:id
            peer:ChatMarks last_message:Message?
            """),
        EntitySchema("ChatMarks", "last_delivered_id:id last_read_id:id read_at:time?"),
        EntitySchema(
            "Message",
            """
            id:id chat_id:id number:count account_id:id created_at:time text:text content:text emoji_only:flag
            photo:MediaAttachment? view_once:flag opened:flag expired:flag in_reply_to_id:id? in_reply_to:Quote?
            reactions:Reaction[] request*:flag idempotency_key*:text?
            """),
        EntitySchema(
            "Quote", "id:id account_id:id text:text preview_url:url? photo_id:id? view_once:flag"),
        EntitySchema("Reaction", "account_id:id emoji:text"),
        EntitySchema("Conversation", "id:id unread:flag accounts:Account[] last_status:Status?"),
        EntitySchema(
            "Exchange",
            """
            id:id chat_id:id created_at:time sender:Account recipient:Account photo:MediaAttachment
            messages_count:count
            """),
    ]
}
