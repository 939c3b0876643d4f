import Core
import Foundation
import HTTPTypes
import Hummingbird
import Serving

/// The middleware that identifies the sender by bearer token or session cookie, and refuses writes with a cookie that
/// another site sent (cross-site request forgery).
package struct Authentication: MiddlewareProtocol {
    package let sessions: SessionService
    package let events: EventBus
    package let sight: Sight
    package let publicURL: String
    /// Finds the app of a token that belongs to an app and to no person (``AppToken``), for the address that sent it.
    package let appOfToken: @Sendable (_ token: String, _ address: String) async throws -> AppToken?

    package init(
        sessions: SessionService, events: EventBus, sight: Sight, publicURL: String,
        appOfToken: @escaping @Sendable (_ token: String, _ address: String) async throws -> AppToken?
    ) {
        self.sessions = sessions
        self.events = events
        self.sight = sight
        self.publicURL = publicURL
        self.appOfToken = appOfToken
    }

    private var cookieName: String { Session.cookieName(isSecure: publicURL.hasPrefix("https")) }

    package func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        // In these calls an app identifies itself, by the same header or in the body.
        if request.isFromClient { return try await next(request, context) }
        var context = context
        if let token = bearerToken(request) ?? request.streamingToken {
            try await readToken(token, into: &context)
            return try await next(request, context)
        }
        // A page of another site could open a WebSocket with the cookie, too, and read its messages. Without a cookie it
        // asks as anyone may, such as a web app that registers (``CrossOrigin``).
        if !isSafe(request.method) || request.asksForWebSocket, !isSameOrigin(request),
            !request.isAPI || request.headers[.cookie] != nil
        {
            throw Refusal(.otherOrigin, "This request came from another site, so nothing was done.")
        }
        if let token = request.cookie(cookieName) {
            context.session = try await sessions.session(token: token, in: .cookie, from: context.address)
        }
        // A page that stays open after somebody else has logged in must not act in their name.
        if let asker = request.headers[.account], let account = context.session?.account.id.description,
            asker != account
        {
            throw Refusal(.unauthenticated, "Somebody else is logged in here now. Load the page again.")
        }
        context.isLoggedOut = context.session == nil
        if let session = context.session, !request.isAPI {
            context.eventPosition = events.position(of: session.account.id)
        }
        var response = try await next(request, context)
        response.headers[.account] =
            context.session.map { "\($0.account.id)-\(sight[$0.account.id])" } ?? "none"
        return response
    }

    /// Returns the token of the header `Authorization`; empty for a header of another kind, which isn't valid.
    private func bearerToken(_ request: Request) -> String? {
        request.headers[.authorization].map { header in
            header.lowercased().hasPrefix("bearer ") ? String(header.dropFirst(7)).trimmed : ""
        }
    }

    /// Finds the owner of a token: a person, or an app without a logged-in person.
    ///
    /// - Throws: ``Refusal`` (401) for a token that isn't valid.
    private func readToken(_ token: String, into context: inout AppContext) async throws {
        if token.hasPrefix(AppToken.prefix) {
            context.app = try await appOfToken(token, context.address)
        } else {
            context.session = try await sessions.session(token: token, in: .header, from: context.address)
        }
        guard context.session != nil || context.app != nil else {
            throw Refusal(.unauthenticated, "This access token isn’t valid.")
        }
    }

    private func isSafe(_ method: HTTPRequest.Method) -> Bool {
        method == .get || method == .head || method == .options
    }

    /// Returns whether the request comes from a page of this server. Browsers send `Sec-Fetch-Site` (W3C Fetch
    /// Metadata), older ones `Origin`; a request with a cookie and neither header is not from a browser that can be
    /// trusted.
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

    /// Returns whether an origin such as `https://photos.example.org` is this server, by its public name, or by the
    /// name in the request where that may be plain HTTP. `null` never is.
    private func isOurs(_ origin: String, host: String?) -> Bool {
        if origin == publicURL { return true }
        guard let host, !host.isEmpty else { return false }
        return origin == "https://\(host)" || (!publicURL.hasPrefix("https") && origin == "http://\(host)")
    }
}

extension Request {
    /// The access token of an app that opens a stream and can't send the header `Authorization`: in the query, or as
    /// the first protocol that a WebSocket offers (Documentation/Interface.md, "Streams").
    fileprivate var streamingToken: String? {
        guard uri.path.hasPrefix("/api/v1/streaming") else { return nil }
        if let token = Input.query(self).string("access_token") { return token }
        return asksForWebSocket ? webSocketProtocol : nil
    }
}
