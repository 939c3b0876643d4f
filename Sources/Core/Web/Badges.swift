import Hummingbird
import Serving

/// What is new for a person, counted feature by feature, as the frame's badges show it.
package struct Badges: Sendable {
    package let badges: [Badge]

    package init(badges: [Badge]) {
        self.badges = badges
    }

    /// The data of an event `tintype.counts`: every badge with its number.
    package func json(for account: Account) async throws -> [UInt8] {
        var counts: [(name: String, value: Int)] = []
        for badge in badges { counts.append((badge.name, try await badge.count(account))) }
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
    /// What it is called in `data-badge`.
    package let name: String
    /// Counts what is new for a person.
    package let count: @Sendable (Account) async throws -> Int

    package init(name: String, count: @escaping @Sendable (Account) async throws -> Int) {
        self.name = name
        self.count = count
    }
}
