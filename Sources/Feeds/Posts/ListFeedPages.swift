import Core
import HTML
import Hummingbird
import People
import Serving

/// The feed of a list of people.
struct ListFeedPages {
    let frame: Frame
    let posts: PostService
    let cards: PostCards

    private static let page = 10

    func add(to router: Router<AppContext>) {
        router.get("lists/:id", use: feed)
    }

    private func feed(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let page = PageRequest(
            limit: Self.page, olderThan: try PageRequest(Input.query(request)).olderThan)
        let (list, found) = try await posts.feed(of: context.id("id"), for: viewer, page: page)
        let next =
            found.count == page.limit
            ? found.last.map { "\(ListPaths.feed(list.id))?max_id=\($0.id)" } : nil
        let isLater = request.wantsFragment
        let items = found.unhidden(in: .home).enumerated().map { index, post in
            li { cards.card(post, isFirst: !isLater && index == 0, viewer.covering, in: .home) }
        }
        if isLater { return .html(Node.list(items + [frame.more(next)]), for: request) }
        return Page(title: list.title, styles: [.posts]).response(frame, request, context) {
            frame.bar(list.title, back: ("Lists", ListPaths.all)) {
                frame.symbolLink("Edit list", "gear", href: ListPaths.edit(list.id))
            }
            main(.id("content")) {
                if found.isEmpty {
                    empty(list)
                } else {
                    frame.endlessList("posts", next: next) { items }
                }
            }
        }
    }

    private func empty(_ list: PeopleList) -> Node {
        list.peopleCount == 0
            ? frame.empty(
                "people", "Nobody is in this list yet.", action: ("Add people", ListPaths.edit(list.id)))
            : frame.empty("images", "Nobody in this list has posted yet.")
    }
}
