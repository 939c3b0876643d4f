import Core
import People
import Serving

extension Message {
    /// What a message answers.
    enum Reply: Sendable {
        /// A message that is still there.
        case quoting(Quote)
        /// A message that was deleted, or that the viewer has removed from their own list.
        case deleted(Message.ID)
        /// A snap of the other person in a chat of two. Its picture is never quoted.
        case snap(Snap.ID)

        /// The id of the answered message; nil when a snap is answered.
        var message: Message.ID? {
            switch self {
            case .quoting(let quote): quote.id
            case .deleted(let id): id
            case .snap: nil
            }
        }

        /// The id of the answered snap; nil when a message is answered.
        var snap: Snap.ID? {
            if case .snap(let id) = self { id } else { nil }
        }
    }

    /// The parts of an answered message that a reply shows.
    struct Quote: Sendable {
        let id: Message.ID
        let sender: Account.ID
        /// The beginning of the text, see ``MessageRules/excerpt(of:)``.
        var text: String
        /// The photo of the quoted message. A view-once picture has none.
        var photo: Photo.ID?
        /// Whether the quoted message is a picture that may be seen once.
        var isOnce: Bool

        /// The quoted words, or a label for a message without words.
        var words: String {
            if isOnce { return "View-once photo" }
            return text.isEmpty ? "Photo" : text
        }
    }

    /// Returns the message for a viewer who has removed everything up to `cleared` from their own list: a reply to such
    /// a message quotes nothing.
    func seen(after cleared: Message.ID) -> Message {
        guard case .quoting(let quote) = reply, quote.id <= cleared else { return self }
        return withoutQuote
    }

    /// Whether the message quotes the one that it answers.
    var isQuoting: Bool { if case .quoting = reply { true } else { false } }

    /// Whether the message shows a photo, or quotes one.
    var hasPictures: Bool {
        if case .quoting(let quote) = reply, quote.photo != nil { true } else { photo != nil }
    }

    /// Whether the message says something else to each member of its group: what happened names the reader "you", and each
    /// opens a view-once picture themselves.
    var isPersonal: Bool { event != nil || once != nil }

    /// Its sender, and the author of the message that it answers.
    var authors: Set<Account.ID> {
        if case .quoting(let quote) = reply { [sender, quote.sender] } else { [sender] }
    }

    /// The people whom the message names: its sender, whom it concerns, whom it answers and who reacted to it.
    var named: Set<Account.ID> {
        let others = reactions.map(\.account) + (once?.lookers ?? []) + [event?.subject].compactMap { $0 }
        return authors.union(others)
    }

    /// The message of a group as its viewer sees it, without the words of somebody whom they block or who is suspended.
    var asShown: Message { isOfSuspended ? withoutContent : withFoldedQuote }

    /// The message as one of somebody who is suspended: nothing of what they sent. The name that they gave the group stays,
    /// as the group keeps it.
    var withoutContent: Message {
        var message = self
        if event == nil { message.text = "" }
        (message.photo, message.once, message.reply) = (nil, nil, nil)
        return message
    }

    /// The message without the words of somebody whom it answers, if the viewer blocks them or they are suspended.
    private var withFoldedQuote: Message {
        guard case .quoting(var quote) = reply, let face = faces[quote.sender],
            face.isBlocked || face.account.isSuspended
        else { return self }
        (quote.text, quote.photo, quote.isOnce) = (
            face.isBlocked ? "Blocked person" : "Suspended person", nil, false
        )
        var message = self
        message.reply = .quoting(quote)
        return message
    }

    /// The message without the quote of the message that it answers, and without the snap.
    var withoutQuote: Message {
        var message = self
        message.reply = reply?.message.map { .deleted($0) }
        return message
    }
}

extension MessageRules {
    /// The most code points of a message that a reply quotes.
    static let excerptLength = 200

    /// Returns the beginning of a text, for a quote.
    static func excerpt(of text: String) -> String {
        guard text.unicodeScalars.count > excerptLength else { return text }
        return String(text.unicodeScalars.prefix(excerptLength)).trimmed + "…"
    }
}
