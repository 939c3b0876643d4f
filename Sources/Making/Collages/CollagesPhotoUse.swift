import Core
import People
import Storage

/// The use of photos in collages: the people of a collage see its photos.
struct CollagesPhotoUse: PhotoUse {
    let collages: CollageService

    func shows(_ photo: Photo.ID, to viewer: Account.ID, _ transaction: Transaction) throws -> Bool {
        try CollageStore(transaction).shows(photo, to: viewer)
    }

    /// Returns the unfinished collages that contain a photo. A rendered collage keeps its picture when one of its
    /// photos is deleted, so it doesn't count. Nor do copies that other people make, which stay private.
    func uses(of photo: Photo.ID, _ transaction: Transaction) throws -> PhotoUses? {
        let owner = try PhotoRecords(transaction).unchecked(photo)?.owner
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
            // A collage that was rendered keeps its picture.
            if head.renderedRevision != head.revision { try store.touch(head.id) }
            try collages.publish(head.id, transaction)
        }
        // A recipe is deleted with its picture, unless it has changed since and waits to be rendered.
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
