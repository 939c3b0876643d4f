import Hummingbird
import Storage

/// What is new for a person, counted feature by feature, as the frame's badges show it.
struct Badges: Sendable {
    let badges: [Badge]
    let database: Database

    /// The data of an event `tintype.counts`: every badge with its number.
    func json(for account: Account) async throws -> [UInt8] {
        let counts = try await database.read { transaction in
            try badges.map { (name: $0.name, value: try $0.count(account, transaction)) }
        }
        var json = JSONWriter()
        json.object { json in
            for (name, value) in counts {
                json.key(computed: name)
                json.value(value)
            }
        }
        return json.bytes
    }
}

/// A number on the app's frame that says how much is new.
struct Badge: Sendable {
    /// What it is called in `data-badge`.
    let name: String
    /// Counts what is new for a person, inside a transaction.
    let count: @Sendable (Account, Transaction) throws -> Int
}
