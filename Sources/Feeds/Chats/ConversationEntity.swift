import Core
import People
import Serving

/// The JSON of Mastodon's conversations, which are chats here.
extension ChatEntities {
    /// Writes a chat as the viewer sees it.
    func conversation(_ chat: Chat, _ viewer: Account, reader: Reader, into json: inout JSONWriter) {
        json.object { json in
            json.member("id", chat.id)
            json.member("unread", chat.unreadCount > 0)
            json.array("accounts", chat.others) { entities.account($1, into: &$0) }
            json.key("last_status")
            if let last = chat.lastMessage {
                let author = last.sender == viewer.id ? viewer : chat.peer ?? last.faces[last.sender]?.account
                status(last, by: author ?? viewer, viewer, reader, into: &json)
            } else {
                json.null()
            }
        }
    }

    /// Writes a message as a status that only the people of the chat see.
    private func status(
        _ message: Message, by author: Account, _ viewer: Account, _ reader: Reader,
        into json: inout JSONWriter
    ) {
        json.object { json in
            let url = entities.publicURL + ChatPaths.page(message.chat)
            json.member("id", message.id)
            json.member("created_at", message.id.createdAt)
            var quoted: Account.ID?
            if case .quoting(let quote) = message.reply { quoted = quote.sender }
            json.member("in_reply_to_id", message.reply?.message?.description)
            json.member("in_reply_to_account_id", quoted?.description)
            json.member("sensitive", false)
            json.member("spoiler_text", "")
            json.member("visibility", "direct")
            json.null("language")
            json.member("uri", url)
            json.member("url", url)
            for name: StaticString in ["replies_count", "reply_count", "reblogs_count", "favourites_count"] {
                json.member(name, 0)
            }
            for name: StaticString in ["favourited", "reblogged", "bookmarked", "muted", "pinned"] {
                json.member(name, false)
            }
            let words = message.event?.words(of: message, for: viewer.id) ?? message.text
            json.member("content", entities.html(message.isFolded ? "Blocked person" : words, .all))
            json.key("account")
            entities.account(author, into: &json)
            json.array("media_attachments", message.isFolded ? [] : [message.photo].compactMap { $0 }) {
                entities.media($1, viewer: reader, into: &$0)
            }
            for name: StaticString in ["reblog", "application", "card", "poll", "edited_at", "liked_by"] {
                json.null(name)
            }
            for name: StaticString in ["mentions", "tags", "emojis", "filtered"] { json.emptyArray(name) }
            json.member("pf_type", "photo")
        }
    }
}
