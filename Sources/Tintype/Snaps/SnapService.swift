import Crypto
import Foundation
import Imaging
import Storage

/// What people can do with snaps: post, look once, see who looked, delete.
///
/// Who may see a snap is decided at every call: its poster, the poster's mutual followers, and in a feed that is
/// open to the whole server everyone whom no block parts from the poster.
final class SnapService: Sendable {
    let settings: SnapSettings
    let samples: SnapSamples
    private let database: Database
    private let copies: OnceCopies
    private let announcements: SnapAnnouncements
    private let jobs: JobRunner

    /// How many live snaps one account may have.
    static let mostLive = 200

    init(
        settings: SnapSettings, database: Database, samples: SnapSamples, copies: OnceCopies,
        announcements: SnapAnnouncements, jobs: JobRunner
    ) {
        self.settings = settings
        self.database = database
        self.samples = samples
        self.copies = copies
        self.announcements = announcements
        self.jobs = jobs
    }

    // MARK: Posting

    /// Where the picture of a new snap comes from.
    enum Source: Sendable {
        /// Uploaded for this snap.
        ///
        /// - Parameter description: what it shows; nil for what was said when it was uploaded.
        case upload(SingleUseMedia.ID, description: String? = nil)
        /// A copy of one of one's own photos, which stays in the library.
        case photo(Photo.ID)
        /// A copy of a predefined picture.
        case sample(String)
    }

    /// The feed that a form names.
    ///
    /// - Throws: ``Refusal`` (422) when it names none, or none that there is.
    func feed(_ id: String) throws -> SnapFeed {
        guard let feed = settings.feed(id: id) else {
            let sentence = id.isEmpty ? "Choose a feed." : "There is no feed “\(id)”."
            throw Refusal.invalid("feed_id", id.isEmpty ? "ERR_BLANK" : "ERR_INVALID", sentence)
        }
        return feed
    }

    /// Posts a picture to one feed.
    ///
    /// - Parameter key: the same key by the same person within 24 hours gives the snap first made.
    /// - Throws: ``Refusal``: 422 for no or a wrong feed or picture, 404 for someone else's photo, 410 when the
    ///   key's snap is gone already, 429 with too many live snaps.
    func post(_ source: Source?, to feedID: String, by viewer: Account, key: IdempotencyKey? = nil)
        async throws -> Snap
    {
        let feed = try self.feed(feedID)
        guard let source else { throw Refusal.invalid("media_id", "ERR_BLANK", "Choose a picture.") }
        if case .upload(_, let description?) = source { try PhotoService.check(description) }
        if let known = try await database.read({ try Self.admit(viewer, key, $0) }) { return known }
        let copy: OnceCopies.Copy? =
            switch source {
            case .upload: nil
            case .photo(let id): try await copies.copy(of: id, by: viewer)
            case .sample(let id): try await copies.copy(of: samples.sample(id))
            }
        let lifetime = settings.lifetime
        do {
            let (snap, isNew) = try await database.write { [announcements] transaction in
                if let known = try Self.admit(viewer, key, transaction) { return (known, false) }
                let expiresAt = transaction.now.addingTimeInterval(lifetime)
                let (description, files) = try self.picture(source, copy, by: viewer, transaction)
                let store = SnapStore(transaction)
                let id = try store.insert(
                    poster: viewer.id, feed: feed, description: description, files: files,
                    expiresAt: expiresAt)
                try JobStore(transaction).insert(.tellOfSnap, payload: id.description)
                try JobStore(transaction).insert(.expireSnap, payload: id.description, runAt: expiresAt)
                try key?.record(id.rawValue, transaction, viewer.id)
                guard let snap = try store.snap(id) else { throw Refusal.notFound }
                announcements.posted(snap, transaction)
                return (snap, true)
            }
            guard isNew else {
                await copies.discard(copy)
                return snap
            }
            await copies.keep(copy)
            jobs.wake()
            return snap
        } catch {
            await copies.discard(copy, after: error)
            throw error
        }
    }

