import Foundation
import Logging
import Storage

/// Tells browsers and apps, after the commit, what happened to snaps.
///
/// A failure after the deed is logged, no more: pages that were not told find it when they fetch anew.
struct SnapAnnouncements: Sendable {
    let settings: SnapSettings
    let database: Database
    let events: EventBus
    let entities: SnapEntities
    let logger: Logger

    /// How many people's numbers are counted in one read.
    private static let batch = 200

    /// Those who are listening.
    var audience: Set<Account.ID> { events.audience }

    /// A new snap: to its poster's own pages.
    func posted(_ snap: Snap) {
        events.publish("tintype.snap", to: snap.poster.id, data: json(snap, isOwn: true))
    }

    /// A new snap: to those of some people who are listening and find it in their lists.
    func posted(_ snap: Snap, to people: [Account.ID]) async throws {
        let data = json(snap, isOwn: false)
        try await tell(people, if: { try SnapService.isVisible(snap, to: $0, settings, $1) }) {
            events.publish("tintype.snap", to: $0, data: data)
        }
    }

    private func json(_ snap: Snap, isOwn: Bool) -> [UInt8] {
        var json = JSONWriter()
        entities.snap(ListedSnap(snap: snap, state: .unopened, isOwn: isOwn), into: &json)
        return json.bytes
    }

    /// Somebody has opened or closed a snap: to their other pages, and to the poster, who learns how many have.
    func seen(_ snap: Snap, by viewer: Account.ID) async {
        events.publish(
            "tintype.snap.closed", to: viewer, data: Self.closed(snap, viewersCount: nil, isGone: false))
        if viewer != snap.poster.id {
            let data = Self.closed(snap, viewersCount: snap.viewersCount, isGone: false)
            events.publish("tintype.snap.closed", to: snap.poster.id, data: data)
        }
        await logged { try await tell([viewer]) { _ in } }
    }

    /// Snaps of one person are no more: to everyone who may have them on a page.
    func gone(_ snaps: [Snap]) async {
        guard let poster = snaps.first?.poster.id else { return }
        await logged {
            let isOpenToAll = snaps.contains { settings.openFeeds.contains($0.feed) }
            let people: [Account.ID] =
                if isOpenToAll {
                    Array(audience)
                } else {
                    try await database.read { try SnapStore($0).friends(of: poster) + [poster] }
                }
            try await tell(people) { publish(snaps, goneFor: $0) }
        }
    }

    /// Snaps are no more for one person.
    func gone(_ snaps: [Snap], for account: Account.ID) async {
        guard !snaps.isEmpty else { return }
        await logged { try await tell([account]) { publish(snaps, goneFor: $0) } }
    }

    private func publish(_ snaps: [Snap], goneFor account: Account.ID) {
        for snap in snaps {
            events.publish(
                "tintype.snap.closed", to: account, data: Self.closed(snap, viewersCount: nil, isGone: true))
        }
    }

    /// Tells those of some people who are listening, and then what waits for each.
    ///
    /// - Parameter concerns: whether it is for them, asked in the read that counts.
    private func tell(
        _ people: [Account.ID],
        if concerns: @escaping @Sendable (Account.ID, Transaction) throws -> Bool = { _, _ in true },
        _ publish: (Account.ID) -> Void
    ) async throws {
        let listening = audience
        var rest = people.filter(listening.contains)[...]
        while !rest.isEmpty {
            let batch = Array(rest.prefix(Self.batch))
            rest = rest.dropFirst(Self.batch)
            let place = events.nextCount()
            let counts = try await database.read { [settings] transaction in
                try batch.filter { try concerns($0, transaction) }.map { account in
                    (
                        account,
                        try SnapStore(transaction).unreadCount(for: account, openFeeds: settings.openFeeds),
                        try NotificationService.unreadCount(of: account, transaction)
                    )
                }
            }
            for (account, snaps, notifications) in counts {
                publish(account)
                events.publishCount(snaps, of: "snaps", to: account, place: place)
                events.publishCount(notifications, of: NotificationService.badge, to: account, place: place)
            }
        }
    }

    private func logged(_ telling: () async throws -> Void) async {
        do {
            try await telling()
        } catch {
            logger.warning("what happened to a snap was not told", metadata: ["error": "\(error)"])
        }
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
