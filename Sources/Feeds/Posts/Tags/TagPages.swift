import Core
import HTML
import Hummingbird
import People
import Serving

/// The pages of hashtags: the posts with one, which can be followed and shown on the viewer's profile, and those that the
/// viewer follows.
struct TagPages {
    let frame: Frame
    let tags: TagService

    static let followedPath = "/settings/hashtags"
    private static let gridPage = 30

    func add(to router: Router<AppContext>) {
        router.get("tags/:name", use: show)
        router.post("tags/:name/follow") { request, context in
            let tag = try await tags.follow(context.tag("name"), by: context.viewer).tag
            return back(request, tag, "You follow #\(tag.written). Posts with it appear on Home.")
        }
        router.post("tags/:name/unfollow") { request, context in
            let tag = try await tags.unfollow(context.tag("name"), by: context.viewer).tag
            return back(request, tag, "You no longer follow #\(tag.written).")
        }
        router.post("tags/:name/feature", use: feature)
        router.post("tags/:name/unfeature") { request, context in
            let tag = try await tags.unfeature(context.tag("name"), by: context.viewer).tag
            return back(request, tag, "#\(tag.written) is no longer on your profile.")
        }
        router.get("settings/hashtags", use: followed)
    }

    private func feature(_ request: Request, _ context: AppContext) async throws -> Response {
        let tag = try context.tag("name")
        do {
            _ = try await tags.feature(tag, by: context.viewer)
        } catch let refusal as Refusal where refusal.kind == .invalid {
            return .see(AppPaths.tag(tag.written), flash: .error(refusal.message))
        }
        return back(request, tag, "#\(tag.written) is on your profile.")
    }

    private func back(_ request: Request, _ tag: Hashtag, _ sentence: String) -> Response {
        .see(LocalPath(referrerOf: request)?.text ?? AppPaths.tag(tag.written), flash: .good(sentence))
    }

    // MARK: One hashtag

    private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let tag = try context.tag("name")
        let page = PageRequest(
            limit: Self.gridPage, olderThan: try PageRequest(Input.query(request)).olderThan)
        let (posts, isFollowed, isFeatured) = try await tags.shown(tag, to: viewer, page: page)
        let next =
            posts.count == page.limit
            ? posts.last.map { "\(AppPaths.tag(tag.written))?max_id=\($0.id)" } : nil
        let grid = PostGrid(frame: frame, viewer.covering, filters: .everyone)
        if request.wantsFragment { return .html(grid.rows(posts, next: next), for: request) }
        return Page(
            title: "#\(tag.written)", styles: [.accounts, .posts], tab: .home, bodyClass: "roomy"
        ).response(frame, request, context) {
            frame.bar("#\(tag.written)", back: ("Home", AppPaths.home))
            main(.id("content")) {
                div(.class("tag-head")) {
                    p { "Posts for everyone with a hashtag that you follow appear on Home." }
                    div(.class("buttons")) {
                        button(tag, .follow, isOn: isFollowed)
                        button(tag, .feature, isOn: isFeatured)
                    }
                }
                if posts.isEmpty {
                    frame.empty("hash", "There are no posts with #\(tag.written) that you can see.")
                } else {
                    grid.list(posts, next: next)
                }
            }
        }
    }

    /// What a button of the page does with the hashtag, and undoes with `un` before it.
    private enum Call: String {
        case follow, feature

        /// The words of the button before and after.
        var words: (off: String, on: String) {
            switch self {
            case .follow: ("Follow", "Following")
            case .feature: ("Show on my profile", "Don’t show on my profile")
            }
        }
    }

    private func button(_ tag: Hashtag, _ call: Call, isOn: Bool) -> Node {
        let words = call.words
        return element(
            "tag-button", .attribute("data-tag", tag.written), .attribute("data-call", call.rawValue),
            .attribute("data-is-on", String(isOn)), .attribute("data-off", words.off),
            .attribute("data-on", words.on)
        ) {
            form(
                .method("post"),
                .action("\(AppPaths.tag(tag.written))/\(isOn ? "un" : "")\(call.rawValue)")
            ) {
                // Where the words say what a tap does, nothing is pressed.
                HTML.button(.class("button small"), call == .follow ? .pressed(isOn) : .none) {
                    isOn ? words.on : words.off
                }
            }
        }
    }

    // MARK: Followed hashtags

    private func followed(_ request: Request, _ context: AppContext) async throws -> Response {
        let screen = SettingsScreen(frame: frame)
        let followed = try await tags.allFollowed(by: context.viewer)
        return screen.response("Followed hashtags", request, context) {
            if followed.isEmpty {
                frame.empty("hash", "You don’t follow any hashtags. Tap one in a caption, then Follow.")
            } else {
                p(.class("lead")) { "Posts for everyone with these hashtags appear on Home." }
                ul(.class("group")) {
                    for tag in followed {
                        li(.class("row")) {
                            a(.class("text"), .href(AppPaths.tag(tag.written))) { b { "#\(tag.written)" } }
                            form(.method("post"), .action("\(AppPaths.tag(tag.written))/unfollow")) {
                                HTML.button(.class("button small"), .label("Unfollow #\(tag.written)")) {
                                    "Unfollow"
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
