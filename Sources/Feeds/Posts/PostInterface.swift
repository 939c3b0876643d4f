import Core
import People

/// The calls of the JSON interface about posts, and the entities of their answers.
extension PostsFeature {
    /// The parameters of a new and of a changed post.
    private static let words = """
        status:text(0...\(PostRules.captionLength)) media_ids[] sensitive:flag \
        spoiler_text:text(0...\(PostRules.warningLength)) language:language findable:flag
        """
    private static let audiences = Post.Visibility.allCases.map(\.rawValue).joined(separator: "|")

    package var operations: [Operation] {
        [
            Operation(
                "GET /api/v1/timelines/home", "Your posts and those of people you follow", .page("Status")),
            Operation(
                "GET /api/v1/timelines/public", "Posts for everyone here", .page("Status"),
                "local:flag only_media:flag"
            ),
            Operation(
                "GET /api/v1/timelines/list/{id}", "Posts of the people in one of your lists",
                .page("Status"),
                scope: .read(.lists)),
            Operation(
                "GET /api/v1/timelines/tag/{hashtag}", "Posts with a hashtag that you may see",
                .page("Status"),
                "any[] all[] none[] local:flag remote:flag only_media:flag"),
            Operation(
                "GET /api/v1/tags/{name}", "A hashtag, with its posts of the last seven days", .one("Tag"),
                scope: .read(.follows)),
            Operation(
                "POST /api/v1/tags/{name}/follow", "Shows posts for everyone with a hashtag on Home",
                .one("Tag"), scope: .write(.follows)),
            Operation(
                "POST /api/v1/tags/{name}/unfollow", "Unfollows a hashtag", .one("Tag"),
                scope: .write(.follows)),
            Operation(
                "POST /api/v1/tags/{name}/feature", "Puts a hashtag on your profile", .one("Tag"),
                scope: .write(.accounts)),
            Operation(
                "POST /api/v1/tags/{name}/unfeature", "Removes a hashtag from your profile", .one("Tag"),
                scope: .write(.accounts)),
            Operation(
                "GET /api/v1/followed_tags", "Hashtags you follow", .page("Tag"), scope: .read(.follows)),
            Operation(
                "GET /api/v1/featured_tags", "Hashtags on your profile", .list("FeaturedTag"),
                scope: .read(.accounts)),
            Operation(
                "POST /api/v1/featured_tags", "Puts a hashtag on your profile", .one("FeaturedTag"), "name!",
                scope: .write(.accounts)),
            Operation(
                "DELETE /api/v1/featured_tags/{id}", "Removes a hashtag from your profile", .object,
                scope: .write(.accounts)),
            Operation(
                "GET /api/v1/featured_tags/suggestions", "Hashtags you use most and don’t feature",
                .list("Tag"), scope: .read(.accounts)),
            Operation(
                "GET /api/v1/accounts/{id}/featured_tags", "Hashtags on a profile", .list("FeaturedTag"),
                scope: .read(.accounts)),
            Operation(
                "GET /api/v1/trends/tags", "Hashtags of the newest posts for everyone here, most used first",
                .list("Tag"), "limit:count"),
            Operation(
                "GET /api/v1.1/discover/posts/hashtags",
                "Hashtags of the newest posts for everyone here, as Pixelfed's apps ask",
                .list("PopularTag")),
            Operation(
                "GET /api/v1.1/discover/posts/trending",
                "The most liked posts for everyone here, as Pixelfed's apps ask",
                .list("Status"), "range:daily|monthly|yearly"),
            Operation(
                "GET /api/v1.1/discover/posts/network/trending", "The most liked posts for everyone here",
                .list("Status"), "range:daily|monthly|yearly"),
            Operation(
                "GET /api/v1/preferences",
                "What your new posts begin with, and which pictures you see covered",
                .object, scope: .read(.accounts)),
            Operation("GET /api/v1/bookmarks", "Posts you saved", .page("Status"), scope: .read(.bookmarks)),
            Operation("GET /api/v1/favourites", "Posts you like", .page("Status"), scope: .read(.favourites)),
            Operation(
                "POST /api/v1/statuses", "Posts photos, comments, or sends a message", .one("Status"),
                "\(Self.words) visibility:\(Self.audiences)|\(PostRules.direct) in_reply_to_id",
                takesKey: true),
            Operation(
                "GET /api/v1/statuses", "Posts and comments by their ids, as far as you can see them",
                .list("Status"), "id[]:text"),
            Operation("GET /api/v1/statuses/{id}", "A post, comment or message", .one("Status")),
            Operation(
                "PUT /api/v1/statuses/{id}",
                "Changes the words, the cover, the photos, who sees a post, or who finds the photos",
                .one("Status"),
                """
                \(Self.words) visibility:\(Self.audiences) media_attributes[]:object media_attributes[][id]:id \
                media_attributes[][description]:text(0...\(Photo.descriptionLength)) media_attributes[][focus]
                """),
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
        ].about(.statuses) + FilterAPI.operations
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
                mentions:Mention[] tags:StatusTag[] emojis:object[] filtered:FilterResult[] reblog:object? application:object?
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
            EntitySchema("StatusTag", "name:text url:url"),
            EntitySchema("Tag", "id:text name:text url:url history:TagDay[] following:flag featuring:flag"),
            EntitySchema("PopularTag", "id:text total:count name:text hashtag:text url:url"),
            EntitySchema("TagDay", "day:text uses:text accounts:text"),
            EntitySchema("FeaturedTag", "id:id name:text url:url statuses_count:text last_status_at:day?"),
            EntitySchema("Context", "ancestors:Status[] descendants:Status[]"),
        ] + FilterAPI.schemas
    }
}
