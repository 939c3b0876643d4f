import Core
import People
import Storage

// Copies of collages that were made together. A finished collage doesn't change any more, so each of its people edits a
// copy.
extension CollageService {
    /// Returns the collage in which the viewer edits one of their pictures: the collage from which the picture was
    /// rendered or, if that was made together, a copy of it (``copy(of:by:)``).
    ///
    /// - Throws: ``Refusal``: 404 for anyone else's photo and when the collage was deleted, 422 for too many unfinished
    ///   ones.
    func editable(_ photo: Photo.ID, by viewer: Account) async throws -> Collage {
        let collage = try await collage(of: photo, for: viewer)
        return collage.isFinished ? try await copy(of: photo, by: viewer) : collage
    }

    /// Begins the viewer's own copy of the collage that one of their photos shows, or returns the copy that they have
    /// begun and not rendered yet.
    ///
    /// The photos of others are lent to the copy. They are removed when their owner deletes them, leaves the collage,
    /// or a block separates their owner and the viewer, and when the collage itself is deleted.
    ///
    /// - Throws: ``Refusal``: 404 for anyone else's photo and when the collage was deleted, 422 for too many unfinished
    ///   ones.
    func copy(of photo: Photo.ID, by viewer: Account) async throws -> Collage {
        try await database.write { transaction in
            let collage = try CollageRecords(transaction).collage(of: photo, for: viewer)
            let store = CollageStore(transaction)
            if let begun = try store.begunCopy(of: collage.id, by: viewer.id) {
                return try CollageRecords(transaction).collage(begun, for: viewer)
            }
            try CollageRecords(transaction).checkUnfinished(viewer)
            let id = try store.insert(collage.style, of: viewer.id, chat: nil, copyOf: collage.id)
            for (position, cell) in collage.shownCells.enumerated() where cell.photo != nil {
                let copied = CollageCell(giver: cell.giver, photo: cell.photo, view: cell.view)
                try store.set(copied, at: position, of: id)
            }
            return try CollageRecords(transaction).collage(id, for: viewer)
        }
    }

    /// Removes lent photos from the copies of a collage.
    ///
    /// - Parameter account: the person who leaves the collage: their photos are removed from the copies of all others,
    ///   and the photos of others from their copies. Nil when the collage is deleted for everyone.
    func endLoans(of id: Collage.ID, to account: Account.ID?, _ transaction: Transaction) throws {
        let store = CollageStore(transaction)
        for copy in try store.copies(of: id) {
            if let account, copy.owner != account {
                try store.empty(copy.id, of: account)
            } else {
                try store.emptyOthers(copy.id, owner: copy.owner)
            }
            // A collage that was rendered keeps its picture.
            if copy.renderedRevision != copy.revision { try store.touch(copy.id) }
            try publish(copy.id, transaction)
        }
    }
}
