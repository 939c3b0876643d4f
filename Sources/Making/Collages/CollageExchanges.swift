import Core
import Feeds
import People
import Serving
import Storage

// The photos of collages that are filled together, in the private feeds of those who fill them.
extension CollageStore {
    /// A photo that somebody gave for a collage.
    struct Gift: Sendable {
        /// The id of the photo in private feeds.
        var exchange: Int64
        var collage: Collage.ID
        var owner: Account.ID
        var chat: Chat.ID?
        var giver: Account
        var photo: Photo
    }

    /// Returns a page of the photos that an account gave for collages or sees in them, newest first. The rows of
    /// `collage_exchanges` say in which order; whether the account sees a photo is what the collage says now.
    func gifts(of account: Account.ID, page: PageRequest) throws -> [Gift] {
        try page.rows(
            idColumn: "e.exchange_id",
            """
            SELECT e.exchange_id, e.collage_id AS exchange_collage_id, c.owner_id AS exchange_owner_id,
                c.chat_id AS exchange_chat_id, \(PhotoRow.columns), \(AccountRow.columns)
            FROM collage_exchanges e
            JOIN collage_cells k ON k.collage_id = e.collage_id AND k.exchange_id = e.exchange_id
            JOIN collages c ON c.id = e.collage_id
            JOIN \(PhotoRow.table) ph ON ph.id = k.photo_id
            JOIN \(AccountRow.table) a ON a.id = k.giver_id
            WHERE e.account_id = $1 AND \(Self.seesPhotos) AND \(AccountRow.isVisible)
            """, arguments: [account, account], transaction
        ) { row in
            Gift(
                exchange: try row.int64("exchange_id"), collage: try row.get("exchange_collage_id"),
                owner: try row.get("exchange_owner_id"), chat: try row.get("exchange_chat_id"),
                giver: try AccountRow.account(from: row), photo: try PhotoRow.photo(from: row))
        }
    }

    /// Puts the photos of a collage that is filled together into the private feeds of those who fill it, and takes out of
    /// them what was replaced or taken out.
    func exchange(_ id: Collage.ID) throws {
        let new = try transaction.values(
            """
            SELECT position FROM collage_cells
            WHERE collage_id = $1 AND photo_id IS NOT NULL AND exchange_id IS NULL ORDER BY position
            """, id, as: Int.self)
        for position in new {
            try transaction.execute(
                "UPDATE collage_cells SET exchange_id = $3 WHERE collage_id = $1 AND position = $2", id,
                position, transaction.newID())
        }
        try transaction.execute(
            """
            DELETE FROM collage_exchanges WHERE collage_id = $1 AND NOT EXISTS (
                SELECT 1 FROM collage_cells k WHERE k.collage_id = $1 AND k.photo_id IS NOT NULL
                    AND k.exchange_id = collage_exchanges.exchange_id)
            """, id)
        try transaction.execute(
            """
            INSERT INTO collage_exchanges (account_id, exchange_id, collage_id)
            SELECT p.account_id, k.exchange_id, k.collage_id
            FROM (SELECT account_id FROM collage_people WHERE collage_id = $1
                UNION SELECT owner_id FROM collages WHERE id = $1) p
            JOIN collage_cells k ON k.collage_id = $1
            WHERE k.photo_id IS NOT NULL
            ON CONFLICT (account_id, exchange_id) DO NOTHING
            """, id)
    }

    /// Takes the photos of a collage out of the private feed of somebody who has left it, and out of its owner's when there
    /// is nobody left.
    func unexchange(_ id: Collage.ID, with account: Account.ID) throws {
        try transaction.execute(
            """
            DELETE FROM collage_exchanges WHERE collage_id = $1
                AND (account_id = $2 OR NOT EXISTS (SELECT 1 FROM collage_people WHERE collage_id = $1))
            """, id, account)
    }

