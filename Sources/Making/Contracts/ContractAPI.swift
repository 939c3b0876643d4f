import Core
import Hummingbird
import People
import Serving
import Storage

/// JSON routes of contracts (Documentation/Interface.md, "Contracts"), and the bytes of sealed photos.
struct ContractAPI {
    let contracts: ContractService
    let blobs: any BlobStore
    let entities: ContractEntities

    func add(to router: Router<AppContext>) {
        router.get("api/v1/contracts", use: list)
        router.post("api/v1/contracts", use: propose)
        router.get("api/v1/contracts/:id") { request, context in
            answer(try await contracts.contract(context.id("id"), for: context.viewer), request)
        }
        router.post("api/v1/contracts/:id/accept", use: accept)
        add(.witness, to: router) { _ in .witness }
        add(.decline, to: router) { _ in .decline }
        add(.withdraw, to: router) { _ in .withdraw }
        add(.release, to: router) { _ in .release }
        add(.admit, to: router) { _ in .admit }
        add(.claim, to: router) { .claim(rule: try ContractForm.rule($0.text("rule"))) }
        add(.dispute, to: router) { _ in .dispute }
        add(.judge, to: router) { input in
            guard let broken = input.bool("broken") else {
                throw Refusal.invalid("broken", "ERR_BLANK", "Say whether it was broken: true or false.")
            }
            return .judge(broken: broken)
        }
        add(.forfeit, to: router) { _ in .forfeit }
        router.post("api/v1/contracts/:id/stake", use: freeStake)
        router.get("contracts/:id/stakes/:account", use: stake)
    }

    private func answer(
        _ view: ContractView, _ request: Request, status: HTTPResponse.Status = .ok
    ) -> Response {
        .json(status: status, for: request, capacity: 8192) { entities.contract(view, into: &$0) }
    }

    // MARK: Lists

    private func list(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = Input.query(request)
        let page = try PageRequest(input)
        guard let list = ContractList(rawValue: input.string("list") ?? "active") else {
            throw Refusal.invalid("list", "ERR_INVALID", "The lists are active, waiting and ended.")
        }
        let found = try await contracts.contracts(of: viewer, list: list, page: page)
        return .list(found, ids: found.map(\.contract.id.rawValue), page, request, entities.entities) {
            entities.contract($1, into: &$0)
        }
    }

    // MARK: Making

    private func propose(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let key = try IdempotencyKey.read(request, scope: "contract")
        let input = try await Input.read(request, context)
        let draft = ContractService.Draft(
            partner: input.id("partner_id"), promise: input.text("promise"),
            rules: input.list("rules").map(\.trimmed),
            endsAt: input.string("ends_at").flatMap(ContractForm.date),
            witness: try ContractForm.witness(input.text("witness_id")),
            breachText: input.text("breach_text"),
            pledge: try Self.pledge(input))
        let view = try await contracts.propose(draft, by: viewer, key: key)
        return answer(view, request, status: .created)
    }

    private static func pledge(_ input: Input) throws -> ContractService.Pledge {
        var pledge = ContractService.Pledge(
            consents: input.bool("consent") ?? false, isAdult: input.bool("of_age") ?? false)
        if let id = input.id("stake_media_id", of: SingleUseMedia.self) {
            pledge.stake = .upload(id)
        } else if let id = input.id("stake_photo_id", of: Photo.self) {
            pledge.stake = .photo(id)
        }
        for name in input.list("publish_to") {
            guard let place = Contract.Place(rawValue: name) else {
                throw Refusal.invalid(
                    "publish_to", "ERR_INVALID",
                    "A breach is published on this server or the connected account.")
            }
            pledge.publishTo.insert(place)
        }
        return pledge
    }

    private func accept(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = try await Input.read(request, context)
        let id = try context.id("id", of: Contract.self)
        return try await orConflict(request) {
            // For a contract of others the answer is 404, whatever the request contains.
            try await contracts.checkTakesPart(viewer, in: id)
            return try await contracts.accept(
                id, Self.pledge(input), by: viewer, havingSeen: input.string("seen"))
        }
    }

    // MARK: Moving

    /// Adds the route of a move.
    ///
    /// - Parameter read: creates the move from the request's values.
    private func add(
        _ kind: ContractMove.Kind, to router: Router<AppContext>,
        _ read: @escaping @Sendable (Input) throws -> ContractMove
    ) {
        router.post("api/v1/contracts/:id/\(kind.rawValue)") { request, context in
            let viewer = try context.viewer
            let input = try await Input.read(request, context)
            let id = try context.id("id", of: Contract.self)
            return try await orConflict(request) {
                try await contracts.checkTakesPart(viewer, in: id)
                let takesNote = [.forfeit, .claim, .dispute].contains(kind)
                return try await contracts.move(
                    read(input), in: id, by: viewer, note: takesNote ? input.text("note") : "",
                    havingSeen: input.string("seen"))
            }
        }
    }

    /// Answers with a contract, or with the contract as it is when the move doesn't fit its state (409).
    private func orConflict(_ request: Request, _ view: () async throws -> ContractView) async throws
        -> Response
    {
        do {
            return answer(try await view(), request)
        } catch let conflict as ContractConflict {
            return .json(status: .conflict, for: request, capacity: 8192) { json in
                json.object { json in
                    json.member("error", conflict.sentence)
                    json.member("state", conflict.view.contract.state.rawValue)
                    json.key("contract")
                    entities.contract(conflict.view, into: &json)
                }
            }
        }
    }

    // MARK: Stakes

    private func freeStake(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = try await Input.read(request, context)
        let id = try context.id("id", of: Contract.self)
        return try await orConflict(request) {
            try await contracts.checkTakesPart(viewer, in: id)
            guard let keep = input.bool("keep") else {
                throw Refusal.invalid(
                    "keep", "ERR_BLANK", "Say whether you keep the photo in your library: true or false.")
            }
            return try await contracts.freeStake(id, keep: keep, by: viewer)
        }
    }

    private func stake(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let session = context.session else { throw Refusal.notFound }
        guard let size = Photo.Size(rawValue: Input.query(request).string("size") ?? "large") else {
            throw Refusal.notFound
        }
        let format = PhotoFiles.format(request)
        let key = try await contracts.stake(
            context.id("id"), of: context.id("account"), size, format, for: session.account)
        var response = try await PhotoFiles.once(key, format, request, context, from: blobs)
        response.headers[.cacheControl] = "private, no-store"
        return response
    }
}
