import Core
import Foundation
import HTML
import Hummingbird
import People
import Serving

/// The screen of the comments under a post.
struct CommentPages {
    let frame: Frame
    let comments: CommentService

    private static let page = 40

    func add(to router: Router<AppContext>) {
        router.get("posts/:id/comments", use: list)
        router.post("posts/:id/comments", use: write)
    }

    // MARK: Reading

    private func list(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let id = try context.id("id", of: Post.self)
        let input = Input.query(request)
        if request.wantsFragment, input.string("min_id") != nil {
            // A script asks for new comments.
            let newest = try PageRequest(input).rightAbove ?? 0
            let page = try await comments.comments(of: id, for: viewer, .newer(newest), limit: Self.page)
            let next = page.hasLater ? page.comments.last.map { "min_id=\($0.comment.id)" } : nil
            return .html(rows(page, viewer, next: next), for: request)
        }
        let page = try await comments.comments(
            of: id, for: viewer, Self.part(input), limit: Self.page, answering: input.id("reply"))
        if let root = page.post.root { return .see(Self.path(of: id, under: root)) }
        if request.wantsFragment { return .html(rows(page, viewer, next: later(page)), for: request) }
        return screen(request, context, page, form: Form())
    }

    /// Returns the address of a comment in its thread.
    static func path(of comment: Post.ID, under post: Post.ID) -> String {
        "/posts/\(post)/comments?at=\(comment)#comment-\(comment)"
    }

    private static func part(_ input: Input) throws -> CommentService.Part {
        if let place = try place(input.string("after")) { return .after(place) }
        if let place = try place(input.string("before")) { return .before(place) }
        return input.id("at").map { .around($0) } ?? .first
    }

    /// Parses the place of a comment, written as `THREAD-COMMENT`.
    private static func place(_ text: String?) throws -> CommentStore.Threaded.Place? {
        guard let text else { return nil }
        let numbers = text.split(separator: "-").compactMap { Int64($0) }
        guard numbers.count == 2, numbers[1] > 0 else { throw Refusal.notFound }
        return .init(thread: numbers[0], comment: numbers[1])
    }

    private func later(_ page: CommentService.Page) -> String? {
        page.hasLater ? page.comments.last.map { "after=\($0.thread)-\($0.comment.id)" } : nil
    }

    private func earlier(_ page: CommentService.Page) -> String? {
        page.hasEarlier ? page.comments.first.map { "before=\($0.thread)-\($0.comment.id)" } : nil
    }

    private struct Form {
        var text = ""
        var isCovered = false
        var warning = ""
        var refusal: Refusal?

        /// What is wrong with the text, or with all of it, in a sentence.
        var problem: String? {
            let isAboutCover = refusal.map { Set($0.fields.keys) == ["spoiler_text"] } ?? true
            return isAboutCover ? nil : refusal?.fields["status"]?.sentence ?? refusal?.message
        }
    }

    private func screen(
        _ request: Request, _ context: AppContext, _ page: CommentService.Page, form: Form,
        status: HTTPResponse.Status = .ok
    ) -> Response {
        let post = page.post
        return Page(title: "Comments", styles: [.posts, .comments], tab: .home, bodyClass: "pushed")
            .response(frame, request, context, status: status) {
                frame.bar("Comments", back: ("Post", PostPaths.page(post.id)))
                main(.id("content"), .class("thread")) {
                    element(
                        "comment-thread", .attribute("data-post", post.id.description),
                        .attribute("data-newest", String(page.newest))
                    ) {
                        element("endless-list") {
                            if let place = earlier(page) {
                                a(.rel("prev"), .class("more"), .href("/posts/\(post.id)/comments?\(place)"))
                                {
                                    "Earlier comments"
                                }
                            }
                            ol(.class("discussion"), .flag("data-items")) {
                                if let viewer = context.session?.account {
                                    if !post.caption.isEmpty, !page.hasEarlier {
                                        topic(post, viewer.covering)
                                    }
                                    list(page, viewer)
                                }
                            }
                            more(page, later(page))
                        }
                        // Shown while there is no comment. The note is about comments that can't be shown.
                        if !page.hidesSome {
                            div(.class("empty")) {
                                frame.icon("chat")
                                h2 { "No comments yet" }
                                p { "Write the first one." }
                            }
                        }
                        if let viewer = context.session?.account { template("pending") { pending(viewer) } }
                    }
                    frame.waiting("comment", lane: "comments-\(post.id)")
                    // The count includes all comments, also those that a block or the viewer's filters hide.
                    if page.hidesSome {
                        p(.class("note apart")) { "Some comments can’t be shown to you." }
                    }
                    if let viewer = context.session?.account { writeForm(page, viewer, form) }
                }
            }
    }

    private func rows(_ page: CommentService.Page, _ viewer: Account, next: String?) -> Node {
        .list([list(page, viewer), more(page, next)])
    }

    private func more(_ page: CommentService.Page, _ query: String?) -> Node {
        frame.more(query.map { "/posts/\(page.post.id)/comments?\($0)" })
    }

    private func list(_ page: CommentService.Page, _ viewer: Account) -> Node {
        .list(
            page.comments.filter { !$0.comment.isHidden(in: .thread) }.map {
                row($0, viewer: viewer, postAuthor: page.post.author.id)
            })
    }

    private func topic(_ post: Post, _ covering: Covering) -> Node {
        li(.class("comment topic")) {
            author(post)
            FilterFold(frame: frame).fold(
                post, in: .thread, words(post, covering: covering, isTopic: true))
            footer { frame.time(post.id.createdAt) }
        }
    }

