import Core
import People
import Serving
import Storage

extension JobKind {
    /// Finds the words of messages from before the server kept words; the payload is the id below which to look.
    static let findMessageWords = JobKind("find-message-words", .short)
    /// Deletes the words of messages that nobody has in their own view any more; the payload is the chat, and the messages
    /// after which and up to which to look.
    static let forgetMessageWords = JobKind("forget-message-words", .erasing)
}

/// What somebody looks for among the messages of their chats.
struct MessageQuery: Sendable {
    /// The words that a message has all of.
    let words: [String]
    /// The chat to look in; nil for all.
    let chat: Chat.ID?

    init(_ text: String, in chat: Chat.ID? = nil) {
        words = SearchWords.words(ofQuery: text)
        self.chat = chat
    }
}

/// A page of the messages that have all words of a query.
struct FoundMessages: Sendable {
    /// The messages with their chats, newest first.
    var all: [MessageService.Seen] = []
    /// The chat that was looked in; nil for all.
    var chat: Chat?
    /// The message at which the next page begins; nil when there are no more. A page may have fewer messages than were
    /// asked for, or none, although there are more.
    var next: Int64?

    var messages: [Message] { all.map(\.message) }
}

// Finding messages by their words.
extension MessageService {
    /// Returns one page of the viewer's messages that have all words of a query, newest first. They don't count as delivered.
    ///
    /// Looks in at most ``MessageSearchRules/mostChats`` chats of two, and as many groups: the most recently active ones. Left
    /// out are chats that the viewer hasn't accepted, and messages that their chat doesn't show or folds away.
    ///
    /// - Throws: ``Refusal``: 404 for anyone else's chat, 409 for a chat that the viewer hasn't accepted.
    func search(_ query: MessageQuery, for viewer: Account, page: PageRequest) async throws -> FoundMessages {
        guard query.chat != nil || !query.words.isEmpty else { return FoundMessages() }
        return try await database.read { try MessageRecords($0).search(query, for: viewer, page: page) }
    }

    /// The number of messages that one step of ``findWords(_:in:)`` and of ``forgetWords(_:in:)`` looks at.
    private static let step = 200

    /// Performs ``JobKind/findMessageWords`` for some messages, and schedules the next step.
    static func findWords(_ job: Job, in database: Database) async throws {
        try await database.performStep(of: job) { try MessageWordStore($0).find(olderThan: $1, limit: step) }
    }

    /// Performs ``JobKind/forgetMessageWords`` for some messages, and schedules the next step.
    static func forgetWords(_ job: Job, in database: Database) async throws {
        let ids = job.payload.split(separator: " ").compactMap { Int64($0) }
        guard ids.count == 3 else { return }
        try await database.write { transaction in
            let next = try MessageWordStore(transaction).forget(
                in: ID(rawValue: ids[0]), after: ID(rawValue: ids[1]), through: ID(rawValue: ids[2]),
                limit: step)
            if let next {
                try transaction.schedule(.forgetMessageWords, payload: "\(ids[0]) \(next) \(ids[2])")
            }
        }
    }
}

/// The limits of a search for messages.
enum MessageSearchRules {
    /// The most chats of two in which one search looks, and the most groups.
    static let mostChats = 1_000
    /// The most messages with a word that are looked at together, and how often for one page: what the viewer can't see, and
    /// words that are never together, cost no more.
    static let (batch, mostBatches) = (50, 60)
}

extension MessageRecords {
    /// Returns one page of a search (``MessageService/search(_:for:page:)``).
    func search(_ query: MessageQuery, for viewer: Account, page: PageRequest) throws -> FoundMessages {
        let chat = try query.chat.map { id in
            _ = try ChatRecords(transaction).acceptedMember(id, of: viewer)
            return try ChatRecords(transaction).chat(id, for: viewer)
        }
        guard !query.words.isEmpty else { return FoundMessages(chat: chat) }
        let (ids, next) = try find(query, for: viewer.id, page: page)
        let messages = try MessageWordStore(transaction).messages(ids)
        let chats = try ChatRecords(transaction).visible(Set(messages.map(\.chat)), to: viewer)
        var (ofTwos, ofGroups): ([Message], [Message]) = ([], [])
        for message in messages {
            guard let member = chats[message.chat]?.member else { continue }
            let seen = message.seen(after: member.clearedThrough)
            if member.isGroup { ofGroups.append(seen) } else { ofTwos.append(seen) }
        }
        if !ofGroups.isEmpty { ofGroups = try named(ofGroups, for: viewer.id) }
        var shown: [Message.ID: MessageService.Seen] = [:]
        for message in ofTwos + ofGroups {
            guard let chat = chats[message.chat]?.chat else { continue }
            shown[message.id] = MessageService.Seen(message: message, chat: chat)
        }
        return FoundMessages(all: ids.compactMap { shown[$0] }, chat: chat, next: next)
    }

    /// Returns the messages of a page, newest first, and the place of the next page.
    ///
    /// The chats are asked in the order of their nearest messages with the words, some at a time, until no chat can have a
    /// nearer message than those that were found.
    private func find(
        _ query: MessageQuery, for viewer: Account.ID, page: PageRequest
    ) throws -> (ids: [Message.ID], next: Int64?) {
        let store = MessageWordStore(transaction)
        let isUpwards = page.rightAbove != nil
        func isNearer(_ one: Int64, _ other: Int64) -> Bool { isUpwards ? one < other : one > other }
        var places = try store.places(
            of: query.words, for: viewer, in: query.chat, above: page.bounds.lower, below: page.bounds.upper,
            isUpwards: isUpwards, limit: MessageSearchRules.mostChats)
        var found: [Int64] = []
        var batches = 0
        // The place that has the nearest message, unless the page has all that are as near.
        func nearest() -> Int? {
            let first = places.indices.min { isNearer(places[$0].nearest, places[$1].nearest) }
            guard let first, found.count == page.limit, let last = found.last else { return first }
            return isNearer(places[first].nearest, last) ? first : nil
        }
        while let index = nearest(), batches < MessageSearchRules.mostBatches {
            batches += 1
            let place = places[index]
            let candidates = try store.candidates(
                at: place, words: query.words, for: viewer, isUpwards: isUpwards,
                limit: MessageSearchRules.batch)
            found += candidates.filter(\.isFound).map(\.id.rawValue)
            found = Array(found.sorted(by: isNearer).prefix(page.limit))
            guard candidates.count == MessageSearchRules.batch, let last = candidates.last?.id.rawValue else {
                places.remove(at: index)
                continue
            }
            if isUpwards {
                (places[index].above, places[index].nearest) = (last, last + 1)
            } else {
                (places[index].below, places[index].nearest) = (last, last - 1)
            }
        }
        // What is further than a place that wasn't looked at may not be the next.
        let rest = nearest().map { places[$0].nearest }
        if let rest { found.removeAll { isNearer(rest, $0) } }
        let ids = (isUpwards ? found.reversed() : found).map { Message.ID(rawValue: $0) }
        guard !isUpwards else { return (ids, nil) }
        return (ids, rest.map { $0 + 1 } ?? (ids.count == page.limit ? ids.last?.rawValue : nil))
    }
}
