import Foundation
import Storage

/// The SQL of messages and of their photos.
struct MessageStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// Of a message `x` with its photo `ph`, if it has one.
    static let columns = """
        x.id, x.chat_id, x.number, x.sender_id, x.text, x.idempotency_key, x.is_once, x.opened_at,
        CASE WHEN x.is_once = 1 AND EXISTS (SELECT 1 FROM once_pictures o WHERE o.message_id = x.id)
            THEN 1 ELSE 0 END,
        \(PhotoRow.columns)
        """

    /// Reads the columns above, beginning at `offset`.
    func message(from row: Row, at offset: Int = 0) throws -> Message {
        let id = Message.ID(rawValue: try row.int64(offset))
        var once: Message.Once?
        if try row.bool(offset + 6) {
            // Without a picture, as after a restore, its time is over too.
            let isOver = id.createdAt.addingTimeInterval(OncePicture.lifetime) <= transaction.now
            let hasPicture = try row.bool(offset + 8)
            once = !row.isNull(offset + 7) ? .opened : isOver || !hasPicture ? .expired : .unopened
        }
        return Message(
            id: id, chat: ID(rawValue: try row.int64(offset + 1)), number: try row.int(offset + 2),
            sender: ID(rawValue: try row.int64(offset + 3)), text: try row.string(offset + 4),
            photo: row.isNull(offset + 9) ? nil : try PhotoRow.photo(from: row, at: offset + 9),
            once: once, key: try row.optionalString(offset + 5))
    }

    private static let columnsCount = 20

    // MARK: Reading

    func message(_ id: Message.ID, in chat: Chat.ID) throws -> Message? {
        try transaction.row(
            """
            SELECT \(Self.columns) FROM messages x LEFT JOIN \(PhotoRow.table) ph ON ph.id = x.photo_id
            WHERE x.id = $1 AND x.chat_id = $2 AND x.is_deleted = 0
            """, id, chat
        ) { try message(from: $0) }
    }

    /// What a sender's key made, and whether that was deleted since.
    func made(by sender: Account.ID, key: String) throws -> (id: Message.ID, chat: Chat.ID, isDeleted: Bool)?
    {
        try transaction.row(
            "SELECT id, chat_id, is_deleted FROM messages WHERE sender_id = $1 AND idempotency_key = $2",
            sender, key
        ) { (ID(rawValue: try $0.int64(0)), ID(rawValue: try $0.int64(1)), try $0.bool(2)) }
    }

    /// One page of a chat, newest first, without what is not above `cleared`.
    func messages(of chat: Chat.ID, clearedThrough cleared: Message.ID, page: PageRequest) throws -> [Message]
    {
        try page.rows(
            idColumn: "x.id",
            """
            SELECT \(Self.columns) FROM messages x LEFT JOIN \(PhotoRow.table) ph ON ph.id = x.photo_id
            WHERE x.chat_id = $1 AND x.id > $2 AND x.is_deleted = 0
            """, arguments: [chat, cleared], transaction
        ) { try message(from: $0) }
    }

    /// The photo messages right before and right after one, for turning pages.
    func neighbours(of id: Message.ID, in chat: Chat.ID, clearedThrough cleared: Message.ID) throws -> (
        older: Message.ID?, newer: Message.ID?
    ) {
        let older = try transaction.row(
            """
            SELECT id FROM messages WHERE chat_id = $1 AND id < $2 AND id > $3 AND is_deleted = 0
                AND photo_id IS NOT NULL ORDER BY id DESC LIMIT 1
            """, chat, id, cleared
        ) { Message.ID(rawValue: try $0.int64(0)) }
        let newer = try transaction.row(
            """
            SELECT id FROM messages WHERE chat_id = $1 AND id > $2 AND is_deleted = 0
                AND photo_id IS NOT NULL ORDER BY id LIMIT 1
            """, chat, id
        ) { Message.ID(rawValue: try $0.int64(0)) }
        return (older, newer)
    }

    /// One page of the private feed: photos that an account sent or received, newest first.
    func exchanges(of account: Account.ID, page: PageRequest) throws -> [(
        Message, peer: Account, messagesCount: Int
    )] {
        try page.rows(
            idColumn: "e.message_id",
            """
            SELECT \(Self.columns), c.messages_count, \(AccountRow.columns)
            FROM exchanged_photos e JOIN messages x ON x.id = e.message_id
            JOIN \(PhotoRow.table) ph ON ph.id = x.photo_id JOIN chats c ON c.id = x.chat_id
            JOIN chat_members m ON m.chat_id = x.chat_id AND m.account_id = e.account_id
            JOIN \(AccountRow.table) a ON a.id = m.peer_id
            WHERE e.account_id = $1 AND x.is_deleted = 0 AND x.id > m.cleared_through AND m.is_request = 0
                AND \(AccountRow.isVisible)
            """, arguments: [account], transaction
        ) { row in
            (
                try message(from: row),
                try AccountRow.account(from: row, at: Self.columnsCount + 1), try row.int(Self.columnsCount)
            )
        }
    }

    // MARK: Writing

    func insert(
        _ id: Message.ID, in chat: Chat.ID, number: Int, from sender: Account.ID, key: String?, text: String,
        photo: Photo.ID?, isOnce: Bool
    ) throws {
        try transaction.execute(
            """
            INSERT INTO messages (id, chat_id, number, sender_id, idempotency_key, text, photo_id, is_once)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """, id, chat, number, sender, key, text, photo, isOnce)
    }

    func insertExchange(_ id: Message.ID, seenBy accounts: [Account.ID]) throws {
        for account in accounts {
            try transaction.execute(
                "INSERT INTO exchanged_photos (account_id, message_id) VALUES ($1, $2)", account, id)
        }
    }

    /// Empties a message for both; its key stays.
    func delete(_ id: Message.ID) throws {
        try transaction.execute(
            "UPDATE messages SET is_deleted = 1, text = '', photo_id = NULL WHERE id = $1", id)
        try transaction.execute("DELETE FROM exchanged_photos WHERE message_id = $1", id)
    }

    // MARK: Photos in messages

    /// Whether a photo stands in a message that `viewer` may see.
    func shows(_ photo: Photo.ID, to viewer: Account.ID) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 FROM messages x JOIN chat_members m ON m.chat_id = x.chat_id AND m.account_id = $1
            JOIN \(AccountRow.table) a ON a.id = m.peer_id
            WHERE x.photo_id = $2 AND x.is_deleted = 0 AND x.id > m.cleared_through
                AND \(AccountRow.isVisible)
            LIMIT 1
            """, viewer, photo
        ) { _ in true } ?? false
    }

    /// The messages that a photo stands in.
    func messages(with photo: Photo.ID) throws -> [(id: Message.ID, chat: Chat.ID)] {
        try transaction.rows(
            "SELECT id, chat_id FROM messages WHERE photo_id = $1 AND is_deleted = 0", photo
        ) { (ID(rawValue: try $0.int64(0)), ID(rawValue: try $0.int64(1))) }
    }

    /// The photo that `account` has saved of a message, while it is still in the library.
    func saved(_ id: Message.ID, by account: Account.ID) throws -> Photo.ID? {
        try transaction.row(
            "SELECT photo_id FROM saved_photos WHERE message_id = $1 AND account_id = $2", id, account
        ) { Photo.ID(rawValue: try $0.int64(0)) }
    }

    func insertSaved(_ photo: Photo.ID, of id: Message.ID, by account: Account.ID) throws {
        try transaction.execute(
            "INSERT INTO saved_photos (message_id, account_id, photo_id) VALUES ($1, $2, $3)", id, account,
            photo)
    }
}
