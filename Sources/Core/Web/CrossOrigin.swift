import HTTPTypes
import Hummingbird
import Serving

/// The middleware by which web apps of other sites may use the interface (Cross-Origin Resource Sharing, Fetch Standard,
/// 3.3): they send tokens like apps on a phone, and nobody's cookies.
package struct CrossOrigin: MiddlewareProtocol {
    package init() {}

    package func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        guard request.isAPI else { return try await next(request, context) }
        if request.method == .options { return Self.preflight }
        var response = try await next(request, context)
        // What a cookie has opened is for this server's own pages. A browser may keep it, and would give it to others.
        if request.headers[.cookie] == nil {
            response.headers[.accessControlAllowOrigin] = "*"
            response.headers[.accessControlExposeHeaders] = Self.readable
        }
        return response
    }

    /// The answer to a browser that asks what another site's page may send. It is kept for a day.
    private static let preflight = Response(
        status: .noContent,
        headers: [
            .accessControlAllowOrigin: "*",
            .accessControlAllowMethods: "GET, HEAD, POST, PUT, PATCH, DELETE",
            // The star doesn't include `Authorization` (Fetch Standard, 3.3.3).
            .accessControlAllowHeaders: "Authorization, *",
            .accessControlMaxAge: "86400",
        ])

    /// The headers of an answer that such a page may read.
    private static let readable = [
        HTTPField.Name.link, .rateLimit, .rateRemaining, .rateReset, .retryAfter, .requestID, .eTag, .allow,
    ].map(\.rawName).joined(separator: ", ")
}
