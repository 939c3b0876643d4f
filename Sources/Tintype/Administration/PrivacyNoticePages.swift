import HTML
import Hummingbird

/// The page that says in plain words who can read what on this server, for everyone, logged in or not.
///
/// It is the short form of `Documentation/Security.md`: a promise that changes there changes here.
struct PrivacyNoticePages {
    let frame: Frame
    let configuration: ServerConfiguration

    /// Where the page is.
    static let path = "/who-can-see-what"

    private static let title = "Who can see what"

    func add(to router: Router<AppContext>) {
        router.get(RouterPath(Self.path), use: notice)
    }

    private func notice(_ request: Request, _ context: AppContext) async throws -> Response {
        let isLoggedIn = context.session != nil
        let back = isLoggedIn ? ("Settings", "/settings") : ("Log In", "/login")
        return Page(
            title: Self.title, styles: [.accounts], link: isLoggedIn ? .settings : nil,
            bodyClass: isLoggedIn ? "grouped" : "grouped bare"
        ).response(frame, request, context) {
            frame.bar(Self.title, back: back)
            main(.id("content"), .class("settings")) {
                for part in parts { self.part(part) }
            }
        }
    }

    private struct Part {
        var title: String
        var lines: [String]
    }

    private var parts: [Part] {
        [
            Part(
                title: "Other people",
                lines: [
                    "Your posts: your followers, or everyone on this server. You choose for each post.",
                    "Your conversations: you and the person you write to.",
                    "A snap, or a photo sent to be seen once: each person who may see it, one time.",
                    "Your library: you alone. The place, the time and the camera of a photo are shown to nobody else.",
                ]),
            Part(
                title: "The people who run this server",
                lines: [
                    "They can read everything that is stored here: posts, conversations, photos with the place where they were taken, and snaps until these are erased. Nothing is encrypted against them. Use a server whose operator you trust.",
                    "Administrators see in the app what someone reports, and how much space an account uses. They never see there a picture that may be seen once.",
                    "The server’s log has no names, addresses or words of yours.",
                ]),
            Part(
                title: "What is erased",
                lines: [
                    "What you delete is erased from the disk, with all its sizes. A report keeps the words of what was reported until an administrator closes it.",
                    "A snap is erased when everyone has seen it, or after \(lifetime).",
                    "Backups keep what you delete later until the operator removes them. Pictures that may be seen once are never in a backup.",
                ]),
            Part(
                title: "What nobody can prevent",
                lines: [
                    "Anyone who sees a picture can take a screenshot or photograph the screen, also of a snap."
                ]),
            Part(
                title: "Other companies",
                lines: ["None. This app loads nothing from elsewhere, and sends nothing elsewhere."]),
        ]
    }

    private var lifetime: String { Int(configuration.snaps.lifetime / 3600).of("hour") }

    private func part(_ part: Part) -> Node {
        section {
            h2(.class("group-title")) { part.title }
            ul(.class("group facts")) {
                for line in part.lines { li { line } }
            }
        }
    }
}
