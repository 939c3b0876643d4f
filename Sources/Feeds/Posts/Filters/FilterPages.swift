import Core
import HTML
import Hummingbird
import People
import Serving

/// The screens of filters, below Settings.
struct FilterPages {
    let frame: Frame
    let filters: FilterService

    static let path = "/settings/filters"

    private var screen: SettingsScreen { SettingsScreen(frame: frame) }

    func add(to router: Router<AppContext>) {
        router.get("settings/filters", use: list)
        router.get("settings/filters/new") { request, context in
            let viewer = try context.viewer
            let single = try await single(Input.query(request), for: viewer)
            return page(request, context, .new(with: single), Form())
        }
        router.post("settings/filters/new", use: make)
        router.get("settings/filters/:id") { request, context in
            let (filter, posts) = try await filters.shown(context.id("id"), to: context.viewer)
            return page(request, context, .known(filter, posts), Form(filter))
        }
        router.post("settings/filters/:id", use: save)
        router.post("settings/filters/:id/unfilter", use: remove)
        router.post("settings/filters/:id/delete") { request, context in
            try await filters.delete(context.id("id"), by: context.viewer)
            return Response.see(Self.path, flash: .good("The filter is deleted."))
        }
    }

    /// Returns the address to make a filter that has a post from the beginning.
    static func path(for post: Post.ID) -> String { "\(path)/new?post=\(post)" }

    /// Returns the address of the form that takes a single post out of a filter.
    static func removal(from id: PostFilter.ID) -> String { "\(path(id))/unfilter" }

    private static func path(_ id: PostFilter.ID) -> String { "\(path)/\(id)" }

    // MARK: All filters

    private func list(_ request: Request, _ context: AppContext) async throws -> Response {
        let found = try await filters.filters(of: context.viewer)
        return screen.response("Filters", request, context) {
            p(.class("lead")) {
                "Posts and comments with words that you don’t want to see are folded or hidden. Nobody else knows."
            }
            if !found.isEmpty {
                div(.class("group")) {
                    for filter in found {
                        screen.line(
                            filter.title, "funnel", href: Self.path(filter.id),
                            value: filter.state(at: frame.now()))
                    }
                }
            }
            a(.class("button primary tall"), .href("\(Self.path)/new")) { "New filter" }
        }
    }

    // MARK: One filter

    /// What a form is about.
    private enum Subject {
        /// A new filter, and a single post that it will have.
        case new(with: Post?)
        /// A filter, and those of its single posts that the viewer may see.
        case known(PostFilter, [Post.ID: Post])

        var filter: PostFilter? { if case .known(let filter, _) = self { filter } else { nil } }
        var single: Post? { if case .new(let post) = self { post } else { nil } }
    }

    /// Returns the single post for which a filter is made; nil if there is none.
    ///
    /// - Throws: ``Refusal`` (404) for a post that the viewer can't see.
    private func single(_ input: Input, for viewer: Account) async throws -> Post? {
        guard let id = input.id("post", of: Post.self) else { return nil }
        return try await filters.filterable(id, for: viewer)
    }

    /// The values that a person fills in for a filter.
    private struct Form {
        var title = ""
        /// A word or phrase a line.
        var words = ""
        var isWhole = true
        var contexts = PostFilter.Context.allCases
        var isHiding = false
        /// The seconds after which the filter ends, as it was chosen; empty for what it was.
        var seconds = "0"
        var refusal: Refusal?
        var status = HTTPResponse.Status.ok

        init() {}

        init(_ filter: PostFilter) {
            title = filter.title
            words = filter.words.map(\.text).joined(separator: "\n")
            isWhole = filter.words.allSatisfy(\.isWhole)
            contexts = filter.contexts
            isHiding = filter.action == .hide
            seconds = filter.endsAt == nil ? "0" : ""
        }

        init(_ input: Input) {
            title = input.text("title")
            words = input.text("words")
            isWhole = input.bool("whole") ?? false
            contexts = PostFilter.Context.allCases.filter { input.list("context").contains($0.rawValue) }
            isHiding = input.string("filter_action") == PostFilter.Action.hide.rawValue
            seconds = input.text("ends")
        }

