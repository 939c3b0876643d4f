import Core
import Storage

/// A kind of page of this server that messages link to and chats show as a card, such as a post. Its feature
/// hands over the cards (``SharedThings/cards``).
package struct SharedKind: Sendable, Equatable {
    /// What such a page's path begins with, up to the id: `/posts/`.
    package let folder: String
    /// The custom element of a card, which fetches it again when the thing changes.
    package let element: StaticString
    /// The member of a message's JSON object that has the id.
    package let member: String
    /// What a list of chats calls it: `post` in "You shared a post".
    package let name: String

    package init(folder: String, element: StaticString, member: String, name: String) {
        self.folder = folder
        self.element = element
        self.member = member
        self.name = name
    }

    package static func == (one: SharedKind, other: SharedKind) -> Bool { one.folder == other.folder }

    /// The text of a message that shares something, under what the sender writes about it.
    ///
    /// - Parameter server: how people reach the server.
    package func text(_ words: String = "", sharing id: Int64, at server: String) -> String {
        words + (words.isEmpty ? "" : "\n") + server + folder + String(id)
    }
}

/// The cards of things of one kind that messages share, each as a certain viewer sees it: the feature of the kind gives
/// this to chats, which know nothing else of the things.
package struct SharedCards: Sendable {
    package let kind: SharedKind
    /// Reads some things inside a transaction, and returns the inside of a card for each, whether the viewer may see the
    /// thing or not.
    package typealias Read =
        @Sendable (_ ids: [String], _ viewer: Account, _ transaction: Transaction) throws -> [String: Drawing]
    package let read: Read

    package init(kind: SharedKind, read: @escaping Read) {
        self.kind = kind
        self.read = read
    }
}
