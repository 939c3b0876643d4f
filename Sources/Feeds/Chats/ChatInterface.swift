import Core
import People

/// The calls of the JSON interface about chats, and the entities of their answers.
extension ChatsFeature {
    package var operations: [Operation] {
        [
            Operation("GET /api/v1/chats", "Chats", .page("Chat"), "requests:flag q"),
            Operation(
                "POST /api/v1/chats", "Opens a chat, or makes a group", .one("Chat"),
                "account_id account_ids[] title:line(0...\(GroupRules.titleLength))", takesKey: true),
            Operation("GET /api/v1/chats/{id}", "A chat", .one("Chat")),
            Operation(
                "PATCH /api/v1/chats/{id}", "Names a group, or chooses its picture", .one("Chat"),
                "title:line(0...\(GroupRules.titleLength)) picture_media_id"),
            Operation(
                "POST /api/v1/chats/{id}/members", "Adds friends to a group", .one("Chat"), "account_ids[]!"),
            Operation(
                "DELETE /api/v1/chats/{id}/members/{account}",
                "Leaves a group, or removes somebody from yours",
                .object),
            Operation(
                "DELETE /api/v1/chats/{id}", "Deletes a request or chat from your list", .object),
            Operation("POST /api/v1/chats/{id}/accept", "Accepts a request", .one("Chat")),
            Operation(
                "POST /api/v1/chats/{id}/delivered", "Notes what has arrived", .object, "last_delivered_id!"),
            Operation(
                "POST /api/v1/chats/{id}/mute", "Mutes a chat, for some seconds or until it is unmuted",
                .one("Chat"), "duration:\(Mute.durations)"),
            Operation("DELETE /api/v1/chats/{id}/mute", "Unmutes a chat", .one("Chat")),
            Operation(
                "POST /api/v1/chats/{id}/read", "Notes how far you have read", .object, "last_read_id!"),
            Operation("POST /api/v1/chats/{id}/typing", "Reports that you are typing", .object),
            Operation(
                "GET /api/v1/conversations", "Conversations as Mastodon knows them", .page("Conversation")),
            Operation(
                "POST /api/v1/conversations/{id}/read", "Marks a chat as read", .one("Conversation"),
                scope: .write(.conversations)),
            Operation(
                "DELETE /api/v1/conversations/{id}", "Removes it from your list", .object,
                scope: .write(.conversations)),
            Operation(
                "GET /api/v1.1/direct/thread",
                "What you and somebody have written each other, as Pixelfed's apps ask",
                .one("DirectThread"), "pid!:id limit max_id min_id since_id"),
            Operation(
                "POST /api/v1.1/direct/thread/send", "Sends somebody a message", .one("DirectMessage"),
                "to_id! message!:text(1...\(MessageRules.textLength)) type", takesKey: true),
            Operation(
                "DELETE /api/v1.1/direct/thread/message", "Deletes your message for both", .list("Nothing"),
                "id!"),
            Operation(
                "POST /api/v1.1/direct/thread/read", "Marks somebody's messages as read", .list("Nothing"),
                "pid!:id"),
            Operation(
                "POST /api/v1.1/direct/thread/mute", "Mutes the chat with somebody", .list("Nothing"), "id!"),
            Operation(
                "POST /api/v1.1/direct/thread/unmute", "Unmutes the chat with somebody", .list("Nothing"),
                "id!"),
            Operation(
                "POST /api/v1.1/direct/lookup", "People to write to, by the beginnings of their names",
                .list("DirectReceiver"), "q!:text(1...)", scope: .read(.chats)),
            Operation(
                "GET /api/v1.1/direct/compose/mutuals", "Friends to write to", .list("DirectReceiver")),
            Operation(
                "GET /api/v1/messages/search", "Your messages that have all words of a text",
                .page("Message"), "q chat_id"),
            Operation("GET /api/v1/timelines/between", "Photos sent and received", .page("Exchange")),
        ].about(.chats)
            + [
                Operation("GET /api/v1/chats/{id}/messages", "History", .page("Message")),
                Operation(
                    "POST /api/v1/chats/{id}/messages", "Sends a message", .created("Message"),
                    "text:text(0...\(MessageRules.textLength)) photo_id media_id view_once:flag status_id reply_to_id snap_id",
                    takesKey: true),
                Operation(
                    "PUT /api/v1/chats/{id}/messages/{message}/reaction",
                    "Reacts to a message with one emoji, in place of an earlier one", .one("Message"),
                    "emoji!"
                ),
                Operation(
                    "DELETE /api/v1/chats/{id}/messages/{message}/reaction",
                    "Takes the viewer's reaction back",
                    .one("Message")),
                Operation("GET /api/v1/chats/{id}/messages/{message}", "A message", .one("Message")),
                Operation(
                    "DELETE /api/v1/chats/{id}/messages/{message}", "Deletes your message for both", .object),
                Operation(
                    "POST /api/v1/chats/{id}/messages/{message}/save", "Copies its photo into your library",
                    .one("MediaAttachment")),
                Operation(
                    "POST /api/v1/chats/{id}/messages/{message}/open", "Opens a picture, once",
                    .one("SnapView")),
                Operation(
                    "POST /api/v1/chats/{id}/messages/{message}/shown", "Reports that the picture is shown",
                    .nothing),
                Operation(
                    "POST /api/v1/chats/{id}/messages/{message}/close", "Closes the picture for good",
                    .nothing),
                Operation("GET /api/v1/once_views/{view}", "The bytes, under an open view", .picture),
            ].map(\.mayBeGone).about(.chats)
    }

