import Core
import Foundation
import Hummingbird
import Imaging
import NIOCore
import Serving
import Storage

/// The JSON routes of photos: Mastodon's media, and the viewer's own library.
struct PhotoAPI {
    let photos: PhotoService
    let singleUse: SingleUseMediaService
    let offers: PhotoOffers
    let blobs: any BlobStore
    let files: PhotoFiles
    let entities: Entities

    func add(to router: Router<AppContext>) {
        router.post("api/v2/media", use: upload)
        router.post("api/v1/media", use: upload)
        router.get("api/v1/media/:id", use: show)
        router.put("api/v1/media/:id", use: change)
        router.get("api/v1/photos", use: library)
        router.get("api/v1/photos/:id", use: show)
        router.get("api/v1/photos/:id/original", use: original)
        router.get("api/v1/photos/:id/full", use: full)
        router.delete("api/v1/photos/:id", use: delete)
    }

    private func upload(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let key = try IdempotencyKey.read(request, scope: "photo")
        // Mastodon's apps may send a `thumbnail`, too, which isn't used.
        let input = try await Input.read(request, context, files: .init(blobs: blobs, most: 2))
        guard let file = input.files.first(where: { $0.name == "file" }) else {
            await input.discardFiles(in: blobs)
            throw Refusal.invalid("file", "ERR_BLANK", "Send a picture in the field “file”.")
        }
        let focus: Focus
        do {
            focus = try input.focus() ?? .middle
        } catch {
            await input.discardFiles(in: blobs)
            throw error
        }
        for other in input.files where other.blob !== file.blob { await blobs.discard(other.blob) }
        if let name = input.filled("purpose"), name != "post" {
            guard focus == .middle else {
                await blobs.discard(file.blob)
                throw Refusal.invalid(
                    "focus", "ERR_INVALID", "A picture for one use is shown whole, so it takes no focus.")
            }
            return try await uploadForOneUse(file, purpose: name, input, request, by: viewer, key: key)
        }
        let kind: Photo.Kind = input.string("kind") == "camera" ? .camera : .upload
        let photo = try await photos.upload(
            file.blob, kind: kind, description: input.text("description"), focus: focus, by: viewer,
            key: key)
        return .json(for: request) { entities.media(photo, viewer: context.reader, isOwner: true, into: &$0) }
    }

    /// Stores a picture that is used once: it is no library photo and has no URL (Documentation/Interface.md,
    /// "Uploads").
    private func uploadForOneUse(
        _ file: Input.File, purpose name: String, _ input: Input, _ request: Request, by viewer: Account,
        key: IdempotencyKey?
    ) async throws -> Response {
        guard let purpose = offers.purposes.all.first(where: { $0.name == name }) else {
            await blobs.discard(file.blob)
            throw Refusal.invalid("purpose", "ERR_INVALID", "There is no purpose “\(name)”.")
        }
        let media = try await singleUse.upload(
            file.blob, purpose: purpose, description: input.text("description"), by: viewer, key: key)
        return .json(for: request) { entities.singleUseMedia(media, into: &$0) }
    }

    private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let photo = try await photos.own(context.id("id"), of: viewer)
        return media(photo, request, context)
    }

    /// Returns a photo of the library. An app with `write:media` alone describes its own uploads, and doesn't learn
    /// when and where other photos were taken.
    private func media(
        _ photo: Photo, _ request: Request, _ context: AppContext
    ) -> Response {
        let isOwner = context.allows(.read(.photos))
        return .json(for: request) {
            entities.media(photo, viewer: context.reader, isOwner: isOwner, into: &$0)
        }
    }

    private func change(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = try await Input.read(request, context)
        let change = PhotoChange(
            description: input.string("description").map { _ in input.text("description") },
            focus: try input.focus())
        let photo = try await photos.change(context.id("id"), change, by: viewer)
        return media(photo, request, context)
    }

    private func library(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = Input.query(request)
        let page = try PageRequest(input)
        let kinds = try Set(input.list("kind")).filter { !$0.isEmpty }.map { name in
            guard let kind = offers.kinds[Photo.Kind(name)] else {
                throw Refusal.invalid("kind", "ERR_INVALID", "There are no photos of the kind “\(name)”.")
            }
            return kind.kind
        }
        let found = try await photos.library(of: viewer, kinds: kinds, page: page)
        return .list(found, ids: found.map(\.id.rawValue), page, request, entities) { json, photo in
            entities.media(photo, viewer: context.reader, isOwner: true, into: &json)
        }
    }

    private func original(_ request: Request, _ context: AppContext) async throws -> Response {
        let id = try context.id("id", of: Photo.self)
        let (blob, format) = try await photos.original(id, of: context.viewer)
        return try await files.file(
            blob, type: format?.contentType ?? "application/octet-stream", request, context,
            cache: "private, no-cache", vary: "Cookie",
            name: "tintype-\(id).\(format?.fileExtension ?? "bin")")
    }

    private func full(_ request: Request, _ context: AppContext) async throws -> Response {
        let id = try context.id("id", of: Photo.self)
        let bytes = try await photos.full(id, of: context.viewer, from: blobs)
        return Response(
            status: .ok, headers: [.contentType: "image/jpeg", .cacheControl: "private, no-store"],
            body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    private func delete(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = try await Input.read(request, context)
        try await photos.delete(context.id("id"), by: viewer, force: input.bool("force") ?? false)
        return .json(for: request) { $0.object { _ in } }
    }
}
