import Core

/// The calls of the JSON interface about the server, and the entities of their answers.
extension AdministrationFeature {
    package var operations: [Operation] {
        [
            Operation("GET /api/openapi.json", "This description", .object, isPublic: true),
            Operation("GET /api/v1/instance", "About this server", .one("Instance"), isPublic: true),
            Operation("GET /api/v2/instance", "About this server", .one("Instance"), isPublic: true),
            Operation("GET /api/nodeinfo/2.0.json", "The server's software", .object, isPublic: true),
            Operation(
                "GET /api/v2/config", "What the server can do, as Pixelfed's apps ask",
                .one("PixelfedConfig"),
                isPublic: true),
            Operation(
                "GET /.well-known/nodeinfo", "Where the server's software is described", .object,
                isPublic: true),
            Operation(
                "POST /api/v1/domain_blocks", "Refused: this server exchanges nothing with others", .object,
                "domain", scope: .write(.blocks)),
            Operation(
                "DELETE /api/v1/domain_blocks", "Nothing was blocked", .object, "domain",
                scope: .write(.blocks)),
            Operation(
                "GET /api/v1.1/compose/settings", "What a post may have, as pixelfed-rn asks",
                .one("ComposeSettings"), scope: .read(.statuses)),
            Operation(
                "POST /api/v1/statuses/{id}/reblog", "Refused: posts aren't passed on here", .one("Status"),
                scope: .write(.statuses)),
            Operation(
                "POST /api/v1/statuses/{id}/unreblog", "Refused: posts aren't passed on here", .one("Status"),
                scope: .write(.statuses)),
        ] + Self.emptyLists
    }

    package var schemas: [EntitySchema] {
        [
            EntitySchema(
                "Instance",
                """
                title:text version:text description:text configuration:object languages:text[] rules:object[]
                uri*:text short_description*:text email*:text urls*:object stats*:object approval_required*:flag
                invites_enabled*:flag domain*:text source_url*:url? usage*:object contact*:object
                """),
            EntitySchema(
                "ComposeSettings",
                """
                allowed_media_types:text[] max_caption_length:count default_license:text? media_descriptions:flag
                max_altext_length:count max_media_attachments:count max_media_size:count default_scope:text
                """),
            EntitySchema(
                "PixelfedConfig",
                "version:text open_registration:flag uploader:object site:object account:object features:object"
            ),
            EntitySchema("Nothing", ""),
            EntitySchema("Unread", "count:count"),
        ]
    }

    /// The lists of things that Mastodon has and Tintype doesn't. Apps request them when they start, some before anyone
    /// is logged in.
    static let emptyLists =
        ["v1/custom_emojis", "v1/instance/peers", "v1/instance/rules", "v1/instance/domain_blocks"].map {
            emptyList($0)
        }
        + ([
            ("v1/announcements", .read()),
            ("v1/trends/statuses", .read()), ("v1/trends/links", .read()),
            ("v1/domain_blocks", .read(.blocks)), ("v1/scheduled_statuses", .read(.statuses)),
        ] as [(String, OAuthScope)]).map { emptyList($0, scope: $1) }

    /// Describes a list that is always empty.
    ///
    /// - Parameter scope: the permission that an app needs; nil for a list that everyone gets.
    private static func emptyList(_ path: String, scope: OAuthScope? = nil) -> Operation {
        Operation(
            "GET /api/\(path)", "Always empty", .list("Nothing"), isPublic: scope == nil, scope: scope)
    }
}
