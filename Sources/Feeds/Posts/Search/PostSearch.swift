import Core
import People
import Serving
import Storage

extension JobKind {
    /// Finds the words of posts from before the server knew words; the payload is the id below which to look.
    static let findPostWords = JobKind("find-post-words", .short)
}

/// A search for posts: by the words of their captions, or by the address of one.
package struct PostSearch: Sendable {
    /// The most posts that a page can leave out before it begins.
    package static let mostSkipped = 1_000

    private enum Sought {
        case words([String])
        /// The post or comment at an address of this server; nil at any other address.
        case place(Post.ID?)
    }

    private let sought: Sought
    private let author: Account.ID?
    private let skipped: Int

    /// Creates a search.
    ///
    /// - Parameters:
    ///   - text: the words, or an address.
    ///   - publicURL: the address of this server.
    ///   - author: the only author; nil for anybody.
    ///   - skipped: how many posts to leave out before the page begins; beyond ``mostSkipped`` nothing is found.
    package init(
        _ text: String, on publicURL: String, by author: Account.ID? = nil, skipping skipped: Int = 0
    ) {
        let text = text.trimmed
        let beginning = publicURL + PostPaths.folder
        sought =
            if ["http://", "https://"].contains(where: text.lowercased().hasPrefix) {
                .place(
                    text.hasPrefix(beginning) ? Post.ID(String(text.dropFirst(beginning.count))) : nil)
            } else {
                .words(SearchWords.words(ofQuery: text))
            }
        (self.author, self.skipped) = (author, max(0, skipped))
    }

    /// Returns one page of the found posts that `viewer` may see, newest first, without photos. At an address it is a post or
    /// comment that the viewer may see at all.
    fileprivate func page(
        _ page: PageRequest, for viewer: Account.ID, _ transaction: Transaction
    ) throws -> [Post] {
        guard skipped <= Self.mostSkipped else { return [] }
        switch sought {
        case .words(let words):
            return try PostWordStore(transaction).posts(
                with: words, by: author, for: viewer, page: page, skipping: skipped)
        case .place(let id):
            guard let id, skipped == 0, page.contains(id.rawValue) else { return [] }
            return try PostStore(transaction).postsAndComments([id], for: viewer)
                .filter { author == nil || $0.author.id == author }
        }
    }
}

extension PageRequest {
    /// Returns whether the page's bounds leave an id in it.
    fileprivate func contains(_ id: Int64) -> Bool {
        id > bounds.lower && id < bounds.upper
    }
}

extension PostService {
    /// The number of posts and comments that one step of ``findOlderWords(_:)`` looks at.
    private static let step = 200

    /// Returns one page of the posts that a search finds and that the viewer may see, newest first. An address may find a comment.
    package func found(by search: PostSearch, for viewer: Account, page: PageRequest) async throws -> [Post] {
        try await read(for: viewer) { try search.page(page, for: viewer.id, $0) }
    }

    /// Returns one page of the posts that a search finds and that the viewer may see, newest first, for a page with only a grid.
    func foundForGrid(by search: PostSearch, for viewer: Account, page: PageRequest) async throws -> [Post] {
        try await database.read { try self.foundForGrid(by: search, for: viewer, page: page, $0) }
    }

    /// Returns one page of the posts that a search finds and that the viewer may see, newest first, for a grid, in which comments
    /// have no place.
    package func foundForGrid(
        by search: PostSearch, for viewer: Account, page: PageRequest, _ transaction: Transaction
    ) throws -> [Post] {
        let found = try search.page(page, for: viewer.id, transaction).filter { $0.root == nil }
        return try complete(found, for: viewer.id, transaction)
    }

    /// Finds the words of some posts that were written before search knew words, and schedules the next step.
    func findOlderWords(_ job: Job) async throws {
        try await database.performStep(of: job) {
            try PostWordStore($0).findWords(olderThan: $1, limit: Self.step)
        }
    }
}
