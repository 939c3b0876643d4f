import Core
import HTML
import Hummingbird
import Serving
import Storage

/// A form in which people choose friends, and what else a feature offers beside them, with a search where there are many.
package struct FriendChooser: Sendable {
    package let frame: Frame
    package let relations: RelationshipService
    /// The path of the page with the form.
    package let path: String
    /// The path to which the form is sent.
    package let action: String
    package let title: String
    package let button: String
    /// The most that may be chosen at once.
    package let limit: Int

    package init(
        frame: Frame, relations: RelationshipService, path: String, action: String, title: String,
        button: String, limit: Int = most
    ) {
        self.frame = frame
        self.relations = relations
        self.path = path
        self.action = action
        self.title = title
        self.button = button
        self.limit = limit
    }

    /// The number of friends on a page, and the most that may be chosen at once where a form doesn't say otherwise.
    package static let most = 24

    /// Something that can be chosen beside friends, such as a group.
    package struct Other: Sendable {
        /// The name of the form's field.
        let name: String
        /// The value that choosing it adds to the field.
        let value: String
        let title: String
        let isChosen: Bool
        /// Draws its picture, 60 px wide.
        let portrait: Drawing

        package init(name: String, value: String, title: String, isChosen: Bool, portrait: @escaping Drawing)
        {
            self.name = name
            self.value = value
            self.title = title
            self.isChosen = isChosen
            self.portrait = portrait
        }
    }

    /// A page of friends to choose from. Chosen friends stay on the page, whatever the search finds.
    package struct Friends: Sendable {
        fileprivate var query: String
        fileprivate var isLaterPage: Bool
        fileprivate var chosen: [Account]
        fileprivate var offered: [Account]
        fileprivate var next: String?
        /// What else is offered, before the friends.
        package var others: [Other] = []
        /// Whether more of them than are offered can be found by the search.
        package var hasMoreOthers = false

        /// Whether the viewer has nobody to choose from.
        package var isEmpty: Bool { !isSearch && hasNone && chosen.isEmpty }

        fileprivate var hasNone: Bool { offered.isEmpty && others.isEmpty }

        /// Whether there may be more friends than fit on one page.
        fileprivate var isSearch: Bool { next != nil || !query.isEmpty || isLaterPage || hasMoreOthers }
    }

    /// Returns the page of friends that a request asks for, with what they are chosen for, read in one transaction.
    ///
    /// - Parameters:
    ///   - left: friends who aren't offered.
    ///   - subject: reads what the friends are chosen for.
    package func friends<Subject: Sendable>(
        _ input: Input, of viewer: Account,
        leavingOut left: @escaping @Sendable (Subject) -> Set<Account.ID> = { _ in [] },
        for subject: @escaping @Sendable (Transaction) throws -> Subject
    ) async throws -> (Subject, Friends) {
        let query = input.text("q")
        let after = input.text("after")
        let asked = Self.chosen(input, upTo: limit)
        return try await relations.database.read { [self] transaction in
            let subject = try subject(transaction)
            let chosen = try RelationshipRecords(transaction).friends(asked, of: viewer)
            let found = try RelationshipRecords(transaction).search(
                query, among: .friends, by: .username, for: viewer, after: after, limit: Self.most + 1
            ).map(\.account)
            return (subject, page(query, after: after, chosen, found, leavingOut: left(subject)))
        }
    }

    private func page(
        _ query: String, after: String, _ chosen: [Account], _ found: [Account],
        leavingOut left: Set<Account.ID>
    ) -> Friends {
        var next: String?
        if found.count > Self.most {
            let kept = chosen.map { "&to=\($0.id)" }.joined()
            next = "\(path)?q=\(query.queryEncoded)&after=\(found[Self.most - 1].username)\(kept)"
        }
        let hidden = left.union(chosen.map(\.id))
        return Friends(
            query: query, isLaterPage: !after.isEmpty, chosen: chosen,
            offered: found.prefix(Self.most).filter { !hidden.contains($0.id) }, next: next)
    }

    /// Returns the friends that a form has chosen; one more than allowed, so that too many are noticed.
    package static func chosen(_ input: Input, upTo limit: Int = most) -> [Account.ID] {
        input.list("to").prefix(limit + 1).compactMap { Account.ID($0) }
    }

    /// Returns one form with two purposes: its search field searches for other friends, its button sends the form.
    /// Returns nothing for a person without friends.
    ///
    /// - Parameter above: further fields of the form.
    @NodeBuilder package func form(_ friends: Friends, above: Node = .empty) -> Node {
        if !friends.isEmpty {
            element("live-search") {
                HTML.form(.class("form"), .action(path)) {
                    above
                    fieldset {
                        legend(.class("group-title")) { title }
                        // The button that Enter presses: without it, Enter would send the form.
                        search(friends) { HTML.button(.hidden()) { "Search" } }
                        div(.flag("data-results")) { results(friends) }
                    }
                    HTML.button(
                        .class("button primary tall"), .name("key"), .value(Session.newToken()),
                        .attribute("formmethod", "post"), .attribute("formaction", action)
                    ) { button }
                }
            }
        }
    }

    /// Returns the fields for a form with another purpose of its own. Its search is another form, which the page has before
    /// it in the same `<live-search>`: forms don't lie in each other. Returns nothing for a person without friends.
    ///
    /// - Parameter searchForm: the id of the form for the search.
    @NodeBuilder package func fields(_ friends: Friends, searchForm: String) -> Node {
        if !friends.isEmpty {
            fieldset {
                legend(.class("group-title")) { title }
                search(friends, form: searchForm)
                div(.flag("data-results")) { results(friends) }
            }
        }
    }

    @NodeBuilder private func search(
        _ friends: Friends, form: String? = nil, button: () -> Node = { .empty }
    ) -> Node {
        if friends.isSearch {
            div(.class("search"), .role("search")) {
                frame.icon("search")
                input(
                    .type("search"), .name("q"), .value(friends.query), .placeholder("Search"),
                    .label("Search friends"), .autocomplete("off"), .attribute("form", form))
                button()
            }
        }
    }

    /// Returns the part of the form that a script asks for: further rows, or the results of a search.
    package func fragment(_ friends: Friends) -> Node {
        friends.isLaterPage ? rows(friends) : results(friends)
    }

    @NodeBuilder private func results(_ friends: Friends) -> Node {
        if !friends.chosen.isEmpty || !friends.hasNone {
            frame.endlessList("group friends", next: friends.next) {
                for other in friends.others { choice(other) }
                for friend in friends.chosen { choice(friend, isChosen: true) }
                for friend in friends.offered { choice(friend, isChosen: false) }
            }
        }
        if !friends.query.isEmpty, friends.offered.isEmpty, friends.others.allSatisfy(\.isChosen) {
            let isNobodyChosen = friends.chosen.isEmpty && friends.others.isEmpty
            p(.class("note")) {
                "None of your \(isNobodyChosen ? "friends" : "other friends") is called “\(friends.query)”."
            }
        }
    }

    private func rows(_ friends: Friends) -> Node {
        .list(friends.offered.map { choice($0, isChosen: false) } + [frame.more(friends.next)])
    }

    private func choice(_ friend: Account, isChosen: Bool) -> Node {
        let portrait = frame.portrait(friend, pixels: 60)
        return li(.attribute("data-account", friend.id.description)) {
            choice("to", friend.id.description, friend.displayName, isChosen: isChosen, portrait)
        }
    }

    private func choice(_ other: Other) -> Node {
        li { choice(other.name, other.value, other.title, isChosen: other.isChosen, other.portrait()) }
    }

    private func choice(
        _ name: String, _ value: String, _ title: String, isChosen: Bool, _ portrait: Node
    ) -> Node {
        label {
            input(.class("cover"), .type("checkbox"), .name(name), .value(value), .checked(isChosen))
            portrait
            frame.icon("check-circle-fill")
            span { title }
        }
    }
}
