import Core
import People

/// The calls of the JSON interface about guest links and the sending of snaps, and the entities of their answers.
extension SharingFeature {
    package var operations: [Operation] {
        [
            Operation(
                "POST /api/v1/statuses/{id}/guest_link", "Makes a link for guests", .one("GuestLink")),
            Operation(
                "DELETE /api/v1/statuses/{id}/guest_link", "Revokes the link for guests", .object),
        ].about(.statuses)
            + [
                Operation(
                    "POST /api/v1/photos/{id}/guest_link", "Makes a link to a photo for guests",
                    .one("GuestLink")),
                Operation(
                    "DELETE /api/v1/photos/{id}/guest_link", "Revokes the link to a photo for guests", .object
                ),
            ].about(.photos)
            + [
                Operation(
                    "POST /api/v1/snaps/send",
                    "Sends a picture to friends and groups, to each as a view-once photo, and to a feed if one is named",
                    .created("SentSnap"),
                    "account_ids[] chat_ids[] feed_id:text media_id photo_id sample_id:text description:text(0...\(Photo.descriptionLength))",
                    takesKey: true)
            ].map(\.mayBeGone).about(.chats)
    }

    package var schemas: [EntitySchema] {
        [
            EntitySchema("GuestLink", "url:url expires_at:time"),
            EntitySchema("SentSnap", "snap:Snap? messages:Message[]"),
        ]
    }
}
