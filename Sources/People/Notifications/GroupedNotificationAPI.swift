import Core
import Hummingbird
import Serving

/// The JSON routes of notifications in groups, in Mastodon's form (Documentation/Interface.md, "Notifications and
/// markers").
struct GroupedNotificationAPI {
    let notifications: NotificationService
    let entities: Entities

    func add(to router: Router<AppContext>) {
        router.get("api/v2/notifications", use: list)
        router.get("api/v2/notifications/unread_count") { request, context in
            let count = try await notifications.unreadCount(for: context.viewer)
            return Response.json(for: request) { $0.object { $0.member("count", count) } }
        }
        router.get("api/v2/notifications/:group_key") { request, context in
            let viewer = try context.viewer
            return write(
                [try await notifications.appGroup(key(context), for: viewer)], context.reader, request)
        }
        router.get("api/v2/notifications/:group_key/accounts") { request, context in
            let people = try await notifications.people(behind: key(context), for: context.viewer)
            return Response.json(for: request) { $0.array(people) { entities.account($1, into: &$0) } }
        }
        router.post("api/v2/notifications/:group_key/dismiss") { request, context in
            try await notifications.dismiss(key(context), by: context.viewer)
            return Response.json(for: request) { $0.object { _ in } }
        }
    }

    private func key(_ context: AppContext) throws -> GroupedNotification.Key {
        // Only a person who is logged in learns whether the key is valid.
        _ = try context.viewer
        guard let text = context.parameters.get("group_key"), let key = GroupedNotification.Key(text) else {
            throw Refusal.notFound
        }
        return key
    }

    private func list(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = Input.query(request)
        var page = try PageRequest(input)
        page.limit = min(
            max(input.integer("limit") ?? GroupedNotification.page, 1), GroupedNotification.mostOfPage)
        let types = input.list("grouped_types")
        let actor: Account.ID? = try input.filledID("account_id", of: "a person")
        let (ids, groups) = try await notifications.appGroups(
            for: viewer, kinds: notifications.kinds.wanted(input), grouping: types.isEmpty ? nil : types,
            from: actor, withPutAside: input.wantsPutAside(of: actor), page: page)
        var response = write(groups, context.reader, request)
        response.headers[.link] = page.link(
            request, publicURL: entities.publicURL, first: ids.first, last: ids.last,
            isFull: ids.count == page.limit)
        return response
    }

    /// Writes groups of notifications. Each person and each post is written once, however many groups name it.
    private func write(_ groups: [GroupedNotification], _ reader: Reader, _ request: Request) -> Response {
        var people: Set<Account.ID> = []
        let accounts = groups.flatMap(\.people).filter { people.insert($0.id).inserted }
        var posts: Set<Int64> = []
        let subjects = groups.compactMap(\.newest.subject).filter { subject in
            subject.statusID.map { posts.insert($0).inserted } ?? false
        }
        return .json(for: request, capacity: 4096) { json in
            json.object { json in
                json.array("accounts", accounts) { entities.account($1, into: &$0) }
                json.array("statuses", subjects) { $1.writeStatus(for: reader, into: &$0) }
                json.array("notification_groups", groups) { write($1, into: &$0) }
            }
        }
    }

    private func write(_ group: GroupedNotification, into json: inout JSONWriter) {
        json.object { json in
            json.member("group_key", group.key.text)
            json.member("notifications_count", group.count)
            json.member("type", group.newest.kind.mastodonType)
            // The only id that is a number (Documentation/Interface.md, "What apps need").
            json.member("most_recent_notification_id", Int(group.newest.id.rawValue))
            json.member("page_min_id", String(group.oldest))
            json.member("page_max_id", group.newest.id)
            json.member("latest_page_notification_at", group.newest.id.createdAt)
            json.array("sample_account_ids", group.people) { $0.value($1.id.description) }
            if let status = group.newest.subject?.statusID { json.member("status_id", String(status)) }
        }
    }
}
