import HTTPTypes
import Hummingbird
import Serving

/// The middleware that says why a call of the interface doesn't exist: apps offer what other servers have, and a person
/// should read that this one doesn't have it, and not that a thing of theirs is gone.
package struct UnknownCalls: MiddlewareProtocol {
    /// The calls, each path split at its slashes.
    private let calls: [(parts: [Substring], method: String)]

    /// - Parameter operations: every call of the JSON interface.
    package init(_ operations: [Operation]) {
        calls = operations.map { ($0.path.split(separator: "/"), $0.method) }
    }

    package func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        guard context.endpointPath == nil, request.isAPI else { return try await next(request, context) }
        let parts = request.uri.path.split(separator: "/", maxSplits: Self.mostParts)
        let absent = Absent.words(for: parts).map { "This server doesn’t have \($0)." }
        let methods = methods(of: parts)
        guard !methods.isEmpty else {
            throw Refusal(.notFound, absent ?? "This server doesn’t have this call.")
        }
        let names = methods.joined(separator: " or ")
        throw Refusal(
            .wrongMethod((methods + (methods.contains("GET") ? ["HEAD"] : [])).sorted()),
            absent ?? "This call doesn’t take \(request.method.rawValue), only \(names).")
    }

    /// The most parts of a path that are looked at; no call has as many.
    private static let mostParts = 12

    /// Returns the methods of the calls with a path, sorted; none when there is no such path.
    private func methods(of path: [Substring]) -> [String] {
        let found = calls.filter { call in
            call.parts.count == path.count
                && zip(call.parts, path).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }
        return Set(found.map(\.method)).sorted()
    }
}

/// What Mastodon's interface has and this server doesn't, by the parts of its paths.
private enum Absent {
    /// The words by the first part after the version.
    private static let families = [
        "admin": "administration by apps", "announcements": "announcements",
        "annual_reports": "yearly reports",
        "async_refreshes": "searches that go on", "collections": "collections of people",
        "crypto": "keys for encryption", "custom_emojis": "emoji of its own",
        "directory": "a directory of people",
        "domain_blocks": "blocks of other servers", "email_domain_blocks": "administration by apps",
        "emails": "confirmation by email", "endorsements": "featured people", "featured_tags": "hashtags",
        "filters": "filters", "followed_tags": "hashtags", "identity_proofs": "proofs of identity",
        "lists": "lists", "oembed": "previews for other sites", "polls": "polls",
        "scheduled_statuses": "scheduled posts", "severed_relationships": "connections to other servers",
        "tags": "hashtags", "trends": "trends",
    ]

    /// The words by the last part, below posts, people and timelines.
    private static let endings = [
        "card": "previews of links", "endorse": "featured people", "endorsements": "featured people",
        "featured_tags": "hashtags", "identity_proofs": "proofs of identity",
        "interaction_policy": "rules for quotes", "lists": "lists", "note": "notes about people",
        "quotes": "quotes", "translate": "translations", "unendorse": "featured people",
    ]

    /// The words by the part after `timelines`.
    private static let timelines = [
        "direct": "a timeline of messages", "link": "timelines of links", "list": "lists", "tag": "hashtags",
    ]

    /// Returns what a path is about, as the end of “This server doesn’t have …”; nil when nobody knows.
    static func words(for path: [Substring]) -> String? {
        guard path.count > 2, path[0] == "api" else { return nil }
        if path[2] == "timelines" { return path.count > 3 ? timelines[String(path[3])] : nil }
        if let family = families[String(path[2])] { return family }
        return ["accounts", "statuses"].contains(path[2]) ? path.last.flatMap { endings[String($0)] } : nil
    }
}
