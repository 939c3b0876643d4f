import Hummingbird
import Serving
import Storage

/// The counts of what is new for a person, one for each feature, as the frame's badges show them.
package struct Badges: Sendable {
    package let badges: [Badge]
    let database: Database

    package init(badges: [Badge], database: Database) {
        self.badges = badges
        self.database = database
    }

    /// Returns the data of the event `tintype.counts`: every badge with its number.
    package func json(for account: Account) async throws -> [UInt8] {
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
package struct Badge: Sendable {
    /// The badge's name in `data-badge`.
    package let name: String
    /// Counts what is new for a person, in a transaction.
    package let count: @Sendable (Account, Transaction) throws -> Int

    package init(name: String, count: @escaping @Sendable (Account, Transaction) throws -> Int) {
        self.name = name
        self.count = count
    }
}
