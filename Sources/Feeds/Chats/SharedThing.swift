import Core
import Serving
import Storage

/// A thing of this server that a message links to, which the chat shows as a card.
package struct SharedThing: Equatable {
    package let kind: SharedKind
    /// The thing's identifier. No two things share an id.
    package let id: String
    /// Whether the message says nothing else.
    package let isAlone: Bool
}

/// Finds what messages share, among the kinds of all features, and reads its cards.
package struct SharedThings: Sendable {
    /// How people reach the server: `https://photos.example`.
    package let server: String
    package let cards: Registry<SharedCards>

    /// The kinds of all features.
    package var kinds: [SharedKind] { cards.all.map(\.kind) }

    /// Finds the first link to such a thing in a message; nil when there is none.
    package func first(in text: String) -> SharedThing? {
        guard text.contains(server) else { return nil }
        for case .link(let url) in Caption.pieces(text) {
            guard let path = LocalPath(url: url, of: server)?.text,
                let kind = kinds.first(where: { path.hasPrefix($0.folder) }),
                let number = Int64(path.dropFirst(kind.folder.count)), number > 0
            else { continue }
            return SharedThing(kind: kind, id: String(number), isAlone: url == text.trimmed)
        }
        return nil
    }

    /// Reads what some messages share, and returns the insides of the cards by the things' ids, as ``ChatComponents`` takes
    /// them.
    package func cards(
        of messages: [Message], for viewer: Account, _ transaction: Transaction
    ) throws -> [String: Drawing] {
        let things = messages.compactMap { first(in: $0.text) }
        var drawings: [String: Drawing] = [:]
        for cards in cards.all {
            let ids = things.filter { $0.kind == cards.kind }.map(\.id)
            guard !ids.isEmpty else { continue }
            drawings.merge(try cards.read(ids, viewer, transaction)) { first, _ in first }
        }
        return drawings
    }
}
