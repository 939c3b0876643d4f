import Core
import Feeds
import Foundation
import Hummingbird
import People
import Serving
import Storage

/// JSON routes of accounts, in Mastodon's form.
struct ProfileAPI {
    let accounts: AccountService
    let relations: RelationshipService
    let posts: PostService
    let blobs: any BlobStore
    let entities: Entities

    func add(to router: Router<AppContext>) {
        router.get("api/v1/accounts/verify_credentials") { request, context in
            // The account is read again, because the counts in the log-in's account may be half a minute old.
            try await own(request, accounts.account(context.viewer.id, for: context.viewer))
        }
        router.patch("api/v1/accounts/update_credentials", use: update)
        // Some apps send a portrait by POST (Documentation/Interface.md, "What apps need").
        router.post("api/v1/accounts/update_credentials", use: update)
        // The second is Pixelfed's name.
        for path in ["api/v1/profile/avatar", "api/v1.1/accounts/avatar"] {
            router.delete(RouterPath(path)) { try await remove($0, $1, .init(portrait: .removed)) }
        }
        router.delete("api/v1/profile/header") { try await remove($0, $1, .init(banner: .removed)) }
        router.get("api/v1/accounts") { request, context in
            let ids: [Account.ID] = Input.query(request).list("id").compactMap { Account.ID($0) }
            let found = try await accounts.accounts(
                Array(ids.withoutRepeats().prefix(40)), for: context.viewer)
            return Response.json(for: request) { $0.array(found) { entities.account($1, into: &$0) } }
        }
        router.get("api/v1/directory", use: directory)
        router.get("api/v1/accounts/lookup", use: lookup)
        router.get("api/v1/accounts/relationships", use: relationships)
        router.get("api/v1/accounts/:id") { request, context in
            let found = try await relations.accountToChange(context.id("id"), for: context.viewer)
            return Response.json(for: request) { entities.account(found.account, into: &$0) }
        }
        router.get("api/v1/accounts/:id/followers") { try await people($0, $1, relations.followers) }
        router.get("api/v1/accounts/:id/following") { try await people($0, $1, relations.following) }
        router.get("api/v1/accounts/:id/endorsements") { try await people($0, $1, relations.featured) }
        router.get("api/v1/endorsements") { request, context in
            try await people(request, context, of: context.viewer.id, relations.featured)
        }
        // The second pair is from before Mastodon 4.4.
        for (feature, unfeature) in [("endorse", "unendorse"), ("pin", "unpin")] {
            router.post("api/v1/accounts/:id/\(feature)") { try await change($0, $1, relations.feature) }
            router.post("api/v1/accounts/:id/\(unfeature)") { try await change($0, $1, relations.unfeature) }
        }
        router.post("api/v1/accounts/:id/follow") { request, context in
            try Self.refuseUnsupported(try await Input.read(request, context))
            return try await change(request, context, relations.follow)
        }
        router.post("api/v1/accounts/:id/unfollow") { request, context in
            let input = try await Input.read(request, context)
            let unlessWaiting = input.bool("unless_waiting") ?? false
            return try await change(request, context) { id, viewer in
                try await relations.unfollow(id, unlessWaiting: unlessWaiting, by: viewer)
            }
        }
        router.post("api/v1/accounts/:id/block") { try await change($0, $1, relations.block) }
        router.post("api/v1/accounts/:id/unblock") { try await change($0, $1, relations.unblock) }
        router.post("api/v1/accounts/:id/remove_from_followers") {
            try await change($0, $1, relations.removeFollower)
        }
        router.post("api/v1/accounts/:id/mute", use: mute)
        router.post("api/v1/accounts/:id/unmute") { try await change($0, $1, relations.unmute) }
        router.post("api/v1/accounts/:id/note") { request, context in
            let input = try await Input.read(request, context)
            return try await change(request, context) {
                try await relations.setNote(input.text("comment"), about: $0, by: $1)
            }
        }
        router.get("api/v1/mutes", use: mutes)
        // Pixelfed's app shows them on its screen Discover.
        for path in ["api/v1/suggestions", "api/v1.1/discover/accounts/popular"] {
            router.get(RouterPath(path)) { request, context in
                let found = try await suggestions(request, context)
                return Response.json(for: request) { $0.array(found) { entities.account($1, into: &$0) } }
            }
        }
        router.get("api/v2/suggestions") { request, context in
            let found = try await suggestions(request, context)
            return Response.json(for: request) { json in
                json.array(found) { json, account in
                    json.object { json in
                        json.member("source", "past_interactions")
                        json.array("sources", ["friends_of_friends"]) { $0.value($1) }
                        json.key("account")
                        entities.account(account, into: &json)
                    }
                }
            }
        }
        router.delete("api/v1/suggestions/:id") { request, context in
            try await relations.dismissSuggestion(of: context.id("id"), by: context.viewer)
            return Response.json(for: request) { $0.object { _ in } }
        }
        // pixelfed-rn opens profiles by name, and shows the people whom both follow.
        router.get("api/v1.1/accounts/username/:username") { request, context in
            let viewer = try context.viewer
            let name = context.parameters.get("username") ?? ""
            let account = try await accounts.account(username: name, for: viewer)
            return Response.json(for: request) { entities.account(account, into: &$0) }
        }
        router.get("api/v1.1/accounts/mutuals/:id") { request, context in
            let found = try await relations.mutuals(context.id("id"), for: context.viewer)
            return Response.json(for: request) { $0.array(found) { entities.account($1, into: &$0) } }
        }
        router.get("api/v1/accounts/familiar_followers", use: familiarFollowers)
        router.get("api/v1/follow_requests", use: followRequests)
        router.post("api/v1/follow_requests/:id/authorize") {
            try await change($0, $1, relations.acceptFollow)
        }
        router.post("api/v1/follow_requests/:id/reject") { try await change($0, $1, relations.rejectFollow) }
        router.get("api/v1/blocks", use: blocks)
    }

