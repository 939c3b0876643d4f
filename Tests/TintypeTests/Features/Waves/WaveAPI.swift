import Core
import Hummingbird
import Serving

/// JSON routes of waves.
struct WaveAPI {
    let waves: WaveService
    let entities: Entities

    func add(to router: Router<AppContext>) {
        router.get("api/v1/waves", use: list)
        router.post("api/v1/accounts/:id/wave", use: send)
    }

    private func list(_ request: Request, _ context: AppContext) async throws -> Response {
        let page = try PageRequest(Input.query(request))
        let found = try await waves.waves(at: context.viewer, page: page)
        return .list(found, ids: found.map(\.id.rawValue), page, request, entities) { json, wave in
            write(wave, into: &json)
        }
    }

    private func send(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let id = try context.id("id", of: Account.self)
        let wave = try await waves.wave(by: viewer) { try AccountRecords($0).account(id, for: viewer) }
        return .json(status: .created, for: request) { write(wave, into: &$0) }
    }

    private func write(_ wave: Wave, into json: inout JSONWriter) {
        json.object { json in
            json.member("id", wave.id)
            json.member("created_at", wave.id.createdAt)
            json.key("account")
            entities.account(wave.sender, into: &json)
        }
    }
}
