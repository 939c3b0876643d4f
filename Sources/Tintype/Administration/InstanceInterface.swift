/// The calls of the JSON interface, and what they answer with.
extension AdministrationFeature {
    static let operations =
        [
            Operation("GET /api/openapi.json", "This description", .object, isPublic: true),
            Operation("GET /api/v1/instance", "About this server", .one("Instance"), isPublic: true),
            Operation("GET /api/v2/instance", "About this server", .one("Instance"), isPublic: true),
            Operation("GET /api/nodeinfo/2.0.json", "The server's software", .object, isPublic: true),
            Operation("GET /api/v1/preferences", "Settings for apps", .object),
            Operation(
                "POST /api/v1/statuses/{id}/reblog", "Refused: posts aren't passed on here", .one("Status")),
            Operation(
                "POST /api/v1/statuses/{id}/unreblog", "Refused: posts aren't passed on here", .one("Status")),
        ] + emptyLists

    static let schemas = [
        EntitySchema(
            "Instance",
            """
            title:text version:text description:text configuration:object languages:text[] rules:object[]
            uri*:text short_description*:text email*:text urls*:object stats*:object approval_required*:flag
            invites_enabled*:flag domain*:text source_url*:text usage*:object contact*:object
            """),
        EntitySchema("Nothing", ""),
        EntitySchema("Unread", "count:count"),
    ]

    /// What Mastodon has and Tintype has not: apps ask for it at their start, for some before anyone is logged in.
    static let emptyLists =
        ["v1/custom_emojis", "v1/instance/peers", "v1/instance/rules"].map { emptyList($0, isPublic: true) }
        + [
            "v1/lists", "v1/followed_tags", "v1/mutes", "v1/announcements", "v1/trends/tags",
            "v1/trends/statuses", "v1/trends/links", "v1/suggestions", "v1/filters", "v2/filters",
            "v1/scheduled_statuses", "v1/accounts/{id}/featured_tags", "v1/accounts/{id}/lists",
            "v1/accounts/familiar_followers", "v1/timelines/tag/{tag}",
        ].map { emptyList($0, isPublic: false) }

    private static func emptyList(_ path: String, isPublic: Bool) -> Operation {
        Operation("GET /api/\(path)", "Always empty", .list("Nothing"), isPublic: isPublic)
    }
}