    private func row(_ threaded: CommentStore.Threaded, viewer: Account, postAuthor: Account.ID) -> Node {
        let comment = threaded.comment
        let isReply = threaded.thread != comment.id
        return li(
            .classes("comment", isReply ? "reply" : ""), .id("comment-\(comment.id)"),
            .attribute("data-id", comment.id.description),
            .attribute("data-thread", threaded.thread.description),
            .attribute("data-parent", isReply ? comment.parent?.description : nil),
            .flag("data-own", comment.author.id == viewer.id)
        ) {
            author(comment)
            FilterFold(frame: frame).fold(
                comment, in: .thread, words(comment, covering: viewer.covering))
            form(
                .method("post"), .action("/posts/\(comment.id)/\(comment.isLiked ? "unlike" : "like")"),
                .attribute("data-toggle", "like")
            ) {
                button(
                    .class("symbol"), .pressed(comment.isLiked),
                    .label("Like \(comment.author.username)’s comment")
                ) {
                    frame.icon("heart")
                    frame.icon("heart-fill")
                }
            }
            footer {
                frame.time(comment.id.createdAt)
                a(
                    .href("/posts/\(comment.id)/likes"), .attribute("data-likes", String(comment.likesCount)),
                    .hidden(comment.likesCount == 0)
                ) { comment.likesCount.of("like") }
                a(
                    .href("?at=\(comment.id)&reply=\(comment.id)#write"),
                    .attribute("data-reply", comment.author.username)
                ) {
                    "Reply"
                }
                if comment.author.id == viewer.id {
                    a(.href(CommentEditPages.path(comment.id))) { "Edit" }
                    form(.method("post"), .action("/posts/\(comment.id)/delete")) { button { "Delete" } }
                } else {
                    a(.href("/posts/\(comment.id)/report")) { "Report" }
                }
            }
        }
    }

    /// Draws the template of a comment that the viewer has sent and the server hasn't stored yet, for scripts.
    private func pending(_ viewer: Account) -> Node {
        li(.class("comment"), .attribute("aria-busy", "true")) {
            a { frame.portrait(viewer, pixels: 32) }
            p { "{text}" }
            footer { "Sending…" }
        }
    }

    private func author(_ post: Post) -> Node {
        a(.href(AppPaths.profile(post.author.username)), .label(post.author.username)) {
            frame.portrait(post.author, pixels: 36)
        }
    }

    private func words(_ post: Post, covering: Covering, isTopic: Bool = false) -> Node {
        let author = a(.href(AppPaths.profile(post.author.username))) { post.author.username }
        let text = Node.list([
            Caption.isolated(post.caption, .of(post.mentions), on: .page(of: frame.publicURL)),
            isTopic ? .empty : links(post),
        ])
        // The cover of a post without words is about its pictures.
        guard let warning = post.warning, !(isTopic && warning.isEmpty), covering != .none else {
            return p(.attribute("lang", post.language)) {
                author
                " "
                text
            }
        }
        return div(.class("words"), .attribute("lang", post.language)) {
            author
            PostCover(frame: frame).text(warning, p { text })
        }
    }

    /// Draws links to the photos that apps may put into a comment.
    @NodeBuilder private func links(_ comment: Post) -> Node {
        for (index, photo) in comment.photos.enumerated() {
            " "
            a(.href(PostPhotoPages.path(of: index, in: comment.id))) {
                photo.description.isEmpty ? "Photo \(index + 1)" : "Photo: \(photo.description)"
            }
        }
    }

    // MARK: Writing

    private func writeForm(_ page: CommentService.Page, _ viewer: Account, _ form: Form) -> Node {
        HTML.form(
            .class("write"), .id("write"), .method("post"), .action("/posts/\(page.post.id)/comments")
        ) {
            input(.type("hidden"), .name("key"), .value(Session.newToken()))
            input(.type("hidden"), .name("reply"), .value(page.answered?.id.description ?? ""))
            frame.portrait(viewer, pixels: 32)
            PostCover.symbol(
                frame, isOn: form.isCovered, warning: form.warning,
                problem: form.refusal?.fields["spoiler_text"])
            textarea(
                .id("text"), .name("text"), .rows(1), .maxlength(PostRules.captionLength), .required,
                .label("Comment"), .placeholder("Add a comment…"), .invalid(form.problem != nil),
                .describedBy(form.problem == nil ? nil : "text-error")
            ) { form.text.isEmpty ? page.answered.map { "@\($0.author.username) " } ?? "" : form.text }
            button(.class("button")) { "Post" }
            if let problem = form.problem { p(.class("error"), .id("text-error")) { problem } }
        }
    }

    private func write(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let id = try context.id("id", of: Post.self)
        let input = try await Input.read(request, context)
        var form = Form(
            text: input.text("text"), isCovered: input.bool("covered") ?? false,
            warning: input.text("warning"))
        let draft = CommentService.Draft(
            parent: input.id("reply") ?? id,
            words: PostWords(caption: form.text, warning: form.isCovered ? form.warning : nil), photos: [])
        let key = input.filled("key").map { IdempotencyKey.form($0, scope: "status") }
        do {
            let comment = try await comments.comment(draft, by: viewer, key: key)
            return .see(Self.path(of: comment.id, under: comment.root ?? id))
        } catch {
            return try await ErrorResponses.form(after: error, context) { refusal, status in
                let answered = input.id("reply", of: Post.self)
                let page = try await comments.comments(
                    of: id, for: viewer, answered.map { .around($0) } ?? .first, limit: Self.page,
                    answering: answered)
                form.refusal = refusal
                return screen(request, context, page, form: form, status: status)
            }
        }
    }
}
