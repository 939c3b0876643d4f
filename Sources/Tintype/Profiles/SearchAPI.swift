import Core
import Feeds
import Foundation
import Hummingbird
import People
import Serving

/// JSON routes of search, in Mastodon's form: people, posts, the viewer's own messages, and hashtags.
struct SearchAPI {
    let accounts: AccountService
    let relations: RelationshipService
    let posts: PostsFeature
    let entities: Entities

    func add(to router: Router<AppContext>) {
        router.get("api/v1/accounts/search") { request, context in
            let found = try await people(Input.query(request), most: 80, for: context.viewer)
            return Response.json(for: request) { $0.array(found) { entities.account($1, into: &$0) } }
        }
        router.get("api/v2/search", use: all)
    }

    private func all(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = Input.query(request)
        let page = try PageRequest(input)
        let type = input.filled("type")
        func looks(for kind: String) -> Bool { type == nil || type == kind }
        let people =
            looks(for: "accounts")
            ? try await people(input, most: PageRequest.maximumLimit, for: viewer) : []
        let found = looks(for: "statuses") ? try await statuses(input, page, context) : []
        let tags =
            looks(for: "hashtags") && input.integer("offset") ?? 0 == 0
            ? try await posts.tags.search(input.text("q"), for: viewer, limit: page.limit) : []
        return .json(for: request, capacity: 4096 * max(1, found.count)) { json in
            json.object { json in
                json.array("accounts", people) { entities.account($1, into: &$0) }
                json.array("statuses", found) { $1.write(&$0) }
                json.array("hashtags", tags) { entities.tag($1, into: &$0) }
            }
        }
    }

    // MARK: Posts and messages

    /// Returns the posts that a search finds, and among them the viewer's messages, unless it looks for one author's.
    private func statuses(
        _ input: Input, _ page: PageRequest, _ context: AppContext
    ) async throws -> [OtherStatuses.Found] {
        let (text, skipped) = (input.text("q"), max(0, input.integer("offset") ?? 0))
        guard skipped <= PostSearch.mostSkipped else { return [] }
        if let author: Account.ID = try input.filledID("account_id", of: "an account") {
            return try await found(
                by: PostSearch(text, on: entities.publicURL, by: author, skipping: skipped), page, context)
        }
        var wide = page
        wide.limit += skipped
        var messages: [OtherStatuses.Found] = []
        for others in posts.otherStatuses.all { messages += try await others.find(text, wide, context) }
        guard !messages.isEmpty else {
            return try await found(
                by: PostSearch(text, on: entities.publicURL, skipping: skipped), page, context)
        }
        let posts = try await found(by: PostSearch(text, on: entities.publicURL), wide, context)
        let found = wide.merged(posts, messages, by: \.id)
        return Array(page.rightAbove == nil ? found.dropFirst(skipped) : found.dropLast(skipped))
    }

    private func found(
        by search: PostSearch, _ page: PageRequest, _ context: AppContext
    ) async throws -> [OtherStatuses.Found] {
        let (statuses, reader) = (posts.statuses, context.reader)
        return try await posts.posts.found(by: search, for: context.viewer, page: page).map { post in
            OtherStatuses.Found(id: post.id.rawValue) { statuses.status(post, viewer: reader, into: &$0) }
        }
    }

    // MARK: People

    /// The most people that a page can leave out before it begins.
    private static let mostSkipped = 1_000

    private func people(_ input: Input, most: Int, for viewer: Account) async throws -> [Account] {
        let query = input.text("q")
        let skipped = max(0, input.integer("offset") ?? 0)
        guard !query.isEmpty, skipped <= Self.mostSkipped else { return [] }
        let limit = min(max(input.integer("limit") ?? PageRequest.maximumLimit, 1), most)
        let found = try await people(
            query, isFollowed: input.bool("following") ?? false, resolves: input.bool("resolve") ?? false,
            for: viewer, limit: skipped + limit)
        return Array(found.dropFirst(skipped).prefix(limit))
    }

    private func people(
        _ query: String, isFollowed: Bool, resolves: Bool, for viewer: Account, limit: Int
    ) async throws -> [Account] {
        if isFollowed {
            let name = Handle(query, on: entities.publicURL)?.username ?? query
            return try await relations.search(name, among: .followed, for: viewer, limit: limit).map(
                \.account)
        }
        if let handle = Handle(query, on: entities.publicURL), handle.namesServer {
            do {
                return [
                    resolves
                        ? try await relations.accountToChange(username: handle.username, for: viewer).account
                        : try await accounts.account(username: handle.username, for: viewer)
                ]
            } catch let refusal as Refusal where refusal.kind == .notFound {
                return []
            }
        }
        let others = try await relations.search(query, for: viewer, limit: limit).map(\.account)
        let name = AccountRules.folded(username: query.hasPrefix("@") ? String(query.dropFirst()) : query)
        guard !others.contains(where: { AccountRules.folded(username: $0.username) == name }) else {
            return others
        }
        // Mastodon finds the viewer too: toot looks for its own followers by its own name.
        if name == AccountRules.folded(username: viewer.username) {
            return [try await accounts.account(viewer.id, for: viewer)] + others
        }
        // toot looks for a person by the whole name before it does anything, also before it unblocks them.
        guard resolves else { return others }
        do {
            return [try await relations.accountToChange(username: name, for: viewer).account] + others
        } catch let refusal as Refusal where refusal.kind == .notFound {
            return others
        }
    }
}
