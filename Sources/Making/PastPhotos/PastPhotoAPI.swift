import Core
import Foundation
import HTTPTypes
import Hummingbird
import Imaging
import People
import Serving
import Storage

/// JSON routes of searches for old photos, and their pictures (Documentation/Interface.md, "Then & Now").
struct PastPhotoAPI {
    let pastPhotos: PastPhotoService
    let entities: PastPhotoEntities
    let files: PhotoFiles
    let now: @Sendable () -> Date

    func add(to router: Router<AppContext>) {
        router.get("api/v1/past_photos", use: search)
        router.get("api/v1/past_photos/last") { request, context in
            let viewer = try context.viewer
            return answer(try await pastPhotos.last(of: viewer), request, context)
        }
        router.get("past-photos/:id/:size", use: picture)
    }

    private func search(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let query = try PastPhotoQuery(
            Input.query(request), sources: pastPhotos.sources.map(\.name), thisYear: Timestamp.year(of: now())
        )
        var response: Response
        var isKept = false
        switch try await pastPhotos.search(query, by: viewer) {
        case .saved(let search): (response, isKept) = (answer(search, request, context), search.isKept)
        case .failed(let answers): response = .json(for: request) { entities.failure(answers, into: &$0) }
        }
        response.headers[.cacheState] = isKept ? "hit" : "miss"
        return response
    }

    private func answer(_ search: PastSearch?, _ request: Request, _ context: AppContext) -> Response {
        .json(for: request, capacity: 32_768) { entities.search(search, viewer: context.reader, into: &$0) }
    }

    private func picture(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let size = context.parameters.get("size").flatMap(Photo.Size.init) else {
            throw Refusal.notFound
        }
        let format = PhotoFiles.format(request)
        let asker = try PhotoFiles.asker(request, context)
        let key = try await pastPhotos.rendition(context.id("id"), size, format, for: asker)
        return asker.allowing(
            try await files.file(
                key, type: format.contentType, request, context, cache: "private, no-cache",
                vary: "Accept, Cookie"))
    }
}

extension HTTPField.Name {
    /// The header that says whether a search was answered from kept results.
    fileprivate static var cacheState: HTTPField.Name {
        guard let name = HTTPField.Name("X-Cache") else { preconditionFailure("X-Cache is a header’s name") }
        return name
    }
}
