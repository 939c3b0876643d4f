import Core
import Foundation
import People

/// A chat of two, as one of them sees it.
package struct Chat: Sendable {
    package typealias ID = Core.ID<Chat>

    package let id: ID
    /// The other.
    package var peer: Account
    /// It waits for the one who looks to take it: the other may not write to them without asking.
    var isRequest: Bool
    /// How many messages the two have exchanged, deleted ones not counted.
    var messagesCount: Int
    /// Messages of the other that the one who looks has not read.
    var unreadCount: Int
    /// The newest message that the one who looks sees.
    var lastMessage: Message?
    /// How far the one who looks has read.
    var readThrough: Message.ID
    /// How far the other has come; nothing as long as they have not taken the chat.
    var peerMarks: Marks

    /// How far messages have come with their receiver.
    struct Marks: Sendable, Equatable {
        /// All up to this one are on a device.
        var deliveredThrough: Message.ID
        /// All up to this one were read.
        var readThrough: Message.ID
        /// When the last of them was read.
        var readAt: Date?

        static let none = Marks(deliveredThrough: .init(rawValue: 0), readThrough: .init(rawValue: 0))
    }
}

/// Something that one says to the other.
package struct Message: Sendable {
    package typealias ID = Core.ID<Message>

    package let id: ID
    let chat: Chat.ID
    /// Counts the messages of its chat, without gaps but for deleted ones.
    let number: Int
    let sender: Account.ID
    /// At most 5,000 characters; may be empty beside a picture.
    var text: String
    /// A photo of the sender's library.
    var photo: Photo?
    /// A picture to be seen once.
    var once: Once?
    /// What its sender named it, so that sending it again makes nothing.
    var key: String?
    /// The message that it answers.
    var reply: Reply?
    /// The emoji with which the two have answered it, its sender's first.
    var reactions: [Reaction] = []

    /// A picture that its receiver may see once.
    enum Once: Sendable, Equatable {
        case unopened
        case opened
        /// Its day was over before anyone opened it.
        case expired
    }

    /// What a list of chats says about it.
    ///
    /// - Parameter things: finds what the message shares.
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

    /// Whether it is a few emoji and nothing else, which are shown large.
    var isEmojiOnly: Bool { MessageRules.isEmojiOnly(text) && photo == nil && once == nil }
}

/// The rules for what can be said.
enum MessageRules {
    static let textLength = 5_000
    /// How much a person may write to somebody who has not taken their request.
    static let requestLength = 20
    /// How many emoji are still shown large.
    static let largeEmoji = 3

    /// Whether a text is one to three emoji (Unicode UTS #51: presented as emoji by default, or by U+FE0F).
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
    /// How many messages the two have exchanged.
    var messagesCount: Int
}
