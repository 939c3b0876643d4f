import Core
import Imaging
import Serving
import Storage

/// The photos of the libraries inside a transaction.
package struct PhotoRecords {
    let transaction: Transaction

    package init(_ transaction: Transaction) { self.transaction = transaction }

    /// Returns one page of the viewer's library, newest first.
    package func library(of viewer: Account, kinds: [Photo.Kind], page: PageRequest) throws -> [Photo] {
        try PhotoStore(transaction).library(of: viewer.id, kinds: kinds, page: page)
    }

    /// Returns the newest photos of the viewer's library, then those of `chosen` that are not among them.
    package func choices(of viewer: Account, chosen: [Photo.ID], limit: Int) throws -> [Photo] {
        let newest = try library(of: viewer, kinds: [], page: PageRequest(limit: limit))
        let shown = Set(newest.map(\.id))
        return newest + (try own(chosen.filter { !shown.contains($0) }, of: viewer))
    }

    /// Returns one of the viewer's photos.
    package func own(_ id: Photo.ID, of viewer: Account) throws -> Photo {
        guard let photo = try PhotoStore(transaction).photo(id), photo.owner == viewer.id else {
            throw Refusal.notFound
        }
        return photo
    }

    /// Returns those of some photos that the viewer owns, in no particular order.
    package func own(_ ids: [Photo.ID], of viewer: Account) throws -> [Photo] {
        try PhotoStore(transaction).photos(ids, of: viewer.id)
    }

    /// Returns a photo without checking who may see it. The calling service makes this check.
    package func unchecked(_ id: Photo.ID) throws -> Photo? {
        try PhotoStore(transaction).photo(id)
    }

    /// Returns how many bytes the files of some accounts use.
    package func storage(of accounts: [Account.ID]) throws -> [Account.ID: Int] {
        try FileRecords(transaction).uses(of: accounts)
    }

    /// Returns how many photos an account has, and the bytes of their originals.
    package func originals(of owner: Account.ID) throws -> (count: Int, bytes: Int) {
        let size = try PhotoStore(transaction).size(of: owner)
        return (size.photos, size.bytes)
    }

    /// Returns the file of a rendition, for another service that has checked who may see it.
    package func uncheckedFile(
        _ id: Photo.ID, _ size: Photo.Size, _ format: RenditionFormat
    ) throws -> BlobKey? {
        try PhotoStore(transaction).file(id, variant: "\(size.rawValue).\(format.rawValue)")?.blob
    }

    /// Returns all files of a photo, for another service that has checked who may use them.
    package func uncheckedFiles(_ id: Photo.ID) throws -> [KeptFile] {
        try PhotoStore(transaction).files(of: id)
    }

    /// Adds a picture that the server has made to somebody's library.
    package func insert(
        _ picture: StoredPicture, of owner: Account.ID, kind: Photo.Kind, description: String = ""
    ) throws -> Photo {
        try PhotoStore(transaction).insert(picture, owner: owner, kind: kind, description: description)
    }

    /// Adds a photo to the library from files that another feature has kept for the same person.
    /// That feature deletes its own rows of the files, which are moved rather than copied.
    ///
    /// - Parameter files: the renditions of a photo and its `original`, a JPEG.
    package func adopt(_ files: [KeptFile], of owner: Account.ID, as facts: PhotoService.NewPhoto) throws
        -> Photo
    {
        let photo = Photo(
            id: ID(rawValue: transaction.newID()), owner: owner, kind: .upload,
            description: facts.description,
            width: facts.width, height: facts.height, blurhash: facts.blurhash, colour: facts.colour,
            focus: facts.focus)
        try PhotoStore(transaction).adopt(files, as: photo, format: "jpeg")
        return photo
    }

    /// Returns how many photos there are. Every row is counted.
    package func count() throws -> Int {
        try PhotoStore(transaction).count()
    }
}