    /// Takes the photos of a finished collage out of the private feeds of those who don't see them: neither its owner nor
    /// somebody who gave one (``seesPhotos``).
    func unexchangeUnseen(_ id: Collage.ID) throws {
        try transaction.execute(
            """
            DELETE FROM collage_exchanges WHERE collage_id = $1
                AND EXISTS (SELECT 1 FROM collages c WHERE c.id = $1 AND c.is_finished = 1
                    AND c.owner_id <> collage_exchanges.account_id)
                AND NOT EXISTS (SELECT 1 FROM collage_cells g WHERE g.collage_id = $1
                    AND g.giver_id = collage_exchanges.account_id)
            """, id)
    }
}

extension CollageRecords {
    /// Returns a page of a private feed: the photos that the viewer and those with whom they fill collages gave for these,
    /// newest first.
    func exchanges(of viewer: Account, page: PageRequest) throws -> [Exchange] {
        let gifts = try CollageStore(transaction).gifts(of: viewer.id, page: page)
        let companies = try companies(of: gifts, for: viewer)
        var chats: [Account.ID: Chat?] = [:]
        /// Returns the chat of two with somebody.
        func chat(with account: Account.ID?) throws -> Chat? {
            guard let account else { return nil }
            if let known = chats[account] { return known }
            let found = try ChatRecords(transaction).chat(with: account, for: viewer)?.accepted
            chats[account] = found
            return found
        }
        return try gifts.compactMap { gift in
            guard let company = companies[gift.collage] else { return nil }
            let giver = gift.giver.id
            let other = giver == viewer.id ? company.onlyOther(besides: viewer.id) : giver
            return Exchange(
                gift.exchange, of: .collage, gift.collage.rawValue,
                title: company.title(besides: giver, for: viewer.id), photo: gift.photo, from: gift.giver,
                chat: try company.chat ?? chat(with: other))
        }
    }

    /// The people of a collage, as a private feed names them.
    private struct Company {
        var people: [Account]
        /// The chat in which the collage was started, if the viewer has accepted it and is still in it.
        var chat: Chat?

        func onlyOther(besides account: Account.ID) -> Account.ID? {
            let others = people.filter { $0.id != account }
            return others.count == 1 ? others.first?.id : nil
        }

        /// Returns the words for the collage to which somebody gave a photo: "collage with Ben and 2 others".
        func title(besides giver: Account.ID, for viewer: Account.ID) -> String {
            if let chat, chat.peer == nil { return "collage with \(chat.title)" }
            let others = people.filter { $0.id != giver }
            let first = others.first { $0.id == viewer } ?? others.first
            guard let first else { return "collage" }
            let name = first.id == viewer ? "you" : first.displayName
            return others.count == 1
                ? "collage with \(name)" : "collage with \(name) and \((others.count - 1).of("other"))"
        }
    }

    /// Returns the people of the collages for which some photos were given.
    private func companies(
        of gifts: [CollageStore.Gift], for viewer: Account
    ) throws -> [Collage.ID: Company] {
        let collages = Dictionary(gifts.map { ($0.collage, $0) }, uniquingKeysWith: { $1 })
        let people = try CollageStore(transaction).people(of: Set(collages.keys))
        let owners = collages.values.map(\.owner)
        let accounts = try AccountRecords(transaction).unchecked(Set(owners + people.values.joined()))
        var chats: [Chat.ID: Chat] = [:]
        for chat in Set(collages.values.compactMap(\.chat)) {
            chats[chat] = try ChatRecords(transaction).ifVisible(chat, to: viewer)?.accepted
        }
        return collages.mapValues { gift in
            Company(
                people: ([gift.owner] + people[gift.collage, default: []]).compactMap { accounts[$0] },
                chat: gift.chat.flatMap { chats[$0] })
        }
    }
}

extension Chat {
    /// The chat; nil as long as the viewer hasn't accepted it. Who is only invited sees neither its name nor its messages.
    fileprivate var accepted: Chat? { isRequest ? nil : self }
}
