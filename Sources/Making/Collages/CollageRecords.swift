import Core
import Feeds
import People
import Serving
import Storage

/// The collages inside a transaction, as their people see them.
struct CollageRecords {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// Returns the collages among `ids` in which the viewer takes part.
    func collages(_ ids: Set<Collage.ID>, for viewer: Account) throws -> [Collage.ID: Collage] {
        var found: [Collage.ID: Collage] = [:]
        for id in ids { found[id] = try ifVisible(id, to: viewer) }
        return found
    }

    /// Returns a collage, or nil when the viewer takes no part in it.
    func ifVisible(_ id: Collage.ID, to viewer: Account) throws -> Collage? {
        do {
            return try collage(id, for: viewer)
        } catch let refusal as Refusal where refusal == .notFound {
            return nil
        }
    }

    /// Returns a collage in which the viewer takes part.
    ///
    /// - Throws: ``Refusal`` (404) for anyone else's.
    func collage(_ id: Collage.ID, for viewer: Account) throws -> Collage {
        guard let head = try CollageStore(transaction).head(id, of: viewer.id) else { throw Refusal.notFound }
        if head.owner != viewer.id { _ = try AccountRecords(transaction).account(head.owner, for: viewer) }
        return try load(head, for: viewer.id)
    }

    /// Returns the collage whose picture is a photo of the viewer's library.
    ///
    /// - Throws: ``Refusal`` (404) for anyone else's photo, and for one that isn't a collage.
    func collage(of photo: Photo.ID, for viewer: Account) throws -> Collage {
        _ = try PhotoRecords(transaction).own(photo, of: viewer)
        let store = CollageStore(transaction)
        let head = try store.head(renderedTo: photo) ?? store.head(deliveredAs: photo, to: viewer.id)
        guard let head else { throw Refusal.notFound }
        return try collage(head.id, for: viewer)
    }

    /// Loads a collage as one of its people sees it.
    func load(_ head: CollageStore.Head, for viewer: Account.ID) throws -> Collage {
        let store = CollageStore(transaction)
        var known: [Account.ID: Account] = [:]
        func account(_ id: Account.ID?) throws -> Account? {
            guard let id else { return nil }
            if let account = known[id] { return account }
            known[id] = try AccountRecords(transaction).unchecked(id)
            return known[id]
        }
        guard let owner = try account(head.owner) else { throw Refusal.notFound }
        let photo = head.owner == viewer ? head.photo : try store.copy(of: head.id, for: viewer)
        let cells = try store.cells(of: head.id)
        // In a finished collage, a person who was invited and gave no photo doesn't see the photos of others.
        let hidesPhotos =
            head.isFinished && head.owner != viewer && !cells.contains { $0.giver == viewer }
        return Collage(
            id: head.id, owner: owner, people: try store.people(of: head.id).compactMap(account),
            chat: head.chat, copiedFrom: head.copiedFrom, style: head.style, revision: head.revision,
            renderedRevision: head.renderedRevision,
            photo: try photo.flatMap { try PhotoRecords(transaction).unchecked($0) },
            isFinished: head.isFinished,
            cells: try cells.map { cell in
                if hidesPhotos { return CollageCell() }
                return CollageCell(
                    assignee: try account(cell.assignee), giver: try account(cell.giver), photo: cell.photo,
                    view: cell.view)
            })
    }
}
