import Core
import Feeds
import Foundation
import HTML
import Hummingbird
import People
import Serving

/// The pages of people: profiles, followers.
struct ProfilePages {
    let frame: Frame
    let accounts: AccountService
    let relations: RelationshipService
    let posts: PostService

    private var components: PeopleComponents { PeopleComponents(frame: frame) }

    func add(to router: Router<AppContext>) {
        router.get("@{username}") { try await profile($0, $1) }
        router.post("@{username}/note", use: saveNote)
        router.get("@{username}/followers") {
            try await people($0, $1, title: "Followers", relations.followers)
        }
        router.get("@{username}/following") {
            try await people($0, $1, title: "Following", relations.following)
        }
    }

    // MARK: Profile

    /// A note about the person that was refused.
    private struct RefusedNote {
        let text: String
        let refusal: Refusal
    }

    /// Writes the viewer's note about a person, and returns to the profile.
    private func saveNote(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = try await Input.read(request, context)
        let name = try username(context)
        let account = try await accounts.account(username: name, for: viewer)
        let text = input.text("comment")
        do {
            _ = try await relations.setNote(text, about: account.id, by: viewer)
        } catch let refusal as Refusal where refusal.fields["comment"] != nil {
            return try await profile(request, context, RefusedNote(text: text, refusal: refusal))
        }
        return .see(
            AppPaths.profile(account.username),
            flash: .good(text.isEmpty ? "Your note is gone." : "Your note is saved."))
    }

    private func profile(
        _ request: Request, _ context: AppContext, _ refused: RefusedNote? = nil
    ) async throws -> Response {
        let viewer = try context.viewer
        let page = PageRequest(limit: 30, olderThan: try PageRequest(Input.query(request)).olderThan)
        let profile = try await posts.profile(of: username(context), for: viewer, page: page)
        let (account, relationship) = (profile.account, profile.relationship)
        let (visible, pinned) = (profile.posts, profile.pinned)
        let isOwn = account.id == viewer.id
        let next = visible.count == 30 ? "/@\(account.username)?max_id=\(visible[29].id)" : nil
        if request.wantsFragment {
            return .html(
                PostGrid(frame: frame, viewer.covering, filters: .account).rows(visible, next: next),
                for: request)
        }
        return Page(title: account.displayName, styles: [.accounts, .profiles, .posts], bodyClass: "roomy")
            .response(frame, request, context, status: refused == nil ? .ok : .unprocessableContent) {
                frame.bar(account.username, back: isOwn ? ("Home", AppPaths.home) : ("Users", AppPaths.users))
                {
                    isOwn ? frame.symbolLink("Settings", "gear", href: AppPaths.settings) : nil
                }
                main(.id("content")) {
                    account.banner.map {
                        img(
                            .class("banner"), .src(Portrait.path($0, .banner)), .alt(""), .width(1500),
                            .height(500))
                    } ?? .empty
                    about(profile, isOwn: isOwn, refused)
                    if relationship.mute != nil { mutedNote(account) }
                    if isClosed(account, relationship, isOwn: isOwn) {
                        closedProfile(account)
                    } else if visible.isEmpty, pinned.isEmpty {
                        emptyProfile(account, relationship, isOwn: isOwn)
                    } else {
                        PostGrid(frame: frame, viewer.covering, filters: .account).list(
                            visible, pinned: pinned, next: next)
                    }
                }
            }
    }

    private func username(_ context: AppContext) throws -> String {
        guard let username = context.parameters.get("username") else { throw Refusal.notFound }
        return username
    }

    /// Draws the note that the viewer mutes the account, whose posts are shown only on this page.
    private func mutedNote(_ account: Account) -> Node {
        p(.class("note")) {
            "You muted \(account.displayName). You see their posts only here. "
            a(.href(RelationshipPaths.options(account.username))) { "Options" }
        }
    }

    /// Returns whether only accepted followers see the account's posts, and the viewer isn't one of them.
    private func isClosed(_ account: Account, _ relationship: Relationship, isOwn: Bool) -> Bool {
        account.approvesFollowers && !relationship.follows && !isOwn
    }

    private func closedProfile(_ account: Account) -> Node {
        div(.class("empty")) {
            frame.icon("lock")
            h2 { "This account is private" }
            p { "Follow \(account.displayName) to see their posts. They approve each new follower." }
        }
    }

