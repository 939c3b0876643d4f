@testable import Making

extension ContractRules {
    /// The table of all states and moves, as the documentation shows it.
    static var markdown: String {
        let head =
            "| state | what happens | who | what it needs | what follows | then |\n|---|---|---|---|---|---|\n"
        return transitions.reduce(into: head) { text, line in
            let from = line.from.isEmpty ? "–" : line.from.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            let to =
                line.to.isEmpty ? "the same" : line.to.map { "`\($0.rawValue)`" }.joined(separator: " or ")
            text +=
                "| \(from) | `\(line.event.rawValue)` | \(line.actor.rawValue) | \(line.needs) | \(line.follows) | \(to) |\n"
        }
    }
}
