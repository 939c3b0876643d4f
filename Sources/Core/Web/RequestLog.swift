import Foundation
import HTTPTypes
import Hummingbird
import Logging
import Serving

/// The outermost layer of a request: gives it an id, measures it, writes its one log line, and adds the headers that
/// every answer has.
package struct RequestLog: MiddlewareProtocol {
    package let metrics: Metrics
    /// The addresses in their canonical spelling.
    package let trustedProxies: Set<String>
    package let isSecure: Bool
    /// The origin of the map's tiles, as a scheme with a host; nil for a map without tiles.
    package let tiles: String?

    package init(metrics: Metrics, trustedProxies: Set<String>, isSecure: Bool, tiles: String?) {
        self.metrics = metrics
        self.trustedProxies = trustedProxies
        self.isSecure = isSecure
        self.tiles = tiles
    }

    package func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        if trustedProxies.contains(context.peer) {
            context.address = ForwardedFor(request.headers).client(
                behind: context.peer, trusting: trustedProxies)
        }
        let start = ContinuousClock.now
        var response = try await next(request, context)
        let duration = start.duration(to: .now)
        let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
        let route = context.endpointPath ?? "none"
        metrics.record(
            route: route, method: request.method, status: Int(response.status.code), seconds: seconds)
        context.logger.info(
            "request",
            metadata: [
                "method": "\(request.method)", "route": "\(route)", "status": "\(response.status.code)",
                "ms": "\((seconds * 100_000).rounded() / 100)",
            ])
        response.headers[.requestID] = context.id
        response.headers[.xContentTypeOptions] = "nosniff"
        // Answers that other sites may show set this header themselves.
        if response.headers[.crossOriginResource] == nil {
            response.headers[.crossOriginResource] = "same-origin"
        }
        // The following headers are for documents, and JSON can't become one under `nosniff`.
        if !request.isAPI, Self.mayBeDocument(response) { addDocumentHeaders(&response) }
        return response
    }

    /// Returns whether an answer may be shown as a document. Styles, scripts and photos can't be, and a first visit
    /// asks for dozens of them.
    private static func mayBeDocument(_ response: Response) -> Bool {
        let type = response.headers[.contentType] ?? ""
        let isPhoto = type.hasPrefix("image/") && !type.hasPrefix("image/svg")
        return !isPhoto && !type.hasPrefix("text/css") && !type.hasPrefix("text/javascript")
    }

    private func addDocumentHeaders(_ response: inout Response) {
        // A page whose form leads to another site sets its own policy.
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = ContentSecurityPolicy.text(tiles: tiles)
        }
        // A page whose address is a secret sets a stricter policy itself.
        if response.headers[.referrerPolicy] == nil { response.headers[.referrerPolicy] = "same-origin" }
        response.headers[.crossOriginOpener] = "same-origin"
        response.headers[.permissionsPolicy] = "camera=(self), geolocation=(self), microphone=()"
        if isSecure { response.headers[.strictTransportSecurity] = "max-age=31536000" }
    }
}