    private func own(_ request: Request, _ account: Account) async throws -> Response {
        let requests = try await relations.followRequestsCount(to: account)
        let defaults = try await posts.defaults(of: account)
        return .json(for: request) { json in
            entities.ownAccount(account, followRequestsCount: requests, into: &json) { json in
                json.member("privacy", defaults.visibility.rawValue)
                json.member("sensitive", defaults.isCovered)
                json.member("language", defaults.language ?? "")
            }
        }
    }

    private func familiarFollowers(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let ids: [Account.ID] = try await Input.read(request, context).list("id").compactMap {
            Account.ID($0)
        }
        let found = try await relations.familiarFollowers(
            of: Array(ids.withoutRepeats().prefix(40)), for: viewer)
        return .json(for: request) { json in
            json.array(found) { json, one in
                json.object { json in
                    json.member("id", one.account)
                    json.array("accounts", one.people) { entities.account($1, into: &$0) }
                }
            }
        }
    }

    private func followRequests(_ request: Request, _ context: AppContext) async throws -> Response {
        let page = try PageRequest(Input.query(request))
        let rows = try await relations.followRequests(to: context.viewer, page: page)
        return .list(rows, ids: rows.map(\.0), page, request, entities) { json, row in
            entities.account(row.1.account, into: &json)
        }
    }

    private func blocks(_ request: Request, _ context: AppContext) async throws -> Response {
        let page = try PageRequest(Input.query(request))
        let rows = try await relations.blocked(by: context.viewer, page: page)
        return .list(rows, ids: rows.map(\.0), page, request, entities) { json, row in
            entities.account(row.1, into: &json)
        }
    }

    private func mute(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let id = try context.id("id", of: Account.self)
        let input = try await Input.read(request, context)
        // An account that the viewer can't see is refused before the values are checked.
        _ = try await accounts.account(id, for: viewer)
        let relationship = try await relations.mute(
            id, hidesNotifications: input.bool("notifications") ?? true, for: Mute.duration(input), by: viewer
        )
        return .json(for: request) { entities.relationship(relationship, into: &$0) }
    }

    private func mutes(_ request: Request, _ context: AppContext) async throws -> Response {
        let page = try PageRequest(Input.query(request))
        let rows = try await relations.muted(by: context.viewer, page: page)
        return .list(rows, ids: rows.map(\.0), page, request, entities) { json, row in
            let (_, account, mute) = row
            let end = mute.endsAt.map(Timestamp.iso8601)
            entities.account(account, into: &json) { $0.member("mute_expires_at", end) }
        }
    }

    private func directory(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = Input.query(request)
        guard let order = DirectoryOrder(rawValue: input.filled("order") ?? "active") else {
            throw Refusal.invalid("order", "ERR_INVALID", "The order is active or new.")
        }
        let found = try await relations.directory(
            by: order, for: viewer, offset: input.integer("offset") ?? 0,
            limit: min(max(input.integer("limit") ?? PageRequest.maximumLimit, 1), 80))
        return .json(for: request) { $0.array(found) { entities.account($1, into: &$0) } }
    }

