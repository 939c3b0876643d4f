import Foundation
import HTTPTypes
import Hummingbird

/// Finds out who asks, by bearer token or session cookie, and refuses writes under a cookie that another
/// site sent (cross-site request forgery).
struct Authentication: MiddlewareProtocol {
    let sessions: SessionService
    let events: EventBus
    let publicURL: String

    private var cookieName: String { Session.cookieName(isSecure: publicURL.hasPrefix("https")) }

    func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        if let header = request.headers[.authorization] {
            guard header.lowercased().hasPrefix("bearer "),
                let session = try await sessions.session(
                    token: String(header.dropFirst(7)).trimmed, from: context.address)
            else { throw Refusal(.unauthenticated, "This access token isn’t valid.") }
            context.session = session
            return try await next(request, context)
        }
        if !isSafe(request.method), !isSameOrigin(request) {
            throw Refusal(.otherOrigin, "This came from another site, so nothing was done.")
        }
        if let token = request.cookie(cookieName) {
            context.session = try await sessions.session(token: token, from: context.address)
        }
        if let session = context.session, !request.isAPI {
            context.eventPosition = events.position(of: session.account.id)
        }
        var response = try await next(request, context)
        response.headers[.account] = context.session?.account.id.description ?? "none"
        return response
    }

    private func isSafe(_ method: HTTPRequest.Method) -> Bool {
        method == .get || method == .head || method == .options
    }

    /// Whether the request comes from a page of ours. Browsers send `Sec-Fetch-Site` (W3C Fetch Metadata), older
    /// ones `Origin`; a request with a cookie and neither is not from a browser that we can trust.
    private func isSameOrigin(_ request: Request) -> Bool {
        switch request.headers[.fetchSite] {
        case "same-origin", "none": return true
        case .some: return false
        case nil: break
        }
        if let origin = request.headers[.origin] { return isOurs(origin, host: request.head.authority) }
        // Without a cookie there is nothing to abuse: programs may sign up or log in.
        return request.cookie(cookieName) == nil
    }

    /// Whether an origin such as `https://photos.example.org` is this server under its public name, or under
    /// the name that the request was sent to, where that may be plain HTTP. `null` is nobody's.
    private func isOurs(_ origin: String, host: String?) -> Bool {
        if origin == publicURL { return true }
        guard let host, !host.isEmpty else { return false }
        return origin == "https://\(host)" || (!publicURL.hasPrefix("https") && origin == "http://\(host)")
    }
}
