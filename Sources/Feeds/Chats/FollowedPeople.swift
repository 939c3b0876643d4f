import Core
import People
import Storage

/// One page of the people whom the viewer follows, to write to: first the people of recent chats, newest first, then
/// the others by name.
struct FollowedPeople: Sendable {
    /// The beginning of a page.
    enum Place: Sendable {
        /// After the chat with this last message; nil for the newest chat.
        case message(Int64?)
        /// After the person with this username, among the people without a chat; empty for the first of them.
        case username(String)
    }

    let people: [Account]
    /// The beginning of the next page; nil on the last page.
    let next: Place?
}

extension ChatService {
    /// Returns one page of the people whom the viewer follows.
    ///
    /// - Parameter query: finds only people whose names have words that begin with these; empty for all.
    func followed(
        by viewer: Account, named query: String, from place: FollowedPeople.Place, limit: Int
    ) async throws -> FollowedPeople {
        try await database.read { transaction in
            var (people, first): ([Account], String) = ([], "")
            switch place {
            case .username(let name): first = name
            case .message(let olderThan):
                let page = PageRequest(limit: limit, olderThan: olderThan)
                let recent = try ChatRecords(transaction).chats(
                    of: viewer, requests: false, query: query, page: page, members: .first)
                let peers = recent.compactMap(\.peer)
                let relationships = try RelationshipRecords(transaction).relationships(
                    of: viewer.id, to: peers.map(\.id))
                people = peers.filter { relationships[$0.id]?.follows == true }
                if recent.count == limit, let last = recent.last?.lastMessage {
                    return FollowedPeople(people: people, next: .message(last.id.rawValue))
                }
            }
            let others = try RelationshipRecords(transaction).search(
                query, among: .followed, by: .name, for: viewer, after: first, limit: limit
            ).map(\.account)
            let store = ChatStore(transaction)
            people += try others.filter { other in
                guard let member = try store.member(of: viewer.id, with: other.id) else { return true }
                return member.isRequest || member.lastMessage.rawValue == 0
            }
            let next =
                others.count == limit ? others.last.map { FollowedPeople.Place.username($0.username) } : nil
            return FollowedPeople(people: people, next: next)
        }
    }
}
