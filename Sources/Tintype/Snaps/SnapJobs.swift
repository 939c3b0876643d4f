import Storage

/// What follows a snap in the background: friends are told, looks and lives end, people part.
struct SnapJobs: Sendable {
    let settings: SnapSettings
    let database: Database
    let announcements: SnapAnnouncements
    let notifications: NotificationService

    /// How many friends are told of a snap, and how many snaps are looked through, in one transaction.
    private static let batch = 200

    /// The work of ``JobKind/tellOfSnap``: tells each friend who has not opened it yet, and in an open feed everyone
    /// who is here.
    func tell(_ job: Job) async throws {
        guard let id = Snap.ID(job.payload) else { return }
        var told: Set<Account.ID> = []
        var last: Account.ID?
        repeat {
            let (snap, notes) = try await database.write { [last] transaction in
                let store = SnapStore(transaction)
                guard let snap = try store.snap(id), snap.pictureErasedAt == nil else {
                    return (nil as Snap?, [NotificationService.Note]())
                }
                let friends = try store.friendsWithoutLook(at: snap, after: last, limit: Self.batch)
                return (
                    snap,
                    try friends.map {
                        try NotificationService.note(id, of: snap.poster.id, to: $0, transaction)
                    }
                )
            }
            guard let snap else { return }
            told.formUnion(notes.map(\.account))
            try await announcements.posted(snap, to: notes.map(\.account))
            await notifications.announce(notes)
            last = notes.count == Self.batch ? notes.last?.account : nil
            if last == nil, settings.openFeeds.contains(snap.feed) {
                let others = announcements.audience.subtracting(told).subtracting([snap.poster.id])
                try await announcements.posted(snap, to: Array(others))
            }
        } while last != nil
    }

    /// The work of ``JobKind/closeSnapView``: closes a look whose time has passed.
    func closeView(_ job: Job) async throws {
        try await database.write { [settings] transaction in
            let store = SnapStore(transaction)
            guard let view = try store.view(job.payload), view.closedAt == nil,
                let snap = try store.snap(view.snap)
            else { return }
            guard transaction.now >= view.deadline else {
                // Shown in time: there is a later deadline now.
                return try JobStore(transaction).insert(
                    .closeSnapView, payload: view.id, runAt: view.deadline)
            }
            try SnapService.close(view, of: snap, settings, transaction)
        }
    }

    /// The work of ``JobKind/expireSnap``: deletes a snap whose time is up.
    func expire(_ job: Job) async throws {
        guard let id = Snap.ID(job.payload) else { return }
        let expired = try await database.write { transaction -> Snap? in
            let store = SnapStore(transaction)
            guard let snap = try store.snap(id), transaction.now >= snap.expiresAt else { return nil }
            try store.delete(id)
            return snap
        }
        if let expired { await announcements.gone([expired]) }
    }

    // MARK: Parting

    /// The work of ``JobKind/partSnaps``: a picture that only the lost friend had not seen goes from disk, and their
    /// pages hear that the snaps are gone.
    func part(_ job: Job) async throws {
        let ids = job.payload.split(separator: " ").compactMap { Account.ID(String($0)) }
        guard ids.count == 2 else { return }
        let gone = try await database.write { [settings] transaction in
            let snaps = try SnapStore(transaction).live(of: ids[0])
            for snap in snaps { try SnapService.eraseIfSeen(snap, settings, transaction) }
            return try snaps.filter {
                try !SnapService.isVisible($0, to: ids[1], settings, transaction)
            }
        }
        await announcements.gone(gone, for: ids[1])
    }

    /// The work of ``JobKind/leaveSnaps``: the snaps of an account that is out of sight are gone for everyone, and
    /// nobody waits for it to look at those of its friends.
    func leave(_ job: Job) async throws {
        guard let account = Account.ID(job.payload) else { return }
        let own = try await database.read { transaction in
            let isGone = try AccountService.account(transaction, account)?.isSuspended ?? true
            return isGone ? try SnapStore(transaction).live(of: account) : []
        }
        await announcements.gone(own)
        var last: Snap.ID?
        repeat {
            last = try await database.write { [settings, last] transaction in
                let snaps = try SnapStore(transaction).seen(
                    ofFriendsOf: account, after: last, limit: Self.batch)
                for snap in snaps { try SnapService.eraseIfSeen(snap, settings, transaction) }
                return snaps.count == Self.batch ? snaps.last?.id : nil
            }
        } while last != nil
    }
}
