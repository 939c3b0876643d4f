import Hummingbird

/// What is new for a person, counted feature by feature, as the frame's badges show it.
struct Badges: Sendable {
    /// What a badge counts.
    typealias Counter = @Sendable (Account) async throws -> Int

    /// Each badge's name in `data-badge`, with what counts it.
    let counters: [(name: String, count: Counter)]

    /// The data of an event `tintype.counts`: every badge with its number.
    func json(for account: Account) async throws -> [UInt8] {
        var counts: [(name: String, value: Int)] = []
        for (name, count) in counters { counts.append((name, try await count(account))) }
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
