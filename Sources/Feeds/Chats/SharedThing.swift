import Core
import HTML
import Serving

/// A thing of this server that a message links to, which the conversation shows as a card.
package struct SharedThing: Equatable {
    package let kind: SharedKind
    /// The thing's identifier. No two things share an id.
    package let id: String
    /// Whether the message says nothing else.
    package let isAlone: Bool

    /// The card.
    ///
    /// - Parameter content: the thing as the viewer sees it; nil for a card that a script fills.
    package func card(_ content: Node?) -> Node {
        element(kind.element, .class("bubble shared"), .attribute("data-id", id)) { content ?? .empty }
    }
}

/// Finds what messages share, among the kinds of all features, and draws its cards.
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

    /// Draws what some messages share, by the things' ids, as ``ChatComponents`` takes it.
    package func cards(of messages: [Message], for viewer: Account) async throws -> [String: Node] {
        let things = messages.compactMap { first(in: $0.text) }
        var drawn: [String: Node] = [:]
        for cards in cards.all {
            let ids = things.filter { $0.kind == cards.kind }.map(\.id)
            guard !ids.isEmpty else { continue }
            for (id, card) in try await cards.draw(ids, viewer) { drawn[id] = .fragment(card) }
        }
        return drawn
    }
}
