import Core
import Foundation
import People

/// A chat between two people, as one of them sees it.
package struct Chat: Sendable {
    package typealias ID = Core.ID<Chat>

    package let id: ID
    /// The other person of the chat.
    package var peer: Account
    /// Whether the chat is a request that the viewer hasn't accepted yet.
    var isRequest: Bool
    /// The number of messages in the chat, without deleted ones.
    var messagesCount: Int
    /// The number of messages of the other person that the viewer hasn't read.
    var unreadCount: Int
    /// The newest message that the viewer sees.
    var lastMessage: Message?
    /// The last message that the viewer has read.
    var readThrough: Message.ID
    /// The messages that the other person has received and read; empty as long as they haven't accepted the chat.
    var peerMarks: Marks
    /// The way in which the viewer mutes the chat; nil when they don't.
    var mute: ChatMute?

    /// The last messages that their receiver has received and read.
    struct Marks: Sendable, Equatable {
        /// The last message that has arrived on a device, with all before it.
        var deliveredThrough: Message.ID
        /// The last message that was read, with all before it.
        var readThrough: Message.ID
        /// When the last read message was read.
        var readAt: Date?

        static let none = Marks(deliveredThrough: .init(rawValue: 0), readThrough: .init(rawValue: 0))
    }
}

/// A message that one person sends to the other.
package struct Message: Sendable {
    package typealias ID = Core.ID<Message>

    package let id: ID
    let chat: Chat.ID
    /// The number of the message in its chat, counted from 1 and including deleted messages.
    let number: Int
    let sender: Account.ID
    /// The text, at most 5,000 characters. It may be empty beside a picture.
    var text: String
    /// A photo of the sender's library.
    var photo: Photo?
    /// A picture that can be seen once.
    var once: Once?
    /// The key that the sender gave the message, so that sending it again makes no second message.
    var key: String?
    /// The message that this message answers.
    var reply: Reply?
    /// The emoji with which the two people have reacted, the sender's first.
    var reactions: [Reaction] = []

    /// The state of a picture that its receiver can see once.
    enum Once: Sendable, Equatable {
        case unopened
        case opened
        /// Nobody opened the picture within its lifetime.
        case expired
    }

    /// Returns the words that a list of chats shows for the message.
    ///
    /// - Parameter things: the things that messages share.
    func summary(for viewer: Account.ID, _ things: SharedThings) -> String {
        let isOwn = sender == viewer
        switch once {
        case .unopened: return isOwn ? "You: view-once photo" : "View-once photo"
        case .opened: return isOwn ? "Opened your view-once photo" : "Opened a view-once photo"
        case .expired: return isOwn ? "Your view-once photo expired" : "A view-once photo expired"
        case nil:
            if let shared = things.first(in: text), shared.isAlone {
                return isOwn ? "You shared a \(shared.kind.name)" : "Shared a \(shared.kind.name)"
            }
            let words = text.isEmpty ? "Photo" : text.replacingOccurrences(of: "\n", with: " ")
            return isOwn ? "You: \(words)" : words
        }
    }

    /// Whether the message is a few emoji and nothing else. Such emoji are shown large.
    var isEmojiOnly: Bool { MessageRules.isEmojiOnly(text) && photo == nil && once == nil }
}

/// The rules for messages.
enum MessageRules {
    static let textLength = 5_000
    /// The most messages that a person can send to someone who hasn't accepted their request.
    static let requestLength = 20
    /// The most emoji that are shown large.
    static let largeEmoji = 3

    /// Returns whether a text is one to three emoji (Unicode UTS #51: presented as emoji by default, or by U+FE0F).
    static func isEmojiOnly(_ text: String) -> Bool {
        !text.isEmpty && text.count <= largeEmoji && text.allSatisfy(isEmoji)
    }

    private static func isEmoji(_ character: Character) -> Bool {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return false }
        return first.properties.isEmojiPresentation
            || (first.properties.isEmoji && scalars.contains { $0.value == 0xFE0F || $0.value == 0x20E3 })
    }
}

/// A photo of the private feed.
struct Exchange: Sendable {
    var message: Message
    var photo: Photo
    var sender: Account
    var recipient: Account
    /// The number of messages that the two people have exchanged.
    var messagesCount: Int
}
