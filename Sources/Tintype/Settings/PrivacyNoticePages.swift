import Core
import HTML
import Hummingbird
import Serving

/// The page that says in plain words who can read what on this server, for everyone, logged in or not, and the same for
/// apps that ask for the server's privacy policy.
struct PrivacyNoticePages {
    let frame: Frame
    let notice: PrivacyNotice

    /// The path of the page.
    static let path = Frame.whoCanSeeWhat

    private static let title = "Who can see what"

    func add(to router: Router<AppContext>) {
        router.get(RouterPath(Self.path), use: page)
        router.get("api/v1/instance/privacy_policy") { [notice] request, _ in
            Response.json(for: request, capacity: 8192) { json in
                json.object { json in
                    json.member("updated_at", PrivacyNotice.changed)
                    json.member(
                        "content", String(decoding: notice.content.rendered(capacity: 8192), as: UTF8.self))
                }
            }
        }
    }

    private func page(_ request: Request, _ context: AppContext) async throws -> Response {
        let isLoggedIn = context.session != nil
        let back = isLoggedIn ? ("Settings", AppPaths.settings) : ("Log In", AppPaths.logIn)
        return Page(
            title: Self.title, styles: [.accounts], link: isLoggedIn ? .settings : nil,
            bodyClass: isLoggedIn ? "grouped" : "grouped bare"
        ).response(frame, request, context) {
            frame.bar(Self.title, back: back)
            main(.id("content"), .class("settings")) {
                for part in notice.parts { Self.part(part) }
            }
        }
    }

    private static func part(_ part: PrivacyNotice.Part) -> Node {
        section {
            h2(.class("group-title")) { part.title }
            ul(.class("group facts")) {
                for line in part.lines { li { line } }
            }
        }
    }
}
