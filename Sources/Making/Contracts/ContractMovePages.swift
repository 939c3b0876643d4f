import Core
import HTML
import Hummingbird
import Serving
import Storage

/// The pages of moves with serious consequences, to which a note can be added: claiming a breach, disputing, calling
/// the contract off. Each page says what will happen.
struct ContractMovePages {
    let frame: Frame
    let contracts: ContractService

    func add(to router: Router<AppContext>) {
        for question in Question.allCases {
            let path: RouterPath = "contracts/:id/\(question.rawValue)"
            router.get(path) { request, context -> Response in
                let view = try await contracts.contract(context.id("id"), for: context.viewer)
                guard view.moves.contains(question.move) else {
                    return Response.see(
                        Contract.path(view.contract.id), flash: .error("This isn’t possible any more."))
                }
                let typed = Typed(seen: view.contract.progress.seen(by: view.role))
                return page(question, view, typed, request, context)
            }
            router.post(path) { request, context -> Response in
                try await answer(question, request, context)
            }
        }
    }

    private enum Question: String, CaseIterable {
        case claim, dispute, forfeit

        var move: ContractMove.Kind {
            switch self {
            case .claim: .claim
            case .dispute: .dispute
            case .forfeit: .forfeit
            }
        }
    }

    /// The values that the person typed, so that a refused form loses nothing.
    private struct Typed {
        /// The state of the contract that the page showed.
        var seen: String
        /// The number of the rule in the list, from 0; empty for the promise itself.
        var rule = ""
        var note = ""
        var problems: [String: Refusal.Problem] = [:]
        var message: String?
    }

    private func answer(
        _ question: Question, _ request: Request, _ context: AppContext
    ) async throws -> Response {
        let viewer = try context.viewer
        let id = try context.id("id", of: Contract.self)
        let shown = try await contracts.contract(id, for: viewer)
        let input = await Input.readForm(request, context)
        var typed = Typed(
            seen: input.text("seen"), rule: input.text("rule"), note: input.text("note"))
        do {
            try input.checkWhole()
            let move: ContractMove =
                switch question {
                case .claim: .claim(rule: try ContractForm.rule(typed.rule))
                case .dispute: .dispute
                case .forfeit: .forfeit
                }
            let view = try await contracts.move(
                move, in: id, by: viewer, note: typed.note, havingSeen: typed.seen)
            return .see(Contract.path(id), flash: .good(ContractPages.done(question.move, view)))
        } catch let conflict as ContractConflict {
            // The form can't be sent any more, but the typed note can still be copied.
            typed.message = conflict.sentence
            return page(question, conflict.view, typed, request, context, status: .conflict)
        } catch {
            return try await ErrorResponses.form(after: error, context) { refusal, status in
                typed.problems = refusal.fields
                let isBesideField = refusal.fields["note"] != nil || refusal.fields["rule"] != nil
                typed.message = isBesideField ? nil : refusal.message
                return page(question, shown, typed, request, context, status: status)
            }
        }
    }

    // MARK: The screen

    private func page(
        _ question: Question, _ view: ContractView, _ typed: Typed, _ request: Request,
        _ context: AppContext, status: HTTPResponse.Status = .ok
    ) -> Response {
        let words = ContractWords(view: view, now: frame.now())
        let path = Contract.path(view.contract.id)
        let isPossible = view.moves.contains(question.move)
        let title = Self.title(of: question, words)
        return Page(
            title: title, styles: [.contracts, .composer, .accounts], link: .contracts,
            bodyClass: "grouped pushed"
        ).response(frame, request, context, status: status) {
            frame.bar(Self.barTitle(of: question), back: ("Contract", path))
            main(.id("content"), .class("settings")) {
                form(.class("form"), .method("post"), .action("\(path)/\(question.rawValue)")) {
                    frame.alert(typed.message)
                    input(.type("hidden"), .name("seen"), .value(typed.seen))
                    h2(.class("contract-question")) { title }
                    p(.class("lead")) { "“\(view.contract.promise)”" }
                    if question == .claim, !view.contract.rules.isEmpty { rules(view.contract, typed) }
                    div(.class("field")) {
                        label(.for("note")) { "What happened? (optional)" }
                        frame.countedText(
                            "note", typed.note, rows: 3, limit: ContractForm.noteLength.upperBound,
                            problem: typed.problems["note"])
                        p(.class("note")) { Self.readers(of: question, view, words) }
                    }
                    p(.class("contract-warning")) {
                        frame.icon("exclamation-triangle")
                        span { Self.consequence(of: question, words) }
                    }
                    if isPossible {
                        button(.class(question == .claim ? "button danger tall" : "button primary tall")) {
                            Self.yes(question, words)
                        }
                    }
                    a(.class("button plain"), .href(path)) { isPossible ? "Cancel" : "Back to the contract" }
                }
            }
        }
    }

    private func rules(_ contract: Contract, _ typed: Typed) -> Node {
        fieldset {
            legend(.class("group-title")) { "What was broken?" }
            div(.class("group")) {
                frame.choice("rule", "", isChosen: typed.rule.isEmpty, "The promise itself")
                for (index, rule) in contract.rules.enumerated() {
                    frame.choice("rule", String(index), isChosen: typed.rule == String(index), rule)
                }
            }
            frame.problem("rule", typed.problems)
        }
    }

    // MARK: Words

    private static func barTitle(of question: Question) -> String {
        switch question {
        case .claim: "Claim"
        case .dispute: "Dispute"
        case .forfeit: "Call it off"
        }
    }

    private static func title(of question: Question, _ words: ContractWords) -> String {
        switch question {
        case .claim: "Say that \(words.other) broke it?"
        case .dispute: "Say that you didn’t break it?"
        case .forfeit: "Call it off?"
        }
    }

    private static func consequence(of question: Question, _ words: ContractWords) -> String {
        switch question {
        case .claim: words.claimConsequence
        case .dispute: words.disputeConsequence
        case .forfeit: words.forfeitConsequence
        }
    }

    private static func yes(_ question: Question, _ words: ContractWords) -> String {
        switch question {
        case .claim: "Say that \(words.other) broke it"
        case .dispute: "Dispute it"
        case .forfeit: "Call it off"
        }
    }

    /// Returns who can read the typed note.
    private static func readers(of question: Question, _ view: ContractView, _ words: ContractWords) -> String
    {
        question != .forfeit && view.contract.progress.hasWitness
            ? "\(words.subject(view.role.other ?? .partner)) reads it, and so does the witness. It can’t be changed."
            : "Only the two of you can read it. It can’t be changed."
    }
}
