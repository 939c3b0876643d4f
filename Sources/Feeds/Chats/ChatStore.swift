import Core
import Foundation
import Serving
import Storage

/// The SQL of chats and of their members.
struct ChatStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// The row of a chat for one of its members.
    struct Member: Sendable {
        var chat: Chat.ID
        var account: Account.ID
        /// The other person of two; nil in a group.
        var peer: Account.ID?
        var isRequest: Bool
        var lastMessage: Message.ID
        var clearedThrough: Message.ID
        var marks: Chat.Marks
        var unreadCount: Int
        /// Whether the member has dropped the request. Its messages are then no longer shown to them.
        var isDropped: Bool
        /// The way in which the member mutes the chat; nil when they don't, or when the mute has ended.
        var mute: ChatMute?
        /// When the member joined the group; nil in a chat of two.
        var joinedAt: Date?

        var isGroup: Bool { peer == nil }

        /// Whether the member has a message, which a deleted message isn't, and one before a deletion of their own list.
        func has(_ id: Message.ID) -> Bool { id > clearedThrough && !isDropped }
    }

    /// The columns of a member `m`. In a group, the chat's own row says what is the newest message and how many came since
    /// they were last counted.
    static let columns = """
        m.chat_id AS member_chat_id, m.account_id AS member_account_id, m.peer_id AS member_peer_id,
        m.is_request AS member_is_request, \(lastMessage) AS member_last_message_id,
        m.cleared_through AS member_cleared_through, m.delivered_through AS member_delivered_through,
        m.read_through AS member_read_through, m.read_at AS member_read_at,
        \(unreadCount) AS member_unread_count, m.is_dropped AS member_is_dropped,
        m.is_muted AS member_is_muted, m.mute_ends_at AS member_mute_ends_at, m.joined_at AS member_joined_at
        """

    private static let lastMessage = """
        CASE WHEN m.peer_id IS NOT NULL THEN m.last_message_id
            ELSE (SELECT g.last_message_id FROM chats g WHERE g.id = m.chat_id) END
        """

    private static let unreadCount = """
        m.unread_count + CASE WHEN m.peer_id IS NOT NULL THEN 0
            ELSE (SELECT g.last_number FROM chats g WHERE g.id = m.chat_id) - m.counted_through END
        """

    func member(from row: Row) throws -> Member {
        let end = try row.optionalDate("member_mute_ends_at")
        let isMuted = try row.bool("member_is_muted") && end ?? .distantFuture > transaction.now
        return Member(
            chat: ID(rawValue: try row.int64("member_chat_id")),
            account: ID(rawValue: try row.int64("member_account_id")),
            peer: try row.optionalInt64("member_peer_id").map { ID(rawValue: $0) },
            isRequest: try row.bool("member_is_request"),
            lastMessage: ID(rawValue: try row.int64("member_last_message_id")),
            clearedThrough: ID(rawValue: try row.int64("member_cleared_through")),
            marks: Chat.Marks(
                deliveredThrough: ID(rawValue: try row.int64("member_delivered_through")),
                readThrough: ID(rawValue: try row.int64("member_read_through")),
                readAt: try row.optionalDate("member_read_at")),
            unreadCount: try row.int("member_unread_count"), isDropped: try row.bool("member_is_dropped"),
            mute: isMuted ? ChatMute(endsAt: end) : nil, joinedAt: try row.optionalDate("member_joined_at"))
    }

    // MARK: Reading

    func member(_ chat: Chat.ID, _ account: Account.ID) throws -> Member? {
        try transaction.row(
            "SELECT \(Self.columns) FROM chat_members m WHERE m.chat_id = $1 AND m.account_id = $2", chat,
            account
        ) { try member(from: $0) }
    }

    /// Returns the row of `account` in a chat; nil for anyone else's chat, and for one with somebody who is blocked,
    /// blocking or suspended.
    func reachable(_ chat: Chat.ID, _ account: Account.ID) throws -> Member? {
        try transaction.row(
            """
            SELECT \(Self.columns) FROM chat_members m LEFT JOIN \(AccountRow.table) a ON a.id = m.peer_id
            WHERE m.chat_id = $1 AND m.account_id = $2 AND (m.peer_id IS NULL OR (\(Self.reachable)))
            """, chat, account
        ) { try member(from: $0) }
    }

    /// Returns the rows of all members of a chat.
    func members(of chat: Chat.ID) throws -> [Member] {
        try transaction.rows("SELECT \(Self.columns) FROM chat_members m WHERE m.chat_id = $1", chat) {
            try member(from: $0)
        }
    }

    /// Returns the chat of two people, from the side of `account`.
    func member(of account: Account.ID, with peer: Account.ID) throws -> Member? {
        try transaction.row(
            "SELECT \(Self.columns) FROM chat_members m WHERE m.account_id = $1 AND m.peer_id = $2", account,
            peer
        ) { try member(from: $0) }
    }

    /// Returns the rows of those to whom a message was sent.
    func receivers(of message: Message.ID) throws -> [Member] {
        try transaction.rows(
            """
            SELECT \(Self.columns) FROM messages x
            JOIN chat_members m ON m.chat_id = x.chat_id AND m.account_id <> x.sender_id WHERE x.id = $1
            """, message
        ) { try member(from: $0) }
    }

    /// Returns the number of the newest message. Deleted messages count, too.
    func lastNumber(of chat: Chat.ID) throws -> Int {
        try transaction.value("SELECT last_number FROM chats WHERE id = $1", chat) ?? 0
    }

    /// The row of a chat for one of its members, with everything that a list shows of the chat.
    struct Listed {
        var member: Member
        /// The other person of two; nil in a group.
        var peer: Account?
        /// What a group has beside its members; nil in a chat of two.
        var group: Group?
        /// The messages that the other person has received and read; empty as long as they haven't accepted the chat.
        var peerMarks: Chat.Marks
        var messagesCount: Int
        var lastMessage: Message?
    }

    /// Returns the chats of `account` that have a message, newest first, without those with blocked and suspended people.
    ///
    /// - Parameter terms: only those with people whose names have words beginning with these, and groups with such a name
    ///   or such people.
    func listed(
        of account: Account.ID, requests: Bool, terms: [String] = [], page: PageRequest
    ) throws -> [Listed] {
        page.merged(
            try listedTwos(of: account, requests: requests, terms: terms, page: page),
            try GroupStore(transaction).listed(of: account, requests: requests, terms: terms, page: page)
        ) { $0.member.lastMessage.rawValue }
    }

    private func listedTwos(
        of account: Account.ID, requests: Bool, terms: [String], page: PageRequest
    ) throws -> [Listed] {
        var arguments: [(any SQLConvertible)?] = [account, requests]
        let conditions = AccountRow.isNamed("m.peer_id", terms, &arguments)
        return try complete(
            page.rows(
                idColumn: "m.last_message_id",
                """
                \(Self.listed)
                WHERE m.account_id = $1 AND m.is_request = $2 AND m.last_message_id > 0 AND \(Self.reachable)\(conditions)
                """, arguments: arguments, transaction
            ) { try listed(from: $0) })
    }

    /// Returns a chat of `account`, even without a message; nil for anyone else's chat, and for one with somebody who is
    /// blocked, blocking or suspended.
    func listed(_ chat: Chat.ID, of account: Account.ID) throws -> Listed? {
        let two = try transaction.row(
            "\(Self.listed) WHERE m.chat_id = $1 AND m.account_id = $2 AND \(Self.reachable)", chat, account
        ) { try listed(from: $0) }
        if let two { return try complete([two]).first }
        return try GroupStore(transaction).listed(chat, of: account)
    }

    /// Adds to last messages what has rows of its own.
    func complete(_ listed: [Listed]) throws -> [Listed] {
        let messages = try MessageStore(transaction).complete(listed.compactMap(\.lastMessage))
        let byID = Dictionary(uniqueKeysWithValues: messages.map { ($0.id, $0) })
        return listed.map { one in
            var one = one
            one.lastMessage = one.lastMessage.flatMap { byID[$0.id] }
            return one
        }
    }

    private static let listed = """
        SELECT \(columns), \(AccountRow.columns), p.is_request AS peer_is_request,
            p.delivered_through AS peer_delivered_through, p.read_through AS peer_read_through,
            p.read_at AS peer_read_at, c.messages_count, \(MessageStore.columns)
        FROM chat_members m JOIN \(AccountRow.table) a ON a.id = m.peer_id
        JOIN chats c ON c.id = m.chat_id
        JOIN chat_members p ON p.chat_id = m.chat_id AND p.account_id = m.peer_id
        LEFT JOIN messages x ON x.id = m.last_message_id AND x.is_deleted = 0
        \(MessageStore.joins)
        """

    private func listed(from row: Row) throws -> Listed {
        let member = try member(from: row)
        return Listed(
            member: member, peer: try AccountRow.account(from: row), group: nil,
            // While the other person hasn't accepted the request, the account doesn't learn whether it was read.
            peerMarks: try row.bool("peer_is_request")
                ? .none
                : Chat.Marks(
                    deliveredThrough: ID(rawValue: try row.int64("peer_delivered_through")),
                    readThrough: ID(rawValue: try row.int64("peer_read_through")),
                    readAt: try row.optionalDate("peer_read_at")),
            messagesCount: try row.int("messages_count"),
            lastMessage: row.isNull("message_id")
                ? nil : try MessageStore(transaction).message(from: row).seen(after: member.clearedThrough))
    }

    /// Whether the other person of a member `m`, the account `a`, is neither blocked nor blocking nor suspended.
    private static let reachable = AccountRow.isVisible(to: "m.account_id")

    /// Counts the messages that an account hasn't read, without requests and muted chats.
    func unreadCount(of account: Account.ID) throws -> Int {
        try unreadCounts(of: [account])[account] ?? 0
    }

    /// Counts the messages that each of some accounts hasn't read, without requests and muted chats. Accounts that have
    /// read everything are left out.
    func unreadCounts(of accounts: [Account.ID]) throws -> [Account.ID: Int] {
        let groups = try GroupStore(transaction).unreadCounts(of: accounts)
        return Dictionary(
            try unreadCountsOfTwos(of: accounts) + groups.map { ($0.account, $0.count) }, uniquingKeysWith: +)
    }

    /// Counts the messages that each of some accounts hasn't read in chats of two, without requests and muted chats.
    func unreadCountsOfTwos(of accounts: [Account.ID]) throws -> [(Account.ID, Int)] {
        // chat_members_unread_of_twos; the sum keeps SQLite from chat_members_by_time, where all groups of a person are.
        try transaction.rows(for: accounts, after: [transaction.now]) { places in
            """
            SELECT m.account_id, m.unread_count FROM chat_members m JOIN \(AccountRow.table) a ON a.id = m.peer_id
            WHERE m.account_id IN (\(places)) AND m.unread_count > 0 AND m.peer_id IS NOT NULL
                AND m.is_request + 0 = 0 AND \(Self.reachable) AND (m.is_muted = 0 OR m.mute_ends_at <= $1)
            """
        } map: {
            (Account.ID(rawValue: try $0.int64("account_id")), try $0.int("unread_count"))
        }
    }

    /// Counts the waiting requests, up to 99.
    func requestsCount(of account: Account.ID) throws -> Int {
        let twos: Int =
            try transaction.value(
                """
                SELECT count(*) FROM (SELECT 1 FROM chat_members m JOIN \(AccountRow.table) a ON a.id = m.peer_id
                    WHERE m.account_id = $1 AND m.is_request = 1 AND m.last_message_id > 0 AND \(Self.reachable)
                    LIMIT 99) AS unread
                """, account) ?? 0
        return min(try twos + GroupStore(transaction).invitationsCount(of: account), 99)
    }

    // MARK: Writing

    /// Inserts the chat of two people.
    func insert(_ account: Account.ID, _ peer: Account.ID, isRequest: Bool) throws -> Chat.ID {
        let id = Chat.ID(rawValue: transaction.newID())
        try transaction.execute("INSERT INTO chats (id) VALUES ($1)", id)
        for (one, other) in [(account, peer), (peer, account)] {
            try transaction.execute(
                "INSERT INTO chat_members (chat_id, account_id, peer_id, is_request) VALUES ($1, $2, $3, $4)",
                id, one, other, isRequest)
        }
        return id
    }

    /// Counts one more message of a chat, and returns its number and its id. Ids grow with numbers, so that all see the
    /// messages in the order in which they were sent, also when another node's clock is a little ahead. Only a clock that
    /// was once wrong by more leaves messages with greater ids than those that come after them.
    func newMessage(in chat: Chat.ID) throws -> (id: Message.ID, number: Int) {
        let id = transaction.newID()
        let counted = try transaction.row(
            """
            UPDATE chats SET last_number = last_number + 1, messages_count = messages_count + 1,
                last_message_id = CASE WHEN last_message_id < $2 THEN $2 ELSE last_message_id END
            WHERE id = $1 RETURNING last_number, last_message_id
            """, chat, id
        ) { (number: try $0.int("last_number"), last: try $0.int64("last_message_id")) }
        guard let counted else { throw Refusal.notFound }
        guard counted.last > id else { return (ID(rawValue: id), counted.number) }
        let later = transaction.newID(after: counted.last)
        try transaction.execute(
            "UPDATE chats SET last_message_id = $2 WHERE id = $1 AND last_message_id < $2", chat, later)
        return (ID(rawValue: later), counted.number)
    }

    /// Puts a new message of two at the top of both lists, or of the sender's alone. It counts as read by its sender and as
    /// unread by the other person.
    func noteMessage(
        _ id: Message.ID, in chat: Chat.ID, from sender: Account.ID, _ arrival: MessageService.Arrival
    ) throws {
        try transaction.execute(
            """
            UPDATE chat_members SET is_request = 0,
                last_message_id = CASE WHEN last_message_id < $3 THEN $3 ELSE last_message_id END
            WHERE chat_id = $1 AND account_id = $2
            """, chat, sender, id)
        guard arrival != .dropped else { return }
        try transaction.execute(
            """
            UPDATE chat_members SET is_request = $4, unread_count = unread_count + 1,
                last_message_id = CASE WHEN last_message_id < $3 THEN $3 ELSE last_message_id END
            WHERE chat_id = $1 AND account_id <> $2
            """, chat, sender, id, arrival == .request)
    }

    /// Reopens a dropped request, with the messages that were sent since.
    func reopen(_ chat: Chat.ID, _ account: Account.ID) throws {
        try transaction.execute(
            "UPDATE chat_members SET is_dropped = 0 WHERE chat_id = $1 AND account_id = $2", chat, account)
        try recount(chat)
    }

    func accept(_ chat: Chat.ID, _ account: Account.ID) throws {
        try transaction.execute(
            "UPDATE chat_members SET is_request = 0 WHERE chat_id = $1 AND account_id = $2", chat, account)
    }

    /// Removes all messages of two from an account's own view. A request is dropped.
    func clear(_ chat: Chat.ID, _ account: Account.ID) throws {
        try transaction.execute(
            """
            UPDATE chat_members SET cleared_through = CASE WHEN last_message_id > cleared_through
                THEN last_message_id ELSE cleared_through END, last_message_id = 0, unread_count = 0,
                is_dropped = CASE WHEN is_request = 1 AND last_message_id > 0 THEN 1 ELSE is_dropped END
            WHERE chat_id = $1 AND account_id = $2
            """, chat, account)
    }

    /// Moves the mark of delivered messages forward. Returns whether it moved.
    func markDelivered(_ chat: Chat.ID, _ account: Account.ID, through id: Message.ID) throws -> Bool {
        try transaction.execute(
            """
            UPDATE chat_members SET delivered_through = $3
            WHERE chat_id = $1 AND account_id = $2 AND delivered_through < $3
            """, chat, account, id) > 0
    }

    /// Moves the mark of read messages forward, and counts the unread messages after it. Returns whether the mark
    /// moved.
    func markRead(_ chat: Chat.ID, _ account: Account.ID, through id: Message.ID) throws -> Bool {
        let hasMoved =
            try transaction.execute(
                """
                UPDATE chat_members SET read_through = $3, read_at = $4,
                    delivered_through = CASE WHEN delivered_through < $3 THEN $3 ELSE delivered_through END
                WHERE chat_id = $1 AND account_id = $2 AND read_through < $3
                """, chat, account, id, transaction.now) > 0
        if hasMoved { try recount(chat, for: account) }
        return hasMoved
    }

    /// Sets how a member mutes a chat; nil for not at all.
    func setMute(_ mute: ChatMute?, of chat: Chat.ID, by account: Account.ID) throws {
        try transaction.execute(
            "UPDATE chat_members SET is_muted = $3, mute_ends_at = $4 WHERE chat_id = $1 AND account_id = $2",
            chat, account, mute != nil, mute?.endsAt)
    }

    /// Clears what is left of a mute that has ended. Returns whether there was anything.
    func clearMute(of chat: Chat.ID, by account: Account.ID) throws -> Bool {
        try transaction.execute(
            """
            UPDATE chat_members SET is_muted = 0, mute_ends_at = NULL
            WHERE chat_id = $1 AND account_id = $2 AND is_muted = 1
            """, chat, account) > 0
    }

    /// Counts again the unread messages of all members or of one, and finds the newest messages of two. A dropped request
    /// has neither.
    func recount(_ chat: Chat.ID, for account: Account.ID? = nil) throws {
        try transaction.execute(
            """
            UPDATE chat_members SET
                unread_count = (SELECT count(*) FROM messages x WHERE x.chat_id = $1 AND x.is_deleted = 0
                    AND x.id > chat_members.read_through AND x.id > chat_members.cleared_through
                    AND x.sender_id <> chat_members.account_id AND chat_members.is_dropped = 0),
                last_message_id = CASE WHEN peer_id IS NULL THEN 0 ELSE COALESCE((SELECT max(x.id) FROM messages x
                    WHERE x.chat_id = $1 AND x.is_deleted = 0 AND x.id > chat_members.cleared_through
                    AND chat_members.is_dropped = 0), 0) END,
                counted_through = CASE WHEN peer_id IS NULL
                    THEN (SELECT c.last_number FROM chats c WHERE c.id = $1) ELSE 0 END
            WHERE chat_id = $1 AND ($2 = 0 OR account_id = $2)
            """, chat, account?.rawValue ?? 0)
    }

    /// The newest message of the chat `$1`. A group that has lost all keeps its place in the lists of its members, by the id
    /// of the last that it lost.
    private static let newestMessage = """
        COALESCE((SELECT max(x.id) FROM messages x WHERE x.chat_id = $1 AND x.is_deleted = 0),
            CASE WHEN is_group = 1 THEN last_message_id ELSE 0 END)
        """

    /// Counts a chat's messages again after some are gone, and finds the newest. Their numbers aren't given again.
    func recountMessages(in chat: Chat.ID) throws {
        try transaction.execute(
            """
            UPDATE chats SET
                messages_count = (SELECT count(*) FROM messages x WHERE x.chat_id = $1 AND x.is_deleted = 0),
                last_message_id = \(Self.newestMessage)
            WHERE id = $1
            """, chat)
    }

    /// Counts a deleted message no more, and finds the newest of those that are left. Nobody's other unread messages are
    /// counted for that: in a group, what came since they were last counted is unread, and counts with the rest from now on.
    func uncount(_ message: Message) throws {
        let chat = message.chat
        try transaction.execute(
            """
            UPDATE chats SET messages_count = messages_count - 1, last_message_id = \(Self.newestMessage)
            WHERE id = $1
            """, chat)
        // messages_by_chat
        try transaction.execute(
            """
            UPDATE chat_members SET
                unread_count = unread_count - CASE
                    WHEN account_id = $2 OR is_dropped = 1 THEN 0
                    WHEN peer_id IS NULL AND counted_through < $3 THEN 1
                    WHEN read_through < $4 AND cleared_through < $4 THEN 1 ELSE 0 END
                    + CASE WHEN peer_id IS NULL
                        THEN (SELECT c.last_number FROM chats c WHERE c.id = $1) - counted_through ELSE 0 END,
                counted_through = CASE WHEN peer_id IS NULL
                    THEN (SELECT c.last_number FROM chats c WHERE c.id = $1) ELSE 0 END,
                last_message_id = CASE WHEN peer_id IS NULL OR is_dropped = 1 THEN 0 ELSE COALESCE(
                    (SELECT max(x.id) FROM messages x WHERE x.chat_id = $1 AND x.is_deleted = 0
                        AND x.id > chat_members.cleared_through), 0) END
            WHERE chat_id = $1
            """, chat, message.sender, message.number, message.id)
    }

    /// Deletes some messages of an account's chats of two. Returns how many were deleted.
    func deleteMessages(ofChatsOf account: Account.ID, limit: Int) throws -> Int {
        try transaction.execute(
            """
            DELETE FROM messages WHERE id IN (SELECT x.id FROM messages x JOIN chat_members m ON m.chat_id = x.chat_id
                WHERE m.account_id = $1 AND m.peer_id IS NOT NULL LIMIT $2)
            """, account, limit)
    }

    /// Deletes some chats of two of an account. Returns how many were deleted.
    func deleteChats(of account: Account.ID, limit: Int) throws -> Int {
        try transaction.execute(
            """
            DELETE FROM chats WHERE id IN (SELECT chat_id FROM chat_members
                WHERE account_id = $1 AND peer_id IS NOT NULL LIMIT $2)
            """, account, limit)
    }
}
