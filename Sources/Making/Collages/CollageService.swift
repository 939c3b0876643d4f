import Core
import Feeds
import Foundation
import Logging
import People
import Serving
import Storage

/// The service of collages: showing them, filling and arranging their cells. `CollageCompany.swift` is about starting
/// and leaving collages, `CollageRendering.swift` about their pictures, `CollageCopies.swift` about copies of finished
/// ones.
package final class CollageService: Sendable {
    let database: Database
    let photos: PhotoService
    let intake: PictureIntake
    let blobs: any BlobStore
    let copies: PhotoCopies
    let logger: Logger
    let notifications: NotificationService
    let chats: ChatService
    let messages: MessageService
    let events: CollageEvents
    let publicURL: String

    /// The most people of one collage besides its owner: with the owner as many as a group has.
    static let mostPeople = 49
    /// The most unfinished collages of one person.
    static let mostUnfinished = 20

    init(
        _ app: AppParts, photos: PhotosFeature, notifications: NotificationService, chats: ChatsFeature,
        events: CollageEvents
    ) {
        database = app.database
        self.photos = photos.photos
        intake = app.intake
        blobs = app.blobs
        logger = app.logger
        publicURL = app.configuration.publicURL
        copies = photos.copies
        self.notifications = notifications
        (self.chats, messages) = (chats.chats, chats.messages)
        self.events = events
    }

    /// Returns the path of a collage's page.
    static func path(_ id: Collage.ID) -> String { "/collage/\(id)" }

    // MARK: Looking

    /// Returns a collage in which the viewer takes part.
    ///
    /// - Throws: ``Refusal`` (404) for all others.
    func collage(_ id: Collage.ID, for viewer: Account) async throws -> Collage {
        try await database.read { try CollageRecords($0).collage(id, for: viewer) }
    }

    /// Returns a collage in which the viewer takes part, with a page of the viewer's library to fill its cells from.
    ///
    /// - Throws: ``Refusal`` (404) for all other collages.
    func collage(
        _ id: Collage.ID, with page: PageRequest, for viewer: Account
    ) async throws -> (collage: Collage, library: [Photo]) {
        try await database.read { transaction in
            let collage = try CollageRecords(transaction).collage(id, for: viewer)
            return (collage, try PhotoRecords(transaction).library(of: viewer, kinds: [], page: page))
        }
    }

    /// Returns a page of the viewer's unfinished collages, their own and those of friends, newest first.
    func unfinished(of viewer: Account, page: PageRequest) async throws -> [Collage] {
        try await database.read { transaction in
            try CollageStore(transaction).unfinished(of: viewer.id, page: page).compactMap { head in
                try CollageRecords(transaction).ifVisible(head.id, to: viewer)
            }
        }
    }

    /// Returns the collage whose picture is one of the viewer's photos.
    ///
    /// - Throws: ``Refusal`` (404) for anyone else's photo, for one that isn't the picture of a collage, and when the
    ///   collage was deleted or the viewer has left it.
    func collage(of photo: Photo.ID, for viewer: Account) async throws -> Collage {
        try await database.read { try CollageRecords($0).collage(of: photo, for: viewer) }
    }

    // MARK: Changing

    /// Changes the look of a collage, or assigns its cells to people.
    ///
    /// - Parameter assignments: for each cell of the layout, from the first on, the person who is to fill it; nil inside
    ///   for anyone.
    /// - Throws: ``Refusal``: 404, 409, 422 with every wrong field.
    func set(
        _ style: CollageStyleChange, assignments: [Account.ID?]? = nil, of id: Collage.ID, by viewer: Account
    ) async throws -> Collage {
        try await change(id, by: viewer) { collage, _ in
            try Self.checkOwner(collage, viewer)
            let count = collage.style.layout.cells.count
            collage.style = try style.applied(to: collage.style)
            if collage.style.layout.cells.count != count {
                collage.cells = collage.cells.arranged(for: collage.style.layout.cells.count)
            }
            guard let assignments else { return }
            let everyone = [collage.owner] + collage.people
            guard assignments.count <= collage.shownCells.count else {
                throw Refusal.invalid("assignments", "ERR_INVALID", "There are fewer cells than that.")
            }
            for (index, assignee) in assignments.enumerated() {
                let person = everyone.first { $0.id == assignee }
                guard assignee == nil || person != nil else {
                    throw Refusal.invalid(
                        "assignments", "ERR_INVALID", "Only people of this collage can fill its cells.")
                }
                collage.cells[index].assignee = person
            }
        }
    }

    /// Puts a photo into a cell, or shows another part of the cell's photo.
    ///
    /// - Parameters:
    ///   - photo: a photo of the viewer's library; nil for the one that is there.
    ///   - view: returns the new part from the old one. A new photo begins with the part around its focus.
    /// - Throws: ``Refusal``: 404 for a cell or photo that isn't there, 422 for numbers out of range;
    ///   ``CollageTaken`` when somebody else was faster, or is to fill the cell.
    package func fill(
        _ index: Int, of id: Collage.ID, with photo: Photo.ID?, by viewer: Account,
        view: @escaping @Sendable (CollageView) -> CollageView
    ) async throws -> Collage {
        try await change(id, by: viewer) { collage, transaction in
            guard collage.shownCells.indices.contains(index) else { throw Refusal.notFound }
            var cell = collage.cells[index]
            try Self.checkMine(cell, collage, viewer, isReplacing: photo != nil)
            if let photo {
                let photo = try PhotoRecords(transaction).own(photo, of: viewer)
                let view = CollageView(of: photo, in: index, of: collage.style)
                if cell.photo?.id == photo.id, cell.giver?.id == viewer.id {
                    // A request that is repeated leaves the photo where it is in private feeds.
                    cell.view = view
                } else {
                    cell = CollageCell(assignee: cell.assignee, giver: viewer, photo: photo, view: view)
                }
            }
            guard cell.photo != nil else {
                throw Refusal.invalid("photo_id", "ERR_BLANK", "Choose a photo for this cell first.")
            }
            var problems = Problems()
            cell.view = view(cell.view)
            cell.view.check(into: &problems)
            try problems.throwIfAny()
            collage.cells[index] = cell
        }
    }

    /// Removes the photo from a cell. An empty cell stays as it is.
    ///
    /// - Throws: ``Refusal`` (404); ``CollageTaken`` for somebody else's photo, which its owner and the collage's owner
    ///   may take out.
    func empty(_ index: Int, of id: Collage.ID, by viewer: Account) async throws -> Collage {
        try await change(id, by: viewer) { collage, _ in
            guard collage.shownCells.indices.contains(index) else { throw Refusal.notFound }
            try Self.checkMine(collage.cells[index], collage, viewer, isReplacing: false)
            collage.cells[index] = CollageCell(assignee: collage.cells[index].assignee)
        }
    }

    /// Exchanges two cells.
    ///
    /// - Parameter key: the idempotency key. A second call with the key within 24 hours changes nothing: browsers
    ///   repeat a request whose connection broke, and swapping twice would undo it.
    /// - Throws: ``Refusal`` (404) for a cell that isn't there; ``CollageTaken`` for someone who isn't the owner.
    func swap(
        _ one: Int, _ other: Int, of id: Collage.ID, by viewer: Account, key: IdempotencyKey? = nil
    ) async throws -> Collage {
        try await change(id, by: viewer) { collage, transaction in
            if try key?.result(viewer.id, transaction) != nil { return }
            try Self.checkOwner(collage, viewer)
            let cells = collage.shownCells.indices
            guard cells.contains(one), cells.contains(other) else { throw Refusal.notFound }
            collage.cells.swapAt(one, other)
            try key?.record(id.rawValue, transaction, viewer.id)
        }
    }

    /// Checks that the viewer owns a collage.
    static func checkOwner(_ collage: Collage, _ viewer: Account) throws {
        guard collage.owner.id != viewer.id else { return }
        throw CollageTaken(collage, "Only \(collage.owner.displayName) can change that in this collage.")
    }

    /// Checks that the viewer may put a photo into a cell, or change the part that the cell shows of its photo.
    private static func checkMine(
        _ cell: CollageCell, _ collage: Collage, _ viewer: Account, isReplacing: Bool
    ) throws {
        if let giver = cell.giver, cell.photo != nil {
            let isOwner = collage.owner.id == viewer.id
            guard giver.id == viewer.id || isOwner && (!isReplacing || !collage.isShared) else {
                throw CollageTaken(collage, "\(giver.displayName) has filled this cell.")
            }
        } else if let assignee = cell.assignee, assignee.id != viewer.id {
            throw CollageTaken(collage, "This cell is for \(assignee.displayName).")
        }
    }

    /// Removes a photo from a collage and its copies, inside a transaction of the administration.
    func removePhoto(_ photo: Photo.ID, of id: Collage.ID, _ transaction: Transaction) throws {
        let store = CollageStore(transaction)
        for collage in try [id] + store.copies(of: id).map(\.id) {
            try store.empty(collage, of: photo)
            try store.unexchangeUnseen(collage)
            try store.touch(collage)
            try publish(collage, transaction)
        }
    }

    /// Changes a collage that isn't finished, and sends the change to everyone who fills it.
    ///
    /// - Returns: the collage as it is then.
    func change(
        _ id: Collage.ID, by viewer: Account,
        _ body: @escaping @Sendable (inout Collage, Transaction) throws -> Void
    ) async throws -> Collage {
        try await database.write { [self] transaction in
            let before = try CollageRecords(transaction).collage(id, for: viewer)
            guard !before.isFinished else { throw CollageTaken(before, "This collage is finished.") }
            var after = before
            try body(&after, transaction)
            let store = CollageStore(transaction)
            let changed = after.cells.indices.filter { after.cells[$0] != before.cells[$0] }
            let isJoined = after.people.map(\.id) != before.people.map(\.id)
            guard !changed.isEmpty || after.style != before.style || isJoined else { return before }
            if after.style != before.style { try store.set(after.style, of: id) }
            for index in changed { try store.set(after.cells[index], at: index, of: id) }
            if !after.people.isEmpty, isJoined || after.exchanges != before.exchanges {
                try store.exchange(id)
            }
            try store.touch(id)
            try publish(id, transaction)
            return try CollageRecords(transaction).collage(id, for: viewer)
        }
    }

    /// Sends a collage to everyone who fills it, each as they see it.
    func publish(_ id: Collage.ID, _ transaction: Transaction) throws {
        let store = CollageStore(transaction)
        guard let head = try store.head(id) else { return }
        try events.changed(id, of: [head.owner] + store.people(of: id), transaction) { viewers in
            try CollageRecords(transaction).load(head, for: viewers)
        }
    }
}

/// The error of a person who was slower than another, or who may not change a cell: 409, with the collage as it is.
struct CollageTaken: Error {
    let collage: Collage
    let sentence: String

    init(_ collage: Collage, _ sentence: String) {
        (self.collage, self.sentence) = (collage, sentence)
    }
}
