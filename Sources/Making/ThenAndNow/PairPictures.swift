import Core
import Hummingbird
import Imaging
import People
import Storage

/// The routes of the pictures of pairs.
struct PairPictures {
    let pairs: PairService
    let files: PhotoFiles

    func add(to router: Router<AppContext>) {
        router.get("pairs/:id/then") { try await source(.then, $0, $1) }
        router.get("pairs/:id/now") { try await source(.now, $0, $1) }
        router.get("api/v1/rephotographs/:id/rendition", use: rendition)
    }

    /// Returns the path of the picture of one of a pair's sources, for its owner.
    static func path(_ source: PairService.Source, of id: Pair.ID) -> String {
        "/pairs/\(id)/\(source.rawValue)"
    }

    private func source(
        _ source: PairService.Source, _ request: Request, _ context: AppContext
    ) async throws -> Response {
        let format = PhotoFiles.format(request)
        let asker = try PhotoFiles.asker(request, context)
        let key = try await pairs.picture(source, of: context.id("id"), format, for: asker)
        return asker.allowing(
            try await files.file(
                key, type: format.contentType, request, context, cache: "private, no-cache",
                vary: "Accept, Cookie"))
    }

    private func rendition(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let mode = try PairAPI.mode(Input.query(request)) ?? .sideBySide
        let made = try await pairs.rendition(mode, of: context.id("id"), for: viewer)
        return try await files.file(
            made.key, type: made.type, request, context, cache: "private, no-cache", vary: "Cookie",
            name: made.name)
    }
}