        /// Returns what the form changes about a filter; nil for a new one.
        ///
        /// - Throws: ``Refusal`` (422) for an end that can't be.
        func change(of filter: PostFilter?) throws -> FilterChange {
            let lines = words.split(separator: "\n").map { FilterRules.cleaned(String($0)) }
                .filter { !$0.isEmpty }.withoutRepeats()
            // An app may have set it for each word: these stay as long as the switch does.
            let known = Dictionary(filter?.words.map { ($0.text, $0.isWhole) } ?? []) { first, _ in first }
            let isSame = filter.map { $0.words.allSatisfy(\.isWhole) == isWhole } ?? false
            return FilterChange(
                title: title, contexts: contexts, action: isHiding ? .hide : .fold,
                seconds: seconds.isEmpty && filter?.endsAt != nil ? nil : try FilterRules.seconds(seconds),
                words: .all(
                    lines.map { ($0, isSame ? known[$0] ?? isWhole : isWhole) }))
        }
    }

    private func make(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = try await Input.read(request, context)
        let single = try await single(input, for: viewer)
        let form = Form(input)
        do {
            let filter = try await filters.make(form.change(of: nil), with: single?.id, by: viewer)
            guard single == nil else {
                return .see(AppPaths.home, flash: .good(filter.sentence(at: frame.now())))
            }
            return .see(Self.path, flash: .good("Your filter counts from now on."))
        } catch {
            return try await again(request, context, .new(with: single), form, error)
        }
    }

    private func save(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let (filter, posts) = try await filters.shown(context.id("id"), to: viewer)
        let form = Form(try await Input.read(request, context))
        do {
            _ = try await filters.change(filter.id, form.change(of: filter), by: viewer)
            return .see(Self.path, flash: .good("Saved."))
        } catch {
            return try await again(request, context, .known(filter, posts), form, error)
        }
    }

    /// Takes a single post out of a filter, and goes back to where that was asked: the filter, or the post's own screen.
    private func remove(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = try await Input.read(request, context)
        let filter = try await filters.remove(input.id("single"), from: context.id("id"), by: viewer)
        return .see(
            LocalPath(referrerOf: request)?.text ?? Self.path(filter.id),
            flash: .good("The post is no longer in “\(filter.title)”."))
    }

    private func again(
        _ request: Request, _ context: AppContext, _ subject: Subject, _ form: Form, _ error: any Error
    ) async throws -> Response {
        try await ErrorResponses.form(after: error, context) { refusal, status in
            var form = form
            (form.refusal, form.status) = (refusal, status)
            return page(request, context, subject, form)
        }
    }

    private func page(
        _ request: Request, _ context: AppContext, _ subject: Subject, _ form: Form
    ) -> Response {
        let filter = subject.filter
        let title = filter == nil ? "New filter" : "Edit filter"
        let problems = form.refusal?.fields ?? [:]
        return screen.response(title, back: ("Filters", Self.path), request, context, status: form.status) {
            if let single = subject.single, let viewer = context.session?.account {
                PostComponents(frame: frame).about(single, viewer.covering)
            }
            HTML.form(
                .class("form"), .method("post"),
                .action(filter.map { Self.path($0.id) } ?? "\(Self.path)/new")
            ) {
                frame.alert(form.refusal)
                if let single = subject.single {
                    input(.type("hidden"), .name("post"), .value(single.id.description))
                }
                frame.field(
                    "title", "Name", value: form.title, problems: problems,
                    note: "Shown in place of what is filtered.", .autocomplete("off"),
                    .maxlength(FilterRules.titleLength), .required)
                words(form, problems, subject)
                div(.class("group")) {
                    frame.toggle("whole", isOn: form.isWhole, "Whole words only")
                }
                contexts(form, problems)
                actions(form)
                ends(form, filter, problems)
                button(.class("button primary tall")) { "Save" }
            }
            if case .known(let filter, let posts) = subject {
                if !filter.singles.isEmpty { singles(filter, posts) }
                delete(filter)
            }
        }
    }

    /// Draws the single posts of a filter, each with the button that takes it out.
    private func singles(_ filter: PostFilter, _ posts: [Post.ID: Post]) -> Node {
        screen.section("singles", "Single posts") {
            for single in filter.singles {
                let post = posts[single.post]
                let whose = post.map { "the post of \($0.author.displayName)" } ?? "this post"
                li(.class("row")) {
                    if let post {
                        frame.portrait(post.author, pixels: 40)
                        a(.class("text"), .href(PostPaths.page(post.id))) {
                            b { post.author.displayName }
                            span { Self.words(of: post) }
                        }
                    } else {
                        span(.class("text")) { "You can’t see this post any more." }
                    }
                    HTML.form(.method("post"), .action(Self.removal(from: filter.id))) {
                        input(.type("hidden"), .name("single"), .value(single.id.description))
                        button(.class("button small"), .label("Remove \(whose)")) { "Remove" }
                    }
                }
            }
        }
    }

