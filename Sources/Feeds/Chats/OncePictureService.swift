import Core
import Crypto
import Foundation
import Imaging
import People
import Serving
import Storage

/// The service of view-once pictures, for their receivers: opening, looking, closing. The rules are those of snaps.
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
            let message = try OncePictureRecords(transaction).received(id, in: chat, by: viewer)
            let member = try ChatRecords(transaction).member(chat, of: viewer)
            guard !member.isRequest else { throw Refusal.conflict("Accept the request first.") }
            let store = OncePictureStore(transaction)
            guard let picture = try store.picture(of: id),
                try picture.state(for: store.view(of: id, by: viewer.id), at: transaction.now).after(.open)
                    != nil
            else {
                throw Self.gone
            }
            let view = OncePicture.View(
                hash: Session.hash(ofToken: secret), session: session, openedAt: transaction.now)
            guard try store.open(id, by: viewer.id, view) else { throw Self.gone }
            try transaction.schedule(.closeOncePicture, payload: "\(id)-\(viewer.id)", at: view.deadline)
            var opened = message
            opened.once?.lookers.append(viewer.id)
            if member.isGroup {
                events.changedInGroup(opened, transaction)
            } else {
                let members = [viewer.id, message.sender]
                try events.changed(opened, of: members, for: members, transaction)
            }
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
            guard let (message, chat, account) = try store.look(viewHash: Session.hash(ofToken: secret)),
                account == viewer.id, let view = try store.view(of: message, by: account),
                view.session == session
            else { throw Refusal.notFound }
            _ = try OncePictureRecords(transaction).received(message, in: chat, by: viewer)
            guard let picture = try store.picture(of: message),
                picture.state(for: view, at: transaction.now).after(.fetch) != nil,
                let key = try store.file(of: message, variant: OnceCopies.variant(format))
            else { throw Self.gone }
            return key
        }
    }

    /// Records that the page has drawn the picture. After that, the bytes are no longer served.
    func show(_ id: Message.ID, in chat: Chat.ID, by viewer: Account, session: Session.ID) async throws {
        try await database.write { transaction in
            _ = try OncePictureRecords(transaction).received(id, in: chat, by: viewer)
            let store = OncePictureStore(transaction)
            guard let picture = try store.picture(of: id), let view = try store.view(of: id, by: viewer.id),
                view.session == session, picture.state(for: view, at: transaction.now).after(.show) != nil
            else { throw Self.gone }
            try store.setShown(id, by: viewer.id)
        }
    }

    /// Ends the look, and erases the picture if it was the last one. Closing twice has no further effect.
    func close(_ id: Message.ID, in chat: Chat.ID, by viewer: Account, session: Session.ID) async throws {
        try await database.write { transaction in
            _ = try OncePictureRecords(transaction).received(id, in: chat, by: viewer)
            let store = OncePictureStore(transaction)
            guard let picture = try store.picture(of: id) else { return }
            let view = try store.view(of: id, by: viewer.id)
            // The look has ended before.
            if let view, view.hash == nil { return }
            guard view?.session == session else {
                throw Refusal.conflict("This picture isn’t open here.")
            }
            try store.close(id, by: viewer.id)
            try OncePictureRecords(transaction).eraseIfSeen(picture)
        }
    }

    /// Performs ``JobKind/closeOncePicture``: erases a picture when the looks of all, or its time, are over. The payload
    /// is the message's id, at the end of a look with that of the person who looked.
    static func erase(_ job: Job, in database: Database, _ events: ChatEvents) async throws {
        let ids = job.payload.split(separator: "-").compactMap { Int64($0) }
        guard let id = ids.first.map({ Message.ID(rawValue: $0) }) else { return }
        try await database.write { transaction in
            let store = OncePictureStore(transaction)
            guard let picture = try store.picture(of: id) else { return }
            if ids.count > 1, let view = try store.view(of: id, by: ID(rawValue: ids[1])),
                [.open, .shown].contains(picture.state(for: view, at: transaction.now))
            {
                // The picture was shown in time, so its deadline is later now.
                return try transaction.schedule(.closeOncePicture, payload: job.payload, at: view.deadline)
            }
            // Jobs of earlier versions don't name who looks.
            if ids.count == 1, transaction.now < picture.expiresAt {
                for (account, view) in try store.views(of: id)
                where [.open, .shown].contains(picture.state(for: view, at: transaction.now)) {
                    try transaction.schedule(
                        .closeOncePicture, payload: "\(id)-\(account)", at: view.deadline)
                }
            }
            let records = OncePictureRecords(transaction)
            if try !records.eraseIfSeen(picture), transaction.now >= picture.expiresAt {
                try records.expire(picture, events)
            }
        }
    }
}
