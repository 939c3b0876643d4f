import Core
import Foundation
import Logging
import People
import Serving
import Storage

extension EventName {
    /// A friend posted a snap.
    static let snap = EventName("tintype.snap")
    /// A snap was used up, or is gone.
    static let snapClosed = EventName("tintype.snap.closed")
}

extension NewsKind {
    /// A new snap: its id, and those of the friends who have it in their lists.
    static let snap = NewsKind("snap")
    /// A new snap in an open feed, which everyone has in their lists: its id.
    static let openSnap = NewsKind("open-snap")
    /// The numbers of unread snaps have changed: the ids of the accounts, or none for all that are listening.
    static let unreadSnaps = NewsKind("unread-snaps")
}

/// Tells browsers and apps what a transaction did to snaps, once that is committed.
struct SnapAnnouncements: Sendable {
    let settings: SnapSettings
    let database: Database
    let events: EventBus
    let entities: SnapEntities
    let notifications: NotificationService
    let logger: Logger

    /// The number of people whose unread snaps are counted before other writes get their turn.
    static let batch = 50

    /// Sends a new snap to its poster's own pages.
    func posted(_ snap: Snap, _ transaction: Transaction) {
        transaction.afterCommit { _ in
            events.publish(
                .snap, to: snap.poster.id, data: json(snap, isOwn: true), about: Self.subjects(of: snap))
        }
    }

    /// Sends a new snap to the people of a batch who are listening and have the snap in their lists.
    func posted(_ snap: Snap, to people: [Account.ID], _ transaction: Transaction) {
        transaction.afterCommit { transaction in
            events.tell(.snap, [snap.id.rawValue] + people.map(\.rawValue))
            try publish(snap.id, to: people, transaction)
        }
    }

    /// Sends a new snap of an open feed to everyone who is listening, except its poster and those who were sent it
    /// already, some at a time.
    func postedForAll(_ snap: Snap, except announced: Set<Account.ID>) async throws {
        events.tell(.openSnap, [snap.id.rawValue])
        try await publishForAll(snap.id, except: announced.union([snap.poster.id]))
    }

    private func publishForAll(_ snap: Snap.ID, except announced: Set<Account.ID>) async throws {
        var others = Array(events.here.audience.subtracting(announced))
        while !others.isEmpty {
            let some = Array(others.prefix(Self.batch))
            others.removeFirst(some.count)
            try await database.write { $0.afterCommit { try publish(snap, to: some, $0) } }
        }
    }

    /// Makes the events of a new snap on this node.
    private func publish(_ id: Snap.ID, to people: [Account.ID], _ transaction: Transaction) throws {
        let people = people.filter(events.here.reaches)
        // The snap may have been deleted since.
        guard !people.isEmpty, let snap = try SnapStore(transaction).snap(id) else { return }
        let viewers = try people.filter {
            try SnapRecords(transaction).isVisible(snap, to: $0, settings)
        }
        events.here.publish(
            .snap, to: Set(viewers), .bytes(json(snap, isOwn: false)), about: Self.subjects(of: snap))
        try publishCounts(to: viewers, transaction)
    }

    private static func subjects(of snap: Snap) -> [EventSubject] {
        [.thing(snap.id), .person(snap.poster.id)]
    }

    private func json(_ snap: Snap, isOwn: Bool) -> [UInt8] {
        var json = JSONWriter()
        entities.snap(ListedSnap(snap: snap, state: .unopened, isOwn: isOwn), into: &json)
        return json.bytes
    }

    /// Sends that somebody has opened or closed a snap: to their other pages, and to the poster, who gets the number of
    /// viewers.
    func seen(_ snap: Snap, by viewer: Account.ID, _ transaction: Transaction) {
        transaction.afterCommit { transaction in
            publishClosed(snap, to: [viewer], isGone: false)
            if viewer != snap.poster.id {
                publishClosed(snap, to: [snap.poster.id], viewersCount: snap.viewersCount, isGone: false)
            }
            try sendCounts(to: [viewer], transaction)
        }
    }

