import Core
import Feeds
import Foundation
import Hummingbird
import People
import Serving
import Storage

/// JSON routes of collages (Documentation/Interface.md, "Collages").
struct CollageAPI {
    let collages: CollageService
    let entities: CollageEntities

    func add(to router: Router<AppContext>) {
        router.get("api/v1/collage_layouts") { request, context in
            _ = try context.viewer
            return Response.json(for: request) { entities.layouts(into: &$0) }
        }
        router.post("api/v1/collages", use: make)
        router.get("api/v1/collages/:id") { request, context in
            let viewer = try context.viewer
            let collage = try await collages.collage(of: context.id("id"), for: viewer)
            guard let photo = collage.photo else { throw Refusal.notFound }
            return rendered(.init(collage: collage, photo: photo), request, context)
        }
        router.put("api/v1/collages/:id", use: remake)
        router.post("api/v1/collages/:id/copy") { request, context in
            let copy = try await collages.copy(of: context.id("id"), by: context.viewer)
            return draft(copy, request, context)
        }
        router.get("api/v1/collage_drafts", use: drafts)
        router.post("api/v1/collage_drafts", use: begin)
        router.get("api/v1/collage_drafts/:id") { request, context in
            let viewer = try context.viewer
            return draft(try await collages.collage(context.id("id"), for: viewer), request, context)
        }
        router.delete("api/v1/collage_drafts/:id") { request, context in
            try await collages.leave(context.id("id"), by: context.viewer)
            return Response.json(for: request) { $0.object { _ in } }
        }
        router.patch("api/v1/collage_drafts/:id", use: change)
        router.put("api/v1/collage_drafts/:id/cells/:index", use: fill)
        router.delete("api/v1/collage_drafts/:id/cells/:index") { request, context in
            try await changed(request, context) { viewer, id in
                try await collages.empty(Self.index(context), of: id, by: viewer)
            }
        }
        router.post("api/v1/collage_drafts/:id/swap", use: swap)
        router.post("api/v1/collage_drafts/:id/finish", use: finish)
    }

    // MARK: In a single request

    private func make(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let key = try IdempotencyKey.read(request, scope: "collage")
        let input = try await Input.read(request, context)
        let made = try await collages.make(
            Self.recipe(input), Self.output(input) ?? CollageOutput(), by: viewer, key: key)
        return rendered(made, request, context, status: .created)
    }

    private func remake(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = try await Input.read(request, context)
        let made = try await collages.remake(
            context.id("id"), Self.recipe(input), Self.output(input) ?? CollageOutput(), by: viewer,
            force: input.bool("force") ?? false)
        return rendered(made, request, context)
    }

    private static func style(_ input: Input) -> CollageStyleChange {
        CollageStyleChange(
            layout: input.filled("layout_id"), background: input.filled("background"),
            spacing: input.filled("spacing"), cornerRadius: input.filled("corner_radius"))
    }

    /// Reads the size and format of the picture; returns nil when the request has neither.
    private static func output(_ input: Input) throws -> CollageOutput? {
        let (size, format) = (input.filled("size"), input.filled("format"))
        guard size != nil || format != nil else { return nil }
        return try CollageOutput(size: size, format: format)
    }

    private static func recipe(_ input: Input) throws -> CollageService.Recipe {
        var recipe = CollageService.Recipe(style: style(input))
        // One more than any layout has, so that a list that is too long is noticed.
        for index in 0...CollageLayout.mostCells {
            let name = "cells[\(index)]"
            guard let photo = input.string("\(name)[photo_id]") else { break }
            guard let id = Photo.ID(photo) else { throw Refusal.notFound }
            recipe.cells.append((id, try view(input, name: { "\(name)[\($0)]" })(CollageView())))
        }
        return recipe
    }

    /// Reads how a request changes the part that a cell shows of its photo.
    ///
    /// - Parameter name: the parameter's full name.
    /// - Throws: ``Refusal`` (422) for a text that isn't a number.
    private static func view(
        _ input: Input, name: (String) -> String = { $0 }
    ) throws -> @Sendable (CollageView) -> CollageView {
        func number(_ parameter: String) throws -> Double? {
            guard let text = input.filled(name(parameter)) else { return nil }
            guard let number = Double(text) else {
                throw Refusal.invalid(name(parameter), "ERR_INVALID", "Send a number.")
            }
            return number
        }
        let (zoom, x, y) = (try number("zoom"), try number("x"), try number("y"))
        return { CollageView(zoom: zoom ?? $0.zoom, x: x ?? $0.x, y: y ?? $0.y) }
    }

