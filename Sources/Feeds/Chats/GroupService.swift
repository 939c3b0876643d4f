import Core
import Foundation
import HTML
import People
import Serving
import Storage

extension JobKind {
    /// Notifies the members of a group of a message that they haven't read; the payload is the message's id.
    static let notifyGroup = JobKind("notify-group", .short)
    /// Puts a photo that was sent in a group into the private feeds of its members; the payload is the message's id.
    static let spreadPhoto = JobKind("spread-group-photo", .short)
    /// Erases a group that nobody is in any more; the payload is its id.
    static let eraseGroup = JobKind("erase-group", .erasing)
}

// Making groups, and changing who is in them.
extension ChatService {
    /// Makes a group of the viewer and some friends. A friend who blocks one of the others is invited, and sees whom before
    /// they accept.
    ///
    /// - Parameters:
    ///   - title: the group's name; empty for none.
    ///   - key: the idempotency key. A second call with the key within 24 hours returns the group of the first.
    /// - Throws: ``Refusal``: 410 if the key's group is gone, 422 for fewer than two or too many people, for people who aren't the viewer's friends, for a
    ///   name that is too long, and for somebody who is in too many groups.
    package func makeGroup(
        _ people: [Account.ID], title: String = "", by viewer: Account, key: IdempotencyKey? = nil
    ) async throws -> Chat {
        try await database.write { [self] transaction in
            try makeGroup(people, title: title, by: viewer, key: key, transaction)
        }
    }

    /// Makes a group inside a transaction, as ``makeGroup(_:title:by:key:)`` does.
    func makeGroup(
        _ people: [Account.ID], title: String = "", by viewer: Account, key: IdempotencyKey?,
        _ transaction: Transaction
    ) throws -> Chat {
        let title = try GroupRules.title(title)
        let people = Set(people).subtracting([viewer.id]).sorted()
        guard people.count >= 2 else {
            throw Refusal.invalid("account_ids", "ERR_TOO_SHORT", "Choose at least two friends.")
        }
        let records = ChatRecords(transaction)
        let known = try key?.made(by: viewer.id, gone: "You are no longer in this group.", transaction) {
            try records.chat(ID(rawValue: $0), for: viewer)
        }
        if let known { return known }
        let store = GroupStore(transaction)
        try checkAddable(people, to: 1, by: viewer, transaction)
        try checkRoom(for: viewer.id, transaction)
        let chat = try store.insert(title: title, owner: viewer.id)
        try store.insert(viewer.id, in: chat)
        try insert(people, in: chat, transaction)
        let made = try happen(.made, text: title, in: chat, by: viewer, transaction)
        try transaction.schedule(.notifyGroup, payload: made.description)
        try key?.record(chat.rawValue, transaction, viewer.id)
        return try records.chat(chat, for: viewer)
    }

    /// Adds friends of the viewer to a group. Those who are in it already are left out.
    ///
    /// - Throws: ``Refusal``: 404 and 409 as ``rename(_:to:by:)`` does, 422 as ``makeGroup(_:title:by:key:)`` does.
    func add(_ people: [Account.ID], to chat: Chat.ID, by viewer: Account) async throws -> Chat {
        try await database.write { [self, events] transaction in
            _ = try ChatRecords(transaction).groupMember(chat, of: viewer)
            let known = try GroupStore(transaction).accounts(in: chat)
            let people = Set(people).subtracting(known).sorted()
            try checkAddable(people, to: known.count, by: viewer, transaction)
            try insert(people, in: chat, transaction)
            for person in people {
                let added = try happen(.added, of: person, in: chat, by: viewer, transaction)
                try transaction.schedule(.notifyGroup, payload: added.description)
            }
            events.changed(chat, for: known + people, transaction)
            return try ChatRecords(transaction).chat(chat, for: viewer)
        }
    }

