import Core
import Serving
import Storage

/// The pictures uploaded for a single use, inside a transaction.
package struct SingleUseMediaRecords {
    let transaction: Transaction

    package init(_ transaction: Transaction) { self.transaction = transaction }

    /// Returns the upload that `key` made before; nil if a new one may be made.
    func admit(_ viewer: Account, _ key: IdempotencyKey?) throws -> SingleUseMedia? {
        let store = SingleUseMediaStore(transaction)
        let known = try key?.made(
            by: viewer.id, gone: "This picture has been used already.", transaction
        ) { try store.media(ID(rawValue: $0)) }
        if let known { return known }
        guard try store.count(of: viewer.id) < SingleUseMedia.mostWaiting else {
            throw Refusal(
                .tooOften(retryAfter: 600),
                "Too many of your pictures haven’t been used yet. Try again later.")
        }
        return nil
    }

    /// Uses an upload, in the transaction of the feature that shows it from now on.
    ///
    /// The upload's rows are deleted here, its files and their rows in `blobs` stay: the caller names the keys in its
    /// own table, and deletes them by ``Transaction/eraseFile(_:)`` in the end.
    ///
    /// - Throws: ``Refusal`` (422) if the upload doesn't exist, was used, is too old, is someone else's, or
    ///   is for another purpose.
    package func use(
        _ id: SingleUseMedia.ID?, for purpose: SingleUseMedia.Purpose, by viewer: Account,
        field: String = "media_id"
    ) throws -> SingleUseMedia {
        guard let id, let media = try waiting(id, for: purpose, of: viewer),
            try SingleUseMediaStore(transaction).delete(id)
        else { throw Self.used(field) }
        return media
    }

    /// The error about a picture that doesn't wait for its use any more.
    package static func used(_ field: String) -> Refusal {
        Refusal.invalid(
            field, "ERR_INVALID", "This picture was already used or has expired. Choose it again.")
    }

    /// Returns one of the viewer's uploads if it waits for this use.
    package func waiting(
        _ id: SingleUseMedia.ID, for purpose: SingleUseMedia.Purpose, of viewer: Account
    ) throws -> SingleUseMedia? {
        guard let media = try SingleUseMediaStore(transaction).media(id), media.owner == viewer.id,
            media.purpose == purpose.name, media.expiresAt > transaction.now
        else { return nil }
        return media
    }

    /// Erases some unused uploads of an account that is being deleted. Returns how many.
    func eraseSome(of account: Account.ID, limit: Int) throws -> Int {
        let store = SingleUseMediaStore(transaction)
        let found = try store.all(of: account, limit: limit).compactMap { try store.media($0) }
        for media in found { try store.erase(media) }
        return found.count
    }
}
