import Core
import Foundation
import Logging
import Serving
import Storage

extension EventName {
    /// A notification of a kind that Mastodon has.
    package static let notification = EventName("notification")
    /// A notification of a kind that only Tintype has.
    static let ownNotification = EventName("tintype.notification")
}

extension NewsKind {
    /// A new notification: the id of its account, and its own.
    static let notification = NewsKind("notification")
    /// Unread notifications were added, read or removed: the ids of their accounts.
    static let unreadNotifications = NewsKind("unread-notifications")
}

/// The service of notifications: listing, marking as read, dismissing.
///
/// Other features add notifications in their own transactions, with ``note(_:to:from:about:group:once:_:)``. After the
/// commit, the account's open event streams receive them.
package final class NotificationService: Sendable {
    let database: Database
    private let events: EventBus
    private let entities: Entities
    private let logger: Logger
    /// The kinds of notification of all features.
    package let kinds: NotificationKinds
    /// What features do when somebody's notifications change.
    package let listeners: Registry<NotificationListener>

    init(
        database: Database, events: EventBus, entities: Entities, kinds: NotificationKinds,
        listeners: Registry<NotificationListener>, logger: Logger
    ) {
        self.database = database
        self.events = events
        self.entities = entities
        self.kinds = kinds
        self.listeners = listeners
        self.logger = logger
    }

    // MARK: Telling

    /// Adds a notification, in a transaction of another service. Adds nothing for what people do to themselves, if
    /// either of the two blocks the other, if the account mutes the other, or if its policy says so.
    ///
    /// - Parameters:
    ///   - actor: the person who acted; nil for something ready that `account` asked for.
    ///   - subject: the id of the subject; 0 for none.
    ///   - group: the id by which notifications are shown together, such as likes of one post; nil for none.
    ///   - once: whether to add nothing if the account already has a notification of this kind about the subject.
    package func note(
        _ kind: Notification.Kind, to account: Account.ID, from actor: Account.ID?, about subject: Int64 = 0,
        group: Int64? = nil, once: Bool = false, _ transaction: Transaction
    ) throws {
        var treatment = NotificationPolicy.Treatment.accept
        if let actor {
            guard try mayHear(account, of: actor, kind, transaction) else { return }
            treatment = try self.treatment(of: actor, by: account, kind, transaction)
        }
        guard treatment != .drop else { return }
        let id = try NotificationStore(transaction).insert(
            kind, to: account, from: actor ?? account, about: subject, group: group, once: once,
            isPutAside: treatment == .putAside)
        guard let id, treatment == .accept else { return }
        try listen(
            .init(
                account: account, actor: actor ?? account, kind: kind, group: group ?? id.rawValue,
                place: id.rawValue), transaction)
        announce(id, to: account, transaction)
    }

    /// Returns whether an account is told of something that somebody else did: neither blocks the other, and it doesn't
    /// mute them.
    private func mayHear(
        _ account: Account.ID, of actor: Account.ID, _ kind: Notification.Kind, _ transaction: Transaction
    ) throws -> Bool {
        guard account != actor, try AccountRecords(transaction).mayMeet(account, actor) else { return false }
        return try kinds[kind]?.isHiddenByMutes == false
            || RelationshipRecords(transaction).allowsNotifications(account, of: actor)
    }

    /// Notes that a notification has news, such as a further message of a chat: devices announce it again, and no other
    /// notification is added.
    package func noteNews(
        of kind: Notification.Kind, to account: Account.ID, from actor: Account.ID, group: Int64,
        _ transaction: Transaction
    ) throws {
        guard try mayHear(account, of: actor, kind, transaction) else { return }
        try listen(
            .init(account: account, actor: actor, kind: kind, group: group, place: transaction.newID()),
            transaction)
    }

    /// Performs ``JobKind/checkNotifications``.
    func check(_ job: Job) async throws {
        let accounts = job.payload.split(separator: " ").compactMap { Account.ID(String($0)) }
        try await database.write { [self] in try changed(for: accounts, $0) }
    }

    /// Performs ``JobKind/checkCausedNotifications``, for some accounts at a time.
    func checkCaused(_ job: Job) async throws {
        let ids = job.payload.split(separator: " ").compactMap { Account.ID(String($0)) }
        guard let actor = ids.first else { return }
        try await database.write { [self] transaction in
            let accounts = try NotificationStore(transaction).accounts(
                notifiedBy: actor, after: ids.dropFirst().first)
            try changed(for: accounts, transaction)
            guard accounts.count == NotificationStore.checkedAtOnce, let last = accounts.last else { return }
            try transaction.schedule(.checkCausedNotifications, payload: "\(actor) \(last)")
        }
    }

    private func listen(_ note: NotificationNote, _ transaction: Transaction) throws {
        for listener in listeners.all { try listener.noted(note, transaction) }
    }

    /// Notifies listeners, and after the commit the open streams, that notifications of some accounts may have been
    /// read, removed or dismissed.
    package func changed(for accounts: [Account.ID], _ transaction: Transaction) throws {
        for listener in listeners.all {
            for account in accounts { try listener.changed(account, transaction) }
        }
        sendCount(to: accounts, transaction)
    }

    /// Sends a new notification to the account's open event streams after the commit.
    private func announce(_ id: Notification.ID, to account: Account.ID, _ transaction: Transaction) {
        transaction.afterCommit { [self] transaction in
            events.tell(.notification, [account.rawValue, id.rawValue])
            try publish(id, to: account, transaction)
        }
        sendCount(to: [account], transaction)
    }

    /// Makes the event of a new notification on this node.
    private func publish(_ id: Notification.ID, to account: Account.ID, _ transaction: Transaction) throws {
        // A notification that nobody would receive isn't looked up.
        guard events.here.reaches(account), let reader = try AccountRecords(transaction).unchecked(account),
            let entry = try NotificationStore(transaction).entry(id, of: account),
            let notification = try notification(entry, for: reader, transaction)
        else { return }
        let content = EventContent.written(for: account) { [entities] reader, json in
            entities.notification(notification, viewer: reader, into: &json)
        }
        // Mastodon's apps don't receive kinds of notifications that Mastodon doesn't have.
        let name: EventName = notification.kind.isMastodons ? .notification : .ownNotification
        let subjects =
            try [.person(notification.actor.id)]
            + (notification.subject?.eventSubjects(transaction) ?? [])
        events.here.publish(name, to: [account], content, about: subjects)
    }

    /// Makes the events of what other nodes have changed.
    var news: [NewsKind: NewsKind.Handler] {
        [
            .notification: { [self] ids, transaction in
                guard ids.count == 2 else { return }
                try publish(ID(rawValue: ids[1]), to: ID(rawValue: ids[0]), transaction)
            },
            .unreadNotifications: { [self] ids, transaction in
                try publishCount(to: ids.map { ID(rawValue: $0) }, transaction)
            },
        ]
    }

    /// The name of the count of unread notifications in events.
    package static let badge = "notifications"

    /// Sends the number of unread notifications to the open streams of some accounts, after a transaction is
    /// committed.
    package func sendCount(to accounts: [Account.ID], _ transaction: Transaction) {
        guard !accounts.isEmpty else { return }
        transaction.afterCommit { [self] transaction in
            events.tell(.unreadNotifications, accounts.map(\.rawValue))
            try publishCount(to: accounts, transaction)
        }
    }

    private func publishCount(to accounts: [Account.ID], _ transaction: Transaction) throws {
        for account in accounts where events.here.isListening(account) {
            let count = try unreadCount(of: account, transaction)
            events.here.publishCount(count, of: Self.badge, to: account)
        }
    }

    // MARK: Looking

    /// Returns the number of unread groups of notifications. Counting stops at 100.
    func unreadCount(for viewer: Account) async throws -> Int {
        try await database.read { try self.unreadCount(of: viewer.id, $0) }
    }

    /// Returns the number of unread groups of notifications, in a transaction of another service. Counting stops at
    /// 100.
    package func unreadCount(of account: Account.ID, _ transaction: Transaction) throws -> Int {
        try NotificationStore(transaction).unreadCount(of: account, visible: visible)
    }

    /// The condition that the reader `$1` may see the subject of the row `n`, which wasn't put aside, and gets notifications of its
    /// actor.
    var visible: String { "\(kinds.heard) AND \(kinds.visible)" }
    /// The condition that the reader `$1` may see the row `n`, also if it was put aside.
    var everything: String { "\(kinds.unmuted) AND \(kinds.visible)" }

    /// Returns one page, newest first, with the id by which each row is paged. Leaves out notifications whose person or
    /// post the viewer can't see any more.
    func notifications(
        for viewer: Account, _ wanted: NotificationStore.Wanted, page: PageRequest
    ) async throws -> (ids: [Int64], found: [Notification]) {
        guard !wanted.kinds.isEmpty else { return ([], []) }
        return try await database.read { transaction in
            let entries = try NotificationStore(transaction).entries(of: viewer.id, wanted, page: page)
            return (
                entries.map(\.id.rawValue), try self.notifications(entries, for: viewer, transaction)
            )
        }
    }

    /// Returns one of the viewer's notifications.
    ///
    /// - Throws: ``Refusal`` (404) if there is none, or if the viewer can't see its person or post any more.
    func notification(_ id: Notification.ID, for viewer: Account) async throws -> Notification {
        try await database.read { transaction in
            guard let entry = try NotificationStore(transaction).entry(id, of: viewer.id),
                let notification = try self.notification(entry, for: viewer, transaction)
            else { throw Refusal.notFound }
            return notification
        }
    }

    /// One page of groups as the screen shows them.
    struct GroupPage: Sendable {
        var groups: [NotificationGroup]
        /// The place where the next page begins; nil on the last page.
        var next: Int64?
        /// The newest notification on the page if it is unread. Mark this one as read after showing the page.
        var newestUnread: Int64?
        /// How the viewer relates to the people who began to follow.
        var relationships: [Relationship]
        /// What the viewer's policy has put aside; nothing on later pages.
        var putAside: NotificationRequestSummary
    }

    /// Returns one page of groups. The group with the newest notification comes first.
    func groups(for viewer: Account, olderThan: Int64?, limit: Int) async throws -> GroupPage {
        try await database.read { [self, kinds] transaction in
            let store = NotificationStore(transaction)
            let lastRead = try MarkerStore(transaction).marker(.notifications, of: viewer.id)?.lastRead ?? 0
            let found = try store.groups(
                of: viewer.id, visible: kinds.visible, heard: kinds.heard, olderThan: olderThan, limit: limit)
            let groups = try self.groups(found, for: viewer, lastRead: lastRead, transaction)
            return GroupPage(
                groups: groups, next: found.count == limit ? found.last?.newest : nil,
                newestUnread: found.first.map(\.newest).flatMap { $0 > lastRead ? $0 : nil },
                relationships: try relationships(groups, of: viewer, transaction),
                putAside: olderThan == nil
                    ? try putAside(of: viewer.id, transaction) : NotificationRequestSummary())
        }
    }

    /// Returns how a reader relates to the people who began to follow.
    func relationships(
        _ groups: [NotificationGroup], of reader: Account, _ transaction: Transaction
    ) throws -> [Relationship] {
        let followers = groups.filter { $0.newest.kind.kind == .follow }.map(\.newest.actor.id)
        return try RelationshipRecords(transaction).relationships(followers, for: reader)
    }

    /// Returns groups as the reader may see them, without those whose newest notification the reader can't see.
    func groups(
        _ groups: [NotificationStore.Group], for reader: Account, lastRead: Int64, _ transaction: Transaction
    ) throws -> [NotificationGroup] {
        let found = try NotificationStore(transaction).newest(
            of: groups, for: reader.id, heard: kinds.heard)
        let notifications = try notifications(found.values.map(\.entry), for: reader, transaction)
        let newest = Dictionary(uniqueKeysWithValues: notifications.map { ($0.id.rawValue, $0) })
        let people = try AccountRecords(transaction).unchecked(found.values.compactMap(\.second))
        return groups.compactMap { group in
            guard let newest = newest[group.newest] else { return nil }
            return NotificationGroup(
                newest: newest, second: found[group.newest]?.second.flatMap { people[$0] },
                count: group.count, peopleCount: group.peopleCount, isUnread: group.newest > lastRead)
        }
    }

    /// Returns a notification as the reader may see it. Returns nil as ``notifications(_:for:_:)`` leaves some out.
    func notification(
        _ entry: NotificationStore.Entry, for reader: Account, _ transaction: Transaction
    ) throws -> Notification? {
        try notifications([entry], for: reader, transaction).first
    }

    /// Returns notifications as the reader may see them, in the same order. Leaves out those whose person or subject the
    /// reader can't see, those of people whom the reader mutes, and those of a kind that no feature knows.
    func notifications(
        _ entries: [NotificationStore.Entry], for reader: Account, _ transaction: Transaction
    ) throws -> [Notification] {
        let actors = try AccountRecords(transaction).accounts(Set(entries.map(\.actor)), for: reader.id)
        let muted = try RelationshipRecords(transaction).hidden(from: reader.id, among: Set(actors.keys))
        let visible = entries.compactMap { entry -> (NotificationStore.Entry, NotificationKind, Account)? in
            guard let kind = kinds[entry.kind], let actor = actors[entry.actor],
                !kind.isHiddenByMutes || !muted.contains(actor.id)
            else { return nil }
            return (entry, kind, actor)
        }
        var subjects: [Notification.Kind: [Int64: any NotificationSubject]] = [:]
        for (kind, some) in Dictionary(grouping: visible, by: \.1.kind) {
            let ids = Set(some.map(\.0.subject)).sorted()
            subjects[kind] = try kinds[kind]?.subjects?(ids, reader, transaction)
        }
        return visible.compactMap { entry, kind, actor in
            let subject = subjects[kind.kind]?[entry.subject]
            guard subject != nil || kind.subjects == nil else { return nil }
            return Notification(id: entry.id, kind: kind, group: entry.group, actor: actor, subject: subject)
        }
    }

    // MARK: Reading and dismissing

    /// Marks what a page has shown as read. A failed write is ignored, because people must be able to read on a full
    /// disk, too.
    func read(through newest: Int64, by viewer: Account) async {
        do {
            _ = try await mark([(.notifications, newest)], by: viewer)
        } catch {
            logger.warning("notifications were not marked as read", metadata: ["error": "\(error)"])
        }
    }

    /// Dismisses one notification.
    func dismiss(_ id: Notification.ID, by viewer: Account) async throws {
        try await database.write { transaction in
            guard try NotificationStore(transaction).delete(id, of: viewer.id) else { throw Refusal.notFound }
            try self.changed(for: [viewer.id], transaction)
        }
    }

    /// Dismisses all notifications.
    func clear(by viewer: Account) async throws {
        try await database.write { transaction in
            try NotificationStore(transaction).deleteAll(of: viewer.id)
            try self.changed(for: [viewer.id], transaction)
        }
    }

    // MARK: Markers

    /// Returns how far the viewer has read.
    func markers(_ timelines: [Marker.Timeline], of viewer: Account) async throws -> [Marker] {
        try await database.read { transaction in
            try timelines.compactMap { try MarkerStore(transaction).marker($0, of: viewer.id) }
        }
    }

    /// Records how far the viewer has read. A mark only moves forward.
    func mark(_ lastRead: [(Marker.Timeline, Int64)], by viewer: Account) async throws -> [Marker] {
        try await database.write { transaction in
            let store = MarkerStore(transaction)
            for (timeline, id) in lastRead { try store.set(timeline, of: viewer.id, to: id) }
            try self.changed(for: [viewer.id], transaction)
            return try lastRead.compactMap { try store.marker($0.0, of: viewer.id) }
        }
    }
}
