import HTML
import Storage

/// A thing of this server that a message links to, which the conversation shows as a card.
struct SharedThing: Equatable {
    let kind: SharedKind
    /// The thing's identifier. No two things share an id.
    let id: String
    /// Whether the message says nothing else.
    let isAlone: Bool

    /// Finds the first link to such a thing in a message; nil when there is none.
    ///
    /// - Parameter server: how people reach the server: `https://photos.example`.
    init?(in text: String, at server: String) {
        guard text.contains(server) else { return nil }
        for case .link(let url) in Caption.pieces(text) {
            guard let path = LocalPath(url: url, of: server)?.text,
                let kind = SharedKind.all.first(where: { path.hasPrefix($0.folder) }),
                let number = Int64(path.dropFirst(kind.folder.count)), number > 0
            else { continue }
            self.kind = kind
            id = String(number)
            isAlone = url == text.trimmed
            return
        }
        return nil
    }
}

extension FeatureList {
    /// Reads what some messages share, and returns the insides of the cards by the things' ids, as ``ChatComponents`` takes
    /// them.
    ///
    /// - Parameter server: how people reach the server.
    func cards(
        of messages: [Message], for viewer: Account, at server: String, _ transaction: Transaction
    ) throws -> [String: Drawing] {
        let things = messages.compactMap { SharedThing(in: $0.text, at: server) }
        var cards: [String: Drawing] = [:]
        for kind in all.compactMap(\.sharedCards) {
            let ids = things.filter { $0.kind == kind.kind }.map(\.id)
            guard !ids.isEmpty else { continue }
            cards.merge(try kind.read(ids, viewer, transaction)) { first, _ in first }
        }
        return cards
    }
}
