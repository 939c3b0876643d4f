import Core
import Crypto
import Feeds
import Foundation
import People
import Serving
import Storage

// Starting collages, alone or with friends, and leaving them.
extension CollageService {
    // MARK: Beginning

    /// The people with whom a collage is filled.
    package enum Company: Sendable {
        case alone
        case friends([Account.ID])
        /// The other person or the group of a chat, where the collage appears as a card.
        case chat(Chat.ID)
    }

    /// Begins a collage.
    ///
    /// - Parameters:
    ///   - photos: photos of the viewer's library for its first cells; the layout then has room for them.
    ///   - key: the idempotency key. A second call with the key within 24 hours returns the collage of the first.
    /// - Throws: ``Refusal``: 404 for photos and chats of others, 409 for an invitation to a group that the viewer hasn't
    ///   accepted, 422 for people who aren't friends, for people of whom one blocks another, and for the twenty-first
    ///   unfinished collage.
    package func begin(
        _ change: CollageStyleChange = CollageStyleChange(), photos: [Photo.ID] = [],
        with company: Company = .alone, by viewer: Account, key: IdempotencyKey? = nil
    ) async throws -> Collage {
        var style = CollageStyle()
        if !photos.isEmpty { style.layout = .holding(photos.count) }
        style = try change.applied(to: style)
        let begun = style
        let collage = try await database.write { [self] transaction in
            let known = try key?.made(
                by: viewer.id, gone: "This collage was begun and then deleted.", transaction
            ) { try CollageRecords(transaction).collage(ID(rawValue: $0), for: viewer) }
            if let known { return known }
            let collage = try begin(begun, photos, with: company, by: viewer, transaction)
            try key?.record(collage.id.rawValue, transaction, viewer.id)
            return collage
        }
        switch company {
        case .alone: break
        case .friends: try await sendCards(of: collage, to: collage.people.map(\.id), by: viewer)
        case .chat(let chat):
            _ = try await messages.send(card(of: collage), to: chat, by: viewer, key: "collage \(collage.id)")
        }
        return collage
    }

    /// Returns the message that shows a collage as a card in a chat.
    private func card(of collage: Collage) -> MessageService.Draft {
        MessageService.Draft(text: SharedKind.collage.text(sharing: collage.id.rawValue, at: publicURL))
    }

    /// Sends a card to the people whom the viewer has invited, each in their chat. The message's key makes it one message
    /// for each person, also when the same request arrives twice.
    private func sendCards(of collage: Collage, to people: [Account.ID], by viewer: Account) async throws {
        try await messages.send(
            card(of: collage), toEach: people, by: viewer, key: "collage \(collage.id)", chats)
    }

    /// Sends a card to the groups that the viewer has invited. The message's key has the people of the collage, so that a
    /// group that is invited again gets another card when this adds somebody, and the same request that arrives twice
    /// sends one.
    private func sendCards(of collage: Collage, toGroups groups: [Chat.ID], by viewer: Account) async throws {
        let people = collage.people.map(\.id.description).joined(separator: " ")
        let digest = base64URL(Data(SHA256.hash(data: Data(people.utf8))))
        for group in groups {
            _ = try await messages.send(
                card(of: collage), to: group, by: viewer, key: "collage \(collage.id) \(group) \(digest)")
        }
    }

    private func begin(
        _ style: CollageStyle, _ photos: [Photo.ID], with company: Company, by viewer: Account,
        _ transaction: Transaction
    ) throws -> Collage {
        let store = CollageStore(transaction)
        let records = CollageRecords(transaction)
        try records.checkUnfinished(viewer)
        let chat: Chat.ID? = if case .chat(let chat) = company { chat } else { nil }
        let invited = try chat.map { try ChatRecords(transaction).company(in: $0, of: viewer) }
        let id = try store.insert(style, of: viewer.id, chat: chat)
        for (position, photo) in photos.prefix(CollageLayout.mostCells).enumerated() {
            let photo = try PhotoRecords(transaction).own(photo, of: viewer)
            try store.set(CollageCell(giver: viewer, photo: photo), at: position, of: id)
        }
        if let chat, let invited {
            try records.add(invited, of: chat, to: id, by: viewer)
        }
        if case .friends(let people) = company {
            try records.invite(people, to: id, by: viewer)
        }
        if !photos.isEmpty, try !store.people(of: id).isEmpty { try store.exchange(id) }
        return try records.collage(id, for: viewer)
    }

