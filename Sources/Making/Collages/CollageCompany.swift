import Core
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
        /// The other person of a chat, where the collage appears as a card.
        case chat(Chat.ID)
    }

    /// Begins a collage.
    ///
    /// - Parameters:
    ///   - photos: photos of the viewer's library for its first cells; the layout then has room for them.
    ///   - key: the idempotency key. A second call with the key within 24 hours returns the collage of the first.
    /// - Throws: ``Refusal``: 404 for photos and chats of others, 422 for people who aren't friends, and for the
    ///   twenty-first unfinished collage.
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
        try await sendCards(of: collage, to: collage.people.map(\.id), by: viewer)
        return collage
    }

    /// Sends a message to the people whom the viewer has invited, so that their chat shows the collage as a card. The
    /// message's key makes it one message for each person, also when the same request arrives twice.
    private func sendCards(of collage: Collage, to people: [Account.ID], by viewer: Account) async throws {
        let card = MessageService.Draft(
            text: SharedKind.collage.text(sharing: collage.id.rawValue, at: publicURL))
        try await messages.send(card, toEach: people, by: viewer, key: "collage \(collage.id)", chats)
    }

    private func begin(
        _ style: CollageStyle, _ photos: [Photo.ID], with company: Company, by viewer: Account,
        _ transaction: Transaction
    ) throws -> Collage {
        let store = CollageStore(transaction)
        try CollageRecords(transaction).checkUnfinished(viewer)
        var peer: (chat: Chat.ID, account: Account)?
        if case .chat(let chat) = company {
            peer = (chat, try ChatRecords(transaction).peer(in: chat, of: viewer))
        }
        let id = try store.insert(style, of: viewer.id, chat: peer?.chat)
        for (position, photo) in photos.prefix(CollageLayout.mostCells).enumerated() {
            let photo = try PhotoRecords(transaction).own(photo, of: viewer)
            try store.set(CollageCell(giver: viewer, photo: photo), at: position, of: id)
        }
        if let peer { _ = try store.add(peer.account.id, to: id) }
        if case .friends(let people) = company {
            try CollageRecords(transaction).invite(people, to: id, by: viewer)
        }
        return try CollageRecords(transaction).collage(id, for: viewer)
    }

    // MARK: Inviting and leaving

    /// Invites friends to fill a collage.
    ///
    /// - Throws: ``Refusal``: 404 for collages of others, 409 for a finished one, 422 for people who aren't friends, for
    ///   more than nine, and for a copy with photos of others, which are lent to its owner alone.
    func invite(_ people: [Account.ID], to id: Collage.ID, by viewer: Account) async throws -> Collage {
        let collage = try await change(id, by: viewer) { collage, transaction in
            try Self.checkOwner(collage, viewer)
            guard !collage.hasLentPhotos else {
                throw Refusal.invalid(
                    "account_ids", "ERR_INVALID",
                    "This copy has photos of others in it, which only you may see. Remove them first.")
            }
            try CollageRecords(transaction).invite(people, to: id, by: viewer)
            collage.people = try CollageStore(transaction).people(of: id).compactMap {
                try AccountRecords(transaction).unchecked($0)
            }
        }
        try await sendCards(of: collage, to: people.filter { $0 != viewer.id }, by: viewer)
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
                try remove(viewer.id, from: collage, transaction)
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

    private func remove(_ account: Account.ID, from collage: Collage, _ transaction: Transaction) throws {
        let store = CollageStore(transaction)
        try store.remove(account, from: collage.id)
        try store.empty(collage.id, of: account)
        try endLoans(of: collage.id, to: account, transaction)
        try store.touch(collage.id)
        try NotificationRecords(transaction).remove(about: collage.id.rawValue, to: account)
        events.gone(collage.id, for: [account], transaction)
        try publish(collage.id, transaction)
    }

    /// Separates two people when one blocks the other: in a collage of one of them, the other leaves; in a collage of
    /// somebody else, the one who blocks leaves.
    func separate(_ blocker: Account.ID, from blocked: Account.ID, _ transaction: Transaction) throws {
        for head in try CollageStore(transaction).shared(by: blocker) {
            let collage = try CollageRecords(transaction).load(head, for: blocker)
            guard collage.includes(blocked) else { continue }
            try remove(head.owner == blocker ? blocked : blocker, from: collage, transaction)
        }
    }

    /// Removes a hidden account from the collages of others, and other people from its own collages.
    func leave(_ account: Account.ID, _ transaction: Transaction) throws {
        for head in try CollageStore(transaction).shared(by: account) {
            let collage = try CollageRecords(transaction).load(head, for: account)
            let leaving = head.owner == account ? collage.people.map(\.id) : [account]
            for person in leaving { try remove(person, from: collage, transaction) }
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
    /// - Throws: ``Refusal`` (422) for somebody who isn't a friend, and for the tenth.
    fileprivate func invite(_ people: [Account.ID], to id: Collage.ID, by viewer: Account) throws {
        let store = CollageStore(transaction)
        for account in Set(people).sorted() where account != viewer.id {
            guard try ChatRecords(transaction).areFriends(viewer.id, account) else {
                throw Refusal.invalid(
                    "account_ids", "ERR_INVALID", "You can invite people who follow you and whom you follow.")
            }
            _ = try store.add(account, to: id)
        }
        guard try store.people(of: id).count <= CollageService.mostPeople else {
            throw Refusal.invalid("account_ids", "ERR_TOO_MANY", "Invite up to nine friends.")
        }
    }
}
