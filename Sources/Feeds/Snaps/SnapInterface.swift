import Core
import People

/// The calls of the JSON interface about snaps, and the entities of their answers.
extension SnapsFeature {
    package var operations: [Operation] {
        [
            Operation("GET /api/v1/snap_feeds", "The feeds, in order", .list("SnapFeed")),
            Operation("GET /api/v1/snap_samples", "The predefined pictures", .list("SnapSample")),
            Operation("GET /api/v1/snaps", "Snaps by feed, every feed present", .list("SnapSection")),
            Operation(
                "POST /api/v1/snaps",
                "Posts a snap to one feed: an upload, an own photo or a predefined picture", .created("Snap"),
                "feed_id!:text(1...) media_id photo_id sample_id:text description:text(0...\(Photo.descriptionLength))",
                takesKey: true),
            Operation("DELETE /api/v1/snaps/{id}", "Deletes your snap", .object),
            Operation("POST /api/v1/snaps/{id}/open", "Opens a snap, once", .one("SnapView")),
            Operation("POST /api/v1/snaps/{id}/shown", "Reports that the picture is shown", .nothing),
            Operation("POST /api/v1/snaps/{id}/close", "Closes the snap for good", .nothing),
            Operation("GET /api/v1/snaps/{id}/viewers", "People who viewed your snap", .page("SnapViewer")),
            Operation(
                "GET /api/v1/snap_views/{view}",
                "The bytes, to the log-in that opened it, for 30 seconds or until shown", .picture),
        ].map(\.mayBeGone).about(.snaps) + SnapStories.operations.about(.snaps)
    }

    package var schemas: [EntitySchema] {
        [
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
            EntitySchema("SnapReference", "id:id feed_id:text"),
        ] + SnapStories.schemas
    }
}
