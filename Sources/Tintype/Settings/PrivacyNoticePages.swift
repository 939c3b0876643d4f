import Core
import Feeds
import HTML
import Hummingbird
import Making
import Serving

/// The page that says in plain words who can read what on this server, for everyone, logged in or not.
///
/// It is the short form of `Documentation/Security.md`: a promise that changes there changes here.
struct PrivacyNoticePages {
    let frame: Frame
    let configuration: ServerConfiguration
    /// The other companies that the server asks for old photos.
    let sources: [String]

    /// The path of the page.
    static let path = Frame.whoCanSeeWhat

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
                    "Your posts are seen by your followers, or by everyone on this server. You choose for each post.",
                    "Your chats are seen by you and the person you write to.",
                    "A snap or a view-once photo is seen once by each person who receives it.",
                    "A collage that you make with friends shows your photos to everyone who takes part, and when it is finished to everyone who gave a photo. They get the picture, and can edit a copy. If you leave the collage or delete your photos, they are taken out of the collage and of all copies; pictures that were made stay.",
                    "A photo that you stake in a contract is seen by you and the other person while the contract is open, and only by you afterwards. The witness never sees it. It is published only if you break the promise.",
                    "A guest link that you make shows one post or photo to anyone who has the link, for 7 days or until you revoke it.",
                    "Your library is otherwise seen only by you. Nobody else learns where, when and with which camera a photo was taken.",
                ]),
            Part(
                title: "The people who run this server",
                lines: [
                    "They can read everything that is stored here: posts, chats, photos with the place where they were taken, and snaps until they are erased. Nothing is hidden from them by encryption. Use a server whose operator you trust.",
                    "In the app, administrators see what people report and how much storage each account uses. They never see snaps, view-once photos or photos staked in contracts there.",
                    "The server’s log doesn’t contain your name, your address or anything you write.",
                ]),
            Part(
                title: "What is erased",
                lines: [
                    "What you delete is erased from the disk, including all sizes of a photo. The text of something that was reported is kept until an administrator closes the report.",
                    "A snap is erased when everyone has seen it, or after \(lifetime).",
                    "A backup keeps what you delete afterwards, until the operator removes the backup. Snaps, view-once photos and photos staked in contracts are never in a backup.",
                ]),
            Part(
                title: "What nobody can prevent",
                lines: [
                    "Anyone who sees a picture can take a screenshot or photograph the screen. This includes snaps."
                ]),
            Part(title: "Other companies and servers", lines: others),
        ]
    }

    /// The sentences about others who get requests from this server or from the reader's browser.
    private var others: [String] {
        var lines: [String] = []
        if !sources.isEmpty {
            lines.append(
                "When you search for old photos near a place, this server asks \(sources.joined(separator: " and ")) for them. What is sent is the place, the distance and the years, and nothing about you. The photos come to you from this server."
            )
        }
        if let host = configuration.map.origin?.split(separator: "/").last {
            lines.append(
                "The map on which you choose a place comes from \(host). Your browser loads it there, so that server learns your internet address and which part of the map you look at."
            )
        }
        return lines + [
            "If you connect an account on another server, that server knows that you use Tintype. It gets a photo only if you break the promise of a contract for which you chose that: the photo, its description and the words with it. Everyone can see them there.",
            "An app that you log in with sees what you allow it to see, until you remove it in Settings.",
            "Nothing else is loaded from other companies or sent to them.",
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
