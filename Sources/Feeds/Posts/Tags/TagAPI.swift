import Core
import Foundation
import Hummingbird
import People
import Serving

/// JSON routes of hashtags, in Mastodon's form.
struct TagAPI {
    let tags: TagService
    let statuses: PostEntities

    private var entities: Entities { statuses.entities }

    /// The most hashtags on the page that Pixelfed's apps call Discover.
    private static let discovered = 10

    func add(to router: Router<AppContext>) {
        router.get("api/v1/timelines/tag/:hashtag", use: timeline)
        router.get("api/v1/tags/:name") { try await one($0, $1, tags.tag) }
        router.post("api/v1/tags/:name/follow") { try await one($0, $1, tags.follow) }
        router.post("api/v1/tags/:name/unfollow") { try await one($0, $1, tags.unfollow) }
        router.post("api/v1/tags/:name/feature") { try await one($0, $1, tags.feature) }
        router.post("api/v1/tags/:name/unfeature") { try await one($0, $1, tags.unfeature) }
        router.get("api/v1/followed_tags", use: followed)
        router.get("api/v1/trends/tags") { request, context in
            let limit = try PageRequest(Input.query(request)).limit
            let found = try await tags.popular(for: context.viewer, limit: limit)
            return Response.json(for: request) { $0.array(found) { entities.tag($1.shown, into: &$0) } }
        }
        router.get("api/v1.1/discover/posts/hashtags") { request, context in
            let found = try await tags.popular(for: context.viewer, limit: Self.discovered)
            return Response.json(for: request) { $0.array(found) { entities.popular($1, into: &$0) } }
        }
        router.get("api/v1/featured_tags") { try await featured($0, $1, of: $1.viewer.id) }
        router.get("api/v1/accounts/:id/featured_tags") { try await featured($0, $1, of: $1.id("id")) }
        router.post("api/v1/featured_tags", use: feature)
        router.delete("api/v1/featured_tags/:id") { request, context in
            let viewer = try context.viewer
            try await tags.unfeature(context.id("id", of: FeaturedTag.self).rawValue, by: viewer)
            return Response.json(for: request) { $0.object { _ in } }
        }
        router.get("api/v1/featured_tags/suggestions") { request, context in
            let found = try await tags.suggestedToFeature(for: context.viewer)
            return Response.json(for: request) { $0.array(found) { entities.tag($1, into: &$0) } }
        }
    }

    private func timeline(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = Input.query(request)
        let page = try PageRequest(input)
        var query = TagQuery(try context.tag("hashtag").name)
        query.any += Self.names(input, "any")
        query.all = Self.names(input, "all")
        query.none = Self.names(input, "none")
        // All posts are of this server.
        let isRemote = input.bool("remote") == true && input.bool("local") != true
        let found = isRemote ? [] : try await tags.posts(query, for: viewer, page: page)
        return .list(found, ids: found.map(\.id.rawValue), page, request, entities) { json, post in
            statuses.status(post, viewer: context.reader, into: &json)
        }
    }

    /// Reads a list of hashtags; what is none is left out, as in Mastodon.
    private static func names(_ input: Input, _ name: String) -> [String] {
        Array(input.list(name).compactMap { Hashtag($0)?.name }.withoutRepeats().prefix(TagQuery.most))
    }

    private func one(
        _ request: Request, _ context: AppContext, _ action: (Hashtag, Account) async throws -> ShownTag
    ) async throws -> Response {
        let viewer = try context.viewer
        let tag = try await action(context.tag("name"), viewer)
        return .json(for: request) { entities.tag(tag, into: &$0) }
    }

    private func followed(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let page = try PageRequest(Input.query(request))
        let rows = try await tags.followed(by: viewer, page: page)
        return .list(rows, ids: rows.map(\.0), page, request, entities) { entities.tag($1.1, into: &$0) }
    }

    private func featured(
        _ request: Request, _ context: AppContext, of account: Account.ID
    ) async throws -> Response {
        let found = try await tags.featured(by: account, for: context.viewer)
        return .json(for: request) { $0.array(found) { entities.featured($1, into: &$0) } }
    }

    private func feature(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        guard let tag = Hashtag(try await Input.read(request, context).text("name")) else {
            throw Refusal.notATag(in: "name")
        }
        _ = try await tags.feature(tag, by: viewer)
        guard
            let featured = try await tags.featured(by: viewer.id, for: viewer).first(where: {
                $0.tag.name == tag.name
            })
        else { throw Refusal.notFound }
        return .json(for: request) { entities.featured(featured, into: &$0) }
    }
}

extension AppContext {
    /// Returns the hashtag in the path under `name`.
    ///
    /// - Throws: ``Refusal`` (404) when the text isn't a hashtag, since nothing can have it.
    func tag(_ name: String) throws -> Hashtag {
        guard let tag = parameters.get(name)?.removingPercentEncoding.flatMap({ Hashtag($0) }) else {
            throw Refusal.notFound
        }
        return tag
    }
}

extension Refusal {
    /// Refuses a text that isn't a hashtag.
    static func notATag(in field: String) -> Refusal {
        .invalid(
            field, "ERR_INVALID",
            "A hashtag has letters, digits and underscores only, and at least one letter.")
    }
}

extension Entities {
    /// Writes a hashtag with its last seven days, as numbers in texts.
    package func tag(_ shown: ShownTag, into json: inout JSONWriter) {
        json.object { json in
            // toot compares it with what a person typed.
            json.member("id", shown.tag.name)
            json.member("name", shown.tag.name)
            json.member("url", publicURL + AppPaths.tag(shown.tag.name))
            json.array("history", shown.days) { json, day in
                json.object { json in
                    json.member("day", String(Int(day.date.timeIntervalSince1970)))
                    json.member("uses", String(day.posts))
                    json.member("accounts", String(day.authors.count))
                }
            }
            json.member("following", shown.isFollowed)
            json.member("featuring", shown.isFeatured)
        }
    }

    /// Writes a popular hashtag as Pixelfed's apps know it.
    fileprivate func popular(_ popular: TagService.PopularTag, into json: inout JSONWriter) {
        let tag = popular.shown.tag
        json.object { json in
            json.member("id", tag.name)
            json.member("total", popular.postsCount)
            json.member("name", "#\(tag.name)")
            json.member("hashtag", tag.name)
            json.member("url", publicURL + AppPaths.tag(tag.name))
        }
    }

    fileprivate func featured(_ featured: FeaturedTag, into json: inout JSONWriter) {
        json.object { json in
            json.member("id", String(featured.id))
            json.member("name", featured.tag.name)
            json.member("url", publicURL + AppPaths.tag(featured.tag.name))
            json.member("statuses_count", String(featured.postsCount))
            json.member("last_status_at", featured.newest.map { Timestamp.day($0.createdAt) })
        }
    }
}
