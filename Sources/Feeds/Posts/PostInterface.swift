import Core

/// The calls of the JSON interface about posts, and the entities of their answers.
extension PostsFeature {
    /// The parameters of a new and of a changed post.
    private static let words =
        "status media_ids[] visibility sensitive:flag spoiler_text language findable:flag"

    package var operations: [Operation] {
        [
            Operation(
                "GET /api/v1/timelines/home", "Your posts and those of people you follow", .page("Status")),
            Operation(
                "GET /api/v1/timelines/public", "Posts for everyone here", .page("Status"),
                "local:flag only_media:flag"
            ),
            Operation(
                "GET /api/v1/preferences",
                "What your new posts begin with, and which pictures you see covered",
                .object, scope: .read(.accounts)),
            Operation("GET /api/v1/bookmarks", "Posts you saved", .page("Status"), scope: .read(.bookmarks)),
            Operation("GET /api/v1/favourites", "Posts you like", .page("Status"), scope: .read(.favourites)),
            Operation(
                "POST /api/v1/statuses", "Posts photos, or comments", .one("Status"),
                "\(Self.words) in_reply_to_id", takesKey: true),
            Operation("GET /api/v1/statuses/{id}", "A post or comment", .one("Status")),
            Operation(
                "PUT /api/v1/statuses/{id}",
                "Changes the words, the cover, the photos, who sees a post, or who finds the photos",
                .one("Status"),
                "\(Self.words) media_attributes[]"),
            Operation("DELETE /api/v1/statuses/{id}", "Deletes a post or comment", .one("Status")),
            Operation("GET /api/v1/statuses/{id}/context", "The thread around a post", .one("Context")),
            Operation(
                "GET /api/v1/statuses/{id}/source", "The text of a post or comment", .one("StatusSource")),
            Operation(
                "GET /api/v1/statuses/{id}/history",
                "What a post said before its caption was changed, for its author; for others the present words",
                .list("StatusEdit")),
            Operation(
                "POST /api/v1/statuses/{id}/pin", "Puts your post first on your profile", .one("Status"),
                scope: .write(.accounts)),
            Operation(
                "POST /api/v1/statuses/{id}/unpin", "Unpins your post", .one("Status"),
                scope: .write(.accounts)),
            Operation(
                "POST /api/v1/statuses/{id}/mute", "Ends notifications about a thread", .one("Status"),
                scope: .write(.mutes)),
            Operation(
                "POST /api/v1/statuses/{id}/unmute", "Unmutes a thread", .one("Status"), scope: .write(.mutes)
            ),
            Operation(
                "GET /api/v1/statuses/{id}/favourited_by", "People who like the post", .page("Account")),
            Operation("GET /api/v1/statuses/{id}/reblogged_by", "Always empty", .list("Nothing")),
            Operation(
                "POST /api/v1/statuses/{id}/favourite", "Likes", .one("Status"), scope: .write(.favourites)),
            Operation(
                "POST /api/v1/statuses/{id}/unfavourite", "Removes a like", .one("Status"),
                scope: .write(.favourites)),
            Operation(
                "POST /api/v1/statuses/{id}/bookmark", "Saves", .one("Status"), scope: .write(.bookmarks)),
            Operation(
                "POST /api/v1/statuses/{id}/unbookmark", "Removes a save", .one("Status"),
                scope: .write(.bookmarks)),
        ].about(.statuses)
    }

    package var schemas: [EntitySchema] {
        [
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
            EntitySchema(
                "StatusSource",
                "id:id text:text spoiler_text:text sensitive:flag language:text? visibility:text findable*:flag"
            ),
            EntitySchema(
                "StatusEdit",
                """
                content:text spoiler_text:text sensitive:flag created_at:time account:Account
                media_attachments:MediaAttachment[] emojis:object[]
                """),
            EntitySchema("Mention", "id:id username:text url:url acct:text"),
            EntitySchema("Context", "ancestors:Status[] descendants:Status[]"),
        ]
    }
}
