import Core
import Serving
import Storage

/// Pages of posts by anybody, made of candidates of which the viewer may see only some: those with a hashtag, or with words.
///
/// The candidates are looked at in batches, nearest first, until the page is full. A page whose candidates the viewer can't
/// see costs a bounded number of batches.
struct ListedPosts {
    let transaction: Transaction
    let viewer: Account.ID

    /// How many candidates are looked at a time, and how often for one page.
    static let batch = 40
    private static let batches = 50

    /// The posts between two ids, both excluded, in the direction in which a page is filled.
    struct Span {
        var upper: Int64
        var lower: Int64
        /// Whether the posts next to the lower id come first.
        let isUpwards: Bool

        init(_ page: PageRequest) {
            (lower, upper) = page.bounds
            isUpwards = page.rightAbove != nil
        }

        /// The direction, as SQL says it.
        var order: String { isUpwards ? "ASC" : "DESC" }

        /// Leaves out a post and all that come behind it.
        mutating func end(before post: Post.ID) {
            if isUpwards { upper = post.rawValue } else { lower = post.rawValue }
        }

        /// Leaves out a post and all that come before it.
        mutating func go(behind post: Post.ID) {
            if isUpwards { lower = post.rawValue } else { upper = post.rawValue }
        }
    }

    /// A condition about the post `p`, in a statement in which the viewer is `$1`.
    struct Condition {
        private(set) var sql = ""
        private(set) var arguments: [(any SQLConvertible)?] = []

        /// Adds a part that has to be true, too.
        ///
        /// - Parameter part: returns the SQL, given the placeholders of the values, such as `$2, $3`.
        mutating func and(_ values: [any SQLConvertible], _ part: (_ places: String) -> String) {
            let first = arguments.count + 2
            arguments += values.map { $0 }
            sql += " AND \(part(values.indices.map { "$\(first + $0)" }.joined(separator: ", ")))"
        }
    }

    /// Returns one page of the candidates that fit a condition and that the viewer may see in lists, newest first, without
    /// photos and without those that the viewer has hidden.
    ///
    /// - Parameters:
    ///   - skipped: how many posts to leave out before the page begins.
    ///   - candidates: returns the nearest ``batch`` posts in a span, in its direction.
    func page(
        _ page: PageRequest, in span: Span? = nil, skipping skipped: Int = 0,
        where condition: Condition = Condition(), _ candidates: (Span) throws -> [Post.ID]
    ) throws -> [Post] {
        var found: [Post] = []
        var rest = span ?? Span(page)
        for _ in 1...Self.batches {
            let ids = try candidates(rest)
            found += try posts(ids, where: condition)
            guard ids.count == Self.batch, found.count < skipped + page.limit, let last = ids.last else {
                break
            }
            rest.go(behind: last)
        }
        let nearest = Array(found.dropFirst(skipped).prefix(page.limit))
        return rest.isUpwards ? nearest.reversed() : nearest
    }

    /// Returns those of some posts that fit a condition and that the viewer may see in lists, in the order of `ids`.
    func posts(_ ids: [Post.ID], where condition: Condition = Condition()) throws -> [Post] {
        let posts = try transaction.rows(for: ids, after: [viewer] + condition.arguments, of: Self.batch) {
            """
            SELECT \(PostRow.columns) FROM posts p JOIN \(AccountRow.table) a ON a.id = p.author_id
            WHERE p.id IN (\($0)) AND \(PostRow.isListed) AND \(PostRow.isUnmuted)
                AND \(PostRow.isNotHidden())\(condition.sql)
            """
        } map: {
            try PostRow.post(from: $0)
        }
        let found = Dictionary(posts.map { ($0.id, $0) }) { first, _ in first }
        return ids.compactMap { found[$0] }
    }
}
