import Core
import Foundation
import Storage

/// All data of a person in one zip file: photos in full size, and all texts as JSON.
struct Download: Sendable, Equatable {
    typealias ID = Core.ID<Download>

    /// The state of a download.
    enum State: String, Sendable {
        /// The download waits for its turn.
        case waiting
        /// The file is being made.
        case packing
        /// The file can be downloaded.
        case ready
        /// The file couldn't be made; the person may ask for another download.
        case failed
    }

    /// The identifier; its time is when the download was asked for.
    let id: ID
    let account: Account.ID
    var state: State
    var photosCount: Int
    var photosPacked: Int
    /// The file, when the download is ready.
    var blob: BlobKey?
    var byteCount: Int
    /// When the file is erased, when the download is ready.
    var expiresAt: Date?

    /// How long a file is kept, in seconds: three days.
    static let lifetime: TimeInterval = 3 * 86_400
}

/// The SQL of downloads.
struct DownloadStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    private static let columns = """
        id, account_id, state, photos_count, photos_packed, blob_key, byte_count, expires_at
        """

    private static func download(from row: Row) throws -> Download {
        Download(
            id: ID(rawValue: try row.int64("id")), account: ID(rawValue: try row.int64("account_id")),
            state: Download.State(rawValue: try row.string("state")) ?? .failed,
            photosCount: try row.int("photos_count"), photosPacked: try row.int("photos_packed"),
            blob: try row.get("blob_key"), byteCount: try row.int("byte_count"),
            expiresAt: try row.optionalDate("expires_at"))
    }

    func insert(of account: Account.ID, photosCount: Int) throws -> Download {
        let download = Download(
            id: ID(rawValue: transaction.newID()), account: account, state: .waiting,
            photosCount: photosCount,
            photosPacked: 0, blob: nil, byteCount: 0, expiresAt: nil)
        try transaction.execute(
            "INSERT INTO downloads (id, account_id, state, photos_count) VALUES ($1, $2, $3, $4)",
            download.id, account, download.state.rawValue, photosCount)
        return download
    }

    func download(_ id: Download.ID) throws -> Download? {
        try transaction.row("SELECT \(Self.columns) FROM downloads WHERE id = $1", id) {
            try Self.download(from: $0)
        }
    }

    func download(of account: Account.ID) throws -> Download? {
        try transaction.row("SELECT \(Self.columns) FROM downloads WHERE account_id = $1", account) {
            try Self.download(from: $0)
        }
    }

    func setState(_ state: Download.State, of id: Download.ID) throws {
        try transaction.execute("UPDATE downloads SET state = $2 WHERE id = $1", id, state.rawValue)
    }

    /// Records how many photos of a download are packed. Returns whether the person still wants it.
    func setPacked(_ photos: Int, of id: Download.ID) throws -> Bool {
        try transaction.execute("UPDATE downloads SET photos_packed = $2 WHERE id = $1", id, photos) > 0
    }

    /// Makes a download ready. Returns whether the person still wants it.
    func finish(_ id: Download.ID, file: StoredBlob, expiresAt: Date) throws -> Bool {
        try transaction.insertFile(file, of: nil)
        let isWanted =
            try transaction.execute(
                """
                UPDATE downloads SET state = $2, blob_key = $3, byte_count = $4, expires_at = $5 WHERE id = $1
                """, id, Download.State.ready.rawValue, file.key, file.byteCount, expiresAt) > 0
        if !isWanted { try transaction.eraseFile(file.key) }
        return isWanted
    }

    /// Deletes a download and schedules the erasure of its file.
    func delete(_ id: Download.ID) throws {
        let key = try transaction.value(
            "DELETE FROM downloads WHERE id = $1 RETURNING blob_key", id, as: BlobKey.self)
        if let key { try transaction.eraseFile(key) }
    }
}
