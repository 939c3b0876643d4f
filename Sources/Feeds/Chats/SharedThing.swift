import Core
import Serving
import Storage

/// A thing of this server that a message links to, which the chat shows as a card.
package struct SharedThing: Equatable {
    package let kind: SharedKind
    /// The thing's identifier, unique among all things.
    package let id: String
    /// Whether the message consists of the link alone.
    package let isAlone: Bool
}

/// The things that messages share, of the kinds of all features, and their cards.
package struct SharedThings: Sendable {
    /// The server's public address: `https://photos.example`.
    package let server: String
    package let cards: Registry<SharedCards>

    /// The kinds of all features.
    package var kinds: [SharedKind] { cards.all.map(\.kind) }

    /// Finds the first link to a shared thing in a message; nil when there is none.
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

    /// Reads the things that some messages share, and returns the insides of the cards by the things' ids.
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
