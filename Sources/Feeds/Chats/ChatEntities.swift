import Core
import Foundation
import HTML
import People
import Serving

/// The JSON of chats, messages and the private feed.
struct ChatEntities: Sendable {
    let entities: Entities
    /// The things that messages share.
    let shared: SharedThings
    /// The photos of other features in private feeds.
    let exchanges: Registry<ExchangeSource>

    /// Writes a chat as one of its people sees it.
    func chat(_ chat: Chat, viewer: Reader, into json: inout JSONWriter) {
        json.object { json in
            json.member("id", chat.id)
            json.member("kind", chat.group == nil ? "two" : "group")
            json.member("title", chat.title)
            json.key("account")
            if let peer = chat.peer { entities.account(peer, into: &json) } else { json.null() }
            json.member("owner_id", chat.group?.owner?.description)
            json.member("picture_url", chat.group?.picture.map { entities.url($0, .square, viewer: viewer) })
            members(chat, into: &json)
            json.member("request", chat.isRequest)
            json.member("messages_count", chat.messagesCount)
            json.member("unread_count", chat.unreadCount)
            Self.mute(chat.mute, into: &json)
            json.member("last_read_id", chat.readThrough)
            if chat.group == nil {
                json.object("peer") { marks(chat.peerMarks, into: &$0) }
            } else {
                json.null("peer")
            }
            json.key("last_message")
            if let last = chat.lastMessage { message(last, viewer: viewer, into: &json) } else { json.null() }
        }
    }

    private func marks(_ marks: Chat.Marks, into json: inout JSONWriter) {
        json.member("last_delivered_id", marks.deliveredThrough)
        json.member("last_read_id", marks.readThrough)
        json.member("read_at", marks.readAt.map(Timestamp.iso8601))
    }

    /// Writes the people of a group; none for a chat of two, whose people need no list.
    private func members(_ chat: Chat, into json: inout JSONWriter) {
        json.array("members", chat.group?.members ?? []) { json, member in
            json.object { json in
                json.key("account")
                entities.account(member.account, into: &json)
                json.member("joined_at", member.joinedAt)
                marks(member.marks, into: &json)
                json.member("invited", member.isInvited)
                json.member("blocked", member.isBlocked)
            }
        }
    }

    /// Writes the members about a chat's mute.
    static func mute(_ mute: ChatMute?, into json: inout JSONWriter) {
        json.member("muted", mute != nil)
        json.member("muted_until", mute?.endsAt.map(Timestamp.iso8601))
    }

    /// Writes a message as one of the people of its chat sees it. In a group it has its sender's account.
    ///
    /// - Parameter isRequest: whether it waits in Requests; nil leaves that out.
    func message(_ message: Message, viewer: Reader, isRequest: Bool? = nil, into json: inout JSONWriter) {
        json.object { json in
            json.member("id", message.id)
            json.member("chat_id", message.chat)
            json.member("number", message.number)
            json.member("account_id", message.sender)
            json.key("account")
            if let sender = message.faces[message.sender] {
                entities.account(sender.account, into: &json)
            } else {
                json.null()
            }
            event(message, viewer: viewer, into: &json)
            json.member("blocked", message.isFolded)
            json.member("created_at", message.id.createdAt)
            json.member("text", message.event == nil ? message.text : "")
            json.member("content", message.event == nil ? content(message.text) : "")
            json.member("emoji_only", message.isEmojiOnly)
            let thing = shared.first(in: message.text)
            for kind in shared.kinds {
                json.key(computed: kind.member)
                if let thing, thing.kind == kind { json.value(thing.id) } else { json.null() }
            }
            json.key("photo")
            if let photo = message.photo {
                entities.media(photo, viewer: viewer, into: &json)
            } else {
                json.null()
            }
            json.member("view_once", message.once != nil)
            let once = message.once(for: viewer.account)
            json.member("opened", once == .opened)
            json.array("opened_by", message.once?.lookers ?? []) { $0.value($1.description) }
            json.member("expired", once == .expired)
            json.member("in_reply_to_id", message.reply?.message?.description)
            json.key("in_reply_to")
            if case .quoting(let quote) = message.reply {
                self.quote(quote, by: message.faces[quote.sender]?.account, viewer: viewer, into: &json)
            } else {
                json.null()
            }
            json.member("snap_id", message.reply?.snap?.description)
            reactions(message, into: &json)
            if let isRequest { json.member("request", isRequest) }
            // Only the sender sees the key of a message.
            if message.sender == viewer.account { json.member("idempotency_key", message.key) }
        }
    }

    /// Writes what happened in a group; null for what was written.
    private func event(_ message: Message, viewer: Reader, into json: inout JSONWriter) {
        guard let event = message.event else { return json.null("event") }
        json.object("event") { json in
            json.member("kind", event.kind.rawValue)
            json.member("account_id", event.subject?.description)
            json.member("words", event.words(of: message, for: viewer.account))
        }
    }

    /// Writes the quote that a reply has of the message that it answers. In a group it names the author, who may have left.
    private func quote(
        _ quote: Message.Quote, by author: Account?, viewer: Reader, into json: inout JSONWriter
    ) {
        json.object { json in
            json.member("id", quote.id)
            json.member("account_id", quote.sender)
            json.member("name", author?.displayName)
            json.member("text", quote.text)
            json.member("preview_url", quote.photo.map { entities.url($0, .square, viewer: viewer) })
            json.member("photo_id", quote.photo?.description)
            json.member("view_once", quote.isOnce)
        }
    }

    /// Writes the member `reactions` of a message.
    func reactions(_ message: Message, into json: inout JSONWriter) {
        json.array("reactions", message.reactions) { json, reaction in
            json.object { json in
                json.member("account_id", reaction.account)
                json.member("emoji", reaction.emoji)
            }
        }
    }

    /// Writes a photo of the private feed.
    func exchange(_ exchange: Exchange, viewer: Reader, into json: inout JSONWriter) {
        json.object { json in
            json.member("id", String(exchange.id))
            var (chat, thing): (Chat?, (kind: SharedKind, id: Int64)?)
            switch exchange.place {
            case .message(_, let found): chat = found
            case .thing(let kind, let id, _): thing = (kind, id)
            }
            json.member("chat_id", chat?.id.description)
            for kind in exchanges.all.map(\.kind) {
                json.key(computed: kind.member)
                if let thing, thing.kind == kind { json.value(String(thing.id)) } else { json.null() }
            }
            json.member("created_at", exchange.createdAt)
            json.key("sender")
            entities.account(exchange.sender, into: &json)
            json.key("recipient")
            if let recipient = exchange.recipient {
                entities.account(recipient, into: &json)
            } else {
                json.null()
            }
            json.member("title", exchange.title)
            json.key("photo")
            entities.media(exchange.photo, viewer: viewer, into: &json)
            if let chat = exchange.chat {
                json.member("messages_count", chat.messagesCount)
            } else {
                json.null("messages_count")
            }
        }
    }

    /// Returns a text as safe HTML for Tintype's pages, with its links. Line breaks stay as they are.
    private func content(_ text: String) -> String {
        guard !text.isEmpty else { return "" }
        let node = Caption.node(text, .all, on: .page(of: entities.publicURL))
        return String(decoding: node.rendered(), as: UTF8.self)
    }
}
