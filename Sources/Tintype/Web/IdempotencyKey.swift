import Foundation
import Hummingbird
import Storage

/// A client's promise that two requests with the same key mean the same thing, so that a repeated one makes
/// nothing new (Documentation/Interface.md, "Idempotency").
struct IdempotencyKey: Sendable {
    private let key: String

    /// How long a key is remembered.
    static let lifetime: TimeInterval = 24 * 3600

    /// Reads the header `Idempotency-Key`; nil when there is none.
    ///
    /// - Parameter scope: what the request makes, so that a key may be used again for something else.
    /// - Throws: ``Refusal`` (422) for a key of more than 200 characters.
    static func read(_ request: Request, scope: String) throws -> IdempotencyKey? {
        guard let key = request.headers[.idempotencyKey], !key.isEmpty else { return nil }
        guard key.utf8.count <= 200 else {
            throw Refusal.invalid(
                "Idempotency-Key", "ERR_TOO_LONG", "An Idempotency-Key has at most 200 characters.")
        }
        return IdempotencyKey(key: "\(scope) \(key)")
    }

    /// The key that a form carries in a hidden field, so that sending it twice posts once.
    static func form(_ key: String, scope: String) -> IdempotencyKey {
        IdempotencyKey(key: "\(scope) \(String(key.unicodeScalars.prefix(200)))")
    }

    /// The id of what this key made, nil when it is new or older than a day.
    func result(_ account: Account.ID, _ transaction: Transaction) throws -> Int64? {
        try transaction.value(
            """
            SELECT result_id FROM idempotency_keys
            WHERE account_id = $1 AND key = $2 AND created_at > $3
            """, account, key, transaction.now.addingTimeInterval(-Self.lifetime))
    }

    /// Forgets what this key made.
    func forget(_ account: Account.ID, _ transaction: Transaction) throws {
        try transaction.execute(
            "DELETE FROM idempotency_keys WHERE account_id = $1 AND key = $2", account, key)
    }

    /// Remembers what this key made, and forgets a few keys that are older than a day.
    func record(_ result: Int64, _ transaction: Transaction, _ account: Account.ID) throws {
        try transaction.execute(
            """
            INSERT INTO idempotency_keys (account_id, key, result_id, created_at) VALUES ($1, $2, $3, $4)
            ON CONFLICT (account_id, key) DO UPDATE SET result_id = $3, created_at = $4
            """, account, key, result, transaction.now)
        try transaction.execute(
            """
            DELETE FROM idempotency_keys WHERE (account_id, key) IN (SELECT account_id, key
                FROM idempotency_keys WHERE created_at <= $1 ORDER BY created_at LIMIT 4)
            """, transaction.now.addingTimeInterval(-Self.lifetime))
    }
}