    private func rendered(
        _ made: CollageService.Rendered, _ request: Request, _ context: AppContext,
        status: HTTPResponse.Status = .ok
    ) -> Response {
        .json(status: status, for: request) {
            entities.rendered(made.collage, made.photo, viewer: context.reader, into: &$0)
        }
    }

    // MARK: Drafts

    private func draft(
        _ collage: Collage, _ request: Request, _ context: AppContext, status: HTTPResponse.Status = .ok
    ) -> Response {
        .json(status: status, for: request) { entities.draft(collage, viewer: context.reader, into: &$0) }
    }

    private func drafts(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let page = try PageRequest(Input.query(request))
        let found = try await collages.unfinished(of: viewer, page: page)
        return .list(found, ids: found.map(\.id.rawValue), page, request, entities.entities) {
            json, collage in
            entities.draft(collage, viewer: context.reader, into: &json)
        }
    }

    private func begin(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let key = try IdempotencyKey.read(request, scope: "collage-draft")
        let input = try await Input.read(request, context)
        let company: CollageService.Company =
            if let chat = input.string("chat_id") {
                .chat(try Self.id(chat))
            } else if input.list("account_ids").isEmpty {
                .alone
            } else {
                .friends(try input.list("account_ids").map(Self.id))
            }
        let begun = try await collages.begin(
            Self.style(input), photos: try input.list("photo_ids").map(Self.id), with: company, by: viewer,
            key: key)
        return draft(begun, request, context, status: .created)
    }

    private static func id<Entity>(_ text: String) throws -> ID<Entity> {
        guard let id = ID<Entity>(text) else { throw Refusal.notFound }
        return id
    }

    private static func index(_ context: AppContext) throws -> Int {
        guard let index = context.parameters.get("index").flatMap({ Int($0) }) else { throw Refusal.notFound }
        return index
    }

    /// Answers with a changed collage, or with the collage as it is when somebody else was faster (409).
    private func changed(
        _ request: Request, _ context: AppContext,
        _ change: (Account, Collage.ID) async throws -> Collage
    ) async throws -> Response {
        let viewer = try context.viewer
        return try await orTaken(request, context) {
            draft(try await change(viewer, context.id("id")), request, context)
        }
    }

    private func orTaken(
        _ request: Request, _ context: AppContext, _ answer: () async throws -> Response
    ) async throws -> Response {
        do {
            return try await answer()
        } catch let taken as CollageTaken {
            return .json(status: .conflict, for: request) { json in
                json.object { json in
                    json.member("error", taken.sentence)
                    json.key("draft")
                    entities.draft(taken.collage, viewer: context.reader, into: &json)
                }
            }
        }
    }

    private func change(_ request: Request, _ context: AppContext) async throws -> Response {
        let input = try await Input.read(request, context)
        return try await changed(request, context) { viewer, id in
            let style = Self.style(input)
            let assignments = input.list("assignments")
            let people = try input.list("account_ids").map { try Self.id($0, of: Account.self) }
            let groups = try input.list("chat_ids").map { try Self.id($0, of: Chat.self) }
            var collage = try await collages.collage(id, for: viewer)
            if !people.isEmpty || !groups.isEmpty {
                collage = try await collages.invite(people, andGroups: groups, to: id, by: viewer)
            }
            guard !style.isEmpty || !assignments.isEmpty else { return collage }
            return try await collages.set(
                style, assignments: assignments.isEmpty ? nil : assignments.map { Account.ID($0) }, of: id,
                by: viewer)
        }
    }

    private static func id<Entity>(_ text: String, of entity: Entity.Type) throws -> ID<Entity> {
        try id(text)
    }

    private func fill(_ request: Request, _ context: AppContext) async throws -> Response {
        let input = try await Input.read(request, context)
        return try await changed(request, context) { viewer, id in
            let photo: Photo.ID? = try (input.string("photo_id") ?? input.string("media_id")).map(Self.id)
            return try await collages.fill(
                Self.index(context), of: id, with: photo, by: viewer, view: Self.view(input))
        }
    }

    private func swap(_ request: Request, _ context: AppContext) async throws -> Response {
        let key = try IdempotencyKey.read(request, scope: "collage-swap")
        let input = try await Input.read(request, context)
        return try await changed(request, context) { viewer, id in
            _ = try await collages.collage(id, for: viewer)
            guard let one = input.integer("one"), let other = input.integer("other") else {
                throw Refusal.invalid("one", "ERR_BLANK", "Name two cells, as “one” and “other”.")
            }
            return try await collages.swap(one, other, of: id, by: viewer, key: key)
        }
    }

    private func finish(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = try await Input.read(request, context)
        return try await orTaken(request, context) {
            let made = try await collages.finish(context.id("id"), Self.output(input), by: viewer)
            return rendered(made, request, context)
        }
    }
}
