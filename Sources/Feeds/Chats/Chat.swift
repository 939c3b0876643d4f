import Core
import Foundation
import People
import Serving

/// A chat of two people or of a group, as one of them sees it.
package struct Chat: Sendable {
    package typealias ID = Core.ID<Chat>

    package let id: ID
    /// The person who sees it.
    let viewer: Account.ID
    /// Those who take part.
    let company: Company
    /// Whether the chat is a request or an invitation that the viewer hasn't accepted yet.
    package var isRequest: Bool
    /// The number of messages in the chat, without deleted ones.
    var messagesCount: Int
    /// The number of messages of others that the viewer hasn't read.
    var unreadCount: Int
    /// The newest message that the viewer sees.
    var lastMessage: Message?
    /// The last message that the viewer has read.
    var readThrough: Message.ID
    /// The messages that the other person of two has received and read; empty as long as they haven't accepted the chat,
    /// and in a group, whose members have their own.
    var peerMarks: Marks
    /// The way in which the viewer mutes the chat; nil when they don't.
    var mute: ChatMute?

    /// Those who take part in a chat.
    enum Company: Sendable {
        /// The viewer and one other person.
        case two(Account)
        case group(Group)
    }

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

    /// The other person of two; nil in a group.
    package var peer: Account? {
        if case .two(let peer) = company { peer } else { nil }
    }

    /// The group; nil for a chat of two.
    var group: Group? {
        if case .group(let group) = company { group } else { nil }
    }

    /// The name of the other person, of the group, or of the people in a group without a name.
    package var title: String {
        switch company {
        case .two(let peer): peer.displayName
        case .group(let group): group.title.isEmpty ? group.names(besides: viewer) : group.title
        }
    }
}

/// A message that one person sends to the others of a chat, or what happened in a group.
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
    /// A picture that each receiver can see once; nil for none.
    var once: Once?
    /// The key that the sender gave the message, so that sending it again makes no second message.
    var key: String?
    /// The message that this message answers.
    var reply: Reply?
    /// The emoji with which people have reacted, the sender's first.
    var reactions: [Reaction] = []
    /// What happened in a group, in place of something that was written.
    var event: Event?
    /// The people whom a message of a group names; empty in a chat of two.
    var faces: [Account.ID: Face] = [:]

    /// A picture that each receiver can see once.
    struct Once: Sendable, Equatable {
        /// Those who have opened it.
        var lookers: [Account.ID] = []
        /// Whether nobody can open it any more: all have, or its time is over.
        var isOver = false

        /// The state of the picture for one person.
        enum State: Sendable, Equatable {
            case unopened
            case opened
            /// Nobody opened the picture within its lifetime.
            case expired
        }
    }

    /// A person whom a message of a group names, as the viewer sees them.
    struct Face: Sendable {
        let account: Account
        let isBlocked: Bool
    }

    /// Returns the state of the picture for a viewer. For its sender it is opened when anyone has opened it.
    func once(for viewer: Account.ID) -> Once.State? {
        guard let once else { return nil }
        let isOpened = sender == viewer ? !once.lookers.isEmpty : once.lookers.contains(viewer)
        return isOpened ? .opened : once.isOver ? .expired : .unopened
    }

    /// Whether the viewer blocks the sender, so that a group shows the message only on demand.
    var isFolded: Bool { faces[sender]?.isBlocked == true }

    /// Whether the sender in a group is suspended, so that nothing of what they sent is shown.
    var isOfSuspended: Bool { faces[sender]?.account.isSuspended == true }

    /// Returns the words that a list of chats shows for the message.
    ///
    /// - Parameter things: the things that messages share.
    func summary(for viewer: Account.ID, _ things: SharedThings) -> String {
        if let event { return event.words(of: self, for: viewer) }
        if isFolded { return "Blocked person" }
        if isOfSuspended { return "Suspended person" }
        let words = words(for: viewer, things)
        guard sender != viewer, let face = faces[sender] else { return words }
        return "\(face.account.displayName): \(words)"
    }

    /// Returns the words about what was sent, without the name of another sender.
    func words(for viewer: Account.ID, _ things: SharedThings) -> String {
        let isOwn = sender == viewer
        switch once(for: viewer) {
        case .unopened: return isOwn ? "You: view-once photo" : "View-once photo"
        case .opened: return isOwn ? "Opened your view-once photo" : "Opened a view-once photo"
        case .expired: return isOwn ? "Your view-once photo expired" : "A view-once photo expired"
        case nil:
            if let shared = things.first(in: text), shared.isAlone {
                return isOwn ? "You shared a \(shared.kind.name)" : "Shared a \(shared.kind.name)"
            }
            let words = text.isEmpty ? "Photo" : text.replacingOccurrences(of: "\n", with: " ")
            if isOwn { return "You: \(words)" }
            guard reply?.snap != nil else { return words }
            return isEmojiOnly ? "Reacted \(words) to your snap" : "Replied to your snap: \(words)"
        }
    }

    /// Whether the message is a few emoji and nothing else. Such emoji are shown large.
    var isEmojiOnly: Bool {
        MessageRules.isEmojiOnly(text) && photo == nil && once == nil && event == nil
    }
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
