import Core
import Feeds
import HTML
import Hummingbird
import People
import Serving
import Storage

/// The list of contracts, the page of one, and the moves that ask nothing more than a question.
struct ContractPages {
    let frame: Frame
    let contracts: ContractService

    private var components: ContractComponents { ContractComponents(frame: frame) }

    static let path = "/contracts"

    func add(to router: Router<AppContext>) {
        router.get("contracts", use: list)
        router.get("contracts/with/:id", use: begin)
        router.get("contracts/card/:id", use: card)
        router.get("contracts/:id", use: show)
        router.post("contracts/:id/witness") { try await move(.witness, $0, $1) }
        router.post("contracts/:id/decline") { try await move(.decline, $0, $1) }
        router.post("contracts/:id/withdraw") { try await move(.withdraw, $0, $1) }
        router.post("contracts/:id/release") { try await move(.release, $0, $1) }
        router.post("contracts/:id/admit") { try await move(.admit, $0, $1) }
        router.post("contracts/:id/judge", use: judge)
        router.post("contracts/:id/stake", use: freeStake)
    }

    // MARK: The list

    private func list(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = Input.query(request)
        let page = PageRequest(limit: 40, olderThan: try PageRequest(input).olderThan)
        let overview = try await contracts.overview(
            of: viewer, list: input.string("list").flatMap(ContractList.init), page: page)
        let (chosen, found) = (overview.list, overview.contracts)
        let next =
            found.count == page.limit
            ? found.last.map { "\(Self.path)?list=\(chosen.rawValue)&max_id=\($0.contract.id)" } : nil
        if request.wantsFragment, input.string("max_id") != nil {
            return .html(.list(found.map(components.row) + [frame.more(next)]), for: request)
        }
        let content = listed(found, chosen, waiting: overview.waitingCount, next: next)
        if request.wantsFragment { return .html(content, for: request) }
        return Page(title: "Contracts", styles: [.contracts], link: .contracts, bodyClass: "grouped")
            .response(frame, request, context) {
                frame.menuBar("Contracts") {
                    frame.symbolLink("Make a contract", "plus-lg", href: "\(Self.path)/new")
                }
                main(.id("content"), .class("contracts")) {
                    components.live("\(Self.path)?list=\(chosen.rawValue)") { content }
                }
            }
    }

    private func listed(
        _ found: [ContractView], _ chosen: ContractList, waiting: Int, next: String?
    ) -> Node {
        .list([
            ul(.class("chips")) {
                for list in ContractList.allCases {
                    li {
                        a(
                            .class("chip"), .href("\(Self.path)?list=\(list.rawValue)"),
                            .attribute("aria-current", list == chosen ? "true" : nil)
                        ) {
                            Self.title(of: list)
                            if list == .waiting, waiting > 0 { " · \(waiting)" }
                        }
                    }
                }
            },
            found.isEmpty
                ? Self.empty(chosen, frame)
                : frame.endlessList("group rows contract-list", next: next) {
                    for view in found { components.row(view) }
                },
        ])
    }

    private static func title(of list: ContractList) -> String {
        switch list {
        case .active: "Active"
        case .waiting: "Waiting for you"
        case .ended: "Ended"
        }
    }

    private static func empty(_ list: ContractList, _ frame: Frame) -> Node {
        let make = (name: "Make a contract", path: "\(path)/new")
        return switch list {
        case .active:
            frame.empty(
                "file-earmark-text",
                "No active contracts. Make a promise with a friend: each of you stakes a photo on it.",
                action: make)
        case .waiting: frame.empty("check-lg", "Nothing waits for your answer.", action: make)
        case .ended: frame.empty("clock-history", "No contract has ended yet.", action: make)
        }
    }

    // MARK: From a chat

    /// Begins a contract with the person of a chat, or with a friend of a group, who is chosen first.
    private func begin(_ request: Request, _ context: AppContext) async throws -> Response {
        let (chat, friends) = try await contracts.partners(in: context.id("id"), for: context.viewer)
        if let peer = chat.peer { return .see("\(Self.path)/new/\(peer.id)") }
        return Page(
            title: "New contract", styles: [.contracts, .accounts], link: .contracts, bodyClass: "pushed"
        )
        .response(frame, request, context) {
            frame.bar("New contract", back: (chat.title, ChatPaths.page(chat.id)))
            main(.id("content")) {
                if friends.isEmpty {
                    frame.empty(
                        "people",
                        "A contract needs a friend: someone you follow and who follows you. Nobody in this group is one.",
                        action: ("Back to the group", ChatPaths.page(chat.id)))
                } else {
                    h2(.class("section-title")) { "Who promises with you?" }
                    ul(.class("rows")) {
                        for friend in friends { ContractFormSteps(frame: frame).person(friend) }
                    }
                }
            }
        }
    }