    // MARK: Inviting and leaving

    /// Invites friends and groups to fill a collage. Of a group, everyone who has joined it takes part from now on, and who
    /// leaves the group leaves the collage; who joins it later takes part when it is invited again.
    ///
    /// - Throws: ``Refusal``: 404 for collages and groups of others, 409 for a finished one, 422 for people who aren't
    ///   friends, for people of whom one blocks another, for more people than fifty, for too many groups, and for a copy
    ///   with photos of others, which are lent to its owner alone.
    func invite(
        _ people: [Account.ID], andGroups groups: [Chat.ID] = [], to id: Collage.ID, by viewer: Account
    ) async throws -> Collage {
        guard groups.count <= FriendChooser.most else {
            throw Refusal.invalid(
                "chat_ids", "ERR_TOO_MANY", "Invite at most \(FriendChooser.most) groups at once.")
        }
        let groups = groups.withoutRepeats()
        let collage = try await change(id, by: viewer) { collage, transaction in
            try Self.checkOwner(collage, viewer)
            guard !collage.hasLentPhotos else {
                throw Refusal.invalid(
                    "account_ids", "ERR_INVALID",
                    "This copy has photos of others in it, which only you may see. Remove them first.")
            }
            let records = CollageRecords(transaction)
            try records.invite(people, to: id, by: viewer)
            for group in groups {
                let company = try ChatRecords(transaction).company(in: group, of: viewer)
                guard company.isGroup else { throw Refusal.notFound }
                try records.add(company, of: group, to: id, by: viewer)
            }
            collage.people = try records.collage(id, for: viewer).people
        }
        try await sendCards(of: collage, to: people.filter { $0 != viewer.id }, by: viewer)
        try await sendCards(of: collage, toGroups: groups, by: viewer)
        return collage
    }

    /// Ends a collage for everyone, if it is the viewer's; otherwise the viewer leaves it, and takes their photos out.
    /// A rendered picture stays in the library.
    ///
    /// - Throws: ``Refusal`` (404) for collages in which the viewer takes no part.
    func leave(_ id: Collage.ID, by viewer: Account) async throws {
        try await database.write { [self] transaction in
            let collage = try CollageRecords(transaction).collage(id, for: viewer)
            if let head = try CollageStore(transaction).head(id), head.owner == viewer.id {
                try end(head, transaction)
            } else {
                try remove([viewer.id], from: collage.id, transaction)
            }
        }
    }

    /// Ends a collage for everyone who takes part.
    func end(_ head: CollageStore.Head, _ transaction: Transaction) throws {
        let store = CollageStore(transaction)
        let everyone = try [head.owner] + store.people(of: head.id)
        try endLoans(of: head.id, to: nil, transaction)
        try store.delete(head.id)
        try NotificationRecords(transaction).remove(about: head.id.rawValue)
        events.gone(head.id, for: everyone, transaction)
    }

    /// Takes people out of a collage, with their photos, and sends the collage to those who stay.
    private func remove(_ people: [Account.ID], from id: Collage.ID, _ transaction: Transaction) throws {
        let store = CollageStore(transaction)
        for account in people {
            try store.remove(account, from: id)
            try store.empty(id, of: account)
            try endLoans(of: id, to: account, transaction)
            try NotificationRecords(transaction).remove(about: id.rawValue, to: account)
        }
        try store.touch(id)
        events.gone(id, for: people, transaction)
        try publish(id, transaction)
    }

    /// Separates two people when one blocks the other: in a collage of one of them, the other leaves; in a collage of
    /// somebody else, the one who blocks leaves.
    func separate(_ blocker: Account.ID, from blocked: Account.ID, _ transaction: Transaction) throws {
        let store = CollageStore(transaction)
        for head in try store.shared(by: blocker) {
            guard try head.owner == blocked || store.people(of: head.id).contains(blocked) else { continue }
            try remove([head.owner == blocker ? blocked : blocker], from: head.id, transaction)
        }
    }

    /// Removes a hidden account from the collages of others, and other people from its own collages.
    func leave(_ account: Account.ID, _ transaction: Transaction) throws {
        let store = CollageStore(transaction)
        for head in try store.shared(by: account) {
            let leaving = head.owner == account ? try store.people(of: head.id) : [account]
            try remove(leaving, from: head.id, transaction)
        }
    }

