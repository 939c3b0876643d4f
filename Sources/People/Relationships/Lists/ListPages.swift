import Core
import HTML
import Hummingbird
import Serving

/// The screens of lists: all of them, one that is changed, and those in which a person is. A list's feed is among the pages
/// of posts.
struct ListPages {
    let frame: Frame
    let relations: RelationshipService

    private var screen: SettingsScreen { SettingsScreen(frame: frame) }
    private static let page = 40

    func add(to router: Router<AppContext>) {
        router.get("lists") { request, context in
            try await all(request, context, relations.lists(of: context.viewer))
        }
        router.post("lists", use: make)
        router.get("lists/:id/edit") { try await edit($0, $1) }
        router.post("lists/:id/edit", use: save)
        router.post("lists/:id/delete", use: delete)
        router.post("lists/:id/add/:account") { request, context in
            try await changePeople(request, context) { try await relations.add([$0], to: $1, by: $2) }
        }
        router.post("lists/:id/remove/:account") { request, context in
            try await changePeople(request, context) { try await relations.remove([$0], from: $1, by: $2) }
        }
        router.get("@{username}/lists", use: ofPerson)
    }

    // MARK: All lists

    private func all(
        _ request: Request, _ context: AppContext, _ lists: [PeopleList], title: String = "",
        _ refusal: Refusal? = nil, status: HTTPResponse.Status = .ok
    ) -> Response {
        Page(title: "Lists", styles: [.accounts, .controls], link: .lists, bodyClass: "grouped").response(
            frame, request, context, status: status
        ) {
            frame.menuBar("Lists")
            main(.id("content"), .class("settings")) {
                p(.class("lead")) { "A list has a feed of some of the people you follow. Only you see it." }
                if !lists.isEmpty {
                    div(.class("group")) {
                        for list in lists {
                            screen.line(
                                list.title, "list-ul", href: ListPaths.feed(list.id),
                                value: list.peopleCount.of("person", "people"))
                        }
                    }
                }
                form(.class("form"), .method("post"), .action(ListPaths.all)) {
                    frame.alert(refusal)
                    titleField("Name of a new list", title, refusal)
                    button(.class("button primary tall")) { "Create list" }
                }
            }
        }
    }

    private func titleField(_ label: String, _ title: String, _ refusal: Refusal?) -> Node {
        frame.field(
            "title", label, value: title, problems: refusal?.fields ?? [:], .autocomplete("off"),
            .maxlength(ListRules.titleLength), .required)
    }

    private func make(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let title = try await Input.read(request, context).text("title")
        do {
            let list = try await relations.makeList(title, isExclusive: false, by: viewer)
            return .see(ListPaths.edit(list.id))
        } catch {
            let lists = try await relations.lists(of: viewer)
            return try await ErrorResponses.form(after: error, context) { refusal, status in
                all(request, context, lists, title: title, refusal, status: status)
            }
        }
    }

    // MARK: One list

    /// What was typed about a list and refused.
    private struct Typed {
        let title: String
        let isExclusive: Bool
        let refusal: Refusal
    }

    private func edit(
        _ request: Request, _ context: AppContext, _ typed: Typed? = nil
    ) async throws -> Response {
        let input = Input.query(request)
        let query = input.text("q")
        let page = PageRequest(limit: Self.page, olderThan: try PageRequest(input).olderThan)
        let found = try await relations.listToEdit(
            context.id("id"), query: query, of: context.viewer, page: page)
        let list = found.list
        let path = ListPaths.edit(list.id)
        let next =
            found.people.count == page.limit ? found.people.last.map { "\(path)?max_id=\($0.0)" } : nil
        let people = found.people.map { row($0.1, list, "Remove", "remove") }
        if request.wantsFragment {
            let isNextPage = page.olderThan != nil
            return .html(
                isNextPage ? Node.list(people + [frame.more(next)]) : others(found, query), for: request)
        }
        return Page(title: "Edit list", styles: [.accounts, .controls], link: .lists, bodyClass: "grouped")
            .response(frame, request, context, status: typed == nil ? .ok : .unprocessableContent) {
                frame.bar("Edit list", back: (list.title, ListPaths.feed(list.id)))
                main(.id("content"), .class("settings")) {
                    form(.class("form"), .method("post"), .action(path)) {
                        frame.alert(typed?.refusal)
                        titleField("Name", typed?.title ?? list.title, typed?.refusal)
                        div(.class("group")) {
                            frame.toggle(
                                "exclusive", isOn: typed?.isExclusive ?? list.isExclusive,
                                "Only here, not on Home")
                        }
                        p(.class("note")) { "Home then leaves out posts of the people in this list." }
                        button(.class("button primary tall")) { "Save" }
                    }
                    section(.attribute("aria-labelledby", "people-title")) {
                        h2(.class("group-title"), .id("people-title")) {
                            list.peopleCount.of("person", "people")
                        }
                        if found.people.isEmpty {
                            p(.class("note")) { "Nobody is in this list yet." }
                        } else {
                            frame.endlessList("group", next: next) { people }
                        }
                    }
                    section(.attribute("aria-labelledby", "others-title")) {
                        h2(.class("group-title"), .id("others-title")) { "Add people you follow" }
                        frame.liveSearch(
                            path, query, label: "Search people you follow", placeholder: "Search"
                        ) { others(found, query) }
                    }
                    div(.class("group")) {
                        screen.deletion("Delete list")
                    }
                    frame.question(
                        id: "delete-question", title: "Delete this list?",
                        explanation: "You still follow the people in it.",
                        action: "\(ListPaths.feed(list.id))/delete", yes: "Delete list", no: "Keep it")
                }
            }
    }