    private func checkAddable(
        _ people: [Account.ID], to count: Int, by viewer: Account, _ transaction: Transaction
    ) throws {
        guard count + people.count <= GroupRules.mostMembers else {
            throw Refusal.invalid(
                "account_ids", "ERR_TOO_MANY", "A group has at most \(GroupRules.mostMembers) people.")
        }
        guard try RelationshipRecords(transaction).friends(people, of: viewer).count == people.count else {
            throw Refusal.invalid(
                "account_ids", "ERR_INVALID",
                "You can add only friends: people who follow you and whom you follow."
            )
        }
        for person in people { try checkRoom(for: person, transaction) }
    }

    private func checkRoom(for account: Account.ID, _ transaction: Transaction) throws {
        guard try GroupStore(transaction).count(of: account) < GroupRules.mostGroups else {
            throw Refusal.invalid("account_ids", "ERR_TOO_MANY", "One of you is in too many groups.")
        }
    }

    private func insert(_ people: [Account.ID], in chat: Chat.ID, _ transaction: Transaction) throws {
        let store = GroupStore(transaction)
        for person in people { try store.insert(person, in: chat) }
        for person in people where try !store.blocked(by: person, in: chat).isEmpty {
            try store.invite(person, to: chat)
        }
    }

    /// Names a group; an empty name takes the name away.
    ///
    /// - Throws: ``Refusal``: 404 for a chat of two and one that the viewer isn't in, 409 for an invitation that the viewer
    ///   hasn't accepted, 422 for a name that is too long.
    func rename(_ chat: Chat.ID, to title: String, by viewer: Account) async throws -> Chat {
        try await change(chat, by: viewer) { [self] transaction in
            let title = try GroupRules.title(title)
            guard try ChatRecords(transaction).chat(chat, for: viewer).group?.title != title else { return }
            try GroupStore(transaction).setTitle(title, of: chat)
            try happen(.named, text: title, in: chat, by: viewer, transaction)
        }
    }

    /// Chooses a photo of the viewer's library as a group's picture; nil for the portraits of its members.
    ///
    /// - Throws: ``Refusal``: 404 and 409 as ``rename(_:to:by:)`` does, 422 for anyone else's photo.
    func setPicture(_ photo: Photo.ID?, of chat: Chat.ID, by viewer: Account) async throws -> Chat {
        try await change(chat, by: viewer) { [self] transaction in
            do {
                if let photo { _ = try PhotoRecords(transaction).own(photo, of: viewer) }
            } catch let refusal as Refusal where refusal == .notFound {
                throw Refusal.invalid("picture_media_id", "ERR_INVALID", "This photo isn’t in your library.")
            }
            guard try ChatRecords(transaction).chat(chat, for: viewer).group?.picture != photo else { return }
            try GroupStore(transaction).setPicture(photo, of: chat)
            try happen(.pictured, in: chat, by: viewer, transaction)
        }
    }

    private func change(
        _ chat: Chat.ID, by viewer: Account, _ change: @escaping @Sendable (Transaction) throws -> Void
    ) async throws -> Chat {
        try await database.write { [events] transaction in
            _ = try ChatRecords(transaction).groupMember(chat, of: viewer)
            try change(transaction)
            events.changed(chat, for: try GroupStore(transaction).accounts(in: chat), transaction)
            return try ChatRecords(transaction).chat(chat, for: viewer)
        }
    }

    // MARK: Leaving

    /// Takes somebody out of a group: the viewer, or anyone else when the viewer is the owner.
    ///
    /// - Throws: ``Refusal``: 404 for a chat of two, one that the viewer isn't in, and somebody who isn't in it; 409 for
    ///   anyone but the owner.
    func remove(_ account: Account.ID, from chat: Chat.ID, by viewer: Account) async throws {
        try await database.write { [self] transaction in
            let member = try ChatRecords(transaction).member(chat, of: viewer)
            guard member.isGroup, try ChatStore(transaction).member(chat, account) != nil else {
                throw Refusal.notFound
            }
            let isOwn = account == viewer.id
            let owner = try ChatRecords(transaction).chat(chat, for: viewer).group?.owner
            guard isOwn || owner == viewer.id && !member.isRequest else {
                throw Refusal.conflict("Only the owner removes people.")
            }
            // Nobody learns of an invitation that is declined.
            if !isOwn {
                try happen(.removed, of: account, in: chat, by: viewer, transaction)
            } else if !member.isRequest {
                try happen(.left, in: chat, by: viewer, transaction)
            }
            try depart(account, from: chat, transaction)
        }
    }

