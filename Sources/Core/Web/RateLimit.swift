import Foundation
import HTTPTypes
import Hummingbird
import Serving
import Synchronization

/// How many requests one person, or one address without a log-in, may send.
public struct RateLimits: Sendable {
    /// Changes in five minutes, without those that features count as reading (``Feature/readingRoutes``).
    public var writes = 300
    /// Pages, JSON and pictures in five minutes. One screen of a library takes about forty requests.
    public var reads = 9_000
    /// Files in half an hour, however many come in one request. Mastodon allows 30, fewer than the photos of a weekend.
    public var uploads = 300
    /// Wrong passwords for one account from one place before the pauses grow (``PasswordAttempts``).
    public var logIns = 10
    /// Sign-ups in an hour, by address.
    public var signUps = 10
    /// Apps registered in an hour, by network. Not a setting.
    package var appRegistrations = 60
    /// Apps registered in an hour by everyone, so that strangers with many networks can't soon displace an app that
    /// somebody is about to allow. Not a setting.
    package var allAppRegistrations = 2_000
    /// How long the server waits for the next bytes of a request, in seconds. Not a setting; tests shorten it.
    package var bodyPatience = 10.0

    /// Creates the default limits.
    public init() {}
}

/// The middleware that keeps any one client from using up the server: a request beyond the limit is answered with 429
/// and with when to come back, in the headers that Mastodon's clients know (Documentation/Interface.md, "What apps
/// need").
package struct RateLimit: MiddlewareProtocol {
    private let errors: ErrorResponses
    private let now: @Sendable () -> Date
    private let reads: RateLimiter
    private let writes: RateLimiter
    private let uploads: RateLimiter

    private static let capacity = 50_000
    private let readingRoutes: Set<String>

    /// - Parameter readingRoutes: the paths of the POST routes that count as reading (``Feature/readingRoutes``).
    package init(
        _ limits: RateLimits, readingRoutes: [String], errors: ErrorResponses,
        now: @escaping @Sendable () -> Date
    ) {
        self.readingRoutes = Set(readingRoutes)
        self.errors = errors
        self.now = now
        reads = RateLimiter(limit: limits.reads, per: 300, capacity: Self.capacity, now: now)
        writes = RateLimiter(limit: limits.writes, per: 300, capacity: Self.capacity, now: now)
        uploads = RateLimiter(limit: limits.uploads, per: 1800, capacity: Self.capacity, now: now)
    }

    package func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        var limiter = limiter(for: request, context)
        let key = Self.key(context)
        var outcome = limiter.take(key)
        var response: Response
        if outcome.isAllowed {
            var context = context
            let files = UploadCount(uploads, key)
            context.uploads = files
            response = try await next(request, context)
            if let last = files.last {
                // A request with files counts as files, and not as a change, too.
                if last.isAllowed { limiter.giveBack(key) }
                (limiter, outcome) = (uploads, last)
            }
        } else {
            let seconds = max(1, Int(outcome.untilNext.rounded(.up)))
            response = errors.response(
                to: request, context,
                Refusal(.tooOften(retryAfter: seconds), "Too many requests. Try again in a moment."))
        }
        guard request.isAPI else { return response }
        response.headers[.rateLimit] = String(limiter.limit)
        // A refusal already says when to come back, also one by the call's own limit.
        guard response.headers[.rateReset] == nil else { return response }
        response.headers[.rateRemaining] = String(outcome.remaining)
        // Clients that read "0 left" sleep until then, so the time is never later than necessary.
        let wait = outcome.remaining == 0 ? outcome.untilNext : min(outcome.untilFull, 300)
        response.headers[.rateReset] = Timestamp.iso8601(now().addingTimeInterval(wait))
        return response
    }

    private static func key(_ context: AppContext) -> String {
        context.session.map { "account \($0.account.id)" } ?? "address \(ClientNetwork.key(context.address))"
    }

    private func limiter(for request: Request, _ context: AppContext) -> RateLimiter {
        switch request.method {
        case .get, .head, .options: reads
        case .post: context.endpointPath.map(readingRoutes.contains) == true ? reads : writes
        default: writes
        }
    }
}

/// Counts the files of one request against the limit of uploads, each when it begins to arrive.
final class UploadCount: Sendable {
    private let limiter: RateLimiter
    private let key: String
    private let outcome = Mutex<RateLimiter.Outcome?>(nil)

    /// - Parameter key: the key of the sender.
    init(_ limiter: RateLimiter, _ key: String) {
        self.limiter = limiter
        self.key = key
    }

    /// The outcome of counting the newest file; nil when none has come.
    var last: RateLimiter.Outcome? { outcome.withLock { $0 } }

    /// Counts a file.
    ///
    /// - Throws: ``Refusal`` (429) when there were too many files.
    func take() throws {
        let taken = limiter.take(key)
        outcome.withLock { $0 = taken }
        guard taken.isAllowed else {
            let seconds = max(1, Int(taken.untilNext.rounded(.up)))
            throw Refusal(
                .tooOften(retryAfter: seconds),
                "You sent too many pictures. Try again \(Self.words(seconds)).")
        }
    }

    private static func words(_ seconds: Int) -> String {
        seconds < 120 ? "in a moment" : "in \(seconds / 60) minutes"
    }
}
