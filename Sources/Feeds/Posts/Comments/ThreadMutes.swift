import Core
import People
import Storage

/// The SQL of muted threads. A thread is a post with the comments below it; its mute ends notifications about it.
extension PostStore {
    /// The most threads that one account mutes. Beyond them, the oldest mute is dropped.
    static let mostMutedThreads = 1_000

    func muteThread(_ root: Post.ID, of account: Account.ID) throws {
        try transaction.execute(
            """
            INSERT INTO muted_threads (account_id, root_id, id) VALUES ($1, $2, $3)
            ON CONFLICT (account_id, root_id) DO NOTHING
            """, account, root, transaction.newID())
        // muted_threads_by_account
        try transaction.execute(
            """
            DELETE FROM muted_threads WHERE account_id = $1 AND id <= (SELECT t.id FROM muted_threads t
                WHERE t.account_id = $1 ORDER BY t.id DESC LIMIT 1 OFFSET \(Self.mostMutedThreads))
            """, account)
    }

    func unmuteThread(_ root: Post.ID, of account: Account.ID) throws {
        try transaction.execute(
            "DELETE FROM muted_threads WHERE account_id = $1 AND root_id = $2", account, root)
    }

    /// Returns the accounts among `accounts` that mute the thread of a post.
    func mutingThread(of post: Post, among accounts: Set<Account.ID>) throws -> Set<Account.ID> {
        guard !accounts.isEmpty else { return [] }
        // muted_threads_by_root. Few mute any one thread.
        let all = try transaction.values(
            "SELECT account_id FROM muted_threads WHERE root_id = $1", post.root ?? post.id,
            as: Account.ID.self)
        return accounts.intersection(all)
    }
}

// Muting threads: no more notifications about a post and the comments below it.
extension PostService {
    /// Mutes the thread of a post or comment for the viewer, or unmutes it. Doing either twice has no further effect.
    ///
    /// - Throws: ``Refusal`` (404) for a post that the viewer can't see.
    func setThreadMuted(_ isMuted: Bool, _ id: Post.ID, by viewer: Account) async throws -> Post {
        try await database.write { [notifications] transaction in
            let post = try PostRecords(transaction).visible(id, for: viewer)
            let store = PostStore(transaction)
            let root = post.root ?? post.id
            if isMuted {
                try store.muteThread(root, of: viewer.id)
            } else {
                try store.unmuteThread(root, of: viewer.id)
            }
            try notifications.changed(for: [viewer.id], transaction)
            return try PostRecords(transaction).post(id, for: viewer)
        }
    }

    /// Notifies someone of a post or comment, unless they mute its thread or their filters hide it.
    func note(
        _ kind: Notification.Kind, to account: Account.ID, from actor: Account.ID, about post: Post,
        group: Post.ID? = nil, _ transaction: Transaction
    ) throws {
        guard try PostStore(transaction).mutingThread(of: post, among: [account]).isEmpty,
            try !FilterRecords(transaction).hidesNotifications(about: post, from: account)
        else { return }
        try notifications.note(
            kind, to: account, from: actor, about: post.id.rawValue, group: group?.rawValue, transaction)
    }
}
