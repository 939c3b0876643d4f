import Hummingbird

/// Answers requests for event streams in a task of their own.
///
/// A task keeps the memory of its deepest moment for as long as it lives, and a connection's task lives as long
/// as its stream. Kept by each stream, what routing and middleware needed for a moment doubles its cost, from 23 kB
/// to 46.
struct StreamResponder<Responder: HTTPResponder<AppContext>>: HTTPResponder {
    let responder: Responder

    private static var paths: Set<String> { ["/api/v1/events", "/api/v1/streaming/user"] }

    func respond(to request: Request, context: AppContext) async throws -> Response {
        guard Self.paths.contains(request.uri.path) else {
            return try await responder.respond(to: request, context: context)
        }
        async let response = responder.respond(to: request, context: context)
        return try await response
    }
}
