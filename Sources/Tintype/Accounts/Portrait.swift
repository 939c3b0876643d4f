import Foundation
import Imaging
import Storage

/// A person's picture of themselves: two squares in two formats, public to everyone who can log in.
public enum Portrait {
    /// The portrait's identifier; a new picture gets a new one, so that its URL never changes meaning.
    public typealias ID = Tintype.ID<Portrait>

    /// The sizes in which portraits are kept.
    enum Size: String, Sendable, CaseIterable {
        /// 480 px square, for profiles.
        case large = "portrait"
        /// 120 px square, for rows.
        case small = "portrait-small"
    }

    /// Where the server offers it. The browser's `Accept` header chooses the format.
    static func path(_ id: ID, _ size: Size) -> String {
        size == .large ? "/portraits/\(id)" : "/portraits/\(id)/small"
    }
}

/// The SQL of portraits.
struct PortraitStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    func insert(_ picture: StoredPicture, of account: Account.ID) throws -> Portrait.ID {
        let id = Portrait.ID(rawValue: transaction.newID())
        try transaction.execute("INSERT INTO portraits (id, account_id) VALUES ($1, $2)", id, account)
        for file in picture.files {
            try BlobRecordStore(transaction).insert(file.blob)
            try transaction.execute(
                "INSERT INTO portrait_files (portrait_id, variant, blob_key) VALUES ($1, $2, $3)",
                id, file.variant, file.blob.key)
        }
        return id
    }

    /// Deletes a portrait and schedules the erasure of its files.
    func delete(_ id: Portrait.ID) throws {
        let keys = try transaction.rows("SELECT blob_key FROM portrait_files WHERE portrait_id = $1", id) {
            try $0.get(0, as: BlobKey.self)
        }
        try transaction.execute("DELETE FROM portraits WHERE id = $1", id)
        for key in keys { try BlobRecordStore(transaction).delete(key) }
    }

    /// All portraits that an account has, or had and not yet lost.
    func portraits(of account: Account.ID) throws -> [Portrait.ID] {
        try transaction.rows("SELECT id FROM portraits WHERE account_id = $1", account) {
            ID(rawValue: try $0.int64(0))
        }
    }

    func blob(_ id: Portrait.ID, variant: String) throws -> BlobKey? {
        try transaction.row(
            "SELECT blob_key FROM portrait_files WHERE portrait_id = $1 AND variant = $2", id, variant
        ) { try $0.get(0, as: BlobKey.self) }
    }
}

/// Takes portraits in and gives them out.
final class PortraitService: Sendable {
    /// A picture as it came in, and the square of it that the person chose.
    struct Upload: Sendable {
        var file: IncomingBlob
        var crop: CropSquare?
    }

    private let database: Database
    private let intake: PictureIntake

    init(database: Database, intake: PictureIntake) {
        self.database = database
        self.intake = intake
    }

    /// Makes the squares of a portrait; nil stays nil. Its files belong to no row until ``keep(_:)``.
    func process(_ upload: Upload?) async throws -> StoredPicture? {
        guard let upload else { return nil }
        do {
            return try await intake.take(
                upload.file, renditions: RenditionSpec.portrait, crop: upload.crop, keepsOriginal: false)
        } catch let error as ImageError {
            throw Refusal(imageError: error, field: "portrait")
        }
    }

    /// Says that a committed row names the picture's files.
    func keep(_ picture: StoredPicture?) async {
        if let picture { await intake.keep(picture) }
    }

    /// Erases the files of a picture that no row names.
    func discard(_ picture: StoredPicture?) async {
        if let picture { await intake.discard(picture) }
    }

    /// The blob of a portrait.
    ///
    /// - Throws: ``Refusal`` (404) when there is none.
    func blob(_ id: Portrait.ID, _ size: Portrait.Size, _ format: RenditionFormat) async throws -> BlobKey {
        let key = try await database.read {
            try PortraitStore($0).blob(id, variant: "\(size.rawValue).\(format.rawValue)")
        }
        guard let key else { throw Refusal.notFound }
        return key
    }
}
