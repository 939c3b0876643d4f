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

    /// Writes a chat as one of the two people sees it.
    func chat(_ chat: Chat, viewer: Reader, into json: inout JSONWriter) {
        json.object { json in
            json.member("id", chat.id)
            json.key("account")
            entities.account(chat.peer, into: &json)
            json.member("request", chat.isRequest)
            json.member("messages_count", chat.messagesCount)
            json.member("unread_count", chat.unreadCount)
            Self.mute(chat.mute, into: &json)
            json.member("last_read_id", chat.readThrough)
            json.object("peer") { json in
                json.member("last_delivered_id", chat.peerMarks.deliveredThrough)
                json.member("last_read_id", chat.peerMarks.readThrough)
                json.member("read_at", chat.peerMarks.readAt.map(Timestamp.iso8601))
            }
            json.key("last_message")
            if let last = chat.lastMessage { message(last, viewer: viewer, into: &json) } else { json.null() }
        }
    }

    /// Writes the members about a chat's mute.
    static func mute(_ mute: ChatMute?, into json: inout JSONWriter) {
        json.member("muted", mute != nil)
        json.member("muted_until", mute?.endsAt.map(Timestamp.iso8601))
    }

    /// Writes a message as one of the two people sees it.
    ///
    /// - Parameter isRequest: whether it waits in Requests; nil leaves that out.
    func message(_ message: Message, viewer: Reader, isRequest: Bool? = nil, into json: inout JSONWriter) {
        json.object { json in
            json.member("id", message.id)
            json.member("chat_id", message.chat)
            json.member("number", message.number)
            json.member("account_id", message.sender)
            json.member("created_at", message.id.createdAt)
            json.member("text", message.text)
            json.member("content", content(message.text))
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
            json.member("opened", message.once == .opened)
            json.member("expired", message.once == .expired)
            json.member("in_reply_to_id", message.reply?.id.description)
            json.key("in_reply_to")
            if case .quoting(let quote) = message.reply {
                self.quote(quote, viewer: viewer, into: &json)
            } else {
                json.null()
            }
            reactions(message, into: &json)
            if let isRequest { json.member("request", isRequest) }
            // Only the sender sees the key of a message.
            if message.sender == viewer.account { json.member("idempotency_key", message.key) }
        }
    }

    /// Writes the quote that a reply has of the message that it answers.
    private func quote(_ quote: Message.Quote, viewer: Reader, into json: inout JSONWriter) {
        json.object { json in
            json.member("id", quote.id)
            json.member("account_id", quote.sender)
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
            json.member("id", exchange.message.id)
            json.member("chat_id", exchange.message.chat)
            json.member("created_at", exchange.message.id.createdAt)
            json.key("sender")
            entities.account(exchange.sender, into: &json)
            json.key("recipient")
            entities.account(exchange.recipient, into: &json)
            json.key("photo")
            entities.media(exchange.photo, viewer: viewer, into: &json)
            json.member("messages_count", exchange.messagesCount)
        }
    }

    /// Returns a text as safe HTML for Tintype's pages, with its links. Line breaks stay as they are.
    private func content(_ text: String) -> String {
        guard !text.isEmpty else { return "" }
        let node = Caption.node(text, .all, on: .page(of: entities.publicURL))
        return String(decoding: node.rendered(), as: UTF8.self)
    }
}