    /// Returns the words by which a post or comment is known in a line.
    @NodeBuilder private static func words(of post: Post) -> Node {
        let text = post.cover ?? post.caption
        if text.isEmpty {
            post.photos.count == 1 ? "Photo" : post.photos.count.of("photo")
        } else {
            element("bdi") { String(text.prefix(120)) }
        }
    }

    private func words(_ form: Form, _ problems: [String: Refusal.Problem], _ subject: Subject) -> Node {
        div(.class("field")) {
            label(.for("words")) { "Words and phrases, one a line" }
            textarea(
                .class("input"), .id("words"), .name("words"), .rows(4), .autocomplete("off"),
                .invalid(problems["keyword"] != nil),
                .describedBy(problems["keyword"] == nil ? nil : "keyword-error")
            ) { form.words }
            frame.problem("keyword", problems)
            if subject.single != nil {
                p(.class("note")) { "Without words it filters this post alone." }
            }
        }
    }

    private func contexts(_ form: Form, _ problems: [String: Refusal.Problem]) -> Node {
        fieldset {
            legend(.class("group-title")) { "Where it counts" }
            div(.class("group")) {
                for context in PostFilter.Context.allCases {
                    frame.toggle(
                        "context", value: context.rawValue, isOn: form.contexts.contains(context),
                        context.title)
                }
            }
            frame.problem("context", problems)
        }
    }

    private func actions(_ form: Form) -> Node {
        fieldset {
            legend(.class("group-title")) { "What happens" }
            div(.class("group")) {
                frame.choice(
                    "filter_action", PostFilter.Action.fold.rawValue, isChosen: !form.isHiding,
                    "Fold until tapped")
                frame.choice(
                    "filter_action", PostFilter.Action.hide.rawValue, isChosen: form.isHiding,
                    "Hide completely")
            }
        }
    }

    private func ends(
        _ form: Form, _ filter: PostFilter?, _ problems: [String: Refusal.Problem]
    ) -> Node {
        div(.class("field")) {
            label(.for("ends")) { "Ends" }
            frame.chooser("ends") {
                if let end = filter?.endsAt {
                    option(.value(""), .flag("selected", form.seconds.isEmpty)) {
                        (end > frame.now() ? "On " : "Ended on ") + Timestamp.long(end)
                    }
                }
                for (seconds, title) in Self.ends {
                    option(.value(seconds), .flag("selected", form.seconds == seconds)) { title }
                }
            }
            frame.problem("expires_in", problems)
        }
    }

    /// The ends that can be chosen, in seconds.
    private static let ends: [(seconds: String, title: String)] = [
        ("0", "Never"), ("3600", "In an hour"), ("21600", "In 6 hours"), ("86400", "In a day"),
        ("604800", "In a week"), ("2592000", "In 30 days"),
    ]

    @NodeBuilder private func delete(_ filter: PostFilter) -> Node {
        div(.class("group")) {
            screen.deletion("Delete filter")
        }
        frame.question(
            id: "delete-question", title: "Delete this filter?",
            explanation: "You will see again the posts and comments that it filters.",
            action: "\(Self.path(filter.id))/delete", yes: "Delete filter", no: "Keep it")
    }
}

extension PostFilter.Context {
    /// What the place is called on screens.
    fileprivate var title: String {
        switch self {
        case .home: "Home and lists"
        case .notifications: "Notifications"
        case .everyone: "Everyone"
        case .thread: "Posts and comments"
        case .account: "Profiles"
        }
    }
}

/// What folds a post or comment that a filter fits, until a tap: a closed `details`, which needs no script.
struct FilterFold {
    let frame: Frame

    /// Returns the content, folded if one of the viewer's filters fits the post there.
    ///
    /// - Parameter context: where the post is shown.
    func fold(_ post: Post, in context: PostFilter.Context, _ content: Node) -> Node {
        guard let title = post.foldedBy(in: context) else { return content }
        return element("details", .class("filtered")) {
            element("summary") {
                frame.icon("funnel")
                span {
                    "Filtered: "
                    element("bdi") { title }
                }
                b(.class("show")) { "Show anyway" }
                b(.class("hide")) { "Hide" }
            }
            content
        }
    }
}
