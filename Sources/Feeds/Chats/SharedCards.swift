import Core
import Storage

/// A kind of page of this server that messages link to and chats show as a card, such as a post. The feature of the
/// kind registers the cards (``SharedThings/cards``).
package struct SharedKind: Sendable, Equatable {
    /// The beginning of the page's path, up to the id: `/posts/`.
    package let folder: String
    /// The custom element of a card, which loads the card again when the thing changes.
    package let element: StaticString
    /// The member of a message's JSON object that has the id.
    package let member: String
    /// The noun in a list of chats: `post` in "You shared a post".
    package let name: String

    package init(folder: String, element: StaticString, member: String, name: String) {
        self.folder = folder
        self.element = element
        self.member = member
        self.name = name
    }

    package static func == (one: SharedKind, other: SharedKind) -> Bool { one.folder == other.folder }

    /// Returns the text of a message that shares something, below the words of the sender.
    ///
    /// - Parameter server: how people reach the server.
    package func text(_ words: String = "", sharing id: Int64, at server: String) -> String {
        words + (words.isEmpty ? "" : "\n") + server + folder + String(id)
    }
}

/// The cards of one kind of thing, each as a certain viewer sees it. The feature of the kind registers them with chats,
/// which know nothing else about the things.
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
