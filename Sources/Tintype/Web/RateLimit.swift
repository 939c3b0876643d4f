import Foundation
import HTTPTypes
import Hummingbird

/// How often one person, or one address where nobody is logged in, may ask the server.
public struct RateLimits: Sendable {
    /// Changes in five minutes; a look at a snap isn't one, nor is saying that a message came or was read.
    public var writes = 300
    /// Pages, JSON and pictures in five minutes. One screen of a library is some forty requests.
    public var reads = 9_000
    /// Uploads, and forms that may carry pictures, in half an hour. Mastodon allows 30, which a weekend's photos exceed.
    public var uploads = 300
    /// Wrong passwords for one account from one place before pauses grow (``PasswordAttempts``).
    public var logIns = 10
    /// Attempts to make an account in an hour, by address.
    public var signUps = 10

    /// The defaults.
    public init() {}
}

/// Keeps any one client from taking the server for itself: a request beyond the limit is answered with 429
/// and when to come back, in the headers that Mastodon's clients know (CLIENTS.md, "Rate headers").
struct RateLimit: MiddlewareProtocol {
    private let errors: ErrorResponses
    private let now: @Sendable () -> Date
    private let reads: RateLimiter
    private let writes: RateLimiter
    private let uploads: RateLimiter

    private static let capacity = 50_000
    private static let looks = ["/open", "/shown", "/close"]
    /// What a page says by itself about messages that come in: each of the other's sends causes some.
    private static let acknowledgements = ["/delivered", "/read", "/typing"]
    private static let uploadPaths: Set<String> = ["/api/v2/media", "/api/v1/media", "/library"]

    init(_ limits: RateLimits, errors: ErrorResponses, now: @escaping @Sendable () -> Date) {
        self.errors = errors
        self.now = now
        reads = RateLimiter(limit: limits.reads, per: 300, capacity: Self.capacity, now: now)
        writes = RateLimiter(limit: limits.writes, per: 300, capacity: Self.capacity, now: now)
        uploads = RateLimiter(limit: limits.uploads, per: 1800, capacity: Self.capacity, now: now)
    }

    func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        let limiter = limiter(for: request)
        let outcome = limiter.take(Self.key(context))
        var response: Response
        if outcome.isAllowed {
            response = try await next(request, context)
        } else {
            let seconds = max(1, Int(outcome.untilNext.rounded(.up)))
            response = errors.response(
                to: request, context,
                Refusal(.tooOften(retryAfter: seconds), "That was a lot at once. Try again in a moment."))
        }
        guard request.isAPI else { return response }
        response.headers[.rateLimit] = String(limiter.limit)
        response.headers[.rateRemaining] = String(outcome.remaining)
        // Clients that are told "0 left" sleep until then, so it is never further away than it has to be.
        let wait = outcome.remaining == 0 ? outcome.untilNext : min(outcome.untilFull, 300)
        response.headers[.rateReset] = Timestamp.iso8601(now().addingTimeInterval(wait))
        return response
    }

    private static func key(_ context: AppContext) -> String {
        context.session.map { "account \($0.account.id)" } ?? "address \(ClientNetwork.key(context.address))"
    }

    private func limiter(for request: Request) -> RateLimiter {
        switch request.method {
        case .get, .head, .options: return reads
        case .post: break
        default: return writes
        }
        // As the router reads it, which passes over slashes that say nothing.
        let path = "/" + request.uri.path.split(separator: "/").joined(separator: "/")
        // Passwords have limits of their own, with room for browsers known before (``PasswordAttempts``).
        if path == "/login" { return reads }
        if Self.uploadPaths.contains(path) || Self.isPictureForm(request, path) { return uploads }
        // One look is three calls, and works once for each picture that friends sent: that limits it.
        if Self.looks.contains(where: path.hasSuffix) { return reads }
        if request.isAPI, Self.acknowledgements.contains(where: path.hasSuffix) { return reads }
        return writes
    }

    /// Whether it is a form of a page that brings pictures for a snap or for a conversation.
    private static func isPictureForm(_ request: Request, _ path: String) -> Bool {
        guard path == "/snaps" || path.hasPrefix("/messages/") else { return false }
        return request.headers[.contentType]?.lowercased().hasPrefix("multipart/") == true
    }
}
