import Core
import Hummingbird
import Serving

/// The JSON routes of notifications and markers, in Mastodon's form.
struct NotificationAPI {
    let notifications: NotificationService
    let entities: Entities

    func add(to router: Router<AppContext>) {
        router.get("api/v1/notifications", use: list)
        router.post("api/v1/notifications/clear") { request, context in
            try await notifications.clear(by: context.viewer)
            return Response.json(for: request) { $0.object { _ in } }
        }
        router.get("api/v1/notifications/unread_count") { request, context in
            let count = try await notifications.unreadCount(for: context.viewer)
            return Response.json(for: request) { $0.object { $0.member("count", count) } }
        }
        router.get("api/v1/notifications/:id") { request, context in
            let viewer = try context.viewer
            let notification = try await notifications.notification(context.id("id"), for: viewer)
            return Response.json(for: request) {
                entities.notification(notification, viewer: context.reader, into: &$0)
            }
        }
        router.post("api/v1/notifications/:id/dismiss") { request, context in
            try await notifications.dismiss(context.id("id"), by: context.viewer)
            return Response.json(for: request) { $0.object { _ in } }
        }
        router.get("api/v1/markers") { request, context in
            let names = Input.query(request).list("timeline")
            let timelines = Marker.Timeline.allCases.filter { names.contains($0.rawValue) }
            return write(try await notifications.markers(timelines, of: context.viewer), request)
        }
        router.post("api/v1/markers", use: mark)
    }

    private func list(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = Input.query(request)
        let page = try PageRequest(input)
        let actor: Account.ID? = try input.filledID("account_id", of: "a person")
        let (ids, found) = try await notifications.notifications(
            for: viewer,
            .init(
                kinds: notifications.kinds.wanted(input).map(\.kind), actor: actor,
                which: input.wantsPutAside(of: actor) ? .all : .heard), page: page)
        return .list(found, ids: ids, page, request, entities) { json, notification in
            entities.notification(notification, viewer: context.reader, into: &json)
        }
    }

    private func mark(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = try await Input.read(request, context)
        let lastRead = try Marker.Timeline.allCases.compactMap { timeline -> (Marker.Timeline, Int64)? in
            let name = "\(timeline.rawValue)[last_read_id]"
            guard let text = input.string(name) else { return nil }
            guard let id = Int64(text), id >= 0 else {
                throw Refusal.invalid(name, "ERR_INVALID", "last_read_id is not an id.")
            }
            return (timeline, id)
        }
        return write(try await notifications.mark(lastRead, by: viewer), request)
    }

    private func write(_ markers: [Marker], _ request: Request) -> Response {
        .json(for: request) { json in
            json.object { json in
                for marker in markers {
                    json.key(computed: marker.timeline.rawValue)
                    json.object { json in
                        json.member("last_read_id", String(marker.lastRead))
                        json.member("version", marker.version)
                        json.member("updated_at", marker.updatedAt)
                    }
                }
            }
        }
    }
}

extension Input {
    /// Whether an app asks for notifications that were put aside, too: by `include_filtered`, or by a person, as it does for what
    /// was put aside of them.
    func wantsPutAside(of actor: Account.ID?) -> Bool { bool("include_filtered") ?? (actor != nil) }
}

extension NotificationKinds {
    /// Returns the kinds that an app asks for by `types` and `exclude_types`; by default those that Mastodon has.
    func wanted(_ input: Input) -> [NotificationKind] {
        let (wanted, unwanted) = (input.list("types"), input.list("exclude_types"))
        return all.filter { kind in
            (wanted.isEmpty ? kind.isMastodons : wanted.contains(kind.mastodonType))
                && !unwanted.contains(kind.mastodonType)
        }
    }
}

extension Entities {
    /// Writes a notification in Mastodon's form.
    func notification(_ notification: Notification, viewer: Reader, into json: inout JSONWriter) {
        json.object { json in
            json.member("id", notification.id)
            json.member("type", notification.kind.mastodonType)
            json.member("created_at", notification.id.createdAt)
            json.member("group_key", notification.groupKey.text)
            json.key("account")
            account(notification.actor, into: &json)
            notification.subject?.write(for: viewer, into: &json)
        }
    }
}
