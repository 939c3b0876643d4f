import Core
import Hummingbird
import Serving

/// The JSON routes of policies for notifications, and of what they have put aside, in Mastodon's form.
struct NotificationPolicyAPI {
    let notifications: NotificationService
    let entities: Entities

    func add(to router: Router<AppContext>) {
        router.get("api/v2/notifications/policy") { request, context in
            write(try await notifications.policy(of: context.viewer), request)
        }
        router.patch("api/v2/notifications/policy") { request, context in
            let viewer = try context.viewer
            let change = try NotificationPolicyChange(try await Input.read(request, context))
            return write(try await notifications.change(change, by: viewer), request)
        }
        router.get("api/v1/notifications/requests") { request, context in
            let page = try PageRequest(Input.query(request))
            let found = try await notifications.appRequests(for: context.viewer, page: page)
            return Response.list(found, ids: found.map(\.request.actor.id.rawValue), page, request, entities)
            {
                write($1, context.reader, into: &$0)
            }
        }
        // What was accepted is shown at once.
        router.get("api/v1/notifications/requests/merged") { request, context in
            _ = try context.viewer
            return Response.json(for: request) { $0.object { $0.member("merged", true) } }
        }
        router.get("api/v1/notifications/requests/:id") { request, context in
            let found = try await notifications.appRequest(from: context.id("id"), for: context.viewer)
            return Response.json(for: request) { write(found, context.reader, into: &$0) }
        }
        for (name, answer) in [("accept", NotificationService.Answer.accept), ("dismiss", .dismiss)] {
            router.post("api/v1/notifications/requests/\(name)") { request, context in
                let viewer = try context.viewer
                let input = try await Input.read(request, context)
                // Mastodon.py writes `id[][]`, which Mastodon takes for the same.
                let people: [Account.ID] = try ["id", "id[]"].flatMap { try input.ids($0, of: "a request") }
                    .withoutRepeats()
                guard !people.isEmpty else {
                    throw Refusal.invalid("id", "ERR_BLANK", "Say which requests.")
                }
                guard people.count <= Self.most else {
                    throw Refusal.invalid("id", "ERR_TOO_MANY", "At most \(Self.most) requests at a time.")
                }
                try await notifications.answer(answer, people, by: viewer)
                return Response.json(for: request) { $0.object { _ in } }
            }
            router.post("api/v1/notifications/requests/:id/\(name)") { request, context in
                try await notifications.answer(answer, [context.id("id")], by: context.viewer)
                return Response.json(for: request) { $0.object { _ in } }
            }
        }
    }

    /// The most requests of one call.
    private static let most = 80

    private func write(_ policy: NotificationService.Policy, _ request: Request) -> Response {
        .json(for: request) { json in
            json.object { json in
                let names = NotificationPolicyChange.names
                let choices = [
                    (names.notFollowing, policy.policy.notFollowing),
                    (names.notFollowers, policy.policy.notFollowers),
                    (names.newAccounts, policy.policy.newAccounts),
                ]
                for (name, treatment) in choices
                    + NotificationPolicyChange.fixed.map({ ($0.name, $0.treatment) })
                {
                    json.key(computed: name)
                    json.value(treatment.rawValue)
                }
                json.object("summary") { json in
                    json.member("pending_requests_count", policy.putAside.people)
                    json.member("pending_notifications_count", policy.putAside.notifications)
                }
            }
        }
    }

    private func write(
        _ found: NotificationService.AppRequest, _ reader: Reader, into json: inout JSONWriter
    ) {
        let (request, newest) = found
        json.object { json in
            json.member("id", request.actor.id)
            json.member("created_at", request.oldest.createdAt)
            json.member("updated_at", request.newest.createdAt)
            // Mastodon's is a text.
            json.member("notifications_count", String(request.count))
            json.key("account")
            entities.account(request.actor, into: &json)
            json.key("last_status")
            if let subject = newest?.subject, subject.statusID != nil {
                subject.writeStatus(for: reader, into: &json)
            } else {
                json.null()
            }
        }
    }
}
