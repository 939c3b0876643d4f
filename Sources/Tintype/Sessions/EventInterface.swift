/// The calls of the JSON interface, and what they answer with.
extension SessionsFeature {
    static let operations = [
        Operation("GET /api/v1/events", "Live events, including Tintype's own", .events, "last_event_id"),
        Operation("GET /api/v1/streaming/user", "Live events in Mastodon's format", .events),
        Operation("GET /api/v1/streaming/health", "Whether streams work", .text, isPublic: true),
    ]
}
