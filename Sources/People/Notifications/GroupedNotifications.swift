import Core
import Foundation
import Serving
import Storage

/// A group of notifications that Mastodon's apps show together: "ana and 3 others".
struct GroupedNotification: Sendable {
    /// The name of a group in the interface.
    enum Key: Sendable, Hashable {
        /// A single notification.
        case single(Notification.ID)
        /// What several people did to one thing: Mastodon's name for it, and the thing.
        case group(type: String, Int64)

        /// Reads a key from a path. Returns nil for a text that isn't one.
        init?(_ text: String) {
            guard let dash = text.lastIndex(of: "-"), let number = Int64(text[text.index(after: dash)...]),
                number > 0
            else { return nil }
            let type = String(text[..<dash])
            self = type == "ungrouped" ? .single(.init(rawValue: number)) : .group(type: type, number)
        }

        var text: String {
            switch self {
            case .single(let id): "ungrouped-\(id)"
            case .group(let type, let thing): "\(type)-\(thing)"
            }
        }
    }

    let key: Key
    /// The newest notification.
    let newest: Notification
    /// The id of the oldest notification.
    let oldest: Int64
    /// The number of notifications.
    let count: Int
    /// The people who did it, the last one first.
    let people: [Account]

    /// The most people named by a group of a list.
    static let sample = 8
    /// The number of groups on a page by default, and the most.
    static let (page, mostOfPage) = (40, 80)
}

extension Notification {
    /// The key of the group to which a notification belongs.
    var groupKey: GroupedNotification.Key {
        kind.isGroupedInApps ? .group(type: kind.mastodonType, group) : .single(id)
    }
}

extension NotificationStore {
    /// A group without its people.
    struct AppGroup {
        var kind: String
        var newest: Int64
        var oldest: Int64
        var count: Int
        /// The subject that a group's notifications have in common, or the id of a notification that is alone.
        var thing: Int64
    }

    /// The groups that are asked for.
    struct AppGroups {
        /// The kinds of notifications, and those of them that are shown together.
        var kinds: [Notification.Kind]
        var grouped: [Notification.Kind]
        /// The person who acted; nil for everyone.
        var actor: Account.ID?
        /// The subject that the groups have in common; nil for all.
        var thing: Int64?
        /// The condition that the account `$1` may see the subject of the row `n`, and gets notifications of its actor.
        var visible: String
    }

    /// Returns one page of groups, the one with the newest notification first.
    func appGroups(_ wanted: AppGroups, of account: Account.ID, page: PageRequest) throws -> [AppGroup] {
        guard !wanted.kinds.isEmpty else { return [] }
        var arguments: [(any SQLConvertible)?] = [account]
        func place(_ value: any SQLConvertible) -> String {
            arguments.append(value)
            return "$\(arguments.count)"
        }
        // Names of kinds come from the program's source.
        func list(_ kinds: [Notification.Kind]) -> String {
            kinds.map { "'\($0.name)'" }.joined(separator: ", ")
        }
        let thing =
            wanted.grouped.isEmpty
            ? "n.id" : "CASE WHEN n.kind IN (\(list(wanted.grouped))) THEN n.group_id ELSE n.id END"
        var conditions = "n.kind IN (\(list(wanted.kinds)))"
        if let actor = wanted.actor { conditions += " AND n.actor_id = \(place(actor))" }
        if let wanted = wanted.thing { conditions += " AND \(thing) = \(place(wanted))" }
        // Reads all rows of the account, whose number the capacity limits.
        return try page.rows(
            idColumn: "g.newest",
            """
            SELECT g.newest, g.oldest, g.kind, g.thing, g.actions FROM (
                SELECT n.kind, \(thing) AS thing, max(n.id) AS newest, min(n.id) AS oldest, count(*) AS actions
                FROM notifications n JOIN \(AccountRow.table) a ON a.id = n.actor_id
                WHERE n.account_id = $1 AND \(conditions) AND \(AccountRow.isVisible) AND \(wanted.visible)
                GROUP BY n.kind, \(thing)) g
            WHERE 1 = 1
            """, arguments: arguments, transaction
        ) {
            AppGroup(
                kind: try $0.string("kind"), newest: try $0.int64("newest"), oldest: try $0.int64("oldest"),
                count: try $0.int("actions"), thing: try $0.int64("thing"))
        }
    }

