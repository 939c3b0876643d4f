import Core
import Foundation
import People
import Storage

/// A picture of a message that its receiver can see once.
struct OncePicture: Sendable {
    let message: Message.ID
    let description: String
    let expiresAt: Date
    /// The only look at the picture; nil before it.
    var view: View?

    /// The look of the log-in that opened the picture.
    struct View: Sendable {
        /// The SHA-256 hash of the secret that names the look, in hexadecimal digits.
        var hash: String
        var session: Session.ID
        var openedAt: Date
        var shownAt: Date?

        /// When the look ends by itself.
        var deadline: Date {
            openedAt.addingTimeInterval(shownAt == nil ? OnceState.fetchSeconds : OnceState.lookSeconds)
        }
    }

    /// How long the picture waits for its receiver, in seconds.
    static let lifetime: TimeInterval = 24 * 3600

    /// Returns the state of the picture at a moment, by the rules of snaps. A closed picture has no row any more.
    func state(at now: Date) -> OnceState {
        var events: [OnceState.Event] = []
        if let view {
            events.append(.open)
            if view.shownAt != nil { events.append(.show) }
            if now >= view.deadline { events.append(.deadline) }
        }
        if now >= expiresAt { events.append(.expire) }
        return events.reduce(.unopened) { state, event in state.after(event) ?? state }
    }
}

/// The SQL of pictures that can be seen once.
struct OncePictureStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    private static let columns =
        "view_hash, session_id, opened_at, shown_at, message_id, description, expires_at"

    private static func picture(from row: Row) throws -> OncePicture {
        var view: OncePicture.View?
        if let hash = try row.optionalString("view_hash") {
            view = .init(
                hash: hash, session: ID(rawValue: try row.int64("session_id")),
                openedAt: try row.date("opened_at"), shownAt: try row.optionalDate("shown_at"))
        }
        return OncePicture(
            message: ID(rawValue: try row.int64("message_id")),
            description: try row.string("description"), expiresAt: try row.date("expires_at"), view: view)
    }

    func picture(of message: Message.ID) throws -> OncePicture? {
        try transaction.row("SELECT \(Self.columns) FROM once_pictures WHERE message_id = $1", message) {
            try Self.picture(from: $0)
        }
    }

    /// Returns the picture of an open look, with its chat.
    func picture(viewHash hash: String) throws -> (OncePicture, Chat.ID)? {
        try transaction.row(
            """
            SELECT \(Self.columns), (SELECT x.chat_id FROM messages x WHERE x.id = message_id) AS chat_id
            FROM once_pictures WHERE view_hash = $1
            """, hash
        ) { (try Self.picture(from: $0), Chat.ID(rawValue: try $0.int64("chat_id"))) }
    }

    func file(of message: Message.ID, variant: String) throws -> BlobKey? {
        try transaction.value(
            "SELECT blob_key FROM once_picture_files WHERE message_id = $1 AND variant = $2", message, variant
        )
    }

    /// A new picture. Its files have their rows in `blobs`.
    struct New {
        var description: String
        /// The width in pixels.
        var width: Int
        /// The height in pixels.
        var height: Int
        var files: [(variant: String, key: BlobKey)]
    }

    /// Inserts a new picture and takes over its files.
    func insert(_ picture: New, of message: Message.ID, expiresAt: Date) throws {
        try transaction.execute(
            """
            INSERT INTO once_pictures (message_id, description, width, height, expires_at)
            VALUES ($1, $2, $3, $4, $5)
            """, message, picture.description, picture.width, picture.height, expiresAt)
        for file in picture.files {
            try transaction.execute(
                "INSERT INTO once_picture_files (message_id, variant, blob_key) VALUES ($1, $2, $3)",
                message, file.variant, file.key)
        }
    }

    /// Begins the only look. Returns whether the look was still available.
    func open(_ message: Message.ID, _ view: OncePicture.View) throws -> Bool {
        let isFirst =
            try transaction.execute(
                """
                UPDATE once_pictures SET view_hash = $2, session_id = $3, opened_at = $4
                WHERE message_id = $1 AND opened_at IS NULL
                """, message, view.hash, view.session, view.openedAt) > 0
        if isFirst {
            try transaction.execute(
                "UPDATE messages SET opened_at = $2 WHERE id = $1", message, view.openedAt)
        }
        return isFirst
    }

    func setShown(_ message: Message.ID) throws {
        try transaction.execute(
            "UPDATE once_pictures SET shown_at = $2 WHERE message_id = $1 AND shown_at IS NULL", message,
            transaction.now)
    }

    /// Deletes the picture and schedules the erasure of its files.
    func erase(_ message: Message.ID) throws {
        let keys = try transaction.values(
            "SELECT blob_key FROM once_picture_files WHERE message_id = $1", message, as: BlobKey.self)
        try transaction.execute("DELETE FROM once_pictures WHERE message_id = $1", message)
        for key in keys { try transaction.eraseFile(key) }
    }

    /// Erases some pictures of an account's chats. Returns how many were erased.
    func erase(inChatsOf account: Account.ID, limit: Int) throws -> Int {
        let messages = try transaction.values(
            """
            SELECT o.message_id FROM chat_members m JOIN messages x ON x.chat_id = m.chat_id
            JOIN once_pictures o ON o.message_id = x.id WHERE m.account_id = $1 LIMIT $2
            """, account, limit, as: Message.ID.self)
        for message in messages { try erase(message) }
        return messages.count
    }

    /// Deletes the rows of all pictures, in the copy for a backup.
    func deleteAll() throws {
        try transaction.execute("DELETE FROM once_pictures")
    }
}
