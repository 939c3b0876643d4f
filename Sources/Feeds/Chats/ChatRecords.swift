import Core
import People
import Serving
import Storage

/// The chats inside a transaction, as their members see them.
package struct ChatRecords {
    let transaction: Transaction

    package init(_ transaction: Transaction) { self.transaction = transaction }

    /// Returns one page of chats, newest first (``ChatService/chats(of:requests:query:page:)``).
    func chats(of viewer: Account, requests: Bool, query: String, page: PageRequest) throws -> [Chat] {
        let terms = AccountRules.searchTerms(query)
        guard query.isEmpty || !terms.isEmpty else { return [] }
        return try ChatStore(transaction).listed(
            of: viewer.id, requests: requests, terms: terms, page: page
        ).map(Chat.init)
    }

    /// Returns one of the viewer's chats.
    ///
    /// - Throws: ``Refusal`` (404) for anyone else's chat, and if either of the two blocks the other.
    package func chat(_ id: Chat.ID, for viewer: Account) throws -> Chat {
        Chat(try listed(id, for: viewer))
    }

    /// Returns one of the viewer's chats with what its page needs to know of the viewer.
    func listed(_ id: Chat.ID, for viewer: Account) throws -> ChatStore.Listed {
        guard let listed = try ChatStore(transaction).listed(id, of: viewer.id) else {
            throw Refusal.notFound
        }
        return listed
    }

    /// Returns the member rows of `viewer` and the other person in a chat.
    func member(_ id: Chat.ID, of viewer: Account) throws -> (ChatStore.Member, peer: Account) {
        guard let (member, peer) = try ChatStore(transaction).memberAndPeer(id, viewer.id) else {
            throw Refusal.notFound
        }
        return (member, peer)
    }

    /// Returns the other person of a chat that both have accepted.
    ///
    /// - Throws: ``Refusal``: 404 for a chat of others, 422 for one that still waits as a request.
    package func peer(in id: Chat.ID, of viewer: Account) throws -> Account {
        let (member, peer) = try member(id, of: viewer)
        let other = try ChatStore(transaction).member(id, peer.id)
        guard !member.isRequest, other?.isRequest == false else {
            throw Refusal.invalid(
                "chat_id", "ERR_INVALID", "This chat is still a request. Wait until it is accepted.")
        }
        return peer
    }

    /// Returns whether two people follow each other.
    package func areFriends(_ one: Account.ID, _ other: Account.ID) throws -> Bool {
        try RelationshipRecords(transaction).relationship(of: one, to: other).areFriends
    }

    /// Removes the notification of messages that an account has not read, if there is one, and sends the new count.
    func dismissNotification(of member: ChatStore.Member, _ events: ChatEvents) throws {
        guard try removeNotification(of: member) else { return }
        try events.notifications.changed(for: [member.account], transaction)
    }

    /// Removes the notification of messages that an account has not read. Returns whether there was one.
    func removeNotification(of member: ChatStore.Member) throws -> Bool {
        let removed = try [Notification.Kind.message, .messageRequest].map { kind in
            try NotificationRecords(transaction).remove(kind, to: member.account, from: member.peer)
        }
        return removed.contains(true)
    }
}

extension Chat {
    init(_ listed: ChatStore.Listed) {
        let member = listed.member
        self.init(
            id: member.chat, peer: listed.peer, isRequest: member.isRequest && listed.lastMessage != nil,
            messagesCount: listed.messagesCount, unreadCount: member.unreadCount,
            lastMessage: listed.lastMessage, readThrough: member.marks.readThrough,
            peerMarks: listed.peerMarks, mute: member.mute)
    }
}
