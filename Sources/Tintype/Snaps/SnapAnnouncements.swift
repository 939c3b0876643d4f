import Foundation
import Logging
import Storage

/// Tells browsers and apps, after the commit, what happened to snaps.
///
/// A failure is logged, no more: the deed is done, and pages that were not told find it when they fetch anew.
struct SnapAnnouncements: Sendable {
    let database: Database
    let events: EventBus
    let entities: SnapEntities
    let openFeeds: Set<SnapFeed>
    let logger: Logger

    /// A new snap: to its poster and to their friends.
    func posted(_ snap: Snap) async {
        for account in await concerned(snap) {
            var json = JSONWriter()
            let listed = ListedSnap(snap: snap, state: .unopened, isOwn: account == snap.poster.id)
            entities.snap(listed, into: &json)
            events.publish("tintype.snap", to: account, data: json.bytes)
            await tellCounts(account)
        }
    }

    /// Somebody has opened or closed a snap: to their other pages, and to the poster, who learns how many have.
    func seen(_ snap: Snap, by viewer: Account.ID) async {
        events.publish(
            "tintype.snap.closed", to: viewer, data: Self.closed(snap, viewersCount: nil, isGone: false))
        if viewer != snap.poster.id {
            let data = Self.closed(snap, viewersCount: snap.viewersCount, isGone: false)
            events.publish("tintype.snap.closed", to: snap.poster.id, data: data)
        }
        if events.audience.contains(viewer) { await tellCounts(viewer) }
    }

    /// A snap is no more: to everyone who may have it on a page.
    func gone(_ snap: Snap) async {
        for account in await concerned(snap) {
            events.publish(
                "tintype.snap.closed", to: account, data: Self.closed(snap, viewersCount: nil, isGone: true))
            await tellCounts(account)
        }
    }

    /// Of those who are listening, the ones who see this snap in their lists.
    private func concerned(_ snap: Snap) async -> [Account.ID] {
        let listening = events.audience
        guard !openFeeds.contains(snap.feed) else { return Array(listening) }
        do {
            let friends = try await database.read { try SnapStore($0).friends(of: snap.poster.id) }
            return (friends + [snap.poster.id]).filter(listening.contains)
        } catch {
            logger.warning("friends were not told of a snap", metadata: ["error": "\(error)"])
            return []
        }
    }

    private func tellCounts(_ account: Account.ID) async {
        do {
            let (snaps, notifications) = try await database.read { [openFeeds] transaction in
                (
                    try SnapStore(transaction).unreadCount(for: account, openFeeds: openFeeds),
                    try NotificationService.unreadCount(of: account, transaction)
                )
            }
            var json = JSONWriter()
            json.object { json in
                json.member("snaps", snaps)
                json.member("notifications", notifications)
            }
            events.publish("tintype.counts", to: account, data: json.bytes)
        } catch {
            logger.warning("badges were not told their numbers", metadata: ["error": "\(error)"])
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
