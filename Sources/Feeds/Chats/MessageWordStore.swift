import Core
import Storage

/// The SQL of the words by which people find their messages.
struct MessageWordStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    // MARK: Words of messages

    /// Inserts the words of a message.
    func insert(_ text: String, of message: Message.ID, in chat: Chat.ID) throws {
        try transaction.insert(
            SearchWords.words(of: text), into: "message_words (chat_id, message_id, word)",
            behind: [chat, message])
    }

    /// Deletes the words of some messages.
    func delete(of messages: [Message.ID]) throws {
        // message_words_by_message
        try transaction.inPortions(messages) { places, arguments in
            try transaction.execute(
                "DELETE FROM message_words WHERE message_id IN (\(places))", arguments: arguments)
        }
    }

    /// Finds the words of some messages that are older than a place. Returns the next place; nil at the end.
    func find(olderThan place: Int64, limit: Int) throws -> Int64? {
        let found = try transaction.rows(
            """
            SELECT x.id, x.chat_id, x.text, CASE WHEN x.event IS NULL AND x.is_once = 0 AND x.id >
                (SELECT min(m.cleared_through) FROM chat_members m WHERE m.chat_id = x.chat_id) THEN 1 ELSE 0 END AS has_words
            FROM messages x WHERE x.id < $1 ORDER BY x.id DESC LIMIT $2
            """, place, limit
        ) {
            (
                id: Message.ID(rawValue: try $0.int64("id")),
                chat: Chat.ID(rawValue: try $0.int64("chat_id")),
                text: try $0.string("text"), hasWords: try $0.bool("has_words")
            )
        }
        for message in found where message.hasWords {
            try insert(message.text, of: message.id, in: message.chat)
        }
        return found.count == limit ? found.last?.id.rawValue : nil
    }

    /// Makes a change of what the members of a chat have in their own views, and schedules the deletion of the words of
    /// messages that nobody has in theirs any more.
    func forgetCleared(in chat: Chat.ID, by change: () throws -> Void) throws {
        let before = try clearedByAll(chat)
        try change()
        let gone = try clearedByAll(chat)
        guard gone > before else { return }
        try transaction.schedule(.forgetMessageWords, payload: "\(chat) \(before) \(gone)")
    }

    /// Returns the message up to which every member of a chat has removed all from their own view.
    private func clearedByAll(_ chat: Chat.ID) throws -> Message.ID {
        try transaction.value("SELECT min(cleared_through) FROM chat_members WHERE chat_id = $1", chat)
            ?? ID(rawValue: 0)
    }

    /// Deletes the words of some messages of a chat between two places. Returns the next place; nil at the end.
    func forget(
        in chat: Chat.ID, after place: Message.ID, through last: Message.ID, limit: Int
    ) throws -> Message.ID? {
        // messages_by_chat
        let found = try transaction.values(
            """
            SELECT id FROM messages WHERE chat_id = $1 AND id > $2 AND id <= $3 AND is_deleted = 0
            ORDER BY id LIMIT $4
            """, chat, place, last, limit, as: Message.ID.self)
        try delete(of: found)
        return found.count == limit ? found.last : nil
    }

    // MARK: Messages with words

    /// A chat in which messages are looked for.
    struct Place {
        let chat: Chat.ID
        /// The id that all messages are newer than.
        var above: Int64
        /// The id that all messages are older than.
        var below: Int64
        /// The nearest message, seen from where the page begins, that can have all words.
        var nearest: Int64
        /// The word that the nearest message has: the one that leads the search in this chat.
        let word: String
    }

    /// Returns the chats of an account that have all of some words in messages which the account has, each with the nearest
    /// message that can have them all.
    ///
    /// - Parameters:
    ///   - chat: the only chat to look in; nil for the most recently active ones.
    ///   - limit: the most chats of two, and the most groups.
    func places(
        of words: [String], for account: Account.ID, in chat: Chat.ID?, above: Int64, below: Int64,
        isUpwards: Bool, limit: Int
    ) throws -> [Place] {
        // One look into message_words' primary key for each chat and word, however many messages have it.
        let nearest = words.indices.map { index in
            """
            (SELECT \(isUpwards ? "min" : "max")(w.message_id) FROM message_words w
                WHERE w.chat_id = few.chat_id AND w.word = $\(index + 6) AND w.message_id < $2
                    AND w.message_id > CASE WHEN few.cleared_through > $3 THEN few.cleared_through ELSE $3 END)
                AS nearest_\(index)
            """
        }.joined(separator: ", ")
        let here = "($5 = 0 OR m.chat_id = $5)"
        let arguments: [(any SQLConvertible)?] =
            [account, below, above, limit, chat?.rawValue ?? 0] + words.map { $0 as (any SQLConvertible)? }
        return try [
            // chat_members_by_time
            """
            SELECT m.chat_id, m.cleared_through FROM chat_members m JOIN \(AccountRow.table) a ON a.id = m.peer_id
            WHERE m.account_id = $1 AND m.is_request = 0 AND m.is_dropped = 0 AND m.last_message_id > 0
                AND \(AccountRow.isVisible) AND \(here)
            ORDER BY m.last_message_id DESC LIMIT $4
            """,
            // chat_members_of_groups
            """
            SELECT m.chat_id, m.cleared_through FROM chat_members m JOIN chats c ON c.id = m.chat_id
            WHERE m.account_id = $1 AND m.peer_id IS NULL AND m.is_request = 0
                AND c.last_message_id > m.cleared_through AND \(here)
            ORDER BY c.last_message_id DESC LIMIT $4
            """,
        ].flatMap { chats in
            try transaction.rows(
                "SELECT few.chat_id, few.cleared_through, \(nearest) FROM (\(chats)) AS few",
                arguments: arguments
            ) { row in
                let found = try words.indices.map { try row.optionalInt64("nearest_\($0)") }
                // A message that has all words isn't nearer than the one that has the rarest.
                let leading = found.indices.min { one, other in
                    guard let first = found[one], let second = found[other] else { return found[one] == nil }
                    return isUpwards ? first > second : first < second
                }
                guard let leading, let nearest = found[leading] else { return nil }
                return Place(
                    chat: ID(rawValue: try row.int64("chat_id")),
                    above: max(above, try row.int64("cleared_through")), below: below, nearest: nearest,
                    word: words[leading])
            }.compactMap { $0 }
        }
    }

    /// A message with the leading word of a place.
    struct Candidate {
        let id: Message.ID
        /// Whether the message has the other words, too, and the account sees it in the chat.
        let isFound: Bool
    }

    /// Returns the nearest messages of a place that have its leading word.
    func candidates(
        at place: Place, words: [String], for account: Account.ID, isUpwards: Bool, limit: Int
    ) throws -> [Candidate] {
        let others = words.filter { $0 != place.word }
        let hasOthers = others.indices.map { index in
            """
            AND EXISTS (SELECT 1 FROM message_words o
                WHERE o.chat_id = $2 AND o.word = $\(index + 7) AND o.message_id = few.message_id)
            """
        }.joined(separator: " ")
        let order = "ORDER BY message_id \(isUpwards ? "ASC" : "DESC")"
        let arguments: [(any SQLConvertible)?] =
            [account, place.chat, place.word, place.below, place.above, limit]
            + others.map { $0 as (any SQLConvertible)? }
        return try transaction.rows(
            """
            SELECT few.message_id, \(AccountRow.blockColumns),
                CASE WHEN a.is_suspended = 0 AND x.is_deleted = 0 \(hasOthers) THEN 1 ELSE 0 END AS is_found
            FROM (SELECT w.message_id FROM message_words w
                WHERE w.chat_id = $2 AND w.word = $3 AND w.message_id < $4 AND w.message_id > $5
                \(order) LIMIT $6) AS few
            JOIN messages x ON x.id = few.message_id JOIN \(AccountRow.table) a ON a.id = x.sender_id
            \(order)
            """, arguments: arguments
        ) {
            // In a chat of two nobody blocks the other.
            Candidate(
                id: ID(rawValue: try $0.int64("message_id")),
                isFound: try $0.bool("is_found") && !$0.bool("blocks"))
        }
    }

    /// Returns some messages.
    func messages(_ ids: [Message.ID]) throws -> [Message] {
        let store = MessageStore(transaction)
        return try store.complete(
            transaction.rows(for: ids) { places in
                """
                SELECT \(MessageStore.columns) FROM messages x \(MessageStore.joins)
                WHERE x.id IN (\(places)) AND x.is_deleted = 0
                """
            } map: {
                try store.message(from: $0)
            })
    }
}
