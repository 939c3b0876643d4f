import Foundation
import Hummingbird
import Serving
import Storage

/// A client's promise that two requests with the same key are the same request, so that a repeated request makes
/// nothing new (Documentation/Interface.md, "Idempotency").
package struct IdempotencyKey: Sendable {
    private let key: String

    /// How long a key is remembered.
    static let lifetime: TimeInterval = 24 * 3600

    /// Reads the header `Idempotency-Key`; returns nil when there is none.
    ///
    /// - Parameter scope: the kind of thing that the request makes, so that the key may be used again for another kind.
    /// - Throws: ``Refusal`` (422) for a key of more than 200 characters.
    package static func read(_ request: Request, scope: String) throws -> IdempotencyKey? {
        guard let key = request.headers[.idempotencyKey], !key.isEmpty else { return nil }
        guard key.utf8.count <= 200 else {
            throw Refusal.invalid(
                "Idempotency-Key", "ERR_TOO_LONG", "An Idempotency-Key has at most 200 characters.")
        }
        return IdempotencyKey(key: "\(scope) \(key)")
    }

    /// Returns the key that a form carries in a hidden field, so that sending the form twice posts once.
    package static func form(_ key: String, scope: String) -> IdempotencyKey {
        IdempotencyKey(key: "\(scope) \(String(key.unicodeScalars.prefix(200)))")
    }

    /// Returns the id of what this key made; nil when the key is new or older than a day.
    package func result(_ account: Account.ID, _ transaction: Transaction) throws -> Int64? {
        try transaction.value(
            """
            SELECT result_id FROM idempotency_keys
            WHERE account_id = $1 AND key = $2 AND created_at > $3
            """, account, key, transaction.now.addingTimeInterval(-Self.lifetime))
    }

    /// Returns what this key made, in its current state; nil when the key is new or older than a day.
    ///
    /// - Parameters:
    ///   - gone: the sentence for the person when the thing was deleted since.
    ///   - find: finds the thing by its id.
    /// - Throws: ``Refusal`` (410) when the thing was deleted since, or can't be seen any more. A key that made
    ///   something is never answered as if the thing had never existed (404).
    package func made<Thing>(
        by account: Account.ID, gone: String, _ transaction: Transaction, find: (Int64) throws -> Thing?
    ) throws -> Thing? {
        guard let id = try result(account, transaction) else { return nil }
        let thing: Thing?
        do {
            thing = try find(id)
        } catch let refusal as Refusal where refusal == .notFound {
            thing = nil
        }
        guard let thing else { throw Refusal(.gone, gone) }
        return thing
    }

    /// Forgets what this key made.
    package func forget(_ account: Account.ID, _ transaction: Transaction) throws {
        try transaction.execute(
            "DELETE FROM idempotency_keys WHERE account_id = $1 AND key = $2", account, key)
    }

    /// Remembers what this key made, and forgets a few keys that are older than a day.
    package func record(_ result: Int64, _ transaction: Transaction, _ account: Account.ID) throws {
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

extension Database {
    /// Returns what a request has made before, or makes it.
    ///
    /// A request may come a second time while the first one is being answered. By then, the first request may have used
    /// up what the second one needs: an upload, or a photo that was deleted after it. So before the second request is
    /// refused, this function looks once more for what the first one made.
    ///
    /// - Parameters:
    ///   - known: what the request's key made; nil when it has made nothing, or when there is no key.
    ///   - make: makes the thing, in several steps. The transaction of the last step looks for `known` itself.
    package func once<Thing: Sendable>(
        unless known: @escaping @Sendable (Transaction) throws -> Thing?, make: () async throws -> Thing
    ) async throws -> Thing {
        if let known = try await read(known) { return known }
        do {
            return try await make()
        } catch let refusal as Refusal {
            if let known = try await read(known) { return known }
            throw refusal
        }
    }
}
