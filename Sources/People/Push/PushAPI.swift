import Core
import HTTPTypes
import Hummingbird
import Serving

/// The JSON routes of announcements on devices, in Mastodon's form (docs.joinmastodon.org/methods/push).
struct PushAPI {
    let push: PushService

    private static let path: RouterPath = "api/v1/push/subscription"

    func add(to router: Router<AppContext>) {
        router.post(Self.path) { request, context in
            let session = try context.ownSession
            let input = try await Input.read(request, context)
            let subscription = try await push.subscribe(
                session, token: Self.token(request, of: session), input)
            return write(subscription, request)
        }
        router.get(Self.path) { request, context in
            write(try await push.subscription(of: context.ownSession), request)
        }
        router.put(Self.path) { request, context in
            let session = try context.ownSession
            let choice = try PushChoice(try await Input.read(request, context))
            return write(try await push.choose(choice, in: session), request)
        }
        router.delete(Self.path) { request, context in
            try await push.unsubscribe(context.ownSession)
            return Response.json(for: request) { $0.object { _ in } }
        }
        router.post("api/v1/push/test") { request, context in
            try await push.sendTest(to: context.ownSession)
            return Response.json(status: .accepted, for: request) { $0.object { _ in } }
        }
    }

    /// Returns the access token with which an app has sent the request; nil for a browser.
    private static func token(_ request: Request, of session: Session) -> String? {
        guard session.kind.place == .header, let header = request.headers[.authorization] else { return nil }
        return String(header.dropFirst("Bearer ".count)).trimmed
    }

    private func write(_ subscription: PushSubscription, _ request: Request) -> Response {
        .json(for: request) { json in
            json.object { json in
                // A number, as in Mastodon (Documentation/Interface.md, "What apps need").
                json.member("id", Int(subscription.id.rawValue))
                json.member("endpoint", subscription.endpoint)
                json.member("standard", subscription.coding == .aes128gcm)
                json.object("alerts") { json in
                    for name in PushSubscription.alertNames {
                        json.key(computed: name)
                        json.value(subscription.choice.alerts.contains(name))
                    }
                }
                json.member("policy", subscription.choice.policy.rawValue)
                json.member("server_key", push.publicKey)
            }
        }
    }
}
