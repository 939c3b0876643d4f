import Core
import Hummingbird
import Serving

/// JSON routes of lists, in Mastodon's form.
struct ListAPI {
    let relations: RelationshipService
    let entities: Entities

    func add(to router: Router<AppContext>) {
        router.get("api/v1/lists") { request, context in
            try await lists(request, relations.lists(of: context.viewer))
        }
        router.post("api/v1/lists", use: make)
        router.get("api/v1/lists/:id") { request, context in
            try await list(request, relations.list(context.id("id"), of: context.viewer))
        }
        router.put("api/v1/lists/:id", use: change)
        router.delete("api/v1/lists/:id") { request, context in
            try await relations.deleteList(context.id("id"), by: context.viewer)
            return Response.json(for: request) { $0.object { _ in } }
        }
        router.get("api/v1/lists/:id/accounts", use: people)
        router.post("api/v1/lists/:id/accounts") { request, context in
            try await changePeople(request, context) { try await relations.add($0, to: $1, by: $2) }
        }
        router.delete("api/v1/lists/:id/accounts") { request, context in
            try await changePeople(request, context) { try await relations.remove($0, from: $1, by: $2) }
        }
        router.get("api/v1/accounts/:id/lists") { request, context in
            try await lists(request, relations.lists(of: context.viewer, with: context.id("id")))
        }
    }

    private func lists(_ request: Request, _ lists: [PeopleList]) -> Response {
        .json(for: request) { $0.array(lists) { write($1, into: &$0) } }
    }

    private func list(_ request: Request, _ list: PeopleList) -> Response {
        .json(for: request) { write(list, into: &$0) }
    }

    private func write(_ list: PeopleList, into json: inout JSONWriter) {
        json.object { json in
            json.member("id", list.id)
            json.member("title", list.title)
            // Feeds have no comments.
            json.member("replies_policy", "none")
            json.member("exclusive", list.isExclusive)
        }
    }

    private func make(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let key = try IdempotencyKey.read(request, scope: "list")
        let input = try await Input.read(request, context)
        try ListRules.check(repliesPolicy: input.filled("replies_policy"))
        return try await list(
            request,
            relations.makeList(
                input.text("title"), isExclusive: input.bool("exclusive") ?? false, by: viewer, key: key))
    }

    private func change(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let id = try context.id("id", of: PeopleList.self)
        let input = try await Input.read(request, context)
        _ = try await relations.list(id, of: viewer)
        try ListRules.check(repliesPolicy: input.filled("replies_policy"))
        return try await list(
            request,
            relations.change(
                id, title: input.string("title").map { _ in input.text("title") },
                isExclusive: input.bool("exclusive"), by: viewer))
    }

    private func people(_ request: Request, _ context: AppContext) async throws -> Response {
        let input = Input.query(request)
        var page = try PageRequest(input)
        // Mastodon answers a limit of 0 with everyone, and apps rely on it.
        if input.integer("limit") == 0 { page.limit = ListRules.mostPeople }
        let rows = try await relations.people(in: context.id("id"), of: context.viewer, page: page)
        return .list(rows, ids: rows.map(\.0), page, request, entities) { json, row in
            entities.account(row.1, into: &json)
        }
    }

    private func changePeople(
        _ request: Request, _ context: AppContext,
        _ change: ([Account.ID], PeopleList.ID, Account) async throws -> Void
    ) async throws -> Response {
        let viewer = try context.viewer
        let id = try context.id("id", of: PeopleList.self)
        let input = try await Input.read(request, context)
        // A list that isn't there is named before its people.
        _ = try await relations.list(id, of: viewer)
        try await change(input.ids("account_ids", of: "a person"), id, viewer)
        return .json(for: request) { $0.object { _ in } }
    }
}

extension RelationshipsFeature {
    package var operations: [Operation] {
        let title = "title(1...\(ListRules.titleLength))"
        let changes = "replies_policy:none|list exclusive:flag"
        return [
            Operation("GET /api/v1/lists", "Your lists", .list("List")),
            Operation(
                "POST /api/v1/lists", "Makes a list", .one("List"), "title!:\(title) \(changes)",
                takesKey: true),
            Operation("GET /api/v1/lists/{id}", "One of your lists", .one("List")),
            Operation("PUT /api/v1/lists/{id}", "Changes a list", .one("List"), "title:\(title) \(changes)"),
            Operation("DELETE /api/v1/lists/{id}", "Deletes a list", .object),
            Operation("GET /api/v1/lists/{id}/accounts", "The people in a list", .page("Account")),
            Operation(
                "POST /api/v1/lists/{id}/accounts", "Adds people you follow to a list", .object,
                "account_ids[]!"),
            Operation(
                "DELETE /api/v1/lists/{id}/accounts", "Takes people out of a list", .object, "account_ids[]"),
            Operation(
                "GET /api/v1/accounts/{id}/lists", "Your lists in which somebody is", .list("List")),
        ].about(.lists)
    }

    package var schemas: [EntitySchema] {
        [EntitySchema("List", "id:id title:text replies_policy:text exclusive:flag")]
    }
}
