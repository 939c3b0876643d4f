import Crypto
import Foundation
import Imaging
import Storage

/// What the receiver of a view-once picture can do with it: open, look, close. The rules are those of snaps.
final class OncePictureService: Sendable {
    private let database: Database
    private let events: ChatEvents
    private let jobs: JobRunner

    init(database: Database, events: ChatEvents, jobs: JobRunner) {
        self.database = database
        self.events = events
        self.jobs = jobs
    }

    private static let gone = Refusal(.gone, "This picture could be seen once. It is gone.")

    /// A look that has begun.
    struct Look: Sendable {
        /// Named by this secret, which only the page that opened it learns.
        var secret: String
        var description: String
        var deadline: Date
    }

    /// Opens a picture, which works once, whatever else asks at the same moment.
    ///
    /// - Throws: ``Refusal``: 404 when it isn't for them, 409 in a request that they have not taken, since its sender
    ///   would learn that they were there, 410 when it was opened before or its time is up.
    func open(
        _ id: Message.ID, in chat: Chat.ID, by viewer: Account, session: Session.ID
    ) async throws -> Look {
        let secret = SymmetricKey(size: .bits128).withUnsafeBytes { base64URL(Data($0)) }
        return try await database.write { [events] transaction in
            let (message, peer) = try Self.received(transaction, id, in: chat, by: viewer)
            guard try !ChatService.member(transaction, chat, of: viewer).0.isRequest else {
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
            try JobStore(transaction).insert(.closeOncePicture, payload: id.description, runAt: view.deadline)
            var opened = message
            opened.once = .opened
            try events.changed(opened, of: [viewer.id, peer], for: [viewer.id, peer], transaction)
            return Look(secret: secret, description: picture.description, deadline: view.deadline)
        }
    }

    /// The bytes of an open look.
    ///
    /// - Throws: ``Refusal``: 404 for any but the person and log-in that opened it, 410 once it was shown or 30
    ///   seconds have passed.
    func file(
        ofLook secret: String, _ format: RenditionFormat, by viewer: Account, session: Session.ID
    ) async throws -> BlobKey {
        try await database.read { transaction in
            let store = OncePictureStore(transaction)
            guard let (picture, chat) = try store.picture(viewHash: Session.hash(ofToken: secret)),
                picture.view?.session == session
            else { throw Refusal.notFound }
            _ = try Self.received(transaction, picture.message, in: chat, by: viewer)
            guard picture.state(at: transaction.now).after(.fetch) != nil,
                let key = try store.file(of: picture.message, variant: OnceCopies.variant(format))
            else { throw Self.gone }
            return key
        }
    }

    /// Says that the page has drawn the picture: from now on the bytes go out no more.
    func show(_ id: Message.ID, in chat: Chat.ID, by viewer: Account, session: Session.ID) async throws {
        try await database.write { transaction in
            _ = try Self.received(transaction, id, in: chat, by: viewer)
            guard let picture = try OncePictureStore(transaction).picture(of: id),
                picture.view?.session == session,
                picture.state(at: transaction.now).after(.show) != nil
            else { throw Self.gone }
            try OncePictureStore(transaction).setShown(id)
        }
    }

    /// Ends the look, and erases the picture. Closing twice is closing once.
    func close(_ id: Message.ID, in chat: Chat.ID, by viewer: Account, session: Session.ID) async throws {
        try await database.write { transaction in
            _ = try Self.received(transaction, id, in: chat, by: viewer)
            guard let picture = try OncePictureStore(transaction).picture(of: id) else { return }
            guard picture.view?.session == session else {
                throw Refusal.conflict("This picture isn’t open here.")
            }
            try OncePictureStore(transaction).erase(id)
        }
        jobs.wake()
    }

    /// A view-once message that the viewer received. Its sender has seen it before, and not through it.
    private static func received(
        _ transaction: Transaction, _ id: Message.ID, in chat: Chat.ID, by viewer: Account
    ) throws -> (Message, peer: Account.ID) {
        let message = try MessageService.visible(transaction, id, in: chat, for: viewer)
        guard message.once != nil, message.sender != viewer.id else { throw Refusal.notFound }
        return (message, message.sender)
    }

    /// The work of ``JobKind/closeOncePicture``: erases a picture whose look, or whose own time, is over.
    static func erase(_ job: Job, in database: Database, _ events: ChatEvents) async throws {
        guard let id = Message.ID(job.payload) else { return }
        try await database.write { transaction in
            let store = OncePictureStore(transaction)
            guard let picture = try store.picture(of: id) else { return }
            switch picture.state(at: transaction.now) {
            case .closed, .expired, .erased:
                try store.erase(id)
                try Self.tellExpired(id, events, transaction)
            case .shown, .open:
                // Shown in time: there is a later deadline now.
                let end = picture.view?.deadline ?? picture.expiresAt
                try JobStore(transaction).insert(.closeOncePicture, payload: job.payload, runAt: end)
            case .unopened: break
            }
        }
    }

    /// Tells those of the two who have the message that nobody opened it in time, if nobody did.
    private static func tellExpired(
        _ id: Message.ID, _ events: ChatEvents, _ transaction: Transaction
    ) throws {
        guard let receiver = try ChatStore(transaction).receiver(of: id),
            let message = try MessageStore(transaction).message(id, in: receiver.chat),
            message.once == .expired,
            try AccountService.mayMeet(transaction, receiver.account, receiver.peer)
        else { return }
        let members = [receiver.account, message.sender]
        let hasIt = id > receiver.clearedThrough && !receiver.isDropped
        try events.changed(message, of: members, for: hasIt ? members : [message.sender], transaction)
    }
}
