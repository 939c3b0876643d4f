import Core
import Feeds
import Foundation
import HTML
import Hummingbird
import People
import Serving

/// The page with the search field: everyone in the order of their names, or the hashtags, people and posts of a search.
struct SearchPages {
    let frame: Frame
    let relations: RelationshipService
    let posts: PostService

    private var components: PeopleComponents { PeopleComponents(frame: frame) }
    private static let usersPage = 40
    /// The most hashtags, people and posts of a search that has several of these.
    private static let (mostTags, mostPeople, mostPosts) = (5, 5, 12)

    func add(to router: Router<AppContext>) {
        router.get("users", use: users)
    }

    /// What a search has found.
    private struct Found {
        let query: String
        var people: [RelationshipService.Listed]
        /// The address of the next people; nil when there are no more.
        var next: String?
        var tags: [Hashtag]
        var posts: [Post]
        var hasMorePosts: Bool
        /// Whether there are more people than the screen shows beside posts.
        var hasMorePeople: Bool
    }

    private func users(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = Input.query(request)
        let (query, after) = (input.text("q"), input.text("after"))
        // People alone: a later page, or all of those that a search found.
        let isPeopleOnly = !after.isEmpty || input.text("show") == "people"
        // Who writes the server, too, means one person.
        let handle = Handle(query, on: frame.publicURL).flatMap { $0.namesServer ? $0.username : nil }
        let (matching, others) = try await relations.search(
            handle ?? query, for: viewer, after: after, limit: handle == nil ? Self.usersPage + 1 : 1
        ) { [posts, frame] transaction -> (tags: [Hashtag], posts: [Post]) in
            guard !isPeopleOnly, !query.isEmpty else { return ([], []) }
            return (
                try TagRecords(transaction).search(query, for: viewer, limit: Self.mostTags),
                try posts.foundForGrid(
                    by: PostSearch(query, on: frame.publicURL), for: viewer,
                    page: PageRequest(limit: Self.mostPosts + 1), transaction
                )
            )
        }
        let name = handle.map { AccountRules.folded(username: $0) }
        let listed = matching.filter {
            name == nil || AccountRules.folded(username: $0.account.username) == name
        }
        let shown = Array(others.posts.prefix(Self.mostPosts)).unhidden(in: .everyone)
        let isShort = !shown.isEmpty && listed.count > Self.mostPeople
        let people = Array(listed.prefix(isShort ? Self.mostPeople : Self.usersPage))
        var next: String?
        if !isShort, listed.count > people.count, let last = people.last {
            next = "\(AppPaths.users)?q=\(query.queryEncoded)&after=\(last.account.username)"
        }
        // A later page of the list; a new search replaces the whole region.
        if request.wantsFragment, !after.isEmpty { return .html(rows(people, next), for: request) }
        let found = Found(
            query: query, people: people, next: next, tags: others.tags,
            posts: shown, hasMorePosts: others.posts.count > Self.mostPosts, hasMorePeople: isShort)
        let results = results(found, viewer.covering)
        if request.wantsFragment { return .html(results, for: request) }
        return Page(title: "Users", styles: [.accounts, .posts], link: .users).response(
            frame, request, context
        ) {
            frame.menuBar("Users")
            main(.id("content")) {
                frame.liveSearch(
                    AppPaths.users, query, label: "Search people, hashtags and posts",
                    placeholder: "People, hashtags, posts"
                ) { results }
            }
        }
    }

    @NodeBuilder private func results(_ found: Found, _ covering: Covering) -> Node {
        if !found.tags.isEmpty { tags(found.tags) }
        if found.people.isEmpty {
            if found.tags.isEmpty, found.posts.isEmpty { nothing(found.query) }
        } else {
            people(found)
        }
        if !found.posts.isEmpty { grid(found, covering) }
    }

    private func nothing(_ query: String) -> Node {
        query.isEmpty
            ? frame.empty(
                "people", "Nobody else is here yet.", action: ("Invite someone", InvitationPaths.list))
            : frame.empty(
                "search",
                "Nobody here is called “\(query)”, no hashtag begins with it, and no post that you can see says it."
            )
    }

    private func tags(_ tags: [Hashtag]) -> Node {
        ul(.class("rows people tall"), .label("Hashtags")) {
            for tag in tags {
                li {
                    a(.class("row tall"), .href(AppPaths.tag(tag.written))) {
                        span(.class("tag-sign"), .decorative) { frame.icon("hash") }
                        span(.class("text")) { b { "#\(tag.written)" } }
                        frame.icon("chevron-right", class: "icon chevron")
                    }
                }
            }
        }
    }

    // MARK: People

    @NodeBuilder private func people(_ found: Found) -> Node {
        element("endless-list") {
            ul(.class("rows people tall"), .label("People"), .flag("data-items")) {
                for listed in found.people { components.followRow(listed) }
            }
            frame.more(found.next)
        }
        if found.hasMorePeople {
            a(.class("more"), .href("\(AppPaths.users)?q=\(found.query.queryEncoded)&show=people")) {
                "All people"
            }
        }
    }

    @NodeBuilder private func rows(_ people: [RelationshipService.Listed], _ next: String?) -> Node {
        for listed in people { components.followRow(listed) }
        frame.more(next)
    }

    // MARK: Posts

    private func grid(_ found: Found, _ covering: Covering) -> Node {
        section(.attribute("aria-labelledby", "posts-title")) {
            h2(.class("section-title")) {
                span(.id("posts-title")) { "Posts" }
                if found.hasMorePosts { a(.href(PostPaths.search(found.query))) { "All posts" } }
            }
            PostGrid(frame: frame, covering, filters: .everyone).list(found.posts, next: nil)
        }
    }
}