    /// Returns the snap that a key made within 24 hours; nil when it made none, or that is gone.
    func posted(with key: IdempotencyKey, by viewer: Account) async throws -> Snap? {
        try await database.read { transaction in
            guard let id = try key.result(transaction, viewer.id) else { return nil }
            return try SnapStore(transaction).snap(ID(rawValue: id))
        }
    }

    /// The snap that `key` made before; nil when a new one may be posted.
    private static func admit(_ viewer: Account, _ key: IdempotencyKey?, _ transaction: Transaction) throws
        -> Snap?
    {
        let store = SnapStore(transaction)
        if let id = try key?.result(transaction, viewer.id) {
            guard let known = try store.snap(ID(rawValue: id)) else {
                throw Refusal(.gone, "This snap was posted and is gone already.")
            }
            return known
        }
        guard try store.liveCount(of: viewer.id) < mostLive else {
            throw Refusal(
                .tooOften(retryAfter: 3600), "\(mostLive) of your snaps are out. Wait until some are gone.")
        }
        return nil
    }

    /// Names the files of a new snap in `blobs`, or takes over those of an upload.
    private func picture(
        _ source: Source, _ copy: OnceCopies.Copy?, by viewer: Account, _ transaction: Transaction
    ) throws -> (description: String, files: [SnapStore.File]) {
        if case .upload(let id, let description) = source {
            let media = try SingleUseMediaService.use(id, for: .snap, by: viewer, transaction)
            return (
                description ?? media.description, media.files.map { .init(variant: $0.variant, key: $0.key) }
            )
        }
        guard let copy else { throw Refusal.notFound }
        try copies.insert(copy, of: viewer.id, transaction)
        return (copy.description, copy.files.map { .init(variant: $0.variant, key: $0.blob.key) })
    }

    // MARK: Looking

    /// The feeds in order, each with the snaps that the viewer finds in it.
    func sections(for viewer: Account) async throws -> [SnapSection] {
        let settings = settings
        let listed = try await database.read { transaction in
            try SnapStore(transaction).snaps(for: viewer.id, openFeeds: settings.openFeeds).map {
                snap, view in
                ListedSnap(
                    snap: snap, state: snap.state(view, at: transaction.now),
                    isOwn: snap.poster.id == viewer.id)
            }
        }
        return SnapSection.sections(listed, feeds: settings.feeds)
    }

    /// How many snaps wait for the viewer, for the badge.
    func unreadCount(for viewer: Account) async throws -> Int {
        let openFeeds = settings.openFeeds
        return try await database.read { try SnapStore($0).unreadCount(for: viewer.id, openFeeds: openFeeds) }
    }

    /// Opens a snap, which works once for each viewer, whatever else asks at the same moment.
    ///
    /// - Returns: the one look at it, and what the picture shows in words.
    /// - Throws: ``Refusal``: 404 when there is none or it isn't for them, 410 when they have opened it before or
    ///   its picture is gone.
    func open(
        _ id: Snap.ID, by viewer: Account, session: Session.ID
    ) async throws -> (view: SnapView, description: String) {
        let secret = SymmetricKey(size: .bits128).withUnsafeBytes { base64URL(Data($0)) }
        return try await database.write { [settings, announcements] transaction in
            let store = SnapStore(transaction)
            let snap = try Self.visible(transaction, id, for: viewer, settings)
            let state = snap.state(try store.view(of: id, by: viewer.id), at: transaction.now)
            guard state.after(.open) != nil else { throw Self.gone }
            let view = SnapView(
                id: secret, snap: id, viewer: viewer.id, session: session, openedAt: transaction.now)
            guard try store.insert(view, counts: viewer.id != snap.poster.id) else { throw Self.gone }
            try JobStore(transaction).insert(.closeSnapView, payload: view.id, runAt: view.deadline)
            try NotificationService.takeBack(id, to: viewer.id, transaction)
            announcements.seen(try store.snap(id) ?? snap, by: viewer.id, transaction)
            return (view, snap.description)
        }
    }

