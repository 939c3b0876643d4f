import Hummingbird

/// Answers each request in a task of its own, so that a connection that sends a long answer holds little memory.
///
/// A task keeps the memory of its deepest moment as long as it lives, and a connection's task lives as long as its
/// connection. In that task, the memory that routing and middleware need for a moment would double the cost of an event
/// stream, from 23 kB to 46, and add as much to a download whose client doesn't read.
package struct StreamResponder<Responder: HTTPResponder<AppContext>>: HTTPResponder {
    package let responder: Responder

    package init(responder: Responder) {
        self.responder = responder
    }

    package func respond(to request: Request, context: AppContext) async throws -> Response {
        async let response = responder.respond(to: request, context: context)
        return try await response
    }
}
