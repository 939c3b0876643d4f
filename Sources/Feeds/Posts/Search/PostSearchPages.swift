import Core
import HTML
import Hummingbird
import People
import Serving

/// The page of all posts that a search finds.
struct PostSearchPages {
    let frame: Frame
    let posts: PostService

    private static let gridPage = 30

    func add(to router: Router<AppContext>) {
        router.get("search/posts", use: show)
    }

    private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = Input.query(request)
        let query = input.text("q")
        let page = PageRequest(limit: Self.gridPage, olderThan: try PageRequest(input).olderThan)
        let found = try await posts.foundForGrid(
            by: PostSearch(query, on: frame.publicURL), for: viewer, page: page)
        let next =
            found.count == page.limit ? found.last.map { "\(PostPaths.search(query))&max_id=\($0.id)" } : nil
        let grid = PostGrid(frame: frame, viewer.covering, filters: .everyone)
        // A later page of the list; a new search replaces the whole region.
        if request.wantsFragment, page.olderThan != nil {
            return .html(grid.rows(found, next: next), for: request)
        }
        let results = results(found, grid, next, query: query)
        if request.wantsFragment { return .html(results, for: request) }
        let back = query.isEmpty ? AppPaths.users : "\(AppPaths.users)?q=\(query.queryEncoded)"
        return Page(title: "Posts", styles: [.accounts, .posts], bodyClass: "roomy")
            .response(frame, request, context) {
                frame.bar("Posts", back: ("Users", back))
                main(.id("content")) {
                    frame.liveSearch(
                        PostPaths.search, query, label: "Search posts", placeholder: "Words of captions"
                    ) { results }
                }
            }
    }

    private func results(_ found: [Post], _ grid: PostGrid, _ next: String?, query: String) -> Node {
        if !found.isEmpty { return grid.list(found, next: next) }
        return frame.empty(
            "search",
            query.isEmpty
                ? "Search finds posts by the words of their captions."
                : "No post that you can see says “\(query)”.")
    }
}
