import Core
import Crypto
import Foundation
import Hummingbird
import People
import Serving
import Storage

/// A form in which people choose friends and groups, who receive something in their conversations.
package struct ReceiverChooser: Sendable {
    package let form: FriendChooser

    /// Creates a form.
    ///
    /// - Parameters:
    ///   - path: the path of the page with the form.
    ///   - action: the path to which the form is sent.
    package init(
        frame: Frame, relations: RelationshipService, path: String, action: String,
        title: String = "Friends and groups", button: String = "Send"
    ) {
        form = FriendChooser(
            frame: frame, relations: relations, path: path, action: action, title: title, button: button)
    }

    /// Returns the page of friends and groups that a request asks for, with what they are chosen for, read in one
    /// transaction. Groups are on the first page only; a search finds the others.
    ///
    /// - Parameters:
    ///   - left: friends who aren't offered.
    ///   - subject: reads what they are chosen for.
    package func offered<Subject: Sendable>(
        _ input: Input, of viewer: Account,
        leavingOut left: @escaping @Sendable (Subject) -> Set<Account.ID> = { _ in [] },
        for subject: @escaping @Sendable (Transaction) throws -> Subject
    ) async throws -> (Subject, FriendChooser.Friends) {
        let asked = Receivers(input).chats
        let (read, friends) = try await form.friends(
            input, of: viewer, leavingOut: { left($0.subject) }
        ) { transaction in
            let records = ChatRecords(transaction)
            let chosen = try records.groups(asked, of: viewer)
            let found =
                input.text("after").isEmpty
                ? try records.groups(of: viewer, query: input.text("q"), limit: FriendChooser.most + 1) : []
            return (subject: try subject(transaction), chosen: chosen, found: found)
        }
        var offered = friends
        let ids = Set(read.chosen.map(\.id))
        offered.hasMoreOthers = read.found.count > FriendChooser.most
        offered.others = (read.chosen + read.found.prefix(FriendChooser.most).filter { !ids.contains($0.id) })
            .map { chat in
                FriendChooser.Other(
                    name: "chat", value: chat.id.description, title: chat.title,
                    isChosen: ids.contains(chat.id),
                    portrait: { [form] in ChatComponents.portrait(chat, viewer, pixels: 60, form.frame) })
            }
        return (read.subject, offered)
    }
}

/// The friends and groups who receive something, each in their conversation.
package struct Receivers: Sendable {
    package let people: [Account.ID]
    package let chats: [Chat.ID]

    /// The most that receive something at once.
    static let most = FriendChooser.most

    init(people: [Account.ID], chats: [Chat.ID]) {
        (self.people, self.chats) = (people.withoutRepeats(), chats.withoutRepeats())
    }

    /// Reads what a form has chosen; one more than allowed, so that too many are noticed.
    package init(_ input: Input) {
        self.init(
            people: FriendChooser.chosen(input),
            chats: input.list("chat").prefix(Self.most + 1).compactMap { Chat.ID($0) })
    }

    /// Returns the keys of the messages of a form or call with a key: those of the groups, then those of the people.
    func keys(_ key: String) -> [String] {
        // As long as a key of a message may be, however long this one is.
        let digest = base64URL(Data(SHA256.hash(data: Data(key.utf8))))
        return (chats.map(\.description) + people.map { "@\($0)" }).map { "share \($0) \(digest)" }
    }

    package var count: Int { people.count + chats.count }

    /// The receivers in words, such as `2 friends and 1 group`.
    var words: String {
        [(people.count, "friend"), (chats.count, "group")].filter { $0.0 > 0 }.map { $0.0.of($0.1) }
            .joined(separator: " and ")
    }

    /// - Throws: ``Refusal`` (422) for none and for too many.
    package func check() throws {
        guard count > 0 else {
            throw Refusal.invalid("account_ids", "ERR_BLANK", "Choose at least one friend or group.")
        }
        guard count <= Self.most else {
            throw Refusal.invalid(
                "account_ids", "ERR_TOO_MANY", "You can send it to at most \(Self.most) at once.")
        }
    }
}

extension MessageService {
    /// Sends a message to each of several friends and groups.
    ///
    /// - Parameter key: the key of the form or call, so that sending it twice sends each message once.
    /// - Throws: ``Refusal``: 422 for no receiver, too many, or someone who isn't a friend, 404 for a group of others; then
    ///   nothing was sent. Others as ``send(_:to:by:key:)`` does: then those before have received the message, and the
    ///   same call with the same key sends it to the others.
    func send(
        _ draft: Draft, toEach receivers: Receivers, by viewer: Account, key: String?, _ chats: ChatService
    ) async throws -> [Message] {
        try receivers.check()
        let keys = key.map { receivers.keys($0) }
        // Who has received it before may have left since: then the same call is answered all the same.
        let wasSent = if let keys { try await wereSent(keys, by: viewer) } else { false }
        if !wasSent {
            try await database.read { transaction in
                let records = ChatRecords(transaction)
                let peers = try receivers.chats.compactMap { try records.acceptedMember($0, of: viewer).peer }
                let people = Set(receivers.people + peers)
                let friends = try RelationshipRecords(transaction).friends(Array(people), of: viewer)
                guard friends.count == people.count else {
                    throw Refusal.invalid(
                        "account_ids", "ERR_INVALID",
                        "You can send it only to friends, who follow you as you follow them.")
                }
            }
        }
        var ids = receivers.chats
        for person in receivers.people { ids.append(try await chats.open(with: person, by: viewer).id) }
        var sent: [Message] = []
        for (index, id) in ids.enumerated() where !ids[..<index].contains(id) {
            sent.append(try await send(draft, to: id, by: viewer, key: keys?[index]))
        }
        return sent
    }
}

extension Response {
    /// Returns the answer to a form that sends something to friends and groups.
    ///
    /// - Parameters:
    ///   - page: the page after it was sent.
    ///   - form: the page with the form, for a choice that is refused.
    static func sent(
        to receivers: Receivers, then page: String, backTo form: String, send: () async throws -> [Message]
    ) async throws -> Response {
        do {
            _ = try await send()
            return .see(page, flash: .good("Sent to \(receivers.words)."))
        } catch let refusal as Refusal where refusal.fields["account_ids"] != nil {
            return .see(form, flash: .error(refusal.message))
        }
    }
}
