import Storage

/// A kind of page of this server that messages link to and conversations show as a card, such as a post. Its feature
/// hands it over (``Feature/sharedKinds``), and draws the cards (``Feature/sharedCards``).
struct SharedKind: Sendable, Equatable {
    /// What such a page's path begins with, up to the id: `/posts/`.
    let folder: String
    /// The custom element of a card, which fetches it again when the thing changes.
    let element: StaticString
    /// The member of a message's JSON object that has the id.
    let member: String
    /// What a list of conversations calls it: `post` in "You shared a post".
    let name: String

    /// The kinds of all features.
    static let all = TintypeApplication.features.flatMap { $0.sharedKinds }

    static func == (one: SharedKind, other: SharedKind) -> Bool { one.folder == other.folder }

    /// The text of a message that shares something, under what the sender writes about it.
    ///
    /// - Parameter server: how people reach the server.
    func text(_ words: String = "", sharing id: Int64, at server: String) -> String {
        words + (words.isEmpty ? "" : "\n") + server + folder + String(id)
    }
}

/// The cards of things of one kind that messages share, each as a certain viewer sees it: the feature of the kind gives
/// this to conversations, which know nothing else of the things.
struct SharedCards: Sendable {
    let kind: SharedKind
    /// Reads some things inside a transaction, and returns the inside of a card for each, whether the viewer may see the
    /// thing or not.
    let read:
        @Sendable (_ ids: [String], _ viewer: Account, _ transaction: Transaction) throws -> [String: Drawing]
}
