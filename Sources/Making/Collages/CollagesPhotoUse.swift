import Core
import People
import Storage

/// Collages show their photos to the people who make them.
struct CollagesPhotoUse: PhotoUse {
    let collages: CollageService

    func shows(_ photo: Photo.ID, to viewer: Account.ID, _ transaction: Transaction) throws -> Bool {
        try CollageStore(transaction).shows(photo, to: viewer)
    }

    /// A rendered collage keeps its picture when one of its photos is deleted, so only those that aren't rendered count.
    /// Nor do copies that others make for themselves: nobody is told of them.
    func uses(of photo: Photo.ID, _ transaction: Transaction) throws -> PhotoUses? {
        let owner = try PhotoService.unchecked(photo, transaction)?.owner
        let count = try CollageStore(transaction).collages(with: photo).count {
            !$0.isFinished && $0.renderedRevision != $0.revision
                && ($0.copiedFrom == nil || $0.owner == owner)
        }
        guard count > 0 else { return nil }
        return PhotoUses(places: count == 1 ? "one unfinished collage" : "\(count) unfinished collages")
    }

    func release(_ photo: Photo.ID, _ transaction: Transaction) throws {
        let store = CollageStore(transaction)
        let holding = try store.collages(with: photo)
        try store.release(photo)
        for head in holding {
            // What was rendered before stays rendered: its picture is as it was.
            if head.renderedRevision != head.revision { try store.touch(head.id) }
            try collages.publish(head.id, transaction)
        }
        // A recipe goes with its picture, unless it has been changed since and waits to be rendered.
        if let head = try store.head(renderedTo: photo),
            head.isFinished || head.renderedRevision == head.revision
        {
            try collages.end(head, transaction)
        }
    }

    func changed(_ photo: Photo.ID, _ transaction: Transaction) throws {
        for head in try CollageStore(transaction).collages(with: photo) {
            try collages.publish(head.id, transaction)
        }
    }
}
