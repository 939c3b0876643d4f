import Core
import Feeds
import HTML
import People
import Serving

/// The buttons of a contract: the moves that the viewer may make now. Moves with serious consequences ask a second
/// question, which says what will happen.
struct ContractMoveButtons: Sendable {
    let frame: Frame

    /// Draws all buttons with their questions; draws nothing when the viewer may do nothing.
    @NodeBuilder func buttons(_ view: ContractView, _ words: ContractWords) -> Node {
        let light: Set<ContractMove.Kind> = [.release, .forfeit, .withdraw]
        let heavy = view.moves.filter { !light.contains($0) }
        let others = view.moves.filter(light.contains)
        if !view.moves.isEmpty {
            div(.class("contract-moves")) {
                for move in heavy { button(move, view, words) }
                if !others.isEmpty {
                    div(.class("contract-light")) { for move in others { button(move, view, words) } }
                }
                for move in view.moves { question(move, view, words) }
            }
        }
    }

    /// Returns the path that makes a move in the state that the page shows.
    private func path(_ move: ContractMove.Kind, _ view: ContractView, _ more: String = "") -> String {
        "\(Contract.path(view.contract.id))/\(move.rawValue)?seen=\(view.contract.progress.seen(by: view.role))\(more)"
    }

    private func button(_ move: ContractMove.Kind, _ view: ContractView, _ words: ContractWords) -> Node {
        let page = "\(Contract.path(view.contract.id))/\(move.rawValue)"
        switch move {
        case .accept: return link(page, "Accept…", class: "button tall primary")
        case .witness: return opener("witness", "Be the witness…", class: "button tall primary")
        case .decline: return opener("decline", "Decline…")
        case .withdraw: return opener("withdraw", "Take it back…", class: "button plain")
        case .release: return opener("release", Self.releaseTitle(view), class: "button plain")
        case .admit:
            return opener("admit", view.contract.state == .active ? "I broke it…" : "Admit that I broke it…")
        case .claim: return link(page, "\(words.subject(view.role.other ?? .partner)) broke it…")
        case .dispute: return link(page, "Dispute it…")
        case .judge:
            let accused = view.contract.progress.accused.map(words.subject) ?? "They"
            return .list([
                opener("judge-broken", "\(accused) broke it…"),
                opener("judge-unbroken", "\(accused) didn’t break it…"),
            ])
        case .forfeit: return link(page, "Call it off…", class: "button plain")
        }
    }

    private static func releaseTitle(_ view: ContractView) -> String {
        view.contract.progress.offer == nil ? "Release both" : "Agree to release both"
    }

    private func link(_ path: String, _ title: String, class classes: StaticString = "button tall") -> Node {
        a(.class(classes), .href(path)) { title }
    }

    private func opener(_ id: String, _ title: String, class classes: StaticString = "button tall") -> Node {
        HTML.button(
            .class(classes), .type("button"), .id("open-\(id)"), .attribute("popovertarget", id)
        ) { title }
    }

    // MARK: Second questions

    @NodeBuilder private func question(
        _ move: ContractMove.Kind, _ view: ContractView, _ words: ContractWords
    ) -> Node {
        switch move {
        case .accept, .claim, .dispute, .forfeit: Node.empty
        case .witness:
            frame.question(
                id: "witness", title: "Be the witness?",
                explanation:
                    "If they can’t agree whether the promise was broken, you read what both write and have 72 hours to decide. You never see a photo. \(words.subject(.partner)) can accept the contract then.",
                action: path(.witness, view), yes: "Be the witness", no: "Cancel", answer: .friendly)
        case .decline:
            frame.question(
                id: "decline", title: view.role == .witness ? "Decline to be the witness?" : "Decline?",
                explanation:
                    "\(words.subject(.proposer)) is notified and gets their photo back. Nothing is published.",
                action: path(.decline, view), yes: "Decline", no: "Cancel", answer: .friendly)
        case .withdraw:
            frame.question(
                id: "withdraw", title: "Take this contract back?",
                explanation:
                    "\(words.subject(.partner)) can’t accept it any more. You get your photo back.",
                action: path(.withdraw, view), yes: "Take it back", no: "Keep it", answer: .friendly)
        case .release: releaseQuestion(view, words)
        case .admit:
            frame.question(
                id: "admit", title: "Did you break it?", explanation: words.ownBreach,
                action: path(.admit, view), yes: "I broke it. Publish my photo", no: "Cancel")
        case .judge:
            judgeQuestions(view, words)
        }
    }