    private func about(_ profile: ShownProfile, isOwn: Bool, _ refused: RefusedNote?) -> Node {
        let (account, relationship, tags) = (profile.account, profile.relationship, profile.tags)
        let path = AppPaths.profile(account.username)
        let isClosed = isClosed(account, relationship, isOwn: isOwn)
        return section(.class("profile"), .label(account.displayName)) {
            frame.portrait(account, pixels: 86)
            ul(.class("counts")) {
                li {
                    b { account.postsCount.grouped }
                    account.postsCount == 1 ? " post" : " posts"
                }
                li {
                    count(
                        account.followersCount, account.followersCount == 1 ? "follower" : "followers",
                        path: isClosed ? nil : "\(path)/followers")
                }
                li { count(account.followingCount, "following", path: isClosed ? nil : "\(path)/following") }
            }
            p(.class("about")) {
                b { account.displayName }
                account.bio
            }
            if !account.fields.isEmpty { fields(of: account) }
            if !tags.isEmpty {
                ul(.class("tags"), .label("Hashtags")) {
                    for tag in tags { li { a(.href(AppPaths.tag(tag.written))) { "#\(tag.written)" } } }
                }
            }
            if !profile.featured.isEmpty {
                ul(.class("featured"), .label("Featured people")) {
                    for person in profile.featured {
                        li {
                            a(.href(AppPaths.profile(person.username))) {
                                frame.portrait(person, pixels: 32)
                                span { person.displayName }
                            }
                        }
                    }
                }
            }
            div(.class("buttons")) {
                if isOwn {
                    a(.class("button small"), .href(ProfilePaths.edit)) { "Edit profile" }
                    a(.class("button small"), .href(AppPaths.library)) { "Library" }
                } else {
                    components.followButton(account, relationship)
                    if !isClosed {
                        a(.class("button small"), .href(ChatPaths.with(account.username))) { "Message" }
                    }
                    a(
                        .class("button small more-options"), .href("\(path)/options"), .label("More options")
                    ) { frame.icon("three-dots") }
                }
            }
            if !isOwn { note(about: account, relationship.note, refused) }
        }
    }

    /// Draws the viewer's note about the person, which opens to be edited and needs no script.
    private func note(about account: Account, _ note: String, _ refused: RefusedNote?) -> Node {
        element("details", .class("own-note"), .flag("open", refused != nil)) {
            element("summary") {
                frame.icon(note.isEmpty ? "pencil" : "lock")
                span {
                    if note.isEmpty {
                        "Add a note"
                    } else {
                        span(.class("unseen")) { "Your note: " }
                        element("bdi") { note }
                    }
                }
            }
            form(.class("form"), .method("post"), .action("\(AppPaths.profile(account.username))/note")) {
                div(.class("field")) {
                    label(.for("comment")) { "Note about \(account.displayName)" }
                    frame.countedText(
                        "comment", refused?.text ?? note, rows: 3, limit: NoteRules.length,
                        problem: refused?.refusal.fields["comment"])
                    p(.class("note")) { "Only you see it. Save it empty to remove it." }
                }
                button(.class("button primary")) { "Save note" }
            }
        }
    }

    /// Draws the lines under the bio. Addresses are links.
    private func fields(of account: Account) -> Node {
        dl(.class("fields")) {
            for field in account.fields {
                div {
                    dt { Caption.isolated(field.name) }
                    dd { Caption.isolated(field.value, .of([]), on: .page(of: frame.publicURL)) }
                }
            }
        }
    }

    /// Draws a count, as a link where the viewer may see the list.
    private func count(_ number: Int, _ what: String, path: String?) -> Node {
        let words = Node.list([b { number.grouped }, .text(" \(what)")])
        return path.map { path in a(.href(path)) { words } } ?? words
    }

    private func emptyProfile(_ account: Account, _ relationship: Relationship, isOwn: Bool) -> Node {
        if isOwn {
            return frame.empty("images", "Your posts appear here.", action: ("New post", PostPaths.compose))
        }
        if account.postsCount > 0, !relationship.follows {
            return frame.empty("lock", "Follow \(account.displayName) to see their posts.")
        }
        return frame.empty("images", "\(account.displayName) has not posted yet.")
    }

    // MARK: Followers

    private func people(
        _ request: Request, _ context: AppContext, title: String,
        _ list: (String, Account, PageRequest) async throws -> RelationshipService.Circle
    ) async throws -> Response {
        let viewer = try context.viewer
        let page = try PageRequest(Input.query(request))
        let circle = try await list(username(context), viewer, page)
        let (account, rows) = (circle.account, circle.people)
        let path = "/@\(account.username)/\(title.lowercased())"
        let next = rows.count == page.limit ? rows.last.map { "\(path)?max_id=\($0.0)" } : nil
        let nodes = rows.map { components.personRow($0.1, viewer: viewer.id) }
        if request.wantsFragment { return .html(Node.list(nodes + [frame.more(next)]), for: request) }
        return Page(title: title, styles: [.accounts]).response(frame, request, context) {
            frame.bar(title, back: (account.username, AppPaths.profile(account.username)))
            main(.id("content")) {
                if nodes.isEmpty {
                    frame.empty(
                        "people", title == "Followers" ? "No followers yet." : "Not following anyone yet.")
                } else {
                    frame.endlessList("rows people", next: next) { nodes }
                }
            }
        }
    }
}
