import Core
import Foundation
import Imaging
import Storage

/// The SQL of photos.
struct PhotoStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// Adds a photo.
    ///
    /// - Parameters:
    ///   - focus: the point around which the picture's square is cut.
    ///   - date: the time of a photo that is older than its row; nil for a new one.
    func insert(
        _ picture: StoredPicture, owner: Account.ID, kind: Photo.Kind, description: String,
        focus: Focus = .middle, madeAt date: Date? = nil
    ) throws -> Photo {
        let facts = picture.facts
        let id: Photo.ID =
            if let date {
                try transaction.newID(madeAt: date) { try self.photo($0) != nil }
            } else {
                ID(rawValue: transaction.newID())
            }
        let photo = Photo(
            id: id, owner: owner, kind: kind, description: description,
            width: facts.width, height: facts.height, blurhash: facts.blurhash, colour: facts.placeholder,
            focus: focus,
            capture: .init(
                date: facts.capture.date, latitude: facts.capture.location?.latitude,
                longitude: facts.capture.location?.longitude))
        try insert(photo, format: facts.format.rawValue, picture.files)
        return photo
    }

    /// Adds a photo with its files, which have no rows yet.
    ///
    /// - Parameter format: the format of the original.
    func insert(_ photo: Photo, format: String, _ files: [StoredPicture.File]) throws {
        try insert(photo, format: format)
        try insert(files, of: photo.id, owner: photo.owner)
    }

    /// Adds a photo from files whose rows in `blobs` exist and count for its owner.
    ///
    /// - Parameter format: the format of the original.
    func adopt(_ files: [KeptFile], as photo: Photo, format: String) throws {
        try insert(photo, format: format)
        for file in files { try insert(file, of: photo.id) }
    }

    private func insert(_ photo: Photo, format: String) throws {
        try transaction.execute(
            """
            INSERT INTO photos (id, owner_id, kind, description, width, height, blurhash, colour, format,
                captured_at, latitude, longitude, focus_x, focus_y)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
            """,
            photo.id, photo.owner, photo.kind.name, photo.description, photo.width, photo.height,
            photo.blurhash, photo.colour, format, photo.capture.date, photo.capture.latitude,
            photo.capture.longitude, photo.focus.x, photo.focus.y)
    }

    private func insert(_ files: [StoredPicture.File], of photo: Photo.ID, owner: Account.ID) throws {
        for file in files {
            try transaction.insertFile(file.blob, of: owner)
            try insert(KeptFile(file), of: photo)
        }
    }

    private func insert(_ file: KeptFile, of photo: Photo.ID) throws {
        try transaction.execute(
            "INSERT INTO photo_files (photo_id, variant, blob_key, width, height) VALUES ($1, $2, $3, $4, $5)",
            photo, file.variant, file.key, file.width, file.height)
    }

    /// Replaces all files of a photo, and schedules the erasure of the old ones. The new square is from the middle, and is
    /// cut again for a photo with another focus.
    func replace(_ id: Photo.ID, by picture: StoredPicture) throws {
        let facts = picture.facts
        let photo = try transaction.row(
            """
            UPDATE photos SET width = $2, height = $3, blurhash = $4, colour = $5, format = $6
            WHERE id = $1 RETURNING owner_id, focus_x, focus_y
            """, id, facts.width, facts.height, facts.blurhash, facts.placeholder, facts.format.rawValue
        ) { row in
            (
                owner: Account.ID(rawValue: try row.int64("owner_id")),
                focus: PhotoRow.focus(try row.get("focus_x"), try row.get("focus_y"))
            )
        }
        guard let photo else { return }
        try eraseFiles(of: id)
        try insert(picture.files, of: id, owner: photo.owner)
        if photo.focus != .middle { try cutSquare(of: id) }
    }

    private func eraseFiles(of id: Photo.ID) throws {
        let keys = try transaction.values(
            "DELETE FROM photo_files WHERE photo_id = $1 RETURNING blob_key", id, as: BlobKey.self)
        for key in keys { try transaction.eraseFile(key) }
    }

    func photo(_ id: Photo.ID) throws -> Photo? {
        try transaction.row("SELECT \(PhotoRow.columns) FROM photos ph WHERE ph.id = $1", id) {
            try PhotoRow.photo(from: $0)
        }
    }

    /// Returns the photos of a library among some ids, in no particular order.
    func photos(_ ids: [Photo.ID], of owner: Account.ID) throws -> [Photo] {
        try transaction.rows(for: ids, after: [owner]) { places in
            "SELECT \(PhotoRow.columns) FROM photos ph WHERE ph.owner_id = $1 AND ph.id IN (\(places))"
        } map: {
            try PhotoRow.photo(from: $0)
        }
    }

    /// Returns one page of a library, newest first. No kinds means all.
    func library(of owner: Account.ID, kinds: [Photo.Kind], page: PageRequest) throws -> [Photo] {
        var sql = "SELECT \(PhotoRow.columns) FROM photos ph WHERE ph.owner_id = $1"
        var arguments: [(any SQLConvertible)?] = [owner]
        if !kinds.isEmpty {
            let places = kinds.map { kind in
                arguments.append(kind.name)
                return "$\(arguments.count)"
            }
            sql += " AND ph.kind IN (\(places.joined(separator: ", ")))"
        }
        return try page.rows(idColumn: "ph.id", sql, arguments: arguments, transaction) {
            try PhotoRow.photo(from: $0)
        }
    }

    /// Returns the photos right after (older) and right before (newer) one in its owner's library.
    func neighbours(of id: Photo.ID, owner: Account.ID) throws -> (newer: Photo.ID?, older: Photo.ID?) {
        let newer = try transaction.value(
            "SELECT id FROM photos WHERE owner_id = $1 AND id > $2 ORDER BY id LIMIT 1", owner, id,
            as: Photo.ID.self)
        let older = try transaction.value(
            "SELECT id FROM photos WHERE owner_id = $1 AND id < $2 ORDER BY id DESC LIMIT 1", owner, id,
            as: Photo.ID.self)
        return (newer, older)
    }

    func setDescription(_ description: String, of id: Photo.ID) throws {
        try transaction.execute("UPDATE photos SET description = $2 WHERE id = $1", id, description)
    }

    // MARK: Focus

    /// Sets the focus of a photo, and schedules the cutting of its square unless that is already waiting.
    func setFocus(_ focus: Focus, of id: Photo.ID) throws {
        try transaction.execute(
            "UPDATE photos SET focus_x = $2, focus_y = $3 WHERE id = $1", id, focus.x, focus.y)
        try cutSquare(of: id)
    }

    /// Schedules the cutting of a photo's square unless that is already waiting.
    private func cutSquare(of id: Photo.ID) throws {
        let isNew =
            try transaction.execute(
                "UPDATE photos SET square_is_due = 1 WHERE id = $1 AND square_is_due = 0", id) > 0
        if isNew { try transaction.schedule(.cutSquare, payload: id.description) }
    }

    /// A square that is still around another point than its photo's focus.
    struct DueSquare: Hashable {
        let owner: Account.ID
        let focus: Focus
        /// The file from which the square is cut.
        let original: KeptFile
    }

    /// Returns the square of a photo that has to be cut again; nil when it shows the focus, and without the photo.
    func dueSquare(of id: Photo.ID) throws -> DueSquare? {
        try transaction.row(
            """
            SELECT ph.owner_id, ph.focus_x, ph.focus_y, f.variant, f.blob_key, f.width, f.height FROM photos ph
            JOIN photo_files f ON f.photo_id = ph.id AND f.variant = 'original'
            WHERE ph.id = $1 AND ph.square_is_due = 1
            """, id
        ) { row in
            DueSquare(
                owner: ID(rawValue: try row.int64("owner_id")),
                focus: PhotoRow.focus(try row.get("focus_x"), try row.get("focus_y")),
                original: try KeptFile(from: row))
        }
    }

    /// Replaces the files of a photo's square by those around its focus, and schedules the erasure of the old ones.
    func replaceSquare(of id: Photo.ID, by files: [StoredPicture.File], owner: Account.ID) throws {
        for file in files {
            let key = try transaction.value(
                "DELETE FROM photo_files WHERE photo_id = $1 AND variant = $2 RETURNING blob_key", id,
                file.variant, as: BlobKey.self)
            if let key { try transaction.eraseFile(key) }
        }
        try insert(files, of: id, owner: owner)
        try transaction.execute("UPDATE photos SET square_is_due = 0 WHERE id = $1", id)
    }

    /// Returns a file of a photo, and the format of the original.
    func file(_ id: Photo.ID, variant: String) throws -> (blob: BlobKey, format: String)? {
        try transaction.row(
            """
            SELECT f.blob_key, ph.format FROM photo_files f JOIN photos ph ON ph.id = f.photo_id
            WHERE f.photo_id = $1 AND f.variant = $2
            """, id, variant
        ) { (try $0.get("blob_key"), try $0.string("format")) }
    }

    /// Returns all files of a photo.
    func files(of id: Photo.ID) throws -> [KeptFile] {
        try transaction.rows(
            "SELECT variant, blob_key, width, height FROM photo_files WHERE photo_id = $1", id
        ) { try KeptFile(from: $0) }
    }

    /// Returns a batch of photos of an account, in no particular order.
    func photos(of owner: Account.ID, limit: Int) throws -> [Photo.ID] {
        try transaction.values("SELECT id FROM photos WHERE owner_id = $1 LIMIT $2", owner, limit)
    }

    func count() throws -> Int {
        try transaction.value("SELECT count(*) FROM photos") ?? 0
    }

    /// Returns how many photos an account has, and the bytes of their originals.
    func size(of owner: Account.ID) throws -> (photos: Int, bytes: Int) {
        try transaction.row(
            """
            SELECT count(*) AS photos, COALESCE(CAST(sum(b.byte_count) AS BIGINT), 0) AS bytes FROM photos ph
            JOIN photo_files f ON f.photo_id = ph.id AND f.variant = 'original'
            JOIN \(FileRow.table) b ON b.key = f.blob_key WHERE ph.owner_id = $1
            """, owner
        ) { (try $0.int("photos"), try $0.int("bytes")) } ?? (0, 0)
    }

    /// Deletes a photo and schedules the erasure of its files. What shows the photo loses it, too.
    func delete(_ id: Photo.ID) throws {
        try eraseFiles(of: id)
        try transaction.execute("DELETE FROM photos WHERE id = $1", id)
    }
}