    private func suggestions(_ request: Request, _ context: AppContext) async throws -> [Account] {
        let limit = Input.query(request).integer("limit") ?? PageRequest.maximumLimit
        return try await relations.suggestions(for: context.viewer, limit: limit)
    }

    /// Refuses what Mastodon's followers can ask for and Tintype doesn't have, so that nobody waits for it.
    private static func refuseUnsupported(_ input: Input) throws {
        if input.bool("notify") == true {
            throw Refusal.invalid(
                "notify", "ERR_INVALID",
                "There are no notifications of somebody’s posts here. Follow without them.")
        }
        if !input.list("languages").isEmpty {
            throw Refusal.invalid(
                "languages", "ERR_INVALID", "Home can’t be limited to languages here. Follow without them.")
        }
    }

    private func change(
        _ request: Request, _ context: AppContext,
        _ action: (Account.ID, Account) async throws -> Relationship
    ) async throws -> Response {
        let relationship = try await action(context.id("id"), context.viewer)
        return .json(for: request) { entities.relationship(relationship, into: &$0) }
    }

    private func update(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = try await Input.read(request, context, files: .init(blobs: blobs, most: 2))
        do {
            try AbsentFromProfiles.check(input)
            let change = AccountService.ProfileChange(
                displayName: input.string("display_name").map { _ in input.text("display_name") },
                bio: input.string("note").map { _ in input.text("note") },
                approvesFollowers: input.bool("locked"),
                portrait: .init(.init(input)), banner: .init(.init(bannerOf: input)),
                fields: try input.givenObjects("fields_attributes").map { [ProfileField]($0) },
                isDiscoverable: input.bool("discoverable"))
            // A refused call changes nothing, so what this changes after the profile is checked before.
            let visibility = try PostRules.visibility(input.string("source[privacy]"))
            var problems = Problems()
            PostRules.check(language: input.filled("source[language]"), into: &problems)
            try problems.throwIfAny()
            let account = try await accounts.update(change, of: viewer)
            try await setDefaults(input, visibility, of: viewer)
            await input.discardFiles(in: blobs)
            return try await own(request, account)
        } catch {
            await input.discardFiles(in: blobs)
            throw error
        }
    }

    /// Removes the viewer's portrait or banner.
    private func remove(
        _ request: Request, _ context: AppContext, _ change: AccountService.ProfileChange
    ) async throws -> Response {
        try await own(request, accounts.update(change, of: context.viewer))
    }

    /// Changes what the viewer's new posts begin with, as far as a call says so.
    private func setDefaults(
        _ input: Input, _ visibility: Post.Visibility?, of viewer: Account
    ) async throws {
        let (isCovered, language) = (input.bool("source[sensitive]"), input.string("source[language]"))
        guard visibility != nil || isCovered != nil || language != nil else { return }
        _ = try await posts.setDefaults(of: viewer) { defaults in
            defaults.visibility = visibility ?? defaults.visibility
            defaults.isCovered = isCovered ?? defaults.isCovered
            if let language { defaults.language = language.isEmpty ? nil : language }
        }
    }

    private func lookup(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        guard let handle = Handle(Input.query(request).text("acct"), on: entities.publicURL) else {
            throw Refusal.notFound
        }
        let found = try await relations.accountToChange(username: handle.username, for: viewer)
        return .json(for: request) { entities.account(found.account, into: &$0) }
    }

    private func relationships(_ request: Request, _ context: AppContext) async throws -> Response {
        let ids: [Account.ID] = Input.query(request).list("id").compactMap { Account.ID($0) }
        let found = try await relations.relationships(ids, for: context.viewer)
        return .json(for: request) { $0.array(found) { entities.relationship($1, into: &$0) } }
    }

    private func people(
        _ request: Request, _ context: AppContext, of account: Account.ID? = nil,
        _ list: (Account.ID, Account, PageRequest) async throws -> [(Int64, RelationshipService.Listed)]
    ) async throws -> Response {
        let page = try PageRequest(Input.query(request))
        let rows = try await list(account ?? context.id("id"), context.viewer, page)
        return .list(rows, ids: rows.map(\.0), page, request, entities) { json, row in
            entities.account(row.1.account, into: &json)
        }
    }
}
