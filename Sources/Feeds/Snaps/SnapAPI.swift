import Core
import Foundation
import HTTPTypes
import Hummingbird
import People
import Serving
import Storage

/// JSON routes of snaps, and of the bytes of an open snap.
struct SnapAPI {
    let snaps: SnapService
    let blobs: any BlobStore
    let entities: SnapEntities

    func add(to router: Router<AppContext>) {
        router.get("api/v1/snap_feeds", use: feeds)
        router.get("api/v1/snap_samples", use: samples)
        router.get("api/v1/snaps", use: list)
        router.post("api/v1/snaps", use: post)
        router.delete("api/v1/snaps/:id", use: delete)
        router.get("api/v1/snaps/:id/viewers", use: viewers)
        router.post("api/v1/snaps/:id/open", use: open)
        router.post("api/v1/snaps/:id/shown", use: shown)
        router.post("api/v1/snaps/:id/close", use: close)
        router.get("api/v1/snap_views/:view", use: picture)
    }

    private func feeds(_ request: Request, _ context: AppContext) async throws -> Response {
        let sections = try await snaps.sections(for: context.viewer)
        return .json(for: request) {
            $0.array(sections) { json, section in entities.feed(section, into: &json) }
        }
    }

    private func samples(_ request: Request, _ context: AppContext) throws -> Response {
        _ = try context.viewer
        return .json(for: request) {
            $0.array(snaps.samples.all) { json, one in entities.sample(one, into: &json) }
        }
    }

    private func list(_ request: Request, _ context: AppContext) async throws -> Response {
        let sections = try await snaps.sections(for: context.viewer)
        return .json(for: request, capacity: 16_384) {
            $0.array(sections) { json, section in entities.section(section, into: &json) }
        }
    }

    private func post(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let key = try IdempotencyKey.read(request, scope: "snap")
        let input = try await Input.read(request, context)
        let snap = try await snaps.post(
            SnapService.Source(input), to: input.text("feed_id"), by: viewer, key: key)
        return .json(status: .created, for: request) { json in
            entities.snap(ListedSnap(snap: snap, state: .unopened, isOwn: true), into: &json)
        }
    }

    private func delete(_ request: Request, _ context: AppContext) async throws -> Response {
        try await snaps.delete(context.id("id"), by: context.viewer)
        return .json(for: request) { $0.object { _ in } }
    }

    private func viewers(_ request: Request, _ context: AppContext) async throws -> Response {
        let page = try PageRequest(Input.query(request))
        let found = try await snaps.viewers(of: context.id("id"), for: context.viewer, page: page)
        return .list(found.map(\.1), ids: found.map(\.0), page, request, entities.entities) { json, viewer in
            entities.viewer(viewer, into: &json)
        }
    }

    // MARK: The one look

    private func open(_ request: Request, _ context: AppContext) async throws -> Response {
        let session = try context.ownSession
        let look = try await snaps.open(
            context.id("id"), by: session.account, session: session.id)
        return .look(
            look.secret, at: "\(entities.entities.publicURL)/api/v1/snap_views/\(look.secret)",
            until: look.deadline, description: look.description, for: request)
    }

    private func shown(_ request: Request, _ context: AppContext) async throws -> Response {
        let session = try context.ownSession
        try await snaps.show(context.id("id"), by: session.account, session: session.id)
        return .nothing
    }

    private func close(_ request: Request, _ context: AppContext) async throws -> Response {
        let session = try context.ownSession
        try await snaps.close(context.id("id"), by: session.account, session: session.id)
        return .nothing
    }

    private func picture(_ request: Request, _ context: AppContext) async throws -> Response {
        let session = try context.ownSession
        let format = PhotoFiles.format(request)
        let view = context.parameters.get("view") ?? ""
        let key = try await snaps.picture(ofLook: view, format, by: session.account, session: session.id)
        return try await PhotoFiles.once(key, format, request, context, from: blobs)
    }
}

extension SnapService.Source {
    /// Reads the picture that a call names; nil when it names none.
    init?(_ input: Input) {
        if let id = input.id("media_id", of: SingleUseMedia.self) {
            self = .upload(id, description: input.string("description")?.trimmed)
        } else if let id = input.id("photo_id", of: Photo.self) {
            self = .photo(id)
        } else if let id = input.string("sample_id") {
            self = .sample(id)
        } else {
            return nil
        }
    }
}
