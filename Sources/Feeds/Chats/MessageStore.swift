import Core
import Foundation
import People
import Storage

/// The SQL of messages and of their photos.
struct MessageStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// The columns of a message `x`, with the tables that ``joins`` adds.
    static let columns = """
        x.id AS message_id, x.sender_id AS message_sender_id, x.is_once AS message_is_once,
        CASE WHEN x.is_once = 1 THEN (SELECT o.expires_at FROM once_pictures o WHERE o.message_id = x.id)
            END AS message_once_expires_at,
        x.chat_id AS message_chat_id, x.number AS message_number, x.event AS message_event,
        x.subject_id AS message_subject_id, x.text AS message_text, \(PhotoRow.columns),
        x.idempotency_key AS message_idempotency_key, x.in_reply_to_id AS message_in_reply_to_id,
        x.snap_id AS message_snap_id, \(quoteColumns)
        """

    /// The columns of a message `q` that another message answers.
    private static let quoteColumns = """
        q.is_deleted AS quote_is_deleted, q.is_once AS quote_is_once, q.sender_id AS quote_sender_id,
        q.text AS quote_text, q.photo_id AS quote_photo_id
        """

    /// The tables joined to a message `x`: its photo `ph`, and the message `q` that it answers.
    static let joins = """
        LEFT JOIN \(PhotoRow.table) ph ON ph.id = x.photo_id
        LEFT JOIN messages q ON q.id = x.in_reply_to_id
        """

    /// Reads a message from a row with ``columns``. What has rows of its own is added by ``complete(_:)``.
    func message(from row: Row) throws -> Message {
        let id = Message.ID(rawValue: try row.int64("message_id"))
        var once: Message.Once?
        if try row.bool("message_is_once") {
            // A picture that is missing, as after a restore, counts as expired.
            let end = try row.optionalDate("message_once_expires_at")
            once = .init(isOver: end.map { $0 <= transaction.now } ?? true)
        }
        let subject = try row.optionalInt64("message_subject_id")
        return Message(
            id: id, chat: ID(rawValue: try row.int64("message_chat_id")),
            number: try row.int("message_number"), sender: ID(rawValue: try row.int64("message_sender_id")),
            text: try row.string("message_text"),
            photo: row.isNull("photo_id") ? nil : try PhotoRow.photo(from: row), once: once,
            key: try row.optionalString("message_idempotency_key"),
            reply: try row.optionalInt64("message_in_reply_to_id")
                .map { try Self.reply(to: ID(rawValue: $0), from: row) }
                ?? row.optionalInt64("message_snap_id").map { .snap(ID(rawValue: $0)) },
            event: try row.optionalString("message_event").flatMap(Message.Event.Kind.init)
                .map { .init(kind: $0, subject: subject.map { ID(rawValue: $0) }) })
    }

    /// Adds the reactions to some messages, and those who have looked at their pictures.
    func complete(_ messages: [Message]) throws -> [Message] {
        let reactions = try transaction.rows(for: messages.map(\.id)) { places in
            "SELECT message_id, account_id, emoji FROM message_reactions WHERE message_id IN (\(places))"
        } map: {
            (
                Message.ID(rawValue: try $0.int64("message_id")),
                Message.Reaction(
                    account: ID(rawValue: try $0.int64("account_id")), emoji: try $0.string("emoji"))
            )
        }
        let looks = try transaction.rows(for: messages.filter { $0.once != nil }.map(\.id)) { places in
            "SELECT message_id, account_id FROM once_looks WHERE message_id IN (\(places))"
        } map: {
            (
                Message.ID(rawValue: try $0.int64("message_id")),
                Account.ID(rawValue: try $0.int64("account_id"))
            )
        }
        guard !reactions.isEmpty || !looks.isEmpty else { return messages }
        let byMessage = (Dictionary(grouping: reactions, by: \.0), Dictionary(grouping: looks, by: \.0))
        return messages.map { message in
            var message = message
            let ordered = (byMessage.0[message.id] ?? []).map(\.1).sorted { $0.account < $1.account }
            let own = ordered.filter { $0.account == message.sender }
            message.reactions = own + ordered.filter { $0.account != message.sender }
            message.once?.lookers = (byMessage.1[message.id] ?? []).map(\.1).sorted()
            return message
        }
    }

    private static func reply(to id: Message.ID, from row: Row) throws -> Message.Reply {
        guard try !row.bool("quote_is_deleted") else { return .deleted(id) }
        let isOnce = try row.bool("quote_is_once")
        return .quoting(
            Message.Quote(
                id: id, sender: ID(rawValue: try row.int64("quote_sender_id")),
                text: MessageRules.excerpt(of: try row.string("quote_text")),
                photo: isOnce ? nil : try row.optionalInt64("quote_photo_id").map { ID(rawValue: $0) },
                isOnce: isOnce))
    }

    // MARK: Reading

    func message(_ id: Message.ID, in chat: Chat.ID) throws -> Message? {
        let found = try transaction.row(
            """
            SELECT \(Self.columns) FROM messages x \(Self.joins)
            WHERE x.id = $1 AND x.chat_id = $2 AND x.is_deleted = 0
            """, id, chat
        ) { try message(from: $0) }
        return try found.flatMap { try complete([$0]).first }
    }

    /// Returns the chat of a message, also of a deleted one.
    func chat(of id: Message.ID) throws -> Chat.ID? {
        try transaction.value("SELECT chat_id FROM messages WHERE id = $1", id)
    }

    /// Returns the message that was made with a sender's key, and whether it was deleted since.
    func made(by sender: Account.ID, key: String) throws -> (id: Message.ID, chat: Chat.ID, isDeleted: Bool)?
    {
        try transaction.row(
            "SELECT id, chat_id, is_deleted FROM messages WHERE sender_id = $1 AND idempotency_key = $2",
            sender, key
        ) {
            (
                ID(rawValue: try $0.int64("id")), ID(rawValue: try $0.int64("chat_id")),
                try $0.bool("is_deleted")
            )
        }
    }

    /// Returns one page of a chat, newest first, without the messages up to `cleared`.
    func messages(of chat: Chat.ID, clearedThrough cleared: Message.ID, page: PageRequest) throws -> [Message]
    {
        try complete(
            page.rows(
                idColumn: "x.id",
                """
                SELECT \(Self.columns) FROM messages x \(Self.joins)
                WHERE x.chat_id = $1 AND x.id > $2 AND x.is_deleted = 0
                """, arguments: [chat, cleared], transaction
            ) { try message(from: $0) })
    }

    /// Returns the photo messages right before and right after a message, for turning pages, without those of people whom
    /// the member can't see.
    func neighbours(of id: Message.ID, for member: ChatStore.Member) throws -> (
        older: Message.ID?, newer: Message.ID?
    ) {
        let photos = """
            SELECT x.id FROM messages x JOIN \(AccountRow.table) a ON a.id = x.sender_id
            WHERE x.chat_id = $1 AND x.is_deleted = 0 AND x.photo_id IS NOT NULL
                AND \(AccountRow.isVisible(to: "$3"))
            """
        let older = try transaction.value(
            "\(photos) AND x.id < $2 AND x.id > $4 ORDER BY x.id DESC LIMIT 1", member.chat, id,
            member.account,
            member.clearedThrough, as: Message.ID.self)
        let newer = try transaction.value(
            "\(photos) AND x.id > $2 ORDER BY x.id LIMIT 1", member.chat, id, member.account,
            as: Message.ID.self)
        return (older, newer)
    }

    /// Returns one page of the private feed: photos that an account sent or received, newest first. Those of people whom it
    /// can't see are left out, in groups too.
    func exchanges(of account: Account.ID, page: PageRequest) throws -> [Message] {
        try page.rows(
            idColumn: "e.message_id",
            """
            SELECT \(Self.columns)
            FROM exchanged_photos e JOIN messages x ON x.id = e.message_id
            \(Self.joins)
            JOIN chat_members m ON m.chat_id = x.chat_id AND m.account_id = e.account_id
            JOIN \(AccountRow.table) a ON a.id = COALESCE(m.peer_id, x.sender_id)
            WHERE e.account_id = $1 AND ph.id IS NOT NULL AND x.is_deleted = 0 AND x.id > m.cleared_through
                AND m.is_request = 0 AND \(AccountRow.isVisible)
            """, arguments: [account], transaction
        ) { try message(from: $0) }
    }

    // MARK: Writing

    func insert(
        _ id: Message.ID, in chat: Chat.ID, number: Int, from sender: Account.ID, key: String?, text: String,
        photo: Photo.ID? = nil, isOnce: Bool = false, reply: Message.Reply? = nil,
        event: Message.Event? = nil
    ) throws {
        try transaction.execute(
            """
            INSERT INTO messages (id, chat_id, number, sender_id, idempotency_key, text, photo_id, is_once,
                in_reply_to_id, snap_id, event, subject_id)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
            """, id, chat, number, sender, key, text, photo, isOnce, reply?.message, reply?.snap,
            event?.kind.rawValue, event?.subject)
    }

    func insertExchange(_ id: Message.ID, seenBy accounts: [Account.ID]) throws {
        for account in accounts {
            try transaction.execute(
                "INSERT INTO exchanged_photos (account_id, message_id) VALUES ($1, $2)", account, id)
        }
    }

    /// Puts a photo of a group into the private feeds of the members who have the message, besides those who have it there.
    func spreadExchange(_ id: Message.ID, in chat: Chat.ID) throws {
        try transaction.execute(
            """
            INSERT INTO exchanged_photos (account_id, message_id)
            SELECT m.account_id, $1 FROM chat_members m WHERE m.chat_id = $2 AND m.cleared_through < $1
            ON CONFLICT (account_id, message_id) DO NOTHING
            """, id, chat)
    }

    /// Empties a message for everyone. Its key stays.
    func delete(_ id: Message.ID) throws {
        try transaction.execute(
            """
            UPDATE messages SET is_deleted = 1, text = '', photo_id = NULL, in_reply_to_id = NULL, snap_id = NULL
            WHERE id = $1
            """, id)
        try MessageWordStore(transaction).delete(of: [id])
        try transaction.execute("DELETE FROM exchanged_photos WHERE message_id = $1", id)
        try transaction.execute("DELETE FROM message_reactions WHERE message_id = $1", id)
    }

    // MARK: Replies and reactions

    /// Returns the quote for a reply to a message, also to a deleted one; nil when the message isn't in the chat.
    func reply(to id: Message.ID, in chat: Chat.ID) throws -> Message.Reply? {
        try transaction.row(
            "SELECT \(Self.quoteColumns) FROM messages q WHERE q.id = $1 AND q.chat_id = $2", id, chat
        ) { try Self.reply(to: id, from: $0) }
    }

    /// Sets or removes the reaction of an account. Returns whether that changed anything.
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

    /// Returns whether a message that `viewer` may see contains a photo.
    func shows(_ photo: Photo.ID, to viewer: Account.ID) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 FROM messages x JOIN chat_members m ON m.chat_id = x.chat_id AND m.account_id = $1
            JOIN \(AccountRow.table) a ON a.id = COALESCE(m.peer_id, x.sender_id)
            WHERE x.photo_id = $2 AND x.is_deleted = 0 AND x.id > m.cleared_through AND a.is_suspended = 0
                AND (m.peer_id IS NULL OR (\(AccountRow.isVisible)))
            LIMIT 1
            """, viewer, photo
        ) { _ in true } ?? false
    }

    /// Returns whether a photo is the picture of a group that `viewer` is in.
    func isPicture(_ photo: Photo.ID, ofGroupOf viewer: Account.ID) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 FROM chats c JOIN chat_members m ON m.chat_id = c.id AND m.account_id = $1
            JOIN \(PhotoRow.table) ph ON ph.id = c.picture_id JOIN \(AccountRow.table) a ON a.id = ph.owner_id
            WHERE c.picture_id = $2 AND a.is_suspended = 0 LIMIT 1
            """, viewer, photo
        ) { _ in true } ?? false
    }

    /// Returns the groups whose picture a photo is.
    func groups(pictured photo: Photo.ID) throws -> [Chat.ID] {
        try transaction.values("SELECT id FROM chats WHERE picture_id = $1", photo)
    }

    /// Returns the messages that contain a photo.
    func messages(with photo: Photo.ID) throws -> [(id: Message.ID, chat: Chat.ID)] {
        try transaction.rows(
            "SELECT id, chat_id FROM messages WHERE photo_id = $1 AND is_deleted = 0", photo
        ) { (ID(rawValue: try $0.int64("id")), ID(rawValue: try $0.int64("chat_id"))) }
    }

    /// Returns the photo that `account` has saved from a message, if it is still in the library.
    func saved(_ id: Message.ID, by account: Account.ID) throws -> Photo.ID? {
        try transaction.value(
            "SELECT photo_id FROM saved_photos WHERE message_id = $1 AND account_id = $2", id, account)
    }

    func insertSaved(_ photo: Photo.ID, of id: Message.ID, by account: Account.ID) throws {
        try transaction.execute(
            "INSERT INTO saved_photos (message_id, account_id, photo_id) VALUES ($1, $2, $3)", id, account,
            photo)
    }
}