    /// Takes somebody out of a group. The owner passes it on to the member who has been there longest; when the last one
    /// leaves, a job erases the group.
    func depart(_ account: Account.ID, from chat: Chat.ID, _ transaction: Transaction) throws {
        let store = GroupStore(transaction)
        if let member = try ChatStore(transaction).member(chat, account) {
            try ChatRecords(transaction).dismissNotification(of: member, events)
            if let end = member.mute?.endsAt {
                try JobOutbox(transaction).cancel(.endChatMute, payload: "\(account)-\(chat)", runAt: end)
            }
        }
        for departure in departures.all { try departure(account, chat, transaction) }
        try MessageWordStore(transaction).forgetCleared(in: chat) { try store.delete(account, from: chat) }
        events.left(chat, account, transaction)
        let rest = try ChatStore(transaction).members(of: chat)
        guard !rest.isEmpty else {
            return try transaction.schedule(.eraseGroup, payload: chat.description)
        }
        events.changed(chat, for: rest.map(\.account), transaction)
        try OncePictureRecords(transaction).eraseSeen(in: chat)
        guard try store.owner(of: chat) == account else { return }
        let suspended = Set(
            try AccountRecords(transaction).unchecked(Set(rest.map(\.account))).values.filter(\.isSuspended)
                .map(\.id))
        // Those who can act come first, and of these who has been here longest.
        func rank(_ member: ChatStore.Member) -> (Int, Date, Int64) {
            (
                suspended.contains(member.account) ? 2 : member.isRequest ? 1 : 0,
                member.joinedAt ?? .distantFuture, member.account.rawValue
            )
        }
        let heir = rest.min { rank($0) < rank($1) }
        try store.setOwner(heir?.account, of: chat)
    }

    // MARK: What happens

    /// Writes between a group's messages what somebody did.
    @discardableResult
    func happen(
        _ kind: Message.Event.Kind, of subject: Account.ID? = nil, text: String = "", in chat: Chat.ID,
        by actor: Account, _ transaction: Transaction
    ) throws -> Message.ID {
        let (id, number) = try ChatStore(transaction).newMessage(in: chat)
        let event = Message.Event(kind: kind, subject: subject)
        try MessageStore(transaction).insert(
            id, in: chat, number: number, from: actor.id, key: nil, text: text, event: event)
        try GroupStore(transaction).noteMessage(number: number, in: chat, from: actor.id)
        events.sentInGroup(
            Message(id: id, chat: chat, number: number, sender: actor.id, text: text, event: event),
            transaction)
        return id
    }
}

/// What comes of a message after it was sent in a group: jobs, so that sending writes as many rows in a large group as in a
/// small one.
struct GroupJobs: Sendable {
    let database: Database
    let notifications: NotificationService

    /// Performs ``JobKind/spreadPhoto``.
    func spread(_ job: Job) async throws {
        guard let id = Message.ID(job.payload) else { return }
        try await database.write { transaction in
            let store = MessageStore(transaction)
            guard let chat = try store.chat(of: id), try store.message(id, in: chat)?.photo != nil else {
                return
            }
            try store.spreadExchange(id, in: chat)
        }
    }

    private static let batch = 500

