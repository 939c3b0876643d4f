import Core
import People
import Serving
import Storage

/// The chats inside a transaction, as their members see them.
package struct ChatRecords {
    let transaction: Transaction

    package init(_ transaction: Transaction) { self.transaction = transaction }

    /// Returns one page of chats, newest first (``ChatService/chats(of:requests:query:page:members:)``).
    func chats(
        of viewer: Account, requests: Bool, query: String, page: PageRequest, members: Group.Extent
    ) throws -> [Chat] {
        let terms = AccountRules.searchTerms(query)
        guard query.isEmpty || !terms.isEmpty else { return [] }
        return try chats(
            ChatStore(transaction).listed(of: viewer.id, requests: requests, terms: terms, page: page),
            members)
    }

    /// Returns the viewer's groups that have a message, newest first, without invitations, each with its first members.
    ///
    /// - Parameter query: finds only groups whose names, or whose people's names, have words that begin with these.
    func groups(of viewer: Account, query: String, limit: Int) throws -> [Chat] {
        let terms = AccountRules.searchTerms(query)
        guard query.isEmpty || !terms.isEmpty else { return [] }
        return try chats(
            GroupStore(transaction).listed(
                of: viewer.id, requests: false, terms: terms, page: PageRequest(limit: limit)), .first)
    }

    /// Returns those of some chats that are groups of the viewer's, without invitations, each with its first members.
    func groups(_ ids: [Chat.ID], of viewer: Account) throws -> [Chat] {
        let listed = try ids.compactMap { try GroupStore(transaction).listed($0, of: viewer.id) }
        return try chats(listed.filter { !$0.member.isRequest }, .first)
    }

    /// Returns one of the viewer's chats.
    ///
    /// - Throws: ``Refusal`` (404) for anyone else's chat, and if either of the two blocks the other.
    package func chat(_ id: Chat.ID, for viewer: Account) throws -> Chat {
        guard let chat = try ifVisible(id, to: viewer) else { throw Refusal.notFound }
        return chat
    }

    /// Returns one of the viewer's chats; nil for anyone else's, and if either of the two blocks the other.
    package func ifVisible(_ id: Chat.ID, to viewer: Account) throws -> Chat? {
        try ChatStore(transaction).listed(id, of: viewer.id).flatMap { try chats([$0]).first }
    }

    /// Returns those of some chats that ``ifVisible(_:to:)`` returns, each with the viewer's row.
    func visible(
        _ ids: Set<Chat.ID>, to viewer: Account
    ) throws -> [Chat.ID: (chat: Chat, member: ChatStore.Member)] {
        let listed = try ids.compactMap { try ChatStore(transaction).listed($0, of: viewer.id) }
        let members = Dictionary(uniqueKeysWithValues: listed.map { ($0.member.chat, $0.member) })
        return try chats(listed).reduce(into: [:]) { visible, chat in
            if let member = members[chat.id] { visible[chat.id] = (chat: chat, member: member) }
        }
    }

    /// Returns the viewer's chat with somebody; nil if there is none, and if either blocks the other.
    package func chat(with peer: Account.ID, for viewer: Account) throws -> Chat? {
        try ChatStore(transaction).member(of: viewer.id, with: peer).flatMap {
            try ifVisible($0.chat, to: viewer)
        }
    }

    /// Returns one of the viewer's groups.
    ///
    /// - Throws: ``Refusal`` as ``groupMember(_:of:)`` does.
    func groupChat(_ id: Chat.ID, for viewer: Account) throws -> Chat {
        _ = try groupMember(id, of: viewer)
        return try chat(id, for: viewer)
    }

    /// Returns chats with members of groups.
    private func chats(_ listed: [ChatStore.Listed], _ extent: Group.Extent = .all) throws -> [Chat] {
        let groups = listed.filter { $0.group != nil }
        guard let viewer = groups.first?.member.account else { return listed.compactMap { Chat($0) } }
        let members = try members(of: groups.map(\.member.chat), extent, for: viewer)
        let last = try MessageRecords(transaction).named(groups.compactMap(\.lastMessage), for: viewer)
        let messages = Dictionary(uniqueKeysWithValues: last.map { ($0.chat, $0) })
        return listed.compactMap { one in
            var one = one
            let found = members[one.member.chat]
            one.group?.members = found?.members ?? []
            one.group?.membersCount = found?.count ?? 0
            if one.group != nil { one.lastMessage = messages[one.member.chat] }
            return Chat(one)
        }
    }

    private func members(
        of groups: [Chat.ID], _ extent: Group.Extent, for viewer: Account.ID
    ) throws -> [Chat.ID: (members: [Group.Member], count: Int)] {
        let store = GroupStore(transaction)
        return switch extent {
        case .all: try store.members(of: groups, for: viewer).mapValues { (members: $0, count: $0.count) }
        case .first: try store.firstMembers(of: groups, for: viewer)
        }
    }

    /// Returns the row of `viewer` in one of their chats.
    ///
    /// - Throws: ``Refusal`` (404) as ``chat(_:for:)`` does.
    func member(_ id: Chat.ID, of viewer: Account) throws -> ChatStore.Member {
        guard let member = try ChatStore(transaction).reachable(id, viewer.id) else { throw Refusal.notFound }
        return member
    }

    /// Returns the row of `viewer` in one of their groups.
    ///
    /// - Throws: ``Refusal``: 404 for anyone else's chat and for one of two, 409 for an invitation that the viewer hasn't
    ///   accepted.
    func groupMember(_ id: Chat.ID, of viewer: Account) throws -> ChatStore.Member {
        let member = try acceptedMember(id, of: viewer)
        guard member.isGroup else { throw Refusal.notFound }
        return member
    }

    /// Returns the row of `viewer` in one of their chats that they have accepted.
    ///
    /// - Throws: ``Refusal``: 404 for anyone else's chat, 409 for a request or an invitation.
    func acceptedMember(_ id: Chat.ID, of viewer: Account) throws -> ChatStore.Member {
        let member = try member(id, of: viewer)
        guard !member.isRequest else {
            throw Refusal.conflict("Accept the \(member.isGroup ? "invitation" : "request") first.")
        }
        return member
    }

    /// Returns the other person of a chat of two that both have accepted.
    ///
    /// - Throws: ``Refusal``: 404 for a chat of others and for a group, 422 for one that still waits as a request.
    package func peer(in id: Chat.ID, of viewer: Account) throws -> Account {
        let member = try member(id, of: viewer)
        guard let peer = try member.peer.flatMap({ try AccountRecords(transaction).unchecked($0) }) else {
            throw Refusal.notFound
        }
        let other = try ChatStore(transaction).member(id, peer.id)
        guard !member.isRequest, other?.isRequest == false else {
            throw Refusal.invalid(
                "chat_id", "ERR_INVALID", "This chat is still a request. Wait until it is accepted.")
        }
        return peer
    }

    /// The people with whom somebody can make something in a chat.
    package struct Company: Sendable {
        package let isGroup: Bool
        package let people: [Account]
    }

    /// Returns the people of a chat with whom the viewer can make something: the other person of two, or the members of a
    /// group who have joined it and whom the viewer can see.
    ///
    /// - Throws: ``Refusal``: as ``peer(in:of:)`` in a chat of two; 404 for anyone else's group, 409 for an invitation that
    ///   the viewer hasn't accepted.
    package func company(in id: Chat.ID, of viewer: Account) throws -> Company {
        guard try member(id, of: viewer).isGroup else {
            return Company(isGroup: false, people: [try peer(in: id, of: viewer)])
        }
        _ = try groupMember(id, of: viewer)
        let members = try GroupStore(transaction).members(of: [id], for: viewer.id)[id] ?? []
        let others = members.filter { !$0.isInvited && $0.account.id != viewer.id }.map(\.account)
        let visible = try AccountRecords(transaction).visible(Set(others.map(\.id)), to: viewer.id)
        return Company(isGroup: true, people: others.filter { visible.contains($0.id) })
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
        guard let peer = member.peer else {
            return try NotificationRecords(transaction).removeAll(
                about: member.chat.rawValue, to: member.account)
        }
        let removed = try [Notification.Kind.message, .messageRequest].map { kind in
            try NotificationRecords(transaction).remove(kind, to: member.account, from: peer)
        }
        return removed.contains(true)
    }
}

extension Chat {
    /// Creates a chat; nil for a row without those who take part.
    init?(_ listed: ChatStore.Listed) {
        let member = listed.member
        guard let company = listed.peer.map(Company.two) ?? listed.group.map(Company.group) else {
            return nil
        }
        self.init(
            id: member.chat, viewer: member.account, company: company,
            isRequest: member.isRequest && (member.isGroup || listed.lastMessage != nil),
            messagesCount: listed.messagesCount, unreadCount: member.unreadCount,
            lastMessage: listed.lastMessage, readThrough: member.marks.readThrough,
            peerMarks: listed.peerMarks, mute: member.mute)
    }
}
