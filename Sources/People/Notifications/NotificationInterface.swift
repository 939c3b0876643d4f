import Core

/// The calls of the JSON interface, and the entities of their answers.
extension NotificationsFeature {
    package var operations: [Operation] {
        [
            Operation(
                "GET /api/v1/notifications", "Your notifications", .page("Notification"),
                "types[] exclude_types[] account_id"),
            Operation("GET /api/v1/notifications/unread_count", "How many are unread", .one("Unread")),
            Operation("GET /api/v1/notifications/{id}", "A notification", .one("Notification")),
            Operation("POST /api/v1/notifications/clear", "Dismisses all notifications", .object),
            Operation("POST /api/v1/notifications/{id}/dismiss", "Dismisses a notification", .object),
            Operation(
                "GET /api/v2/notifications", "Your notifications, with what people did to one thing together",
                .one("GroupedNotifications"), "types[] exclude_types[] grouped_types[] account_id limit"),
            Operation("GET /api/v2/notifications/unread_count", "How many are unread", .one("Unread")),
            Operation(
                "GET /api/v2/notifications/{group_key}", "A group of notifications",
                .one("GroupedNotifications")),
            Operation(
                "GET /api/v2/notifications/{group_key}/accounts", "The people behind a group",
                .list("Account")),
            Operation("POST /api/v2/notifications/{group_key}/dismiss", "Dismisses a group", .object),
            Operation(
                "GET /api/v1/markers", "How far you have read", .one("Markers"), "timeline[]",
                scope: .read(.statuses)),
            Operation(
                "POST /api/v1/markers", "Notes how far you have read", .one("Markers"),
                "home[last_read_id] notifications[last_read_id]", scope: .write(.statuses)),
        ].about(.notifications)
    }

    package var schemas: [EntitySchema] {
        let members = Set(notifications.kinds.all.compactMap(\.member)).sorted().joined(separator: " ")
        return [
            EntitySchema(
                "Notification",
                "id:id type:text created_at:time group_key:text account:Account \(members)"),
            EntitySchema(
                "GroupedNotifications",
                "accounts:Account[] statuses:Status[] notification_groups:NotificationGroup[]"),
            EntitySchema(
                "NotificationGroup",
                """
                group_key:text notifications_count:count type:text most_recent_notification_id:count
                page_min_id:id page_max_id:id latest_page_notification_at:time sample_account_ids:id[] status_id*:id
                """),
            EntitySchema("Markers", "home*:Marker notifications*:Marker"),
            EntitySchema("Marker", "last_read_id:id version:count updated_at:time"),
        ]
    }
}
