import Foundation

/// Tells the two of a chat what happened in it, after the commit (API.md, "Events").
struct ChatEvents: Sendable {
    let events: EventBus
    let entities: ChatEntities
    let notifications: NotificationService

    /// A new message: both hear of it, the sender's other devices too; of a dropped request only those.
    func sent(
        _ message: Message, to peer: Account.ID, _ arrival: MessageService.Arrival, unread: ChatStore.Unread?
    ) {
        for account in arrival == .dropped ? [message.sender] : [peer, message.sender] {
            var json = JSONWriter()
            let isRequest = arrival == .request && account == peer
            entities.message(message, viewer: account, isRequest: isRequest, into: &json)
            events.publish("tintype.message", to: account, data: json.bytes)
        }
        if let unread { counted(unread, for: peer) }
    }

    /// A message that both have, and that is now something else.
    func changed(_ message: Message, for accounts: [Account.ID]) {
        for account in accounts {
            var json = JSONWriter()
            entities.message(message, viewer: account, into: &json)
            events.publish("tintype.message", to: account, data: json.bytes)
        }
    }

    /// A message is gone for both.
    func removed(_ removal: MessageService.Removal) async {
        for side in removal.sides {
            publish("tintype.message.deleted", to: side.account) { json in
                json.member("chat_id", removal.chat)
                json.member("id", removal.message)
            }
            counted(side.unread, for: side.account)
        }
        await takenBack(from: removal.sides.filter(\.losesNotification).map(\.account))
    }

    func delivered(_ chat: Chat.ID, through message: Message.ID, by reader: Account.ID, to peer: Account.ID) {
        publish("tintype.delivered", to: peer) { json in
            json.member("chat_id", chat)
            json.member("account_id", reader)
            json.member("last_delivered_id", message)
        }
    }

    /// - Parameter peer: who wrote what was read; nil when they aren't told. The reader's other devices always are.
    func read(
        _ chat: Chat.ID, through message: Message.ID, at date: Date, by reader: Account.ID,
        to peer: Account.ID?
    ) {
        for account in [peer, reader].compactMap({ $0 }) {
            publish("tintype.read", to: account) { json in
                json.member("chat_id", chat)
                json.member("account_id", reader)
                json.member("last_read_id", message)
                json.member("read_at", date)
            }
        }
    }

    /// The reader has taken the chat: the other learns how far they have come by now.
    func caughtUp(_ chat: Chat.ID, _ marks: Chat.Marks, by reader: Account.ID, to peer: Account.ID) {
        if marks.deliveredThrough > Chat.Marks.none.deliveredThrough {
            delivered(chat, through: marks.deliveredThrough, by: reader, to: peer)
        }
        if let date = marks.readAt { read(chat, through: marks.readThrough, at: date, by: reader, to: peer) }
    }

    /// A request was taken or dropped: for the other pages of whoever did it.
    func answered(_ chat: Chat.ID, isAccepted: Bool, by account: Account.ID) {
        publish("tintype.request", to: account) { json in
            json.member("chat_id", chat)
            json.member("accepted", isAccepted)
        }
    }

    func typing(_ chat: Chat.ID, by account: Account.ID, to peer: Account.ID) {
        var json = JSONWriter(capacity: 128)
        json.object { json in
            json.member("chat_id", chat)
            json.member("account_id", account)
        }
        events.publishPassing("tintype.typing", to: peer, data: json.bytes)
    }

    /// How many messages somebody has not read.
    func counted(_ unread: ChatStore.Unread, for account: Account.ID) {
        events.publishCount(unread.count, of: "friends", to: account, place: unread.place)
    }

    /// The notification of unread messages was taken back from some.
    func takenBack(from accounts: [Account.ID]) async {
        await notifications.tellCount(to: accounts)
    }

    private func publish(_ name: String, to account: Account.ID, _ body: (inout JSONWriter) -> Void) {
        var json = JSONWriter(capacity: 160)
        json.object(body)
        events.publish(name, to: account, data: json.bytes)
    }
}
