import Core
import Foundation
import People
import Storage

/// A picture of a message that each of its receivers can see once.
struct OncePicture: Sendable {
    let message: Message.ID
    let description: String
    let expiresAt: Date

    /// A person's only look at a picture, in the log-in that opened it.
    struct View: Sendable {
        /// The SHA-256 hash of the secret that names the look, in hexadecimal digits; nil once the look has ended.
        var hash: String?
        var session: Session.ID?
        var openedAt: Date
        var shownAt: Date?

        /// When the look ends by itself.
        var deadline: Date {
            openedAt.addingTimeInterval(shownAt == nil ? OnceState.fetchSeconds : OnceState.lookSeconds)
        }
    }

    /// Returns the state of the picture for a person at a moment, by the rules of snaps.
    ///
    /// - Parameter view: the person's look; nil before it.
    func state(for view: View?, at now: Date) -> OnceState {
        var events: [OnceState.Event] = []
        if let view {
            events.append(.open)
            if view.shownAt != nil { events.append(.show) }
            if view.hash == nil {
                events.append(.close)
            } else if now >= view.deadline {
                events.append(.deadline)
            }
        }
        if now >= expiresAt { events.append(.expire) }
        return events.reduce(.unopened) { state, event in state.after(event) ?? state }
    }
}

/// The SQL of pictures that can be seen once.
struct OncePictureStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    private static func picture(from row: Row) throws -> OncePicture {
        OncePicture(
            message: ID(rawValue: try row.int64("message_id")),
            description: try row.string("description"), expiresAt: try row.date("expires_at"))
    }

    private static let viewColumns = "view_hash, session_id, opened_at, shown_at"

    private static func view(from row: Row) throws -> OncePicture.View {
        OncePicture.View(
            hash: try row.optionalString("view_hash"),
            session: try row.optionalInt64("session_id").map { ID(rawValue: $0) },
            openedAt: try row.date("opened_at"), shownAt: try row.optionalDate("shown_at"))
    }

    func picture(of message: Message.ID) throws -> OncePicture? {
        try transaction.row(
            "SELECT message_id, description, expires_at FROM once_pictures WHERE message_id = $1", message
        ) { try Self.picture(from: $0) }
    }

    /// Returns a person's look at a picture, also an ended one; nil before it.
    func view(of message: Message.ID, by account: Account.ID) throws -> OncePicture.View? {
        try transaction.row(
            "SELECT \(Self.viewColumns) FROM once_looks WHERE message_id = $1 AND account_id = $2", message,
            account
        ) { try Self.view(from: $0) }
    }

    /// Returns all looks at a picture, also ended ones, by those who looked.
    func views(of message: Message.ID) throws -> [Account.ID: OncePicture.View] {
        let found = try transaction.rows(
            "SELECT account_id, \(Self.viewColumns) FROM once_looks WHERE message_id = $1", message
        ) { (Account.ID(rawValue: try $0.int64("account_id")), try Self.view(from: $0)) }
        return Dictionary(uniqueKeysWithValues: found)
    }

    /// Returns the message and the chat of an open look, and who looks.
    func look(viewHash hash: String) throws -> (Message.ID, Chat.ID, by: Account.ID)? {
        try transaction.row(
            """
            SELECT l.message_id, l.account_id, x.chat_id
            FROM once_looks l JOIN messages x ON x.id = l.message_id WHERE l.view_hash = $1
            """, hash
        ) {
            (
                Message.ID(rawValue: try $0.int64("message_id")), Chat.ID(rawValue: try $0.int64("chat_id")),
                Account.ID(rawValue: try $0.int64("account_id"))
            )
        }
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

    /// Begins a person's only look. Returns whether the look was still available.
    func open(_ message: Message.ID, by account: Account.ID, _ view: OncePicture.View) throws -> Bool {
        try transaction.execute(
            """
            INSERT INTO once_looks (message_id, account_id, view_hash, session_id, opened_at)
            VALUES ($1, $2, $3, $4, $5) ON CONFLICT (message_id, account_id) DO NOTHING
            """, message, account, view.hash, view.session, view.openedAt) > 0
    }

    func setShown(_ message: Message.ID, by account: Account.ID) throws {
        try transaction.execute(
            """
            UPDATE once_looks SET shown_at = $3
            WHERE message_id = $1 AND account_id = $2 AND shown_at IS NULL
            """, message, account, transaction.now)
    }

    /// Ends a person's look. That they have looked stays known.
    func close(_ message: Message.ID, by account: Account.ID) throws {
        try transaction.execute(
            """
            UPDATE once_looks SET view_hash = NULL, session_id = NULL
            WHERE message_id = $1 AND account_id = $2
            """, message, account)
    }

    /// Deletes the picture and schedules the erasure of its files.
    func erase(_ message: Message.ID) throws {
        let keys = try transaction.values(
            "SELECT blob_key FROM once_picture_files WHERE message_id = $1", message, as: BlobKey.self)
        try transaction.execute("DELETE FROM once_pictures WHERE message_id = $1", message)
        for key in keys { try transaction.eraseFile(key) }
    }

    /// Erases some pictures of an account's chats of two. Returns how many were erased.
    func erase(inChatsOf account: Account.ID, limit: Int) throws -> Int {
        try erase(
            transaction.values(
                """
                SELECT o.message_id FROM chat_members m JOIN messages x ON x.chat_id = m.chat_id
                JOIN once_pictures o ON o.message_id = x.id
                WHERE m.account_id = $1 AND m.peer_id IS NOT NULL LIMIT $2
                """, account, limit))
    }

    /// Erases some pictures that an account sent, wherever they are. Returns how many were erased.
    func erase(sentBy account: Account.ID, limit: Int) throws -> Int {
        try erase(
            transaction.values(
                """
                SELECT o.message_id FROM messages x JOIN once_pictures o ON o.message_id = x.id
                WHERE x.sender_id = $1 LIMIT $2
                """, account, limit))
    }

    /// Erases the pictures of some messages.
    func erase(of messages: [Message.ID]) throws {
        let found = try transaction.rows(for: messages) { places in
            "SELECT message_id FROM once_pictures WHERE message_id IN (\(places))"
        } map: {
            Message.ID(rawValue: try $0.int64("message_id"))
        }
        _ = try erase(found)
    }

    /// Returns the messages of a chat whose pictures can still be seen. Only messages are read that aren't older than a
    /// picture may be.
    func pictures(in chat: Chat.ID) throws -> [Message.ID] {
        // messages_by_chat
        try transaction.values(
            """
            SELECT o.message_id FROM messages x JOIN once_pictures o ON o.message_id = x.id
            WHERE x.chat_id = $1 AND x.is_deleted = 0 AND x.is_once = 1 AND x.id > $2
            """, chat, Message.ID(earliest: transaction.now.addingTimeInterval(-SnapSettings.longestLifetime))
        )
    }

    private func erase(_ messages: [Message.ID]) throws -> Int {
        for message in messages { try erase(message) }
        return messages.count
    }

    /// Deletes the rows of all pictures, in the copy for a backup.
    func deleteAll() throws {
        try transaction.execute("DELETE FROM once_pictures")
        try transaction.execute(
            "UPDATE once_looks SET view_hash = NULL, session_id = NULL WHERE view_hash IS NOT NULL")
    }
}
