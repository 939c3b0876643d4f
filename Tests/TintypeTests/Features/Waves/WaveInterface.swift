import Core

/// The calls of the JSON interface, and what they answer with.
extension WavesFeature {
    var operations: [Operation] {
        [
            Operation("GET /api/v1/waves", "Waves at you", .page("Wave")),
            Operation("POST /api/v1/accounts/{id}/wave", "Waves at somebody", .created("Wave")),
        ].about(.waves)
    }

    var schemas: [EntitySchema] { [EntitySchema("Wave", "id:id created_at:time account:Account")] }
}
