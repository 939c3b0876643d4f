/// The addresses of chats.
package enum ChatPaths {
    /// The page to choose the people of a new group.
    static let newGroup = "/messages/new/group"
    /// The page to choose a person for a new message.
    static let new = "/messages/new"
    /// The chats of people whom the viewer doesn't follow.
    static let requests = "/messages/requests"

    /// Returns the address of a chat.
    package static func page(_ id: Chat.ID) -> String { "/messages/\(id)" }

    /// Returns the address of the page of messages that are found by their words: of one chat, or of all without one.
    static func search(in id: Chat.ID?) -> String { id.map { "\(page($0))/search" } ?? "/messages/search" }

    /// Returns the address that opens a chat at one of its messages, which is marked for a moment.
    static func message(_ message: Message.ID, in chat: Chat.ID) -> String {
        self.message("\(message)", in: chat)
    }

    /// Returns the address of a message for the template of a script.
    static func message(_ message: String, in chat: Chat.ID) -> String {
        "\(page(chat))?message=\(message)#\(MessageItem.marked)"
    }

    /// Returns the address of a group's name and members.
    static func group(_ id: Chat.ID) -> String { "/messages/\(id)/group" }

    /// Returns the address of the page on which members add friends to a group.
    static func add(to id: Chat.ID) -> String { "/messages/\(id)/group/add" }

    /// Returns the address that opens the chat with a person.
    package static func with(_ username: String) -> String { "/messages/@\(username)" }

    /// Returns the address that opens the chat with a person to answer their snap.
    package static func answer(_ snap: Snap.ID, of username: String) -> String {
        "\(with(username))?snap=\(snap)"
    }

    /// Returns the address that opens a chat to answer a snap of the other person.
    static func answer(_ snap: Snap.ID, in chat: Chat.ID) -> String { "\(page(chat))?snap=\(snap)" }

    /// Returns the address that opens a chat to answer a message.
    static func reply(to message: Message.ID, in chat: Chat.ID) -> String {
        "\(page(chat))?reply_to=\(message)"
    }
}
