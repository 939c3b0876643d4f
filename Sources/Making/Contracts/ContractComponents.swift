import Core
import Foundation
import HTML
import People
import Serving

/// The parts of contracts that several screens draw: the whole contract on its page, a row of a list, and a card in a
/// chat.
struct ContractComponents: Sendable {
    let frame: Frame

    func words(_ view: ContractView) -> ContractWords { ContractWords(view: view, now: frame.now()) }

    // MARK: Live parts

    /// Draws a part of a page that scripts load again when somebody makes a move.
    ///
    /// - Parameters:
    ///   - source: the path that answers with the content alone.
    ///   - id: the contract that is shown; nil when every contract matters.
    func live(_ source: String, of id: Contract.ID? = nil, @NodeBuilder content: () -> Node) -> Node {
        let content = content()
        return element(
            "contract-live", .attribute("data-source", source),
            .attribute("data-contract", id.map(\.description))
        ) {
            p(.class("unseen"), .role("status"), .flag("data-said")) {}
            div(.flag("data-content")) { content }
        }
    }

    /// Draws the time left until a date, which a script keeps current.
    func countdown(_ date: Date) -> Node {
        element("count-down") {
            time(.datetime(Timestamp.iso8601(date)), .title(Timestamp.long(date))) {
                ContractWords.timeLeft(until: date, now: frame.now())
            }
        }
    }

    /// Draws the state as a pill, with the time left.
    func pill(_ view: ContractView) -> Node {
        let words = words(view)
        return p(.class("contract-state"), .attribute("data-tone", words.tone.rawValue), .flag("data-state"))
        {
            frame.icon(words.symbol)
            span {
                words.state
                if let date = words.countdown {
                    " · "
                    countdown(date)
                }
            }
        }
    }

    // MARK: Rows and cards

    /// Draws a row of the list.
    func row(_ view: ContractView) -> Node {
        let words = words(view)
        return li(.attribute("data-id", view.contract.id.description)) {
            a(.class("row wraps"), .href(Contract.path(view.contract.id))) {
                portraits(view, pixels: 40)
                span(.class("text")) {
                    b { "“\(view.contract.promise)”" }
                    span { words.line }
                    span(.class("contract-left"), .attribute("data-tone", words.tone.rawValue)) {
                        words.state
                        if let date = words.countdown {
                            " · "
                            countdown(date)
                        }
                    }
                }
                frame.icon("chevron-right", class: "icon chevron")
            }
        }
    }

    /// Draws the card of two people's open contract, which is shown above their chat.
    func card(_ view: ContractView) -> Node {
        let words = words(view)
        return a(.class("chat-card"), .href(Contract.path(view.contract.id))) {
            frame.icon("file-earmark-text")
            span(.class("text")) {
                b { "“\(view.contract.promise)”" }
                span {
                    view.contract.state == .active ? "Contract" : words.line
                    " · "
                    words.state
                    if let date = words.countdown {
                        " · "
                        countdown(date)
                    }
                }
            }
            frame.icon("chevron-right", class: "icon chevron")
        }
    }

    /// Draws the portraits of the contract's people: both on a party's page, in a list only the other's.
    private func portraits(_ view: ContractView, pixels: Int) -> Node {
        let shown: [ContractRole] =
            view.role == .witness ? ContractRole.parties : [view.role.other ?? .proposer]
        return span(.class(shown.count == 1 ? "contract-faces single" : "contract-faces")) {
            for role in shown { face(view.contract.party(role)?.account, pixels: pixels) }
        }
    }

    /// Draws a portrait, or a plain circle for an account that the viewer can't see.
    func face(_ account: Account?, pixels: Int) -> Node {
        if let account { return frame.portrait(account, pixels: pixels) }
        return span(.class("portrait"), .decorative) { frame.icon("person") }
    }

    // MARK: The contract