    @NodeBuilder private func others(_ found: RelationshipService.ListToEdit, _ query: String) -> Node {
        if found.others.isEmpty {
            p(.class("note")) {
                if found.hasMore {
                    "Those found first are in this list. Search for others by name."
                } else {
                    query.isEmpty
                        ? "Everyone you follow is in this list."
                        : "Nobody else you follow is called “\(query)”."
                }
            }
        } else {
            ul(.class("group")) { for account in found.others { row(account, found.list, "Add", "add") } }
            if found.hasMore { p(.class("note apart")) { "Search for others by name." } }
        }
    }

    /// Draws a person with a button that adds them to a list or takes them out.
    private func row(_ account: Account, _ list: PeopleList, _ title: String, _ verb: String) -> Node {
        screen.person(
            account, .text("@\(account.username)"),
            action: form(.method("post"), .action("\(ListPaths.feed(list.id))/\(verb)/\(account.id)")) {
                button(.class("button small"), .label("\(title) \(account.displayName)")) { title }
            })
    }

    private func save(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let id = try context.id("id", of: PeopleList.self)
        let input = try await Input.read(request, context)
        let title = input.text("title")
        // A switch that is off sends nothing.
        let isExclusive = input.bool("exclusive") ?? false
        do {
            _ = try await relations.change(id, title: title, isExclusive: isExclusive, by: viewer)
        } catch let refusal as Refusal where refusal.fields["title"] != nil {
            return try await edit(
                request, context,
                Typed(
                    title: title, isExclusive: isExclusive, refusal: refusal))
        }
        return .see(ListPaths.feed(id), flash: .good("Saved."))
    }

    private func delete(_ request: Request, _ context: AppContext) async throws -> Response {
        try await relations.deleteList(context.id("id"), by: context.viewer)
        return .see(ListPaths.all, flash: .good("The list is deleted."))
    }

    private func changePeople(
        _ request: Request, _ context: AppContext,
        _ change: (Account.ID, PeopleList.ID, Account) async throws -> Void
    ) async throws -> Response {
        let id = try context.id("id", of: PeopleList.self)
        let next = LocalPath(referrerOf: request)?.text ?? ListPaths.edit(id)
        do {
            try await change(context.id("account"), id, context.viewer)
        } catch let refusal as Refusal where refusal.kind == .invalid {
            return .see(next, flash: .error(refusal.message))
        }
        return .see(next)
    }

    // MARK: The lists of a person

    private func ofPerson(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        guard let username = context.parameters.get("username") else { throw Refusal.notFound }
        let found = try await relations.lists(of: viewer, withUsername: username)
        let account = found.person.account
        return Page(title: "Lists", styles: [.accounts, .controls], bodyClass: "grouped").response(
            frame, request, context
        ) {
            frame.bar("Lists", back: ("Options", RelationshipPaths.options(account.username)))
            main(.id("content"), .class("settings")) {
                ul(.class("group")) { screen.person(account, .text("@\(account.username)")) }
                if !found.person.relationship.follows {
                    p(.class("lead")) {
                        "Follow \(account.displayName) first: lists are of people you follow."
                    }
                } else if !found.lists.isEmpty {
                    div(.class("group")) {
                        for list in found.lists { choice(list, account, has: found.has.contains(list.id)) }
                    }
                }
                div(.class("group")) { screen.line("All lists", "list-ul", href: ListPaths.all) }
            }
        }
    }

    private func choice(_ list: PeopleList, _ account: Account, has: Bool) -> Node {
        form(
            .method("post"),
            .action("\(ListPaths.feed(list.id))/\(has ? "remove" : "add")/\(account.id)")
        ) {
            button(.class("choice"), .pressed(has)) {
                span { list.title }
                if has { frame.icon("check-lg") }
            }
        }
    }
}

extension Page.Link {
    static let lists = Page.Link(name: "lists", icon: "list-ul", position: 55)
}
