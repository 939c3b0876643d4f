import Hummingbird

/// What is new for a person, counted feature by feature, as the frame's badges show it.
struct Badges: Sendable {
    let badges: [Badge]

    /// The data of an event `tintype.counts`: every badge with its number.
    func json(for account: Account) async throws -> [UInt8] {
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
struct Badge: Sendable {
    /// What it is called in `data-badge`.
    let name: String
    /// Counts what is new for a person.
    let count: @Sendable (Account) async throws -> Int
}
