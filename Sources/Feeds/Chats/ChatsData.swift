import Core
import Storage

/// The data that chats keep of a person. When a person leaves, their chats of two are deleted for both
/// people, and what they wrote in groups for everyone.
struct ChatsData: AccountData {
    let chats: ChatService

    private static let batch = 500
    private static let groupsBatch = 50

    let lists = [
        AccountDataList(
            "messages",
            [
                ("id", .id), ("chat_id", .id), ("with", .text), ("sent_at", .timeOfID), ("own", .flag),
                ("sender", .text), ("event", .text), ("concerns", .text), ("text", .text),
                ("photo_id", .id), ("view_once", .flag), ("in_reply_to_id", .id), ("snap_id", .id),
                ("own_reaction", .text),
                ("their_reaction", .text),
            ],
            """
            SELECT x.id AS place, x.id, x.chat_id, COALESCE(a.username, c.title) AS with, x.id AS sent_at,
                CASE WHEN x.sender_id = $1 THEN 1 ELSE 0 END AS own, s.username AS sender, x.event,
                t.username AS concerns, x.text, x.photo_id, x.is_once AS view_once, x.in_reply_to_id, x.snap_id, own.emoji AS own_reaction, their.emoji AS their_reaction
            FROM messages x JOIN chat_members m ON m.chat_id = x.chat_id AND m.account_id = $1
            JOIN chats c ON c.id = x.chat_id
            JOIN \(AccountRow.table) s ON s.id = x.sender_id
            LEFT JOIN \(AccountRow.table) a ON a.id = m.peer_id
            LEFT JOIN \(AccountRow.table) t ON t.id = x.subject_id
            LEFT JOIN message_reactions own ON own.message_id = x.id AND own.account_id = $1
            LEFT JOIN message_reactions their ON their.message_id = x.id AND their.account_id = m.peer_id
            WHERE x.id > $2 AND x.is_deleted = 0 AND x.id > m.cleared_through ORDER BY x.id LIMIT $3
            """),
        AccountDataList(
            "muted_chats", [("chat_id", .id), ("with", .text), ("until", .date)],
            // chat_members_by_pair
            """
            SELECT m.chat_id AS place, m.chat_id, COALESCE(a.username, c.title) AS with, m.mute_ends_at AS until
            FROM chat_members m JOIN chats c ON c.id = m.chat_id
            LEFT JOIN \(AccountRow.table) a ON a.id = m.peer_id
            WHERE m.account_id = $1 AND m.is_muted = 1 AND m.chat_id > $2 ORDER BY m.chat_id LIMIT $3
            """),
        AccountDataList(
            "groups", [("chat_id", .id), ("title", .text), ("own", .flag), ("joined_at", .date)],
            // chat_members_of_groups
            """
            SELECT m.chat_id AS place, m.chat_id, c.title, CASE WHEN c.owner_id = $1 THEN 1 ELSE 0 END AS own,
                m.joined_at
            FROM chat_members m JOIN chats c ON c.id = m.chat_id
            WHERE m.account_id = $1 AND m.peer_id IS NULL AND m.chat_id > $2 ORDER BY m.chat_id LIMIT $3
            """),
        // The page size counts whole groups, which have at most 50 people each.
        AccountDataList(
            "group_people", [("chat_id", .id), ("username", .text), ("joined_at", .date)],
            // chat_members_of_groups, then the primary key
            """
            SELECT m.chat_id AS place, m.chat_id, a.username, m.joined_at
            FROM chat_members m JOIN \(AccountRow.table) a ON a.id = m.account_id
            WHERE m.chat_id IN (SELECT o.chat_id FROM chat_members o
                WHERE o.account_id = $1 AND o.peer_id IS NULL AND o.chat_id > $2 ORDER BY o.chat_id LIMIT $3)
            ORDER BY m.chat_id, m.account_id
            """),
    ]

    func erase(_ account: Account.ID, _ transaction: Transaction) throws -> Bool {
        let pictures = OncePictureStore(transaction)
        guard try pictures.erase(inChatsOf: account, limit: Self.batch) == 0,
            try pictures.erase(sentBy: account, limit: Self.batch) == 0
        else { return false }
        let store = ChatStore(transaction)
        guard try store.deleteMessages(ofChatsOf: account, limit: Self.batch) == 0,
            try store.deleteChats(of: account, limit: Self.batch) == 0
        else { return false }
        return try eraseFromGroups(account, transaction)
    }

    /// Takes the account out of some groups, and then deletes some of its messages. Returns whether nothing is left.
    private func eraseFromGroups(_ account: Account.ID, _ transaction: Transaction) throws -> Bool {
        let store = GroupStore(transaction)
        let groups = try store.groups(of: account, limit: Self.groupsBatch)
        for group in groups { try chats.depart(account, from: group, transaction) }
        let changed = try store.deleteMessages(of: account, limit: Self.batch)
        for chat in changed.keys {
            try ChatStore(transaction).recountMessages(in: chat)
            try ChatStore(transaction).recount(chat)
        }
        try chats.events.erased(changed, transaction)
        return groups.isEmpty && changed.isEmpty
    }
}
