import HTTPTypes
import Hummingbird
import Serving

/// The middleware that checks the permissions of apps, by the table of calls from which OpenAPI is made.
///
/// An app's token counts for the calls of the table alone. On every other path, such as the pages of Settings, a
/// request with such a token counts as one without a log-in.
package struct ScopeCheck: MiddlewareProtocol {
    /// The operations by method and path, separated by a space.
    private let operations: [String: Operation]

    /// - Parameter operations: every call of the JSON interface.
    package init(_ operations: [Operation]) {
        self.operations = Dictionary(operations.map { ("\($0.method) \($0.path)", $0) }) { first, _ in first }
    }

    package func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        guard let scopes = context.session?.scopes ?? context.app?.scopes else {
            return try await next(request, context)
        }
        let method = request.method == .head ? HTTPRequest.Method.get : request.method
        guard let operation = operations["\(method.rawValue) \(context.endpointPath ?? "")"] else {
            var context = context
            (context.session, context.app) = (nil, nil)
            return try await next(request, context)
        }
        if !operation.isPublic, let scope = operation.scope, !scopes.allows(scope) {
            throw Refusal.outOfScope(scope)
        }
        return try await next(request, context)
    }
}