    /// Returns the people of the notifications of a kind with common subjects, by subject, the last one to act first.
    ///
    /// - Parameters:
    ///   - actor: the only person to return; nil for everyone.
    ///   - limit: the most people of a subject.
    func people(
        behind kind: Notification.Kind, _ things: [Int64], of account: Account.ID,
        from actor: Account.ID? = nil, visible: String, limit: Int
    ) throws -> [Int64: [Account]] {
        let before: [(any SQLConvertible)?] = [account, kind.name, limit] + (actor.map { [$0] } ?? [])
        // notifications_by_group
        let found = try transaction.rows(for: things, after: before) { places in
            """
            SELECT d.group_id, \(AccountRow.columns) FROM (
                SELECT n.group_id, n.actor_id, max(n.id) AS newest,
                    row_number() OVER (PARTITION BY n.group_id ORDER BY max(n.id) DESC) AS place
                FROM notifications n JOIN \(AccountRow.table) a ON a.id = n.actor_id
                WHERE n.account_id = $1 AND n.kind = $2 AND n.group_id IN (\(places)) AND \(AccountRow.isVisible)
                    AND \(visible)\(actor == nil ? "" : " AND n.actor_id = $4")
                GROUP BY n.group_id, n.actor_id
            ) d JOIN \(AccountRow.table) a ON a.id = d.actor_id
            WHERE d.place <= $3 ORDER BY d.newest DESC
            """
        } map: {
            (thing: try $0.int64("group_id"), person: try AccountRow.account(from: $0))
        }
        return Dictionary(grouping: found, by: \.thing).mapValues { $0.map(\.person) }
    }

    /// Dismisses the notifications of a kind with a common subject. Returns whether there were any.
    func deleteAll(_ kind: Notification.Kind, about thing: Int64, of account: Account.ID) throws -> Bool {
        // notifications_by_group
        try transaction.execute(
            "DELETE FROM notifications WHERE account_id = $1 AND kind = $2 AND group_id = $3", account,
            kind.name, thing) > 0
    }
}

// Notifications in groups, as Mastodon's apps ask for them.
extension NotificationService {
    /// Returns one page of groups, the one with the newest notification first, with the id by which each is paged.
    ///
    /// - Parameters:
    ///   - kinds: the kinds of notifications.
    ///   - types: Mastodon's names of the kinds that may be shown together; nil for all.
    ///   - actor: the person who acted; nil for everyone.
    ///   - withPutAside: whether notifications that were put aside are among them.
    func appGroups(
        for viewer: Account, kinds wanted: [NotificationKind], grouping types: [String]?,
        from actor: Account.ID?, withPutAside: Bool, page: PageRequest
    ) async throws -> (ids: [Int64], groups: [GroupedNotification]) {
        let visible = withPutAside ? everything : visible
        let grouped = wanted.filter {
            $0.isGroupedInApps && types?.contains($0.mastodonType) ?? true
        }
        return try await database.read { [self] transaction in
            let store = NotificationStore(transaction)
            let found = try store.appGroups(
                .init(
                    kinds: wanted.map(\.kind), grouped: grouped.map(\.kind), actor: actor, visible: visible),
                of: viewer.id, page: page)
            return (
                found.map(\.newest),
                try complete(
                    found, grouped: grouped.map(\.kind), from: actor, visible, viewer, transaction)
            )
        }
    }

