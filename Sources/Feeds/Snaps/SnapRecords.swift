import Core
import Foundation
import People
import Serving
import Storage

/// The snaps inside a transaction: who may see them, and when their pictures are erased.
struct SnapRecords {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// Returns the snap that was posted with a key; nil when there is none.
    ///
    /// - Throws: ``Refusal`` (410) if the snap doesn't exist any more.
    func made(with key: IdempotencyKey?, by viewer: Account) throws -> Snap? {
        try key?.made(by: viewer.id, gone: "This snap was posted and is already gone.", transaction) {
            try SnapStore(transaction).snap(ID(rawValue: $0))
        }
    }

    /// Refuses one more snap (429) to a person who has the most live snaps.
    func checkCount(of viewer: Account) throws {
        guard try SnapStore(transaction).liveCount(of: viewer.id) < SnapService.mostLive else {
            throw Refusal(
                .tooOften(retryAfter: 3600),
                "You already have \(SnapService.mostLive) live snaps. Wait until some expire.")
        }
    }

    /// Returns a snap that the viewer has opened in this log-in, and their view.
    ///
    /// - Throws: ``Refusal``: 404 if it isn't for the viewer, 409 if they haven't opened it in this log-in.
    func opened(
        _ id: Snap.ID, by viewer: Account, _ session: Session.ID, _ settings: SnapSettings
    ) throws -> (Snap, SnapView) {
        let snap = try visible(id, for: viewer, by: settings)
        guard let view = try SnapStore(transaction).view(of: id, by: viewer.id), view.session == session
        else {
            throw Refusal.conflict("This snap isn’t open here.")
        }
        return (snap, view)
    }

    /// Ends a look. The end of the last look also erases the picture.
    func close(_ view: SnapView, of snap: Snap, _ settings: SnapSettings) throws {
        try SnapStore(transaction).setClosed(view)
        try eraseIfSeen(snap, settings)
    }

    /// Erases a picture if somebody has seen it and nobody can see it any more.
    func eraseIfSeen(_ snap: Snap, _ settings: SnapSettings) throws {
        let store = SnapStore(transaction)
        // In an open feed, another viewer may always arrive, so only the snap's expiry counts there.
        let isForFriends = !settings.openFeeds.contains(snap.feed)
        guard isForFriends, snap.pictureErasedAt == nil, snap.viewersCount > 0, try !store.isAwaited(snap)
        else { return }
        try store.erasePicture(of: snap.id)
        try NotificationRecords(transaction).remove(about: snap.id.rawValue)
    }

    /// Returns a live snap that is for the viewer, whether they have seen it or not. Without settings, returns only a
    /// snap of a friend or the viewer's own.
    func visible(_ id: Snap.ID, for viewer: Account, by settings: SnapSettings? = nil) throws -> Snap {
        guard let snap = try SnapStore(transaction).snap(id),
            try isVisible(snap, to: viewer.id, settings)
        else { throw Refusal.notFound }
        return snap
    }

    /// Returns those of some snaps that are live and of a friend or the viewer's own, by their ids.
    func visible(_ ids: [Snap.ID], for viewer: Account) throws -> [Int64: Snap] {
        let snaps = try SnapStore(transaction).snaps(ids)
        let relationships = try RelationshipRecords(transaction).relationships(
            of: viewer.id, to: Set(snaps.map(\.poster.id)))
        let visible = snaps.filter {
            isVisible($0, to: viewer.id, nil, relationships[$0.poster.id] ?? .init(account: $0.poster.id))
        }
        return Dictionary(uniqueKeysWithValues: visible.map { ($0.id.rawValue, $0) })
    }

    /// Returns whether a snap is live and for the viewer. Without settings, this is true only for snaps of a
    /// friend and the viewer's own.
    func isVisible(_ snap: Snap, to viewer: Account.ID, _ settings: SnapSettings?) throws -> Bool {
        try isVisible(
            snap, to: viewer, settings,
            RelationshipRecords(transaction).relationship(of: viewer, to: snap.poster.id))
    }

    private func isVisible(
        _ snap: Snap, to viewer: Account.ID, _ settings: SnapSettings?,
        _ relationship: @autoclosure () throws -> Relationship
    ) rethrows -> Bool {
        guard !snap.poster.isSuspended, transaction.now < snap.expiresAt else { return false }
        if snap.poster.id == viewer { return true }
        let relationship = try relationship()
        let isOpenToAll = settings?.openFeeds.contains(snap.feed) == true
        let arePartedByBlock = relationship.blocks || relationship.isBlockedBy
        return relationship.areFriends || (isOpenToAll && !arePartedByBlock)
    }

    /// Returns whether a snap still exists and someone can see it, for the administration.
    func isThere(_ id: Snap.ID) throws -> Bool {
        guard let snap = try SnapStore(transaction).snap(id) else { return false }
        return snap.pictureErasedAt == nil && transaction.now < snap.expiresAt
    }

    /// Records that two people are no longer friends. In the background, this erases the live snaps that they can no
    /// longer see, and sends both an event.
    func separate(_ one: Account.ID, _ other: Account.ID) throws {
        for (poster, friend) in [(one, other), (other, one)]
        where try SnapStore(transaction).liveCount(of: poster) > 0 {
            try transaction.schedule(.separateFriends, payload: "\(poster) \(friend)")
        }
    }

    /// Records that an account is hidden from everyone. In the background, its live snaps leave all lists, and its
    /// friends' snaps no longer wait for it to look.
    func leave(_ account: Account.ID) throws {
        try transaction.schedule(.leaveSnaps, payload: account.description)
    }

    /// Returns a live snap of the viewer's.
    ///
    /// - Throws: ``Refusal`` (404) for anyone else's, and for an expired one.
    func own(_ id: Snap.ID, of viewer: Account) throws -> Snap {
        guard let snap = try SnapStore(transaction).snap(id), snap.poster.id == viewer.id,
            transaction.now < snap.expiresAt
        else { throw Refusal.notFound }
        return snap
    }
}