    /// Shows the card of the open contract with a person, alone; nothing when there is none.
    private func card(_ request: Request, _ context: AppContext) async throws -> Response {
        let open = try await contracts.openContract(between: context.viewer, and: context.id("id"))
        return .html(open.map(components.card) ?? .empty, for: request)
    }

    // MARK: One contract

    private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        let view = try await contracts.contract(context.id("id"), for: context.viewer)
        if request.wantsFragment { return .html(components.whole(view), for: request) }
        return Page(
            title: "Contract", styles: [.contracts, .cuts, .controls], link: .contracts,
            bodyClass: "grouped pushed"
        ).response(frame, request, context) {
            frame.bar("Contract", back: ("Contracts", Self.path))
            main(.id("content"), .class("contract")) {
                components.live(Contract.path(view.contract.id), of: view.contract.id) {
                    components.whole(view)
                }
            }
        }
    }

    // MARK: Moves

    private func move(
        _ move: ContractMove, _ request: Request, _ context: AppContext
    ) async throws -> Response {
        let input = try await Input.read(request, context)
        return try await back(context) { id, viewer in
            let view = try await contracts.move(
                move, in: id, by: viewer, havingSeen: input.text("seen"))
            return .good(ContractPages.done(move.kind, view))
        }
    }

    private func judge(_ request: Request, _ context: AppContext) async throws -> Response {
        let input = try await Input.read(request, context)
        return try await back(context) { id, viewer in
            try await contracts.checkTakesPart(viewer, in: id)
            guard let isBroken = input.bool("broken") else {
                return .error("Say whether it was broken.")
            }
            let view = try await contracts.move(
                .judge(broken: isBroken), in: id, by: viewer,
                havingSeen: input.text("seen"))
            return .good(Self.done(.judge, view))
        }
    }

    private func freeStake(_ request: Request, _ context: AppContext) async throws -> Response {
        let input = try await Input.read(request, context)
        return try await back(context) { id, viewer in
            try await contracts.checkTakesPart(viewer, in: id)
            guard let keep = input.bool("keep") else {
                return .error("Choose whether to keep your photo or erase it.")
            }
            _ = try await contracts.freeStake(id, keep: keep, by: viewer)
            return .good(keep ? "Your photo is in your library." : "Your photo is erased.")
        }
    }

    /// Returns to the contract after a form, with a message.
    private func back(
        _ context: AppContext, _ body: (Contract.ID, Account) async throws -> Flash
    ) async throws -> Response {
        let id = try context.id("id", of: Contract.self)
        do {
            return .see(Contract.path(id), flash: try await body(id, context.viewer))
        } catch let conflict as ContractConflict {
            return .see(Contract.path(id), flash: .error(conflict.sentence))
        } catch let refusal as Refusal where refusal.kind == .invalid {
            return .see(Contract.path(id), flash: .error(refusal.message))
        }
    }

    /// Returns the message that the next page shows after a move.
    static func done(_ move: ContractMove.Kind, _ view: ContractView) -> String {
        switch move {
        case .accept: "Accepted. The promise holds from now on."
        case .witness: "You are the witness. Both were notified."
        case .decline: "Declined."
        case .withdraw: "Taken back. You get your photo back."
        case .release:
            view.contract.state == .released
                ? "Released. Nothing is published." : "Offered. It ends once they agree."
        case .admit: admitted(view.contract.publication)
        case .claim: "They were notified and have 72 hours to answer."
        case .dispute:
            view.contract.state == .disputed
                ? "Disputed. The witness decides now." : "Disputed. Nothing is published."
        case .judge: "Your decision is saved. Both were notified."
        case .forfeit: "Called off. Nothing is published."
        }
    }

    /// Returns where the photo of a person who admitted a breach is published.
    private static func admitted(_ publication: Contract.Publication?) -> String {
        let isHere = publication?.post != nil
        return switch publication?.state {
        case .pending, .retrying:
            isHere
                ? "Your photo is posted here, and is being published on your connected account."
                : "Your photo is being published on your connected account."
        case .revoked:
            isHere
                ? "Your photo is posted here. The account that you chose isn’t connected any more, so it isn’t published there."
                : "The account that you chose isn’t connected any more, so your photo isn’t published there."
        default: "Your photo is published."
        }
    }
}

extension Page.Link {
    static let contracts = Page.Link(
        name: "contracts", icon: "file-earmark-text", position: 40, badge: "contracts",
        badgeWord: "waiting for you")
}
