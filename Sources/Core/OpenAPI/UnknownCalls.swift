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
        guard request.isAPI, context.endpointPath.map(Absent.mayHide) ?? true else {
            return try await next(request, context)
        }
        let parts = request.uri.path.split(separator: "/", maxSplits: Self.mostParts)
        let isHidden = Absent.isHidden(parts)
        guard context.endpointPath == nil || isHidden else { return try await next(request, context) }
        let absent = Absent.words(for: parts).map { "This server doesn’t have \($0)." }
        let methods = isHidden ? [] : methods(of: parts)
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

    /// Returns the methods of the calls with a path, sorted; none when there is no such path. A path that is written out
    /// (`accounts/lookup`) comes before one with a parameter in its place (`accounts/{id}`), as for the router.
    private func methods(of path: [Substring]) -> [String] {
        let found = calls.filter { call in
            call.parts.count == path.count
                && zip(call.parts, path).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }
        let parameters = { (parts: [Substring]) in parts.count { $0.hasPrefix("{") } }
        let fewest = found.map { parameters($0.parts) }.min()
        return Set(found.filter { parameters($0.parts) == fewest }.map(\.method)).sorted()
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
        "domain_blocks": "blocks of other servers", "email_domain_blocks": "administration by apps",
        "emails": "confirmation by email",
        "identity_proofs": "proofs of identity", "oembed": "previews for other sites", "polls": "polls",
        "scheduled_statuses": "scheduled posts", "severed_relationships": "connections to other servers",
        "stories": "stories. Snaps are posted and opened in Tintype itself",
        "trends": "trends of posts and links",
    ]

    /// The words by the part after a post or person.
    private static let endings = [
        "card": "previews of links", "collections": "collections of people",
        "identity_proofs": "proofs of identity",
        "in_collections": "collections of people", "interaction_policy": "rules for quotes",
        "quotes": "quotes", "translate": "translations",
    ]

    /// The words by the part after `timelines`.
    private static let timelines = [
        "direct": "a timeline of messages", "link": "timelines of links",
    ]

    /// The words by the part after `instance`.
    private static let ofTheServer = [
        "activity": "figures of its activity", "extended_description": "a longer description",
        "languages": "a list of languages",
        "terms_of_service": "terms of service", "translation_languages": "translations",
    ]

    /// Returns whether some paths of a route are hidden (``isHidden(_:)``).
    static func mayHide(_ route: String) -> Bool { route.hasPrefix("/api/v1/notifications/{") }

    /// Returns whether a path is about something that the server doesn't have, although a route with a parameter takes it:
    /// `notifications/policy` is no notification. Mastodon never released that call in its first version.
    static func isHidden(_ path: [Substring]) -> Bool {
        path.count == 4 && path[1] == "v1" && path[2] == "notifications" && path[3] == "policy"
    }

    /// Returns what a path is about, as the end of “This server doesn’t have …”; nil when nobody knows.
    static func words(for path: [Substring]) -> String? {
        guard path.count > 2, path[0] == "api" else { return nil }
        if path[2] == "timelines" { return path.count > 3 ? timelines[String(path[3])] : nil }
        if let family = families[String(path[2])] { return family }
        if isHidden(path) { return "this call. Its second version, /api/v2/notifications/policy, is here" }
        if path[2] == "instance" { return path.count > 3 ? ofTheServer[String(path[3])] : nil }
        guard ["accounts", "statuses"].contains(path[2]), path.count > 4 else { return nil }
        return endings[String(path[4])]
    }
}
