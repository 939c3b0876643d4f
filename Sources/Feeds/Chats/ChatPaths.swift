/// The addresses of chats.
package enum ChatPaths {
    /// The page to choose a person for a new message.
    static let new = "/messages/new"
    /// The chats of people whom the viewer doesn't follow.
    static let requests = "/messages/requests"

    /// Returns the address of a chat.
    package static func page(_ id: Chat.ID) -> String { "/messages/\(id)" }

    /// Returns the address that opens the chat with a person.
    package static func with(_ username: String) -> String { "/messages/@\(username)" }
}
