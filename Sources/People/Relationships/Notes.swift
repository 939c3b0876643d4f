import Core
import Serving
import Storage

/// The rules of notes: what a person writes about another, and nobody else sees.
package enum NoteRules {
    /// The most characters of a note, as in Mastodon.
    package static let length = 2_000
    /// The most people about whom one person can keep a note.
    static let most = 2_000
}

/// The SQL of notes about people.
struct NoteStore {
    let transaction: Transaction

    static let table = "account_notes"

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// Returns how many notes an account keeps.
    func count(by account: Account.ID) throws -> Int {
        try transaction.value("SELECT count(*) FROM account_notes WHERE account_id = $1", account) ?? 0
    }

    func has(_ noted: Account.ID, by account: Account.ID) throws -> Bool {
        try transaction.row(
            "SELECT 1 FROM account_notes WHERE account_id = $1 AND noted_id = $2", account, noted
        ) { _ in true } ?? false
    }

    func set(_ text: String, about noted: Account.ID, by account: Account.ID) throws {
        try transaction.execute(
            """
            INSERT INTO account_notes (account_id, noted_id, id, text) VALUES ($1, $2, $3, $4)
            ON CONFLICT (account_id, noted_id) DO UPDATE SET text = $4
            """, account, noted, transaction.newID(), text)
    }

    func delete(_ noted: Account.ID, by account: Account.ID) throws {
        try transaction.execute(
            "DELETE FROM account_notes WHERE account_id = $1 AND noted_id = $2", account, noted)
    }
}

extension RelationshipService {
    /// Writes a note about someone, which only the viewer sees, in place of an earlier one. An empty text removes it.
    ///
    /// - Throws: ``Refusal``: 404 for someone whom the viewer can't see, 422 for the viewer's own account, a text that is
    ///   too long, and beyond ``NoteRules/most`` people.
    package func setNote(
        _ text: String, about id: Account.ID, by viewer: Account
    ) async throws -> Relationship {
        try await database.write { transaction in
            _ = try AccountRecords(transaction).account(id, for: viewer)
            guard id != viewer.id else {
                throw Refusal.invalid("id", "ERR_INVALID", "Notes are about other people.")
            }
            let text = ShownText.cleaned(text, hasLines: true).trimmed
            let count = text.unicodeScalars.count
            guard count <= NoteRules.length else {
                throw Refusal.invalid(
                    "comment", "ERR_TOO_LONG",
                    "That is \(count.grouped) characters; the limit is \(NoteRules.length.grouped).")
            }
            let store = NoteStore(transaction)
            if text.isEmpty {
                try store.delete(id, by: viewer.id)
            } else {
                guard
                    try store.has(id, by: viewer.id) || store.count(by: viewer.id) < NoteRules.most
                else {
                    throw Refusal.invalid(
                        "comment", "ERR_TOO_MANY",
                        "You already keep notes about \(NoteRules.most.grouped) people, which is the limit.")
                }
                try store.set(text, about: id, by: viewer.id)
            }
            return try FollowStore(transaction).relationship(of: viewer.id, to: id)
        }
    }
}
