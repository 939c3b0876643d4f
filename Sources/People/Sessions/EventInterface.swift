import Core

/// The calls of the JSON interface, and the entities of their answers.
extension SessionsFeature {
    package var operations: [Operation] {
        [
            Operation(
                "GET /api/v1/events", "Live events, including Tintype's own", .events, "last_event_id account"
            )
        ]
    }
}