    /// Draws everything of a contract that a move changes.
    @NodeBuilder func whole(_ view: ContractView) -> Node {
        let words = words(view)
        let contract = view.contract
        header(.class("contract-head")) {
            div(.class("contract-faces")) {
                for role in ContractRole.parties { linkedFace(words.account(role)) }
            }
            h2 { "“\(contract.promise)”" }
            pill(view)
            if contract.state.isBinding { passed(contract) }
            if contract.state.isOpen {
                p(.class("contract-until")) {
                    frame.now() < contract.endsAt ? "Holds until " : "Held until "
                    frame.date(contract.endsAt)
                }
            }
            p(.class("contract-situation")) { words.situation }
        }
        if !contract.rules.isEmpty { rules(contract) }
        if contract.state.isOpen {
            if view.role != .witness { stakes(view, words) }
            breach(view, words)
        }
        if let publication = contract.publication {
            ContractPublicationCard(frame: frame).node(publication, view, words)
        }
        if view.mayFreeStake { freeing(view, words) }
        again(view)
        ContractMoveButtons(frame: frame).buttons(view, words)
        history(contract, words)
        if view.role != .witness { sealedPictures(view, words) }
        // A deleted account can't be reported.
        if contract.party(view.role.other ?? .proposer)?.accountID != nil {
            p(.class("contract-report")) {
                a(.href("\(Contract.path(contract.id))/report")) { "Report this contract" }
            }
        }
    }

    @NodeBuilder private func linkedFace(_ account: Account?) -> Node {
        if let account {
            a(.href(AppPaths.profile(account.username)), .label(account.displayName)) {
                frame.portrait(account, pixels: 60)
            }
        } else {
            face(nil, pixels: 60)
        }
    }

    /// Draws a bar of the promise's time that has passed.
    private func passed(_ contract: Contract) -> Node {
        let whole = max(1, contract.endsAt.timeIntervalSince(contract.createdAt))
        let share = min(1, max(0, frame.now().timeIntervalSince(contract.createdAt) / whole))
        return progress(
            .attribute("max", "100"), .value(String(Int(share * 100))), .label("Time passed"))
    }

    private func rules(_ contract: Contract) -> Node {
        section(.attribute("aria-labelledby", "rules-title")) {
            h3(.class("contract-title"), .id("rules-title")) { "Rules" }
            ol(.class("group contract-rules")) {
                for (index, rule) in contract.rules.enumerated() {
                    li {
                        b { "\(index + 1)" }
                        span { rule }
                    }
                }
            }
        }
    }

    private func stakes(_ view: ContractView, _ words: ContractWords) -> Node {
        let roles = [view.role, view.role.other].compactMap(\.self)
        return section(.attribute("aria-labelledby", "stakes-title")) {
            h3(.class("contract-title"), .id("stakes-title")) {
                span { "At stake" }
                span { "Only the two of you can see these" }
            }
            div(.class("contract-stakes")) {
                for role in roles { stake(view.contract, role, words) }
            }
        }
    }

    private func stake(_ contract: Contract, _ role: ContractRole, _ words: ContractWords) -> Node {
        let party = contract.party(role)
        return figure {
            if let stake = party?.stake, let owner = party?.accountID {
                let pixels = stake.pixels(.medium)
                button(
                    .type("button"), .attribute("popovertarget", "stake-\(role.rawValue)"),
                    .label("Show \(words.view.role == role ? "your photo" : words.photo(role))")
                ) {
                    img(
                        .src(Contract.stakePath(contract.id, of: owner, .medium)), .width(pixels.width),
                        .height(pixels.height), .alt(stake.description),
                        PhotoComponents.cut(stake.photo, to: (7, 6)))
                }
            } else {
                div(.class("contract-empty")) {
                    frame.icon("lock")
                    p { Self.missing(contract, role, words) }
                }
            }
            figcaption { words.owner(role) }
        }
    }

    /// Returns why a party's photo isn't shown.
    private static func missing(_ contract: Contract, _ role: ContractRole, _ words: ContractWords) -> String
    {
        guard contract.state == .proposed else { return "No longer at stake" }
        return words.view.role == role ? "Added when you accept" : "Added when \(words.name(role)) accepts"
    }

