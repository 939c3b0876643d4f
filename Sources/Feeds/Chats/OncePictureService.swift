import Core
import Crypto
import Foundation
import Imaging
import People
import Serving
import Storage

/// The service of view-once pictures, for their receiver: opening, looking, closing. The rules are those of snaps.
final class OncePictureService: Sendable {
    private let database: Database
    private let events: ChatEvents
    private let copies: OnceCopies

    init(database: Database, events: ChatEvents, copies: OnceCopies) {
        self.database = database
        self.events = events
        self.copies = copies
    }

    private static let gone = Refusal(.gone, "This picture could be seen only once. It is gone.")

    /// A look that has begun.
    struct Look: Sendable {
        /// The secret that names the look. Only the page that opened the picture receives it.
        var secret: String
        var description: String
        var deadline: Date
    }

    /// Opens a picture. This works once, even for requests that arrive at the same moment.
    ///
    /// - Throws: ``Refusal``: 404 if the picture isn't for the viewer, 409 in a request that the viewer hasn't
    ///   accepted, because its sender would learn that they were there, 410 if it was opened before or has expired.
    ///   ``BlobError`` if the store doesn’t answer: then the picture stays unopened.
    func open(
        _ id: Message.ID, in chat: Chat.ID, by viewer: Account, session: Session.ID
    ) async throws -> Look {
        let file = try await database.read { transaction in
            _ = try OncePictureRecords(transaction).received(id, in: chat, by: viewer)
            return try OncePictureStore(transaction).file(of: id, variant: OnceCopies.variant(.jpeg))
        }
        try await copies.checkStore(has: file)
        let secret = SymmetricKey(size: .bits128).withUnsafeBytes { base64URL(Data($0)) }
        return try await database.write { [events] transaction in
            let (message, peer) = try OncePictureRecords(transaction).received(id, in: chat, by: viewer)
            guard try !ChatRecords(transaction).member(chat, of: viewer).0.isRequest else {
                throw Refusal.conflict("Accept the request first.")
            }
            let store = OncePictureStore(transaction)
            guard let picture = try store.picture(of: id),
                picture.state(at: transaction.now).after(.open) != nil
            else {
                throw Self.gone
            }
            let view = OncePicture.View(
                hash: Session.hash(ofToken: secret), session: session, openedAt: transaction.now)
            guard try store.open(id, view) else { throw Self.gone }
            try transaction.schedule(.closeOncePicture, payload: id.description, at: view.deadline)
            var opened = message
            opened.once = .opened
            try events.changed(opened, of: [viewer.id, peer], for: [viewer.id, peer], transaction)
            return Look(secret: secret, description: picture.description, deadline: view.deadline)
        }
    }

    /// Returns the bytes of an open look.
    ///
    /// - Throws: ``Refusal``: 404 for anyone but the person and log-in that opened it, 410 once it was shown
    ///   or after 30 seconds.
    func file(
        ofLook secret: String, _ format: RenditionFormat, by viewer: Account, session: Session.ID
    ) async throws -> BlobKey {
        try await database.read { transaction in
            let store = OncePictureStore(transaction)
            guard let (picture, chat) = try store.picture(viewHash: Session.hash(ofToken: secret)),
                picture.view?.session == session
            else { throw Refusal.notFound }
            _ = try OncePictureRecords(transaction).received(picture.message, in: chat, by: viewer)
            guard picture.state(at: transaction.now).after(.fetch) != nil,
                let key = try store.file(of: picture.message, variant: OnceCopies.variant(format))
            else { throw Self.gone }
            return key
        }
    }

    /// Records that the page has drawn the picture. After that, the bytes are no longer served.
    func show(_ id: Message.ID, in chat: Chat.ID, by viewer: Account, session: Session.ID) async throws {
        try await database.write { transaction in
            _ = try OncePictureRecords(transaction).received(id, in: chat, by: viewer)
            guard let picture = try OncePictureStore(transaction).picture(of: id),
                picture.view?.session == session,
                picture.state(at: transaction.now).after(.show) != nil
            else { throw Self.gone }
            try OncePictureStore(transaction).setShown(id)
        }
    }

    /// Ends the look, and erases the picture. Closing twice has no further effect.
    func close(_ id: Message.ID, in chat: Chat.ID, by viewer: Account, session: Session.ID) async throws {
        try await database.write { transaction in
            _ = try OncePictureRecords(transaction).received(id, in: chat, by: viewer)
            guard let picture = try OncePictureStore(transaction).picture(of: id) else { return }
            guard picture.view?.session == session else {
                throw Refusal.conflict("This picture isn’t open here.")
            }
            try OncePictureStore(transaction).erase(id)
        }
    }

    /// Performs ``JobKind/closeOncePicture``: erases a picture whose look, or whose time, is over.
    static func erase(_ job: Job, in database: Database, _ events: ChatEvents) async throws {
        guard let id = Message.ID(job.payload) else { return }
        try await database.write { transaction in
            let store = OncePictureStore(transaction)
            guard let picture = try store.picture(of: id) else { return }
            switch picture.state(at: transaction.now) {
            case .closed, .expired, .erased:
                try store.erase(id)
                try OncePictureRecords(transaction).sendExpiry(id, events)
            case .shown, .open:
                // The picture was shown in time, so its deadline is later now.
                let end = picture.view?.deadline ?? picture.expiresAt
                try transaction.schedule(.closeOncePicture, payload: job.payload, at: end)
            case .unopened: break
            }
        }
    }
}