    /// Sends the deletion of one poster's snaps to everyone who may have them on a page.
    func gone(_ snaps: [Snap], _ transaction: Transaction) {
        guard let poster = snaps.first?.poster.id else { return }
        transaction.afterCommit { transaction in
            events.forget(Set(snaps.map { .thing($0.id) }))
            let isOpenToAll = snaps.contains { settings.openFeeds.contains($0.feed) }
            let people = isOpenToAll ? nil : try SnapStore(transaction).friends(of: poster) + [poster]
            for snap in snaps { publishClosed(snap, to: people.map(Set.init), isGone: true) }
            try sendCounts(to: people, transaction)
        }
    }

    /// Sends to one person that snaps are no longer available to them.
    func gone(_ snaps: [Snap], for account: Account.ID, _ transaction: Transaction) {
        guard !snaps.isEmpty else { return }
        transaction.afterCommit { transaction in
            events.forget(Set(snaps.map { .thing($0.id) }), of: account)
            for snap in snaps {
                publishClosed(snap, to: [account], isGone: true)
            }
            try sendCounts(to: [account], transaction)
        }
    }

    /// Sends the numbers of unread snaps to the listening accounts among `people`, or to all that are listening.
    private func sendCounts(to people: [Account.ID]?, _ transaction: Transaction) throws {
        events.tell(.unreadSnaps, people?.map(\.rawValue) ?? [])
        try publishCounts(to: people ?? Array(events.here.audience), transaction)
    }

    /// Makes the events with the numbers of unread snaps on this node: those of the first batch at once, and the others
    /// in transactions of their own, so that no write waits for all of them.
    private func publishCounts(to people: [Account.ID], _ transaction: Transaction) throws {
        let listening = people.filter(events.here.isListening)
        for account in listening.prefix(Self.batch) {
            let snaps = try SnapStore(transaction).unreadCount(for: account, openFeeds: settings.openFeeds)
            events.here.publishCount(snaps, of: "snaps", to: account)
            let unread = try notifications.unreadCount(of: account, transaction)
            events.here.publishCount(unread, of: NotificationService.badge, to: account)
        }
        let rest = Array(listening.dropFirst(Self.batch))
        guard !rest.isEmpty else { return }
        Task {
            do {
                try await database.write { $0.afterCommit { try publishCounts(to: rest, $0) } }
            } catch {
                logger.warning("counts of snaps were not sent", metadata: ["error": "\(error)"])
            }
        }
    }

    private func publishClosed(
        _ snap: Snap, to accounts: Set<Account.ID>?, viewersCount: Int? = nil, isGone: Bool
    ) {
        // Those who have a page open, or may come back to it, and nobody else.
        events.publish(
            .snapClosed, to: accounts,
            data: Self.closed(snap, viewersCount: viewersCount, isGone: isGone))
    }

    /// Makes the events of what other nodes have changed.
    var news: [NewsKind: NewsKind.Handler] {
        [
            .snap: { ids, transaction in
                guard let id = ids.first else { return }
                try publish(
                    ID(rawValue: id), to: ids.dropFirst().map { ID(rawValue: $0) }, transaction)
            },
            .openSnap: { ids, transaction in
                guard let id = ids.first, let snap = try SnapStore(transaction).snap(ID(rawValue: id)) else {
                    return
                }
                let announced = Set(try SnapStore(transaction).friends(of: snap.poster.id))
                Task {
                    do {
                        try await publishForAll(snap.id, except: announced.union([snap.poster.id]))
                    } catch {
                        logger.warning(
                            "a snap of another node wasn’t sent to everyone", metadata: ["error": "\(error)"])
                    }
                }
            },
            .unreadSnaps: { ids, transaction in
                try publishCounts(
                    to: ids.isEmpty ? Array(events.here.audience) : ids.map { ID(rawValue: $0) }, transaction)
            },
        ]
    }

    private static func closed(_ snap: Snap, viewersCount: Int?, isGone: Bool) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("id", snap.id)
            json.member("feed_id", snap.feed.id)
            json.member("gone", isGone)
            if let viewersCount {
                json.member("viewers_count", viewersCount)
            } else {
                json.null("viewers_count")
            }
        }
        return json.bytes
    }
}
