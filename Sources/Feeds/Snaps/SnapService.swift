import Core
import Crypto
import Foundation
import Imaging
import People
import Serving
import Storage

/// The service of snaps: posting, opening once, listing viewers, deleting.
///
/// Every call decides again who may see a snap: its poster, the poster's mutual followers, and, in a feed
/// that is open to the whole server, everyone except the people whom a block separates from the poster.
package final class SnapService: Sendable {
    let settings: SnapSettings
    let samples: SnapSamples
    let database: Database
    let copies: OnceCopies
    private let announcements: SnapAnnouncements

    /// The most live snaps of one account.
    static let mostLive = 200

    init(
        settings: SnapSettings, database: Database, samples: SnapSamples, copies: OnceCopies,
        announcements: SnapAnnouncements
    ) {
        self.settings = settings
        self.database = database
        self.samples = samples
        self.copies = copies
        self.announcements = announcements
    }

    // MARK: Posting

    /// The source of a new snap's picture.
    package enum Source: Sendable {
        /// A picture that was uploaded for this snap.
        ///
        /// - Parameter description: the description of the picture; nil to use the description given with the upload.
        case upload(SingleUseMedia.ID, description: String? = nil)
        /// A copy of one of the poster's photos, which stays in the library.
        case photo(Photo.ID)
        /// A copy of a predefined picture.
        case sample(String)
    }

    /// Returns the feed that a form names.
    ///
    /// - Throws: ``Refusal`` (422) if it names no feed, or one that doesn't exist.
    func feed(_ id: String) throws -> SnapFeed {
        guard let feed = settings.feed(id: id) else {
            let sentence = id.isEmpty ? "Choose a feed." : "There is no feed “\(id)”."
            throw Refusal.invalid("feed_id", id.isEmpty ? "ERR_BLANK" : "ERR_INVALID", sentence)
        }
        return feed
    }

    /// Posts a picture to one feed.
    ///
    /// - Parameter key: the idempotency key. A second call with the key within 24 hours returns the snap of the first.
    /// - Throws: ``Refusal``: 422 for a missing or wrong feed or picture, 404 for someone else's photo, 410 if the
    ///   key's snap doesn't exist any more, 429 with too many live snaps.
    package func post(
        _ source: Source?, to feedID: String, by viewer: Account, key: IdempotencyKey? = nil
    ) async throws -> Snap {
        let feed = try self.feed(feedID)
        let source = try Self.checked(source)
        return try await database.once {
            try SnapRecords($0).made(with: key, by: viewer)
        } make: {
            try await post(source, to: feed, by: viewer, key)
        }
    }

    /// Returns the source that a form or call names.
    ///
    /// - Throws: ``Refusal`` (422) if it names none, and for a description that is too long.
    static func checked(_ source: Source?) throws -> Source {
        guard let source else { throw Refusal.invalid("media_id", "ERR_BLANK", "Choose a picture.") }
        if case .upload(_, let description?) = source { try PhotoService.check(description) }
        return source
    }

    private func post(
        _ source: Source, to feed: SnapFeed, by viewer: Account, _ key: IdempotencyKey?
    ) async throws -> Snap {
        try await database.read { try SnapRecords($0).checkCount(of: viewer) }
        let copy: OnceCopies.Copy? =
            if case .upload = source { nil } else { try await self.copy(of: source, by: viewer) }
        let lifetime = settings.lifetime
        do {
            let (snap, isNew) = try await database.write { [announcements] transaction in
                if let known = try SnapRecords(transaction).made(with: key, by: viewer) {
                    return (known, false)
                }
                try SnapRecords(transaction).checkCount(of: viewer)
                let expiresAt = transaction.now.addingTimeInterval(lifetime)
                let (description, files) = try self.picture(source, copy, by: viewer, transaction)
                let store = SnapStore(transaction)
                let id = try store.insert(
                    poster: viewer.id, feed: feed, description: description, files: files,
                    expiresAt: expiresAt)
                try transaction.schedule(.announceSnap, payload: id.description)
                try transaction.schedule(.expireSnap, payload: id.description, at: expiresAt)
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
            return snap
        } catch {
            await copies.discard(copy, after: error)
            throw error
        }
    }

    /// Copies the picture of a snap, to be seen once elsewhere. An upload stays, and waits for its snap.
    ///
    /// - Throws: ``Refusal``: 404 for someone else's photo, 422 for an upload that was used or has expired.
    func copy(of source: Source, by viewer: Account) async throws -> OnceCopies.Copy {
        switch source {
        case .photo(let id): return try await copies.copy(of: id, by: viewer)
        case .sample(let id): return try await copies.copy(of: samples.sample(id), for: viewer.id)
        case .upload(let id, let description):
            let media = try await database.read {
                try SingleUseMediaRecords($0).waiting(id, for: .snap, of: viewer)
            }
            guard let media else { throw SingleUseMediaRecords.used("media_id") }
            var copy = try await copies.copy(of: media)
            if let description { copy.description = description }
            return copy
        }
    }

    /// Returns the snap that was posted with a key within 24 hours; nil when there is none, or it is gone.
    func posted(with key: IdempotencyKey, by viewer: Account) async throws -> Snap? {
        try await database.read { transaction in
            guard let id = try key.result(viewer.id, transaction) else { return nil }
            return try SnapStore(transaction).snap(ID(rawValue: id))
        }
    }

    /// Adds the files of a new snap to `blobs`, or takes over those of an upload.
    private func picture(
        _ source: Source, _ copy: OnceCopies.Copy?, by viewer: Account, _ transaction: Transaction
    ) throws -> (description: String, files: [SnapStore.File]) {
        if case .upload(let id, let description) = source {
            let media = try SingleUseMediaRecords(transaction).use(id, for: .snap, by: viewer)
            return (
                description ?? media.description, media.files.map { .init(variant: $0.variant, key: $0.key) }
            )
        }
        guard let copy else { throw Refusal.notFound }
        try copies.insert(copy, of: viewer.id, transaction)
        return (copy.description, copy.files.map { .init(variant: $0.variant, key: $0.blob.key) })
    }

    // MARK: Looking

    /// Returns the feeds in order, each with the snaps that the viewer can see in it.
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

    /// Returns the number of unread snaps, for the badge.
    func unreadCount(for viewer: Account, _ transaction: Transaction) throws -> Int {
        try SnapStore(transaction).unreadCount(for: viewer.id, openFeeds: settings.openFeeds)
    }

    /// Opens a snap. This works once for each viewer, however many requests arrive at the same moment.
    ///
    /// - Returns: the view, and the description of the picture.
    /// - Throws: ``Refusal``: 404 if there is no such snap or it isn't for the viewer, 410 if they have
    ///   opened it before or its picture is gone. ``BlobError`` if the store doesn’t answer: then the snap stays
    ///   unopened.
    func open(
        _ id: Snap.ID, by viewer: Account, session: Session.ID
    ) async throws -> SnapLook {
        let file = try await database.read { [settings] transaction in
            _ = try SnapRecords(transaction).visible(id, for: viewer, by: settings)
            return try SnapStore(transaction).file(id, variant: OnceCopies.variant(.jpeg))
        }
        try await copies.checkStore(has: file)
        let secret = SymmetricKey(size: .bits128).withUnsafeBytes { base64URL(Data($0)) }
        return try await database.write { [settings, announcements] transaction in
            let store = SnapStore(transaction)
            let snap = try SnapRecords(transaction).visible(id, for: viewer, by: settings)
            let state = snap.state(try store.view(of: id, by: viewer.id), at: transaction.now)
            guard state.after(.open) != nil else { throw Self.gone }
            let view = SnapView(
                hash: Session.hash(ofToken: secret), snap: id, viewer: viewer.id, session: session,
                openedAt: transaction.now)
            guard try store.insert(view, counts: viewer.id != snap.poster.id) else { throw Self.gone }
            try transaction.schedule(.closeSnapView, payload: view.hash, at: view.deadline)
            try NotificationRecords(transaction).remove(about: id.rawValue, to: viewer.id)
            announcements.seen(try store.snap(id) ?? snap, by: viewer.id, transaction)
            return SnapLook(
                secret: secret, poster: snap.poster, description: snap.description, deadline: view.deadline)
        }
    }

    /// Returns the bytes of an open view's picture.
    ///
    /// - Throws: ``Refusal``: 404 for anyone but the viewer and log-in that opened it, 410 once it was shown
    ///   or closed, or after 30 seconds.
    func picture(
        ofLook secret: String, _ format: RenditionFormat, by viewer: Account, session: Session.ID
    ) async throws -> BlobKey {
        try await database.read { [settings] transaction in
            let store = SnapStore(transaction)
            guard let view = try store.view(hash: Session.hash(ofToken: secret)), view.viewer == viewer.id,
                view.session == session
            else {
                throw Refusal.notFound
            }
            let snap = try SnapRecords(transaction).visible(view.snap, for: viewer, by: settings)
            guard snap.state(view, at: transaction.now).after(.fetch) != nil,
                let key = try store.file(snap.id, variant: OnceCopies.variant(format))
            else { throw Self.gone }
            return key
        }
    }

    /// Records that the page has drawn the picture. After that, the bytes are no longer served.
    ///
    /// - Throws: ``Refusal``: 404 if it isn't for the viewer, 409 if they haven't opened it in this log-in,
    ///   410 if it is closed.
    func show(_ id: Snap.ID, by viewer: Account, session: Session.ID) async throws {
        try await database.write { [settings] transaction in
            let (snap, view) = try SnapRecords(transaction).opened(id, by: viewer, session, settings)
            guard snap.state(view, at: transaction.now).after(.show) != nil else { throw Self.gone }
            try SnapStore(transaction).setShown(view)
        }
    }

    /// Closes a snap for good. Closing twice has no further effect.
    ///
    /// - Throws: ``Refusal``: 404 if it isn't for the viewer, 409 if they haven't opened it in this log-in.
    func close(_ id: Snap.ID, by viewer: Account, session: Session.ID) async throws {
        try await database.write { [settings, announcements] transaction in
            let (snap, view) = try SnapRecords(transaction).opened(id, by: viewer, session, settings)
            try SnapRecords(transaction).close(view, of: snap, settings)
            announcements.seen(snap, by: viewer.id, transaction)
        }
    }

    private static let gone = Refusal(.gone, "You have seen this snap. It can’t be opened again.")

    /// Returns a snap that the viewer can see in their list, for reporting it.
    func snap(_ id: Snap.ID, for viewer: Account) async throws -> Snap {
        try await database.read { [settings] in try SnapRecords($0).visible(id, for: viewer, by: settings) }
    }

    /// Returns whether a snap can be answered in the chat with somebody: it is theirs, and the viewer has looked at it and
    /// still sees it in their list.
    func canAnswer(
        _ id: Snap.ID, of poster: Account.ID?, by viewer: Account, _ transaction: Transaction
    ) throws -> Bool {
        let store = SnapStore(transaction)
        guard let snap = try store.snap(id), snap.poster.id == poster, poster != viewer.id else {
            return false
        }
        return try SnapRecords(transaction).isVisible(snap, to: viewer.id, settings)
            && store.view(of: id, by: viewer.id) != nil
    }

    // MARK: Your snaps

    /// The contents of the page of the viewer's own snap.
    struct OwnSnap: Sendable {
        let snap: Snap
        /// One page of the people who have seen the snap, latest first, each with the id that pages the list.
        let viewers: [(Int64, SnapViewer)]
        /// The number of friends who could see a snap of the viewer's now.
        let audienceCount: Int
    }

    /// Returns one of the viewer's own snaps, with a page of the people who have seen it.
    func own(_ id: Snap.ID, of viewer: Account, page: PageRequest) async throws -> OwnSnap {
        try await database.read { transaction in
            let snap = try SnapRecords(transaction).own(id, of: viewer)
            let store = SnapStore(transaction)
            return OwnSnap(
                snap: snap, viewers: try store.viewers(of: snap, page: page),
                audienceCount: try store.friends(of: viewer.id).count)
        }
    }

    /// Returns one page of the people who have seen the viewer's snap, latest first, each with the id that pages the
    /// list.
    func viewers(of id: Snap.ID, for viewer: Account, page: PageRequest) async throws -> [(Int64, SnapViewer)]
    {
        try await database.read { transaction in
            try SnapStore(transaction).viewers(of: SnapRecords(transaction).own(id, of: viewer), page: page)
        }
    }

    /// Deletes a snap of the viewer's. Nobody can see it any more, and its picture is erased from disk.
    func delete(_ id: Snap.ID, by viewer: Account) async throws {
        try await database.write { transaction in
            try self.delete(SnapRecords(transaction).own(id, of: viewer), transaction)
        }
    }

    /// Deletes anyone's snap, inside a transaction of the administration. The administrator doesn't see the
    /// picture.
    func remove(_ id: Snap.ID, _ transaction: Transaction) throws {
        guard let snap = try SnapStore(transaction).snap(id) else { throw Refusal.notFound }
        try delete(snap, transaction)
    }

    private func delete(_ snap: Snap, _ transaction: Transaction) throws {
        try SnapStore(transaction).delete(snap.id)
        announcements.gone([snap], transaction)
    }
}
