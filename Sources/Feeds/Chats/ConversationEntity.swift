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
                status(last, of: chat, viewer, reader, into: &json)
            } else {
                json.null()
            }
        }
    }

    /// Writes a message as a status that only the people of the chat see.
    func status(
        _ message: Message, of chat: Chat, _ viewer: Account, _ reader: Reader, into json: inout JSONWriter
    ) {
        let isOwn = message.sender == viewer.id
        let author = isOwn ? viewer : chat.peer ?? message.faces[message.sender]?.account ?? viewer
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
            json.member("visibility", PostRules.direct)
            json.null("language")
            json.member("uri", url)
            json.member("url", url)
            for name: StaticString in ["replies_count", "reply_count", "reblogs_count"] {
                json.member(name, 0)
            }
            json.member("favourites_count", message.likers.count)
            json.member("favourited", message.likers.contains(viewer.id))
            for name: StaticString in ["reblogged", "bookmarked", "muted", "pinned"] {
                json.member(name, false)
            }
            json.member("content", entities.html(message.statusText(for: viewer.id), .all))
            // An app fills it in when its person deletes a message and writes it again.
            if isOwn, message.event == nil { json.member("text", message.text) }
            json.key("account")
            entities.account(author, into: &json)
            json.array("media_attachments", message.isFolded ? [] : [message.photo].compactMap { $0 }) {
                entities.media($1, viewer: reader, into: &$0)
            }
            for name: StaticString in ["reblog", "application", "card", "poll", "edited_at", "liked_by"] {
                json.null(name)
            }
            json.array("mentions", chat.people(viewer).filter { $0.id != author.id }) {
                entities.mention($1.id, $1.username, into: &$0)
            }
            for name: StaticString in ["tags", "emojis", "filtered"] { json.emptyArray(name) }
            json.member("pf_type", "photo")
        }
    }
}

extension Message {
    /// Returns the text of the message as a status, which has no other place to say that it is a picture to be seen once,
    /// the answer to a snap, or what happened in a group.
    func statusText(for viewer: Account.ID) -> String {
        if let event { return event.words(of: self, for: viewer) }
        if isFolded { return "Blocked person" }
        if isOfSuspended { return "Suspended person" }
        let kind: String? =
            switch once(for: viewer) {
            case .unopened: "View-once photo"
            case .opened: "View-once photo, opened"
            case .expired: "View-once photo, expired"
            case nil: reply?.snap == nil ? nil : "Reply to a snap"
            }
        return [kind, text].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "\n")
    }
}
