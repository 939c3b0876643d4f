import Core

/// The calls of the JSON interface, and the entities of their answers.
extension OnceFeature {
    package var schemas: [EntitySchema] {
        [
            EntitySchema("SnapView", "view:Look"),
            EntitySchema("Look", "id:text url:url expires_at:time description:text?"),
        ]
    }
}