    /// Returns one group, with what was put aside of it.
    ///
    /// - Throws: ``Refusal`` (404) when there is no such group, or when the viewer can't see anything of it any more.
    func appGroup(_ key: GroupedNotification.Key, for viewer: Account) async throws -> GroupedNotification {
        try await database.read { [self] transaction in
            let store = NotificationStore(transaction)
            switch key {
            case .single(let id):
                guard let entry = try store.entry(id, of: viewer.id),
                    let notification = try notification(entry, for: viewer, transaction)
                else { throw Refusal.notFound }
                return GroupedNotification(
                    key: key, newest: notification, oldest: id.rawValue, count: 1,
                    people: [notification.actor])
            case .group(let type, let thing):
                let kind = try kind(ofGroup: type).kind
                let wanted = NotificationStore.AppGroups(
                    kinds: [kind], grouped: [kind], thing: thing, visible: everything)
                let found = try store.appGroups(wanted, of: viewer.id, page: PageRequest(limit: 1)).first
                guard let found,
                    let group = try complete(
                        [found], grouped: [kind], from: nil, everything, viewer, transaction
                    ).first
                else { throw Refusal.notFound }
                return group
            }
        }
    }

    /// Returns the people of one group, the last one to act first, at most ``NotificationStore/capacity``.
    ///
    /// - Throws: ``Refusal`` (404) when there is no such group.
    func people(behind key: GroupedNotification.Key, for viewer: Account) async throws -> [Account] {
        guard case .group(let type, let thing) = key else {
            return try await appGroup(key, for: viewer).people
        }
        let kind = try kind(ofGroup: type).kind
        let people = try await database.read { [everything] transaction in
            try NotificationStore(transaction).people(
                behind: kind, [thing], of: viewer.id, visible: everything, limit: NotificationStore.capacity)[
                    thing] ?? []
        }
        guard !people.isEmpty else { throw Refusal.notFound }
        return people
    }

    /// Dismisses a group.
    ///
    /// - Throws: ``Refusal`` (404) when there is no such group.
    func dismiss(_ key: GroupedNotification.Key, by viewer: Account) async throws {
        guard case .group(let type, let thing) = key else {
            if case .single(let id) = key { try await dismiss(id, by: viewer) }
            return
        }
        let kind = try kind(ofGroup: type).kind
        try await database.write { [self] transaction in
            guard try NotificationStore(transaction).deleteAll(kind, about: thing, of: viewer.id) else {
                throw Refusal.notFound
            }
            try changed(for: [viewer.id], transaction)
        }
    }

    private func kind(ofGroup type: String) throws -> NotificationKind {
        let kind = kinds.all.first { $0.isGroupedInApps && $0.mastodonType == type }
        guard let kind else { throw Refusal.notFound }
        return kind
    }

    /// Adds the people to groups, and leaves out those of which the viewer can't see the newest notification.
    private func complete(
        _ groups: [NotificationStore.AppGroup], grouped: [Notification.Kind], from actor: Account.ID?,
        _ visible: String, _ viewer: Account, _ transaction: Transaction
    ) throws -> [GroupedNotification] {
        let store = NotificationStore(transaction)
        let entries = try store.entries(groups.map(\.newest), of: viewer.id)
        let notifications = try notifications(entries, for: viewer, transaction)
        let newest = Dictionary(uniqueKeysWithValues: notifications.map { ($0.id.rawValue, $0) })
        var people: [Notification.Kind: [Int64: [Account]]] = [:]
        for kind in grouped {
            let things = groups.filter { $0.kind == kind.name }.map(\.thing)
            people[kind] = try store.people(
                behind: kind, things, of: viewer.id, from: actor, visible: visible,
                limit: GroupedNotification.sample)
        }
        return groups.compactMap { group in
            guard let newest = newest[group.newest] else { return nil }
            let others = people[newest.kind.kind].map { $0[group.thing] ?? [] }
            return GroupedNotification(
                key: others == nil ? .single(newest.id) : newest.groupKey, newest: newest,
                oldest: group.oldest, count: group.count, people: others ?? [newest.actor])
        }
    }
}
