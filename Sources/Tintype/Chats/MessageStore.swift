import Foundation
import Storage

/// The SQL of messages and of their photos.
struct MessageStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// Of a message `x` with what ``joins`` adds to it.
    static let columns = """
        x.id, x.chat_id, x.number, x.sender_id, x.text, x.idempotency_key, x.is_once, x.opened_at,
        CASE WHEN x.is_once = 1 AND EXISTS (SELECT 1 FROM once_pictures o WHERE o.message_id = x.id)
            THEN 1 ELSE 0 END,
        \(PhotoRow.columns), x.in_reply_to_id, q.sender_id, q.text, q.photo_id, q.is_once, q.is_deleted,
        own.emoji, other.account_id, other.emoji
        """

    /// To a message `x`: its photo `ph`, the message `q` that it answers, and the reactions of its sender and of the
    /// other.
    static let joins = """
        LEFT JOIN \(PhotoRow.table) ph ON ph.id = x.photo_id
        LEFT JOIN messages q ON q.id = x.in_reply_to_id
        LEFT JOIN message_reactions own ON own.message_id = x.id AND own.account_id = x.sender_id
        LEFT JOIN message_reactions other ON other.message_id = x.id AND other.account_id <> x.sender_id
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
            once: once, key: try row.optionalString(offset + 5),
            reply: try Self.reply(from: row, at: offset + 20),
            reactions: try Self.reactions(
                from: row, at: offset + 26, sender: ID(rawValue: row.int64(offset + 3))))
    }

    private static func reply(from row: Row, at offset: Int) throws -> Message.Reply? {
        guard let id = try row.optionalInt64(offset).map({ Message.ID(rawValue: $0) }) else { return nil }
        guard try !row.bool(offset + 5) else { return .deleted(id) }
        return .quoting(try quote(id, from: row, at: offset + 1))
    }

    private static func quote(_ id: Message.ID, from row: Row, at offset: Int) throws -> Message.Quote {
        let isOnce = try row.bool(offset + 3)
        return Message.Quote(
            id: id, sender: ID(rawValue: try row.int64(offset)),
            text: MessageRules.excerpt(of: try row.string(offset + 1)),
            photo: isOnce ? nil : try row.optionalInt64(offset + 2).map { ID(rawValue: $0) }, isOnce: isOnce)
    }

    private static func reactions(
        from row: Row, at offset: Int, sender: Account.ID
    ) throws -> [Message.Reaction] {
        var reactions: [Message.Reaction] = []
        if let emoji = try row.optionalString(offset) {
            reactions.append(.init(account: sender, emoji: emoji))
        }
        if let emoji = try row.optionalString(offset + 2) {
            reactions.append(.init(account: ID(rawValue: try row.int64(offset + 1)), emoji: emoji))
        }
        return reactions
    }

    private static let columnsCount = 29

    // MARK: Reading

    func message(_ id: Message.ID, in chat: Chat.ID) throws -> Message? {
        try transaction.row(
            """
            SELECT \(Self.columns) FROM messages x \(Self.joins)
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
            SELECT \(Self.columns) FROM messages x \(Self.joins)
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
            \(Self.joins) JOIN chats c ON c.id = x.chat_id
            JOIN chat_members m ON m.chat_id = x.chat_id AND m.account_id = e.account_id
            JOIN \(AccountRow.table) a ON a.id = m.peer_id
            WHERE e.account_id = $1 AND ph.id IS NOT NULL AND x.is_deleted = 0 AND x.id > m.cleared_through
                AND m.is_request = 0
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
        photo: Photo.ID?, isOnce: Bool, reply: Message.ID?
    ) throws {
        try transaction.execute(
            """
            INSERT INTO messages (id, chat_id, number, sender_id, idempotency_key, text, photo_id, is_once,
                in_reply_to_id)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """, id, chat, number, sender, key, text, photo, isOnce, reply)
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
            "UPDATE messages SET is_deleted = 1, text = '', photo_id = NULL, in_reply_to_id = NULL WHERE id = $1",
            id)
        try transaction.execute("DELETE FROM exchanged_photos WHERE message_id = $1", id)
        try transaction.execute("DELETE FROM message_reactions WHERE message_id = $1", id)
    }

    // MARK: Replies and reactions

    /// What a reply to a message says of it, also of a deleted one; nil when it is none of the chat.
    func reply(to id: Message.ID, in chat: Chat.ID) throws -> Message.Reply? {
        try transaction.row(
            "SELECT sender_id, text, photo_id, is_once, is_deleted FROM messages WHERE id = $1 AND chat_id = $2",
            id,
            chat
        ) { try $0.bool(4) ? .deleted(id) : .quoting(Self.quote(id, from: $0, at: 0)) }
    }

    /// Sets or takes back the reaction of an account. Returns whether that changed anything.
    func setReaction(_ emoji: String?, to id: Message.ID, by account: Account.ID) throws -> Bool {
        guard let emoji else {
            return try transaction.execute(
                "DELETE FROM message_reactions WHERE message_id = $1 AND account_id = $2", id, account) > 0
        }
        return try transaction.execute(
            """
            INSERT INTO message_reactions (message_id, account_id, emoji) VALUES ($1, $2, $3)
            ON CONFLICT (message_id, account_id) DO UPDATE SET emoji = excluded.emoji
            WHERE message_reactions.emoji <> excluded.emoji
            """, id, account, emoji) > 0
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