    /// Draws each stake large in a dialog of its own.
    @NodeBuilder private func sealedPictures(_ view: ContractView, _ words: ContractWords) -> Node {
        for role in ContractRole.parties {
            if let party = view.contract.party(role), let stake = party.stake, let owner = party.accountID {
                let pixels = stake.pixels(.large)
                div(
                    .class("contract-picture"), .id("stake-\(role.rawValue)"), .flag("popover"),
                    .role("dialog"), .label("\(words.photo(role)) at stake")
                ) {
                    img(
                        .src(Contract.stakePath(view.contract.id, of: owner, .large)), .width(pixels.width),
                        .height(pixels.height), .lazy,
                        .alt(stake.description.isEmpty ? "The photo at stake" : stake.description))
                    button(
                        .class("symbol"), .type("button"),
                        .attribute("popovertarget", "stake-\(role.rawValue)"),
                        .attribute("popovertargetaction", "hide"), .label("Close")
                    ) { frame.icon("x-lg") }
                }
            }
        }
    }

    /// Draws what a breach publishes, and who decides a dispute.
    private func breach(_ view: ContractView, _ words: ContractWords) -> Node {
        section(.attribute("aria-labelledby", "breach-title")) {
            h3(.class("contract-title"), .id("breach-title")) { "If it is broken" }
            div(.class("group contract-breach")) {
                if view.role != .witness {
                    for line in Self.places(view, words) { p { line } }
                    p { "The post says: “\(words.breachWords)”" }
                }
                p { words.witness }
            }
        }
    }

    /// Returns where the breach of each party is published, in a sentence each, or in one sentence when both chose the
    /// same places.
    private static func places(_ view: ContractView, _ words: ContractWords) -> [String] {
        let own = view.own?.publishTo ?? []
        let others = view.other?.publishTo ?? []
        if view.contract.state == .proposed {
            let proposer = view.contract.party(.proposer)?.publishTo ?? []
            let places = ContractWords.publishing(
                to: proposer, asPostOf: view.role == .proposer ? "your" : "their")
            return ["\(words.photo(.proposer)) is published \(places)."]
        }
        if own == others, own == [.server] {
            return [
                "The photo of the person who breaks it is posted here in their name, for their followers."
            ]
        }
        return [
            "Your photo is published \(ContractWords.publishing(to: own, asPostOf: "your")).",
            "\(words.photo(view.role.other ?? .partner)) is published \(ContractWords.publishing(to: others, asPostOf: "their")).",
        ]
    }

    /// Draws the link with which a contract that was never accepted is proposed again, such as with another witness.
    @NodeBuilder private func again(_ view: ContractView) -> Node {
        if view.mayProposeAgain, let partner = view.other?.account {
            a(
                .class("button tall"), .href("/contracts/new/\(partner.id)?again=\(view.contract.id)")
            ) { "Propose it again…" }
        }
    }

    /// Draws the choice of what happens to the viewer's photo.
    private func freeing(_ view: ContractView, _ words: ContractWords) -> Node {
        let path = "\(Contract.path(view.contract.id))/stake"
        return section(.class("contract-freeing"), .attribute("aria-labelledby", "free-title")) {
            h3(.class("contract-title"), .id("free-title")) { "Your photo" }
            div(.class("contract-stakes")) { stake(view.contract, view.role, words) }
            div(.class("group")) {
                p {
                    "Only you can see it. Keep it in your library, or erase it. If you do nothing, it is erased 30 days after the contract’s end."
                }
                div(.class("buttons")) {
                    form(.method("post"), .action("\(path)?keep=true")) {
                        button(.class("button small primary")) { "Put it in my library" }
                    }
                    button(
                        .class("button small danger"), .type("button"), .id("erase-stake"),
                        .attribute("popovertarget", "erase")
                    ) { "Erase it" }
                }
            }
            frame.question(
                id: "erase", title: "Erase your photo?",
                explanation: "It is erased from this server and can’t be brought back.",
                action: "\(path)?keep=false", yes: "Erase it", no: "Not now")
        }
    }

    // MARK: History

    private func history(_ contract: Contract, _ words: ContractWords) -> Node {
        section(.attribute("aria-labelledby", "history-title")) {
            h3(.class("contract-title"), .id("history-title")) { "History" }
            ol(.class("contract-history")) {
                for entry in contract.history {
                    li {
                        p { words.sentence(of: entry) }
                        if !entry.note.isEmpty { element("blockquote") { entry.note } }
                        frame.time(entry.id.createdAt)
                    }
                }
            }
        }
    }
}

extension Page.Style {
    static let contracts = Page.Style(name: "contracts")
}