    /// The bytes of an open view's picture.
    ///
    /// - Throws: ``Refusal``: 404 for anyone but the viewer and log-in that opened it, 410 once it was shown or
    ///   closed or 30 seconds have passed.
    func picture(
        of view: String, _ format: RenditionFormat, by viewer: Account, session: Session.ID
    ) async throws -> BlobKey {
        try await database.read { [settings] transaction in
            let store = SnapStore(transaction)
            guard let view = try store.view(view), view.viewer == viewer.id, view.session == session else {
                throw Refusal.notFound
            }
            let snap = try Self.visible(transaction, view.snap, for: viewer, settings)
            guard snap.state(view, at: transaction.now).after(.fetch) != nil,
                let key = try store.file(snap.id, variant: OnceCopies.variant(format))
            else { throw Self.gone }
            return key
        }
    }

    /// Says that the page has drawn the picture: from now on the bytes go out no more.
    ///
    /// - Throws: ``Refusal``: 404 when it isn't for them, 409 when they have not opened it in this log-in, 410 when
    ///   it is closed.
    func show(_ id: Snap.ID, by viewer: Account, session: Session.ID) async throws {
        try await database.write { [settings] transaction in
            let (snap, view) = try Self.opened(transaction, id, by: viewer, session, settings)
            guard snap.state(view, at: transaction.now).after(.show) != nil else { throw Self.gone }
            try SnapStore(transaction).setShown(view)
        }
    }

    /// Closes a snap for good. Closing twice is closing once.
    ///
    /// - Throws: ``Refusal``: 404 when it isn't for them, 409 when they have not opened it in this log-in.
    func close(_ id: Snap.ID, by viewer: Account, session: Session.ID) async throws {
        try await database.write { [settings, announcements] transaction in
            let (snap, view) = try Self.opened(transaction, id, by: viewer, session, settings)
            try Self.close(view, of: snap, settings, transaction)
            announcements.seen(snap, by: viewer.id, transaction)
        }
        jobs.wake()
    }

    private static func opened(
        _ transaction: Transaction, _ id: Snap.ID, by viewer: Account, _ session: Session.ID,
        _ settings: SnapSettings
    ) throws -> (Snap, SnapView) {
        let snap = try visible(transaction, id, for: viewer, settings)
        guard let view = try SnapStore(transaction).view(of: id, by: viewer.id), view.session == session
        else {
            throw Refusal.conflict("This snap isn’t open here.")
        }
        return (snap, view)
    }

    /// Ends a look, and with the last one the picture.
    static func close(
        _ view: SnapView, of snap: Snap, _ settings: SnapSettings, _ transaction: Transaction
    ) throws {
        try SnapStore(transaction).setClosed(view)
        try eraseIfSeen(snap, settings, transaction)
    }

    /// Erases a picture that some have seen and nobody waits for any more.
    static func eraseIfSeen(_ snap: Snap, _ settings: SnapSettings, _ transaction: Transaction) throws {
        let store = SnapStore(transaction)
        // In an open feed somebody may always come who has not seen it; then its time decides alone.
        let isForFriends = !settings.openFeeds.contains(snap.feed)
        guard isForFriends, snap.pictureErasedAt == nil, snap.viewersCount > 0, try !store.isAwaited(snap)
        else { return }
        try store.erasePicture(of: snap.id)
        try NotificationService.takeBack(snap.id, transaction)
    }

    /// A snap that is for the viewer and not over, whether they have seen it or not; without settings only a
    /// friend's or their own.
    static func visible(
        _ transaction: Transaction, _ id: Snap.ID, for viewer: Account, _ settings: SnapSettings? = nil
    ) throws -> Snap {
        guard let snap = try SnapStore(transaction).snap(id),
            try isVisible(snap, to: viewer.id, settings, transaction)
        else { throw Refusal.notFound }
        return snap
    }