    package var schemas: [EntitySchema] {
        [
            EntitySchema(
                "Chat",
                """
                id:id kind:text title:text account:Account? owner_id:id? picture_url:url? members:ChatMember[]
                request:flag messages_count:count unread_count:count muted:flag muted_until:time? last_read_id:id
                peer:ChatMarks? last_message:Message?
                """),
            EntitySchema(
                "ChatMember",
                """
                account:Account joined_at:time last_delivered_id:id last_read_id:id read_at:time? invited:flag blocked:flag
                """),
            EntitySchema("ChatEvent", "kind:text account_id:id? words:text"),
            EntitySchema("ChatMarks", "last_delivered_id:id last_read_id:id read_at:time?"),
            EntitySchema(
                "Message",
                """
                id:id chat_id:id number:count account_id:id account:Account? event:ChatEvent? blocked:flag created_at:time
                text:text content:text emoji_only:flag
                \(offers.shared.kinds.map { "\($0.member):id?" }.joined(separator: " "))
                photo:MediaAttachment? view_once:flag opened:flag opened_by:id[] expired:flag in_reply_to_id:id?
                in_reply_to:Quote? snap_id:id? reactions:Reaction[] request*:flag idempotency_key*:text?
                """),
            EntitySchema(
                "Quote",
                "id:id account_id:id name:text? text:text preview_url:url? photo_id:id? view_once:flag"),
            EntitySchema("Reaction", "account_id:id emoji:text"),
            EntitySchema("Conversation", "id:id unread:flag accounts:Account[] last_status:Status?"),
            EntitySchema(
                "DirectThread",
                """
                id:id name:text username:text avatar:url url:url muted:flag isLocal:flag domain:text? created_at:time
                updated_at:time timeAgo:text lastMessage:text messages:DirectMessage[]
                """),
            EntitySchema(
                "DirectMessage",
                """
                id:id reportId:id hidden:flag isAuthor:flag type:text text:text media:url? carousel:MediaAttachment[]
                created_at:time timeAgo:text seen:flag meta:object?
                """),
            EntitySchema(
                "DirectReceiver", "local:flag id:id name:text privacy:flag avatar:url account:Account"),
            EntitySchema(
                "Exchange",
                """
                id:id chat_id:id? \(offers.exchanges.all.map { "\($0.kind.member):id?" }.joined(separator: " "))
                created_at:time sender:Account recipient:Account? title:text photo:MediaAttachment messages_count:count?
                """),
        ]
    }
}
