import Core

/// The calls of the JSON interface, and the entities of their answers.
extension NotificationsFeature {
    private static let treatments = NotificationPolicy.Treatment.allCases.map(\.rawValue).joined(
        separator: "|")

    package var operations: [Operation] {
        [
            Operation(
                "GET /api/v1/notifications", "Your notifications", .page("Notification"),
                "types[] exclude_types[] account_id include_filtered:flag"),
            Operation("GET /api/v1/notifications/unread_count", "How many are unread", .one("Unread")),
            Operation("GET /api/v1/notifications/{id}", "A notification", .one("Notification")),
            Operation("POST /api/v1/notifications/clear", "Dismisses all notifications", .object),
            Operation("POST /api/v1/notifications/{id}/dismiss", "Dismisses a notification", .object),
            Operation(
                "GET /api/v2/notifications", "Your notifications, with what people did to one thing together",
                .one("GroupedNotifications"),
                "types[] exclude_types[] grouped_types[] account_id include_filtered:flag limit"),
            Operation("GET /api/v2/notifications/unread_count", "How many are unread", .one("Unread")),
            Operation(
                "GET /api/v2/notifications/{group_key}", "A group of notifications",
                .one("GroupedNotifications")),
            Operation(
                "GET /api/v2/notifications/{group_key}/accounts", "The people behind a group",
                .list("Account")),
            Operation("POST /api/v2/notifications/{group_key}/dismiss", "Dismisses a group", .object),
            Operation(
                "GET /api/v2/notifications/policy",
                "What is done with notifications of people you hardly know",
                .one("NotificationPolicy")),
            Operation(
                "PATCH /api/v2/notifications/policy",
                "Changes what is done with notifications that come from now on",
                .one("NotificationPolicy"),
                """
                for_not_following:\(Self.treatments) for_not_followers:\(Self.treatments) for_new_accounts:\(Self.treatments) \
                for_private_mentions:filter| for_limited_accounts:drop|
                """),
            Operation(
                "GET /api/v1/notifications/requests", "The people whose notifications were put aside",
                .page("NotificationRequest")),
            Operation(
                "GET /api/v1/notifications/requests/{id}", "What was put aside of a person",
                .one("NotificationRequest")),
            Operation(
                "POST /api/v1/notifications/requests/{id}/accept",
                "Shows what a person did, and what they do from now on", .object),
            Operation(
                "POST /api/v1/notifications/requests/{id}/dismiss", "Deletes what was put aside of a person",
                .object),
            Operation(
                "POST /api/v1/notifications/requests/accept", "Accepts several people", .object, "id[]!:id"),
            Operation(
                "POST /api/v1/notifications/requests/dismiss", "Deletes what was put aside of several people",
                .object, "id[]!:id"),
            Operation(
                "GET /api/v1/notifications/requests/merged",
                "Whether what was accepted is among the notifications: always", .one("NotificationMerge")),
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
            EntitySchema(
                "NotificationPolicy",
                """
                for_not_following:text for_not_followers:text for_new_accounts:text for_private_mentions:text
                for_limited_accounts:text summary:NotificationPolicySummary
                """),
            EntitySchema(
                "NotificationPolicySummary", "pending_requests_count:count pending_notifications_count:count"),
            EntitySchema(
                "NotificationRequest",
                """
                id:id created_at:time updated_at:time account:Account notifications_count:text
                last_status:Status?
                """),
            EntitySchema("NotificationMerge", "merged:flag"),
            EntitySchema("Markers", "home*:Marker notifications*:Marker"),
            EntitySchema("Marker", "last_read_id:id version:count updated_at:time"),
        ]
    }
}