    /// Performs ``JobKind/eraseGroup``: erases the pictures and messages of a group that nobody is in, some at a time, and then
    /// the group.
    func erase(_ job: Job) async throws {
        guard let chat = Chat.ID(job.payload) else { return }
        var isDone = false
        while !isDone {
            isDone = try await database.write { transaction in
                let store = GroupStore(transaction)
                guard try store.accounts(in: chat).isEmpty else { return true }
                let messages = try store.firstMessages(of: chat, limit: Self.batch)
                if let last = messages.last {
                    try OncePictureStore(transaction).erase(of: messages.map(\.id))
                    try store.deleteMessages(of: chat, through: last.number)
                    return false
                }
                try store.delete(chat)
                return true
            }
        }
    }

    /// What a member hears of a message.
    private enum News {
        /// They were added, or the group was made with them.
        case added
        case mentioned
        case written
    }

    /// Performs ``JobKind/notifyGroup``: notifies those who haven't read a message a moment after it arrived. Who mutes the
    /// group hears only of what mentions them.
    func notify(_ job: Job) async throws {
        guard let id = Message.ID(job.payload),
            try await database.read({ try self.news(of: id, $0)?.news.isEmpty }) == false
        else { return }
        try await database.write { transaction in
            guard let (message, news) = try self.news(of: id, transaction) else { return }
            for (account, news) in news.sorted(by: { $0.key < $1.key }) {
                try note(news, of: message, to: account, transaction)
            }
        }
    }

    private func news(
        of id: Message.ID, _ transaction: Transaction
    ) throws -> (message: Message, news: [Account.ID: News])? {
        let store = MessageStore(transaction)
        guard let chat = try store.chat(of: id), let message = try store.message(id, in: chat) else {
            return nil
        }
        let names = Set(
            Caption.mentions(message.event == nil ? message.text : "").map(AccountRules.folded(username:)))
        let mentioned =
            try names.isEmpty
            ? []
            : AccountRecords(transaction).accounts(foldedUsernames: names, for: message.sender).values.map(
                \.id)
        var news: [Account.ID: News] = [:]
        for member in try ChatStore(transaction).members(of: chat) {
            guard member.account != message.sender, member.has(id), member.marks.readThrough < id else {
                continue
            }
            let isForThem = message.event?.kind == .made || message.event?.subject == member.account
            if message.event != nil {
                if isForThem { news[member.account] = .added }
            } else if member.isRequest {
                continue
            } else if mentioned.contains(member.account) {
                news[member.account] = .mentioned
            } else if member.mute == nil {
                news[member.account] = .written
            }
        }
        return (message, news)
    }

    private func note(
        _ news: News, of message: Message, to account: Account.ID, _ transaction: Transaction
    ) throws {
        let chat = message.chat.rawValue
        switch news {
        case .added:
            try notifications.note(
                .groupAdded, to: account, from: message.sender, about: chat, group: chat, transaction)
        case .mentioned:
            try notifications.note(
                .groupMention, to: account, from: message.sender, about: chat, group: chat, transaction)
        case .written:
            guard try !NotificationRecords(transaction).isNoted(.groupMessage, to: account, about: chat)
            else {
                return try notifications.noteNews(
                    of: .groupMessage, to: account, from: message.sender, group: chat, transaction)
            }
            try notifications.note(
                .groupMessage, to: account, from: message.sender, about: chat, group: chat, transaction)
        }
    }
}

/// A group that a notification is about.
struct GroupSubject: NotificationSubject {
    let chat: Chat.ID
    let title: String

    var picture: Node { .empty }

    func eventSubjects(_ transaction: Transaction) throws -> [EventSubject] { [.thing(chat)] }

    func write(for viewer: Reader, into json: inout JSONWriter) { json.member("chat_id", chat) }

    /// Looks up the groups of a page of notifications.
    static let subjects = NotificationKind.oneByOne { id, reader, transaction in
        let chat = try ChatRecords(transaction).chat(ID(rawValue: id), for: reader)
        return GroupSubject(chat: chat.id, title: chat.title)
    }
}
