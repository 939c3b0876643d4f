import Core
import Foundation
import People
import Serving
import Storage

/// The SQL of groups.
///
/// A message in a group changes no row of its readers. So a list finds its page among all groups of a person, at most
/// ``GroupRules/mostGroups``, by their own index and what the rows of the chats say. Everything else it reads for the page.
struct GroupStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    // MARK: Reading

    /// The picture of a group `c`, unless it is of somebody who is suspended.
    private static let picture = """
        (SELECT ph.id FROM \(PhotoRow.table) ph JOIN \(AccountRow.table) a ON a.id = ph.owner_id
            WHERE ph.id = c.picture_id AND a.is_suspended = 0)
        """

    private static let listed = """
        SELECT \(ChatStore.columns), c.title AS group_title, c.owner_id AS group_owner_id,
            \(picture) AS group_picture_id, c.messages_count, \(MessageStore.columns)
        FROM chat_members m JOIN chats c ON c.id = m.chat_id
        LEFT JOIN messages x ON x.id = c.last_message_id AND x.is_deleted = 0 AND x.id > m.cleared_through
        \(MessageStore.joins)
        """

    /// Returns the groups of `account` that have a message, newest first.
    ///
    /// - Parameter terms: only those whose name has words beginning with these, or that have people with such names.
    func listed(
        of account: Account.ID, requests: Bool, terms: [String], page: PageRequest
    ) throws -> [ChatStore.Listed] {
        var arguments: [(any SQLConvertible)?] = [account, requests]
        let conditions = terms.map { named($0, &arguments) }.joined()
        // chat_members_of_groups
        return try ChatStore(transaction).complete(
            page.rows(
                idColumn: "c.last_message_id",
                """
                SELECT m.chat_id FROM chat_members m JOIN chats c ON c.id = m.chat_id
                WHERE m.account_id = $1 AND m.peer_id IS NULL AND m.is_request = $2
                    AND c.last_message_id > m.cleared_through\(conditions)
                """,
                in: { "\(Self.listed) WHERE m.account_id = $1 AND m.chat_id IN (\($0))" },
                arguments: arguments, transaction
            ) { try listed(from: $0) })
    }

    private func named(_ term: String, _ arguments: inout [(any SQLConvertible)?]) -> String {
        let escaped = term.replacing("\\", with: "\\\\").replacing("%", with: "\\%").replacing(
            "_", with: "\\_")
        arguments.append("% \(escaped)%")
        return """

            AND (c.terms LIKE $\(arguments.count) ESCAPE '\\' OR EXISTS (SELECT 1 FROM chat_members o
                WHERE o.chat_id = m.chat_id AND o.account_id <> m.account_id\(AccountRow.isNamed("o.account_id", [term], &arguments))))
            """
    }

    /// Returns a group of `account`; nil for anyone else's chat, and for one of two.
    func listed(_ chat: Chat.ID, of account: Account.ID) throws -> ChatStore.Listed? {
        let found = try transaction.row(
            "\(Self.listed) WHERE m.chat_id = $1 AND m.account_id = $2 AND m.peer_id IS NULL", chat, account
        ) { try listed(from: $0) }
        return try found.flatMap { try ChatStore(transaction).complete([$0]).first }
    }

    private func listed(from row: Row) throws -> ChatStore.Listed {
        let member = try ChatStore(transaction).member(from: row)
        return ChatStore.Listed(
            member: member, peer: nil,
            group: Group(
                title: try row.string("group_title"),
                owner: try row.optionalInt64("group_owner_id").map { ID(rawValue: $0) },
                picture: try row.optionalInt64("group_picture_id").map { ID(rawValue: $0) }, members: [],
                membersCount: 0),
            peerMarks: .none, messagesCount: try row.int("messages_count"),
            lastMessage: row.isNull("message_id")
                ? nil : try MessageStore(transaction).message(from: row).seen(after: member.clearedThrough))
    }

    /// Returns the members of some groups, in the order in which they joined, without those who are suspended.
    func members(of chats: [Chat.ID], for viewer: Account.ID) throws -> [Chat.ID: [Group.Member]] {
        let found = try transaction.rows(for: chats, after: [viewer]) { places in
            """
            SELECT \(ChatStore.columns), \(AccountRow.columns), \(AccountRow.blockColumns)
            FROM chat_members m JOIN \(AccountRow.table) a ON a.id = m.account_id
            WHERE m.chat_id IN (\(places)) AND a.is_suspended = 0 ORDER BY m.joined_at, m.account_id
            """
        } map: {
            try member(from: $0)
        }
        return Dictionary(grouping: found, by: \.chat).mapValues { $0.map(\.member) }
    }

    /// Returns the first members of some groups (``Group/Extent/first``), as ``members(of:for:)`` does, and the number of all.
    func firstMembers(
        of chats: [Chat.ID], for viewer: Account.ID
    ) throws -> [Chat.ID: (members: [Group.Member], count: Int)] {
        let found = try transaction.rows(for: chats, after: [viewer, Group.mostShown]) { places in
            """
            SELECT \(ChatStore.columns), \(AccountRow.columns), \(AccountRow.blockColumns), o.members_count
            FROM (SELECT e.chat_id, e.account_id, count(*) OVER (PARTITION BY e.chat_id) AS members_count,
                    row_number() OVER (PARTITION BY e.chat_id ORDER BY e.joined_at, e.account_id) AS place
                FROM chat_members e JOIN \(AccountRow.table) b ON b.id = e.account_id
                WHERE e.chat_id IN (\(places)) AND b.is_suspended = 0) o
            JOIN chat_members m ON m.chat_id = o.chat_id AND m.account_id = o.account_id
            JOIN \(AccountRow.table) a ON a.id = m.account_id
            WHERE o.place <= $2 ORDER BY o.place
            """
        } map: {
            (found: try member(from: $0), count: try $0.int("members_count"))
        }
        return Dictionary(grouping: found, by: \.found.chat).mapValues {
            (members: $0.map(\.found.member), count: $0.first?.count ?? 0)
        }
    }

    private func member(from row: Row) throws -> (chat: Chat.ID, member: Group.Member) {
        let member = try ChatStore(transaction).member(from: row)
        return (
            member.chat,
            Group.Member(
                account: try AccountRow.account(from: row),
                joinedAt: member.joinedAt ?? member.chat.createdAt,
                marks: member.isRequest ? .none : member.marks, isInvited: member.isRequest,
                isBlocked: try row.bool("blocks"))
        )
    }

    /// Returns the ids of all members of a group, also of suspended ones.
    func accounts(in chat: Chat.ID) throws -> [Account.ID] {
        try transaction.values(
            "SELECT account_id FROM chat_members WHERE chat_id = $1 ORDER BY joined_at, account_id", chat)
    }

    /// Returns those of a group's members whom an account blocks.
    func blocked(by account: Account.ID, in chat: Chat.ID) throws -> [Account] {
        try transaction.rows(
            """
            SELECT \(AccountRow.columns), \(AccountRow.blockColumns)
            FROM chat_members m JOIN \(AccountRow.table) a ON a.id = m.account_id WHERE m.chat_id = $2
            """, account, chat
        ) { try $0.bool("blocks") ? try AccountRow.account(from: $0) : nil }.compactMap { $0 }
    }

    func owner(of chat: Chat.ID) throws -> Account.ID? {
        try transaction.value("SELECT owner_id FROM chats WHERE id = $1", chat)
    }

    /// Returns the number of groups of an account, with invitations.
    func count(of account: Account.ID) throws -> Int {
        try transaction.value(
            "SELECT count(*) FROM chat_members WHERE account_id = $1 AND peer_id IS NULL", account) ?? 0
    }

    /// Counts the unread messages in each of the groups of some accounts, or in one of them, without invitations, muted groups
    /// and groups in which nothing is unread.
    func unreadCounts(
        of accounts: some Sequence<Account.ID>, in group: Chat.ID? = nil
    ) throws -> [(account: Account.ID, group: Chat.ID, count: Int)] {
        // chat_members_of_groups, or the primary key.
        try transaction.rows(
            for: accounts, after: [transaction.now] + (group.map { [$0] } ?? [])
        ) { places in
            """
            SELECT m.account_id, m.chat_id, m.unread_count + c.last_number - m.counted_through AS unread
            FROM chat_members m JOIN chats c ON c.id = m.chat_id
            WHERE m.account_id IN (\(places)) AND m.peer_id IS NULL AND m.is_request = 0
                AND m.unread_count + c.last_number > m.counted_through
                AND (m.is_muted = 0 OR m.mute_ends_at <= $1)\(group == nil ? "" : " AND m.chat_id = $2")
            """
        } map: {
            (
                ID(rawValue: try $0.int64("account_id")), ID(rawValue: try $0.int64("chat_id")),
                try $0.int("unread")
            )
        }
    }

    /// Counts the waiting invitations, up to 99.
    func invitationsCount(of account: Account.ID) throws -> Int {
        try transaction.value(
            """
            SELECT count(*) FROM (SELECT 1 FROM chat_members m JOIN chats c ON c.id = m.chat_id
                WHERE m.account_id = $1 AND m.peer_id IS NULL AND m.is_request = 1
                    AND c.last_message_id > m.cleared_through LIMIT 99) AS waiting
            """, account) ?? 0
    }

    // MARK: Writing

    /// Inserts a group without members.
    func insert(title: String, owner: Account.ID) throws -> Chat.ID {
        let id = Chat.ID(rawValue: transaction.newID())
        try transaction.execute(
            "INSERT INTO chats (id, is_group, title, terms, owner_id) VALUES ($1, 1, $2, $3, $4)", id, title,
            Self.terms(title), owner)
        return id
    }

    private static func terms(_ title: String) -> String {
        AccountRules.searchTerms(title).map { " \($0)" }.joined()
    }

    /// Inserts a member, who sees what comes from now on.
    func insert(_ account: Account.ID, in chat: Chat.ID) throws {
        try transaction.execute(
            """
            INSERT INTO chat_members (chat_id, account_id, is_request, cleared_through, delivered_through, read_through,
                counted_through, joined_at)
            SELECT $1, $2, 0, $3, $3, $3, c.last_number, $4 FROM chats c WHERE c.id = $1
            """, chat, account, transaction.newID(), transaction.now)
    }

    /// Makes a new member one who is asked first.
    func invite(_ account: Account.ID, to chat: Chat.ID) throws {
        try transaction.execute(
            "UPDATE chat_members SET is_request = 1 WHERE chat_id = $1 AND account_id = $2", chat, account)
    }

    /// Takes a member out of a group.
    func delete(_ account: Account.ID, from chat: Chat.ID) throws {
        try transaction.execute(
            "DELETE FROM chat_members WHERE chat_id = $1 AND account_id = $2", chat, account)
    }

    /// Returns the first messages of a group that are still there, also deleted ones, with their numbers.
    func firstMessages(of chat: Chat.ID, limit: Int) throws -> [(id: Message.ID, number: Int)] {
        // messages_by_number
        try transaction.rows(
            "SELECT id, number FROM messages WHERE chat_id = $1 ORDER BY number LIMIT $2", chat, limit
        ) { (ID(rawValue: try $0.int64("id")), try $0.int("number")) }
    }

    /// Deletes the messages of a group up to a number.
    func deleteMessages(of chat: Chat.ID, through number: Int) throws {
        try transaction.execute("DELETE FROM messages WHERE chat_id = $1 AND number <= $2", chat, number)
    }

    /// Deletes a group without members and messages.
    func delete(_ chat: Chat.ID) throws {
        try transaction.execute("DELETE FROM chats WHERE id = $1", chat)
    }

    func setTitle(_ title: String, of chat: Chat.ID) throws {
        try transaction.execute(
            "UPDATE chats SET title = $2, terms = $3 WHERE id = $1", chat, title, Self.terms(title))
    }

    func setPicture(_ picture: Photo.ID?, of chat: Chat.ID) throws {
        try transaction.execute("UPDATE chats SET picture_id = $2 WHERE id = $1", chat, picture)
    }

    func setOwner(_ owner: Account.ID?, of chat: Chat.ID) throws {
        try transaction.execute("UPDATE chats SET owner_id = $2 WHERE id = $1", chat, owner)
    }

    /// Counts a new message as read by its sender. The rows of the readers stay as they are.
    func noteMessage(number: Int, in chat: Chat.ID, from sender: Account.ID) throws {
        try transaction.execute(
            """
            UPDATE chat_members SET unread_count = unread_count + $3 - 1 - counted_through, counted_through = $3
            WHERE chat_id = $1 AND account_id = $2
            """, chat, sender, number)
    }

    /// Removes all messages of a group from a member's own view, up to one of them.
    func clear(_ chat: Chat.ID, _ account: Account.ID, through message: Message.ID) throws {
        try transaction.execute(
            "UPDATE chat_members SET cleared_through = $3 WHERE chat_id = $1 AND account_id = $2 AND cleared_through < $3",
            chat, account, message)
        try ChatStore(transaction).recount(chat, for: account)
    }

    // MARK: Leaving for good

    /// Returns some groups of an account.
    func groups(of account: Account.ID, limit: Int) throws -> [Chat.ID] {
        try transaction.values(
            "SELECT chat_id FROM chat_members WHERE account_id = $1 AND peer_id IS NULL LIMIT $2", account,
            limit)
    }

    /// Deletes some messages of an account or about it, wherever they are. Returns them by the chats that they were in.
    func deleteMessages(of account: Account.ID, limit: Int) throws -> [Chat.ID: [Message.ID]] {
        var deleted: [Chat.ID: [Message.ID]] = [:]
        // messages_by_key, messages_by_subject
        for condition in ["sender_id = $1", "subject_id = $1"] {
            let found = try transaction.rows(
                """
                DELETE FROM messages WHERE id IN (SELECT id FROM messages WHERE \(condition) LIMIT $2)
                RETURNING chat_id, id
                """, account, limit
            ) { (Chat.ID(rawValue: try $0.int64("chat_id")), Message.ID(rawValue: try $0.int64("id"))) }
            for (chat, message) in found { deleted[chat, default: []].append(message) }
        }
        return deleted
    }
}
