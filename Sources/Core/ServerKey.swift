import Crypto
import Foundation
import Serving
import Storage

/// Keys that the server creates at its first start and keeps in the database.
enum ServerKey {
    static func load(_ name: String, from database: Database) async throws -> SymmetricKey {
        let fresh = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }.base64EncodedString()
        let text = try await database.write { transaction in
            if let known = try transaction.serverValue(name) { return known }
            try transaction.setServerValue(name, fresh)
            return fresh
        }
        guard let data = Data(base64Encoded: text) else {
            throw Refusal.malformed("The key \(name) is broken.")
        }
        return SymmetricKey(data: data)
    }
}
