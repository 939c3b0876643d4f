import Core
import Crypto
import Feeds
import Foundation
import People
import Storage

/// The SQL of what people have brought along.
struct ImportStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// Returns the photo that a file has become. The inner value is nil when the photo was deleted since.
    func photo(_ key: ImportKey) throws -> Photo.ID?? {
        try transaction.row(
            "SELECT photo_id FROM imported_items WHERE account_id = $1 AND source = $2 AND key = $3",
            key.account, key.service.rawValue, key.name
        ) { try $0.optionalInt64("photo_id").map { Photo.ID(rawValue: $0) } }
    }

    /// Returns whether something was brought along before, even if it was deleted since.
    func has(_ key: ImportKey) throws -> Bool { try photo(key) != nil }

    /// Inserts what something has become.
    func insert(_ key: ImportKey, photo: Photo.ID? = nil, post: Post.ID? = nil) throws {
        try transaction.execute(
            """
            INSERT INTO imported_items (account_id, source, key, id, photo_id, post_id)
            VALUES ($1, $2, $3, $4, $5, $6)
            """, key.account, key.service.rawValue, key.name, transaction.newID(), photo, post)
    }
}

/// The name of a file or post of somebody's archives, the same in all archives of a service.
struct ImportKey: Sendable {
    let account: Account.ID
    let service: ForeignService
    let name: String

    /// Returns the key of a file, by its contents: its name may be another in the next archive.
    static func file(_ sha256: [UInt8], of account: Account.ID, from service: ForeignService) -> ImportKey {
        ImportKey(account: account, service: service, name: "file:\(sha256.hex)")
    }

    /// Returns the key of a post. Of a name that is too long for an index, it is the SHA-256 hash.
    static func post(_ name: String, of account: Account.ID, from service: ForeignService) -> ImportKey {
        let name = ShownText.cleaned(name)
        let key = name.utf8.count <= 500 ? name : SHA256.hash(data: Data(name.utf8)).hex
        return ImportKey(account: account, service: service, name: "post:\(key)")
    }
}
