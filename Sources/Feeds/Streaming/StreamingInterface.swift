import Core

/// The calls of the JSON interface about streams, and their answers.
extension StreamingFeature {
    package var operations: [Operation] {
        [
            Operation(
                "GET /api/v1/streaming", "Opens a WebSocket for live events in Mastodon's format", .events,
                "stream tag list access_token"),
            Operation("GET /api/v1/streaming/health", "Whether streams work", .text, isPublic: true),
        ]
            + StreamName.allCases.map {
                Operation(
                    "GET /api/v1/streaming/\($0.path)", "Live events in Mastodon's format", .events,
                    $0.parameter.map { "\($0) access_token" } ?? "access_token")
            }
    }
}
