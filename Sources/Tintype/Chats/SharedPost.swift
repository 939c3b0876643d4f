import HTML

/// A post of this server that a message links to, which the conversation shows as a card.
struct SharedPost: Equatable {
    /// The post's identifier.
    let id: String
    /// Whether the message says nothing else.
    let isAlone: Bool

    /// Finds the first link to a post of this server in a message; nil when there is none.
    ///
    /// - Parameter server: how people reach the server: `https://photos.example`.
    init?(in text: String, at server: String) {
        guard text.contains(server) else { return nil }
        for case .link(let url) in Caption.pieces(text) {
            guard let path = LocalPath(url: url, of: server)?.text, path.hasPrefix(Self.folder),
                let number = Int64(path.dropFirst(Self.folder.count)), number > 0
            else { continue }
            id = String(number)
            isAlone = url == text.trimmed
            return
        }
        return nil
    }

    private static let folder = "/posts/"

    /// The text of a message that shares a post, under what the sender writes about it.
    static func text(_ words: String, sharing post: Int64, at server: String) -> String {
        words + (words.isEmpty ? "" : "\n") + server + folder + String(post)
    }

    /// The card.
    ///
    /// - Parameter content: the post as the viewer sees it; nil for a card that a script fills.
    func card(_ content: Node?) -> Node {
        element("shared-post", .class("bubble shared"), .attribute("data-id", id)) { content ?? .empty }
    }
}

/// Draws the posts that messages share, each as a certain viewer sees it: the feature of posts gives this to
/// conversations, which know nothing else of posts.
struct SharedPosts: Sendable {
    /// The inside of a card for each of some posts, whether the viewer may see the post or not.
    let draw: @Sendable (_ ids: [String], _ viewer: Account) async throws -> [String: [UInt8]]

    /// The posts that some messages share, as ``ChatComponents`` takes them.
    ///
    /// - Parameter server: how people reach the server.
    func of(_ messages: [Message], for viewer: Account, at server: String) async throws -> [String: Node] {
        let ids = messages.compactMap { SharedPost(in: $0.text, at: server)?.id }
        guard !ids.isEmpty else { return [:] }
        return try await draw(ids, viewer).mapValues { Node.fragment($0) }
    }
}