    private func releaseQuestion(_ view: ContractView, _ words: ContractWords) -> Node {
        let other = words.subject(view.role.other ?? .partner)
        return view.contract.progress.offer == nil
            ? frame.question(
                id: "release", title: "Offer to release both?",
                explanation:
                    "\(other) is asked. If they agree, the contract ends, nothing is published, and you both get your photos back. Until then it goes on.",
                action: path(.release, view), yes: "Offer it", no: "Cancel", answer: .friendly)
            : frame.question(
                id: "release", title: "Release both?",
                explanation:
                    "\(other) offers to end it. If you agree, it ends at once, nothing is published, and you both get your photos back.",
                action: path(.release, view), yes: "Agree and end it", no: "Cancel", answer: .friendly)
    }

    @NodeBuilder private func judgeQuestions(_ view: ContractView, _ words: ContractWords) -> Node {
        let accused = view.contract.progress.accused ?? .partner
        let name = words.subject(accused)
        let claimer = words.subject(accused.other ?? .proposer)
        frame.question(
            id: "judge-broken", title: "Decide that \(words.name(accused)) broke it?",
            explanation:
                "The photo that \(words.name(accused)) staked is published at once, as both of them agreed. You never see it here. \(claimer)’s photo stays sealed. This can’t be undone.",
            action: path(.judge, view, "&broken=true"), yes: "\(name) broke it", no: "Cancel")
        frame.question(
            id: "judge-unbroken", title: "Decide that \(words.name(accused)) didn’t break it?",
            explanation:
                "Nothing is published. The contract goes on, or counts as kept if its time is over. This can’t be undone.",
            action: path(.judge, view, "&broken=false"), yes: "\(name) didn’t break it", no: "Cancel",
            answer: .friendly)
    }
}

/// The state of the publishing of a breach, and a link for the breaker when only they can see it.
struct ContractPublicationCard: Sendable {
    let frame: Frame

    func node(_ publication: Contract.Publication, _ view: ContractView, _ words: ContractWords) -> Node {
        let isOwn = publication.breaker == view.role
        return section(.attribute("aria-labelledby", "publication-title")) {
            h3(.class("contract-title"), .id("publication-title")) { "Publishing" }
            div(.class("group contract-publication")) {
                p(.flag("data-publication")) { sentence(publication, isOwn: isOwn, words) }
                if !publication.reason.isEmpty { p(.class("note")) { publication.reason } }
                if let next = publication.nextAttempt, publication.state == .retrying {
                    p(.class("note")) {
                        "\(publication.attempts.of("try", "tries")) so far. Next try "
                        frame.date(next)
                        "."
                    }
                }
                if let post = publication.post { a(.href(PostPaths.page(post))) { "See the post" } }
                if let url = publication.url, url.hasPrefix("https://") || url.hasPrefix("http://") {
                    a(.href(url), .attribute("target", "_blank"), .rel("noopener external")) {
                        "See the post on the connected account"
                    }
                }
                // Only the owner of the connected account is asked.
                if isOwn, publication.state == .uncertain {
                    a(.href(ConnectedAccountPaths.list)) { "Say whether it is there" }
                }
            }
        }
    }

    private func sentence(
        _ publication: Contract.Publication, isOwn: Bool, _ words: ContractWords
    ) -> String {
        let photo = words.photo(publication.breaker)
        let account = isOwn ? "your connected account" : "their connected account"
        return switch publication.state {
        case .pending: "\(photo) is being published on \(account)."
        case .retrying: "\(photo) couldn’t be published on \(account) yet. The server will try again."
        case .published: "\(photo) is published."
        case .failed: "\(photo) couldn’t be published on \(account), and the server has stopped trying."
        case .revoked: "\(photo) isn’t published on \(account), because Tintype has no access to it any more."
        case .uncertain:
            isOwn
                ? "We don’t know whether your photo was published. Look at your account, then say what you see."
                : "We don’t know whether \(photo) was published. They were asked to look at their account."
        }
    }
}
