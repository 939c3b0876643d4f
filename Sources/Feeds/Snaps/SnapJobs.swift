import Core
import People
import Storage

/// The background work after a snap is posted, opened or expired, and after a friendship ends.
struct SnapJobs: Sendable {
    let settings: SnapSettings
    let database: Database
    let announcements: SnapAnnouncements
    let notifications: NotificationService

    /// The number of snaps that one transaction looks through.
    private static let batch = 200

    /// Performs ``JobKind/announceSnap``: sends a new snap to each friend who hasn't opened it yet, and in an open feed
    /// to everyone who is listening.
    func announce(_ job: Job) async throws {
        guard let id = Snap.ID(job.payload) else { return }
        var announced: Set<Account.ID> = []
        var last: Account.ID?
        repeat {
            let batch = SnapAnnouncements.batch
            let (found, friends) = try await database.write { [last] transaction -> (Snap?, [Account.ID]) in
                let store = SnapStore(transaction)
                guard let snap = try store.snap(id), snap.pictureErasedAt == nil else { return (nil, []) }
                let friends = try store.friendsWithoutLook(at: snap, after: last, limit: batch)
                announcements.posted(snap, to: friends, transaction)
                for friend in friends {
                    try notifications.note(
                        .snap, to: friend, from: snap.poster.id, about: id.rawValue,
                        group: snap.poster.id.rawValue, once: true, transaction)
                }
                return (snap, friends)
            }
            guard let snap = found else { return }
            announced.formUnion(friends)
            last = friends.count == batch ? friends.last : nil
            if last == nil, settings.openFeeds.contains(snap.feed) {
                try await announcements.postedForAll(snap, except: announced)
            }
        } while last != nil
    }

    /// Performs ``JobKind/closeSnapView``: closes a snap that has been open for too long.
    func closeView(_ job: Job) async throws {
        try await database.write { [settings] transaction in
            let store = SnapStore(transaction)
            guard let view = try store.view(hash: job.payload), view.closedAt == nil,
                let snap = try store.snap(view.snap)
            else { return }
            guard transaction.now >= view.deadline else {
                // The picture was shown in time, so there is a later deadline now.
                return try transaction.schedule(
                    .closeSnapView, payload: view.hash, at: view.deadline)
            }
            try SnapRecords(transaction).close(view, of: snap, settings)
        }
    }

    /// Performs ``JobKind/expireSnap``: deletes a snap that has expired.
    func expire(_ job: Job) async throws {
        guard let id = Snap.ID(job.payload) else { return }
        try await database.write { transaction in
            let store = SnapStore(transaction)
            guard let snap = try store.snap(id), transaction.now >= snap.expiresAt else { return }
            try store.delete(id)
            announcements.gone([snap], transaction)
        }
    }

    // MARK: Parting

    /// Performs ``JobKind/separateFriends``: erases the pictures that only the lost friend hadn't seen, and sends the lost
    /// friend's pages that the snaps are gone.
    func separate(_ job: Job) async throws {
        let ids = job.payload.split(separator: " ").compactMap { Account.ID(String($0)) }
        guard ids.count == 2 else { return }
        try await database.write { transaction in
            let snaps = try SnapStore(transaction).live(of: ids[0])
            for snap in snaps { try SnapRecords(transaction).eraseIfSeen(snap, settings) }
            let gone = try snaps.filter {
                try !SnapRecords(transaction).isVisible($0, to: ids[1], settings)
            }
            announcements.gone(gone, for: ids[1], transaction)
        }
    }

    /// Performs ``JobKind/leaveSnaps``: removes the snaps of a hidden account from everyone's lists, and erases its
    /// friends' snaps that only this account hadn't seen.
    func leave(_ job: Job) async throws {
        guard let account = Account.ID(job.payload) else { return }
        try await database.write { transaction in
            guard try AccountRecords(transaction).unchecked(account)?.isSuspended ?? true else { return }
            announcements.gone(try SnapStore(transaction).live(of: account), transaction)
        }
        var last: Snap.ID?
        repeat {
            last = try await database.write { [settings, last] transaction in
                let snaps = try SnapStore(transaction).seen(
                    ofFriendsOf: account, after: last, limit: Self.batch)
                for snap in snaps { try SnapRecords(transaction).eraseIfSeen(snap, settings) }
                return snaps.count == Self.batch ? snaps.last?.id : nil
            }
        } while last != nil
    }
}
