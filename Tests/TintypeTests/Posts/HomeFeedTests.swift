import Foundation
import Storage
import Synchronization
import Testing

@testable import Core
@testable import Feeds
@testable import Tintype

@Suite("Pages of the home feed")
struct HomeFeedTests {
    /// Ana, who follows many, with their posts.
    private struct Crowd {
        let world: World
        let ana: Person
        let authors: [Person]
        /// The posts, oldest first.
        var posts: [(id: Int64, author: Account.ID)] = []

        init(authors count: Int, watch: StatementWatch? = nil) async throws {
            world = try await World {
                guard let watch else { return }
                // A read that needs the disk, or a lock, begins again on another thread.
                $0.readsInPlace = 0
                $0.statementWatch = watch
            }
            ana = try await world.account("ana")
            var authors: [Person] = []
            for number in 1...count {
                let author = try await world.account("author\(number)")
                try await ana.follow(author)
                authors.append(author)
            }
            self.authors = authors
        }

        mutating func post(by author: Person) async throws {
            let id = try await world.tintype.database.write { transaction in
                let id = Post.ID(rawValue: transaction.newID())
                try PostStore(transaction).insert(
                    id, author: author.id, words: PostWords(caption: "x"), visibility: .followers, photos: [])
                return id.rawValue
            }
            posts.append((id, author.id))
        }

        func page(_ page: PageRequest) async throws -> [Int64] {
            try await world.tintype.database.read { [ana] in
                try HomeFeed($0).page(page, for: ana.id).map(\.id.rawValue)
            }
        }
    }

    @Test("The page right above a place has the oldest posts above it, of all authors", arguments: 1...3)
    func rightAbove(seed: UInt64) async throws {
        var random = SeededRandom(seed)
        var crowd = try await Crowd(authors: 12)
        for _ in 1...150 {
            // A few write most posts.
            let author = min(Int.random(in: 0..<12, using: &random), Int.random(in: 0..<12, using: &random))
            try await crowd.post(by: crowd.authors[author])
        }
        let (ana, muted) = (crowd.ana, crowd.authors[1])
        let hidden = Set(crowd.posts.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }.map(\.id))
        #expect(try await ana.post("/api/v1/accounts/\(muted.id)/mute").status == 200)
        try await crowd.world.tintype.database.write { transaction in
            for post in hidden {
                try transaction.execute(
                    "INSERT INTO hidden_posts (account_id, post_id) VALUES ($1, $2)", ana.id, post)
            }
        }
        let shown = crowd.posts.filter { !hidden.contains($0.id) && $0.author != muted.id }.map(\.id)
        for limit in [1, 3, 20, 40] {
            for place in [0, 5, 40, 110, 149] {
                var page = PageRequest(limit: limit)
                page.rightAbove = crowd.posts[place].id
                let above = shown.filter { $0 > crowd.posts[place].id }
                #expect(try await crowd.page(page) == above.prefix(limit).reversed())
                page.olderThan = crowd.posts[min(149, place + 30)].id
                let between = above.filter { $0 < crowd.posts[min(149, place + 30)].id }
                #expect(try await crowd.page(page) == between.prefix(limit).reversed())
            }
        }
    }

    @Test("Posts of followed people are found behind any number of newer ones of strangers")
    func behindStrangers() async throws {
        var crowd = try await Crowd(authors: 3)
        for author in crowd.authors + crowd.authors { try await crowd.post(by: author) }
        let followed = crowd.posts.reversed().map(\.id)
        let stranger = try await crowd.world.account("stranger")
        for _ in 1...70 { try await crowd.post(by: stranger) }
        for limit in [2, 4, 6, 20] {
            #expect(try await crowd.page(PageRequest(limit: limit)) == Array(followed.prefix(limit)))
            let older = PageRequest(limit: limit, olderThan: crowd.posts[69].id)
            #expect(try await crowd.page(older) == Array(followed.prefix(limit)))
        }
    }

    @Test("However many people are followed, a page asks about as many authors as it has posts")
    func statements() async throws {
        let count = Mutex(0)
        var crowd = try await Crowd(authors: 120) { sql, _ in
            if sql.contains("FROM posts p WHERE p.author_id") { count.withLock { $0 += 1 } }
        }
        for author in crowd.authors { try await crowd.post(by: author) }
        for isAbove in [false, true] {
            var page = PageRequest(limit: 20)
            if isAbove { page.rightAbove = 1 }
            count.withLock { $0 = 0 }
            #expect(try await crowd.page(page).count == 20)
            // Twenty authors, and the statement that finds them.
            #expect(count.withLock { $0 } <= 21)
        }
    }
}