    /// The same of a snap that is at hand.
    static func isVisible(
        _ snap: Snap, to viewer: Account.ID, _ settings: SnapSettings?, _ transaction: Transaction
    ) throws -> Bool {
        guard !snap.poster.isSuspended, transaction.now < snap.expiresAt else { return false }
        if snap.poster.id == viewer { return true }
        let relationship = try AccountStore(transaction).relationship(of: viewer, to: snap.poster.id)
        let isOpenToAll = settings?.openFeeds.contains(snap.feed) == true
        let arePartedByBlock = relationship.blocks || relationship.isBlockedBy
        return relationship.areFriends || (isOpenToAll && !arePartedByBlock)
    }

    private static let gone = Refusal(.gone, "You have seen this snap. It can’t be opened again.")

    /// A snap that the viewer finds in their list, for reporting it.
    func snap(_ id: Snap.ID, for viewer: Account) async throws -> Snap {
        try await database.read { [settings] in try Self.visible($0, id, for: viewer, settings) }
    }

    // MARK: One's own snaps

    /// One of one's own snaps.
    func own(_ id: Snap.ID, of viewer: Account) async throws -> Snap {
        try await database.read { try Self.own($0, id, of: viewer) }
    }

    /// One page of those who have seen one's own snap, the last first, with the id it is paged by.
    func viewers(of id: Snap.ID, for viewer: Account, page: PageRequest) async throws -> [(Int64, SnapViewer)]
    {
        try await database.read { transaction in
            try SnapStore(transaction).viewers(of: Self.own(transaction, id, of: viewer), page: page)
        }
    }

    /// How many friends a snap of one's own is for, now.
    func audienceCount(of viewer: Account) async throws -> Int {
        try await database.read { try SnapStore($0).friends(of: viewer.id).count }
    }

    /// Deletes one's own snap: nobody sees it any more, and its picture goes from disk.
    func delete(_ id: Snap.ID, by viewer: Account) async throws {
        try await database.write { transaction in
            try self.delete(Self.own(transaction, id, of: viewer), transaction)
        }
    }

    /// Deletes, in a transaction of the administration, a snap of anyone, unseen by the administrator.
    func remove(_ id: Snap.ID, _ transaction: Transaction) throws {
        guard let snap = try SnapStore(transaction).snap(id) else { throw Refusal.notFound }
        try delete(snap, transaction)
    }

    private func delete(_ snap: Snap, _ transaction: Transaction) throws {
        try SnapStore(transaction).delete(snap.id)
        announcements.gone([snap], transaction)
        transaction.afterCommit { [jobs] _ in jobs.wake() }
    }

    /// Whether a snap is still there for somebody to see, for the administration.
    static func isThere(_ transaction: Transaction, _ id: Snap.ID) throws -> Bool {
        guard let snap = try SnapStore(transaction).snap(id) else { return false }
        return snap.pictureErasedAt == nil && transaction.now < snap.expiresAt
    }

    // MARK: Parting

    /// Notes in a transaction of another service that two are friends no more: what that takes of the live snaps of
    /// one and of the other is erased and told in the background.
    static func part(_ one: Account.ID, _ other: Account.ID, _ transaction: Transaction) throws {
        for (poster, friend) in [(one, other), (other, one)]
        where try SnapStore(transaction).liveCount(of: poster) > 0 {
            try JobStore(transaction).insert(.partSnaps, payload: "\(poster) \(friend)")
        }
    }

    /// The same for an account that goes out of everyone's sight.
    static func leave(_ account: Account.ID, _ transaction: Transaction) throws {
        try JobStore(transaction).insert(.leaveSnaps, payload: account.description)
    }

    private static func own(_ transaction: Transaction, _ id: Snap.ID, of viewer: Account) throws -> Snap {
        guard let snap = try SnapStore(transaction).snap(id), snap.poster.id == viewer.id,
            transaction.now < snap.expiresAt
        else { throw Refusal.notFound }
        return snap
    }
}
