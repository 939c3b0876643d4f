/// The calls of the JSON interface, and what they answer with.
extension NotificationsFeature {
    static let operations = [
        Operation(
            "GET /api/v1/notifications", "Your notifications", .page("Notification"),
            "types[] exclude_types[] account_id"),
        Operation("GET /api/v1/notifications/unread_count", "How many are unread", .one("Unread")),
        Operation("GET /api/v1/notifications/{id}", "A notification", .one("Notification")),
        Operation("POST /api/v1/notifications/clear", "Dismisses all notifications", .object),
        Operation("POST /api/v1/notifications/{id}/dismiss", "Dismisses a notification", .object),
        Operation("GET /api/v1/markers", "How far you have read", .one("Markers"), "timeline[]"),
        Operation(
            "POST /api/v1/markers", "Notes how far you have read", .one("Markers"),
            "home[last_read_id] notifications[last_read_id]"),
    ]

    static let schemas = [
        EntitySchema(
            "Notification",
            "id:id type:text created_at:time group_key:text account:Account status*:Status snap*:SnapReference"
        ),
        EntitySchema("Markers", "home*:Marker notifications*:Marker"),
        EntitySchema("Marker", "last_read_id:id version:count updated_at:time"),
    ]
}
