import Core
import Serving
import Storage

/// The contents of a chat's page, read in one transaction.
struct ChatModel: Sendable {
    /// The parameters of a request for the page.
    struct Query: Sendable {
        let chat: Chat.ID
        let page: PageRequest
        /// The message in the middle of the page; nil for the page that `page` says.
        var around: Message.ID?
        /// The message to answer.
        var reply: Message.ID?
        /// The snap of the other person to answer.
        var snap: Snap.ID?
    }

    let chat: Chat
    /// One page of messages, newest first.
    let messages: [Message]
    /// Whether there may be earlier messages than these.
    let hasEarlier: Bool
    /// Whether there may be later messages than these.
    let hasLater: Bool
    /// The message that is being answered; nil when it was deleted meanwhile.
    let answered: Message?
    /// The snap that is being answered; nil when it is gone, or isn't the other person's.
    let answeredSnap: Snap.ID?
    /// The list of chats beside this chat.
    let list: ChatComponents.List
    /// The cards of the things that the messages share, by the things' ids.
    let cards: [String: Drawing]
    /// The drawings that features show above the messages.
    let above: [Drawing]
}

extension ChatService {
    /// Returns the contents of a chat's page. Its messages count as delivered.
    ///
    /// - Parameters:
    ///   - offers: what features add to chats.
    ///   - snaps: knows which snap can be answered.
    /// - Throws: ``Refusal`` (404) for anyone else's chat, and if either of the two blocks the other.
    func model(
        _ query: ChatModel.Query, for viewer: Account, offers: ChatOffers, snaps: SnapService
    ) async throws -> ChatModel {
        let (model, arrived) = try await database.read { transaction in
            let chat = try ChatRecords(transaction).chat(query.chat, for: viewer)
            let member = try ChatRecords(transaction).member(query.chat, of: viewer)
            let part = try MessageRecords(transaction).part(of: member, query)
            let (found, arrived) = (part.messages, part.arrived)
            let model = ChatModel(
                chat: chat, messages: found, hasEarlier: part.hasEarlier, hasLater: part.hasLater,
                answered: try query.reply.flatMap {
                    try MessageRecords(transaction).ifVisible($0, to: member)
                },
                answeredSnap: try query.snap.flatMap { snap in
                    try snaps.canAnswer(snap, of: member.peer, by: viewer, transaction) ? snap : nil
                },
                list: try ChatComponents.List(
                    .init(current: query.chat), of: viewer, offers: offers, transaction),
                cards: try offers.shared.cards(of: found, for: viewer, transaction),
                above: try chat.peer.map { try offers.above(of: viewer, with: $0, transaction) } ?? [])
            return (model, arrived)
        }
        if let arrived { await self.arrived(query.chat, through: arrived, for: viewer) }
        return model
    }

    /// Returns the contents of a page of the list of chats.
    func list(
        _ query: ChatComponents.List.Query, of viewer: Account, offers: ChatOffers
    ) async throws -> ChatComponents.List {
        try await database.read { try ChatComponents.List(query, of: viewer, offers: offers, $0) }
    }
}

extension MessageRecords {
    /// The messages that a chat's page shows, newest first.
    fileprivate struct Part {
        var messages: [Message]
        var arrived: Message.ID?
        var hasEarlier: Bool
        var hasLater: Bool
    }

    /// Returns the messages of a chat's page.
    fileprivate func part(of member: ChatStore.Member, _ query: ChatModel.Query) throws -> Part {
        let page = query.page
        guard let middle = query.around, middle.rawValue < .max else {
            let (found, arrived) = try messages(of: member, page: page)
            let isFull = found.count == page.limit
            return Part(
                messages: found, arrived: arrived, hasEarlier: isFull || page.rightAbove != nil,
                hasLater: page.rightAbove != nil ? isFull : page.olderThan != nil)
        }
        let half = page.limit / 2
        let before = try messages(
            of: member, page: PageRequest(limit: half, olderThan: middle.rawValue + 1))
        let after = try messages(
            of: member, page: PageRequest(limit: half, rightAbove: middle.rawValue))
        return Part(
            messages: after.found + before.found, arrived: after.arrived ?? before.arrived,
            hasEarlier: before.found.count == half, hasLater: after.found.count == half)
    }
}

extension ChatComponents.List {
    /// The parameters of a request for the list.
    struct Query: Sendable {
        /// The words to search for: only chats with people whose names have words that begin with these are found.
        var text = ""
        var olderThan: Int64?
        /// The chat that is shown beside the list.
        var current: Chat.ID?
    }

    private static let page = 40
    /// The most messages below the chats that a search has found; the next page has the rest.
    private static let foundPage = 20

    /// Reads a page of the list inside a transaction.
    init(
        _ query: Query, of viewer: Account, offers: ChatOffers, _ transaction: Transaction
    ) throws {
        let page = PageRequest(limit: Self.page, olderThan: query.olderThan)
        chats = try ChatRecords(transaction).chats(
            of: viewer, requests: false, query: query.text, page: page, members: .first)
        requestsCount = try ChatStore(transaction).requestsCount(of: viewer.id)
        chips = try offers.counts(for: viewer, transaction)
        self.query = query.text
        found =
            query.text.isEmpty || query.olderThan != nil
            ? nil
            : try MessageRecords(transaction).search(
                MessageQuery(query.text), for: viewer, page: PageRequest(limit: Self.foundPage))
        next =
            chats.count == page.limit
            ? chats.last?.lastMessage.map { "/messages?q=\(query.text.queryEncoded)&max_id=\($0.id)" } : nil
        current = query.current
    }
}
