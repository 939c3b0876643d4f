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

    /// The accounts that are listening.
    var audience: Set<Account.ID> { events.audience }

    /// Sends a new snap to its poster's own pages.
    func posted(_ snap: Snap, _ transaction: Transaction) {
        transaction.afterCommit { _ in publish(snap, to: [snap.poster.id], isOwn: true) }
    }

    /// Sends a new snap to the people of a batch who are listening and have the snap in their lists.
    func posted(_ snap: Snap, to people: [Account.ID], _ transaction: Transaction) {
        transaction.afterCommit { transaction in
            // The snap may have been deleted since.
            guard try SnapStore(transaction).snap(snap.id) != nil else { return }
            let viewers = try people.filter {
                try events.reaches($0) && SnapRecords(transaction).isVisible(snap, to: $0, settings)
            }
            publish(snap, to: Set(viewers), isOwn: false)
            try sendCounts(to: viewers, transaction)
        }
    }

    private func publish(_ snap: Snap, to accounts: Set<Account.ID>, isOwn: Bool) {
        var json = JSONWriter()
        entities.snap(ListedSnap(snap: snap, state: .unopened, isOwn: isOwn), into: &json)
        events.publish(
            .snap, to: accounts, .bytes(json.bytes),
            about: [.thing(snap.id), .person(snap.poster.id)])
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
            let people =
                isOpenToAll
                ? Array(audience)
                : (try SnapStore(transaction).friends(of: poster) + [poster]).filter(events.reaches)
            for snap in snaps { publishClosed(snap, to: Set(people), isGone: true) }
            try sendCounts(to: people, transaction)
        }
    }

    /// Sends to one person that snaps are no longer available to them.
    func gone(_ snaps: [Snap], for account: Account.ID, _ transaction: Transaction) {
        guard !snaps.isEmpty else { return }
        transaction.afterCommit { transaction in
            events.forget(Set(snaps.map { .thing($0.id) }), of: account)
            for snap in snaps where events.reaches(account) {
                publishClosed(snap, to: [account], isGone: true)
            }
            try sendCounts(to: [account], transaction)
        }
    }

    /// Sends the numbers of unread snaps to the listening accounts among `people`: the first batch at once, and the
    /// others in transactions of their own, so that no write waits for all of them.
    private func sendCounts(to people: [Account.ID], _ transaction: Transaction) throws {
        let listening = people.filter(events.isListening)
        for account in listening.prefix(Self.batch) {
            let snaps = try SnapStore(transaction).unreadCount(for: account, openFeeds: settings.openFeeds)
            events.publishCount(snaps, of: "snaps", to: account)
            let unread = try notifications.unreadCount(of: account, transaction)
            events.publishCount(unread, of: NotificationService.badge, to: account)
        }
        let rest = Array(listening.dropFirst(Self.batch))
        guard !rest.isEmpty else { return }
        Task {
            do {
                try await database.write { $0.afterCommit { try sendCounts(to: rest, $0) } }
            } catch {
                logger.warning("counts of snaps were not sent", metadata: ["error": "\(error)"])
            }
        }
    }

    private func publishClosed(
        _ snap: Snap, to accounts: Set<Account.ID>, viewersCount: Int? = nil, isGone: Bool
    ) {
        let content = EventContent.bytes(Self.closed(snap, viewersCount: viewersCount, isGone: isGone))
        events.publish(.snapClosed, to: accounts, content)
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