    /// Parts somebody who is no longer in a group from the unfinished collages that the group fills: they leave those of
    /// others, and the group leaves theirs. A finished collage stays as it is.
    func depart(_ account: Account.ID, from group: Chat.ID, _ transaction: Transaction) throws {
        let store = CollageStore(transaction)
        for head in try store.unfinished(by: group, with: account) {
            guard head.owner == account else {
                try remove([account], from: head.id, transaction)
                continue
            }
            if head.chat == group { try store.leaveChat(head.id) }
            let leaving = try store.company(of: head.id).filter { $0.group == group }.map(\.account)
            try remove(leaving, from: head.id, transaction)
        }
    }
}

extension CollageRecords {
    /// Checks that someone may begin one more collage.
    ///
    /// - Throws: ``Refusal`` (422) for the twenty-first unfinished one.
    func checkUnfinished(_ viewer: Account) throws {
        guard
            try CollageStore(transaction).unfinishedCount(ownedBy: viewer.id) < CollageService.mostUnfinished
        else {
            throw Refusal.invalid(
                "collage", "ERR_TOO_MANY",
                "You have \(CollageService.mostUnfinished) unfinished collages. Finish or delete one of them first."
            )
        }
    }

    /// Invites friends of the viewer's to a collage.
    ///
    /// - Throws: ``Refusal`` (422) for somebody who isn't a friend, for two of whom one blocks the other, and for too many.
    fileprivate func invite(_ people: [Account.ID], to id: Collage.ID, by viewer: Account) throws {
        let people = Set(people).subtracting([viewer.id]).sorted()
        try checkCount(people.count)
        let friends = try RelationshipRecords(transaction).friends(people, of: viewer)
        guard friends.count == people.count else {
            throw Refusal.invalid(
                "account_ids", "ERR_INVALID", "You can invite people who follow you and whom you follow.")
        }
        let store = CollageStore(transaction)
        let present = try Set([viewer.id] + store.people(of: id))
        if let block = try blocks(of: Set(people).subtracting(present), with: present).first {
            let accounts = try AccountRecords(transaction).unchecked([block.blocker, block.blocked])
            // In an order that doesn't say who blocks whom.
            let names = accounts.values.sorted { $0.id < $1.id }.map(\.displayName)
            throw Refusal.invalid(
                "account_ids", "ERR_INVALID",
                "\(names.joined(separator: " and ")) can’t take part in the same collage.")
        }
        for account in people { try store.add(account, to: id) }
        try checkCount(store.people(of: id).count)
    }

    /// Adds the people of a chat to a collage. Of a group, nobody is added who blocks one of those who take part or is
    /// blocked by one of them, and of two that come together not the one who blocks the other.
    ///
    /// - Throws: ``Refusal`` (422) for too many.
    fileprivate func add(
        _ company: ChatRecords.Company, of chat: Chat.ID, to id: Collage.ID, by viewer: Account
    ) throws {
        let store = CollageStore(transaction)
        let people = company.people.map(\.id)
        guard company.isGroup else { return try people.forEach { try store.add($0, to: id) } }
        let present = try Set([viewer.id] + store.people(of: id))
        let newcomers = Set(people).subtracting(present)
        let blocks = try blocks(of: newcomers, with: present)
        let apart = blocks.filter { present.contains($0.blocker) || present.contains($0.blocked) }
        var added = newcomers.subtracting(apart.flatMap { [$0.blocker, $0.blocked] })
        let blockers = blocks.filter { added.contains($0.blocked) }.map { $0.blocker }
        added.subtract(blockers)
        for account in added.sorted() { try store.add(account, to: id, by: chat) }
        try checkCount(store.people(of: id).count)
    }

    /// Returns the blocks between people who are to be added to a collage, and between them and those who take part.
    private func blocks(
        of newcomers: Set<Account.ID>, with present: Set<Account.ID>
    ) throws -> [(blocker: Account.ID, blocked: Account.ID)] {
        guard !newcomers.isEmpty else { return [] }
        return try AccountRecords(transaction).blocks(among: newcomers.union(present)).filter {
            newcomers.contains($0.blocker) || newcomers.contains($0.blocked)
        }
    }

    private func checkCount(_ people: Int) throws {
        guard people <= CollageService.mostPeople else {
            throw Refusal.invalid(
                "account_ids", "ERR_TOO_MANY",
                "A collage has at most \(CollageService.mostPeople + 1) people.")
        }
    }
}
