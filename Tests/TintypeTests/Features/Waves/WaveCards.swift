import Core
import Feeds
import HTML
import Serving
import Storage

extension SharedKind {
    static let wave = SharedKind(folder: "/waves/", element: "wave-card", member: "wave_id", name: "wave")
}

/// Waves as cards in chats.
struct WaveCards: Sendable {
    /// Reads some waves inside a transaction, and returns the inside of a card for each, whether the viewer may see the
    /// wave or not.
    func read(
        _ ids: [String], for viewer: Account, _ transaction: Transaction
    ) throws -> [String: Drawing] {
        var drawings: [String: Drawing] = [:]
        for id in Set(ids.compactMap { Wave.ID($0) }) {
            do {
                let wave = try WaveRecords(transaction).wave(id, for: viewer)
                drawings[id.description] = { card(wave) }
            } catch let refusal as Refusal where refusal == .notFound {
                drawings[id.description] = { p { "This wave is no longer available." } }
            }
        }
        return drawings
    }

    func card(_ wave: Wave) -> Node { p { "\(wave.sender.displayName) waved." } }
}
