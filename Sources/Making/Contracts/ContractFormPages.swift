import Core
import Foundation
import HTML
import Hummingbird
import People
import Serving
import Storage

/// The pages for making a contract step by step, and for accepting one.
struct ContractFormPages {
    let frame: Frame
    let contracts: ContractService
    let relations: RelationshipService
    let accounts: AccountService
    let singleUse: SingleUseMediaService
    let blobs: any BlobStore

    private static let peoplePage = 40
    private static let sentAlready = "You have sent this already. Take that contract back to change it."
    private static let chooseAgain = "Choose your photo again. It wasn’t kept."

    private var steps: ContractFormSteps { ContractFormSteps(frame: frame) }

    func add(to router: Router<AppContext>) {
        router.get("contracts/new", use: people)
        router.get("contracts/new/:id") { request, context -> Response in
            let viewer = try context.viewer
            do {
                let (model, again) = try await contracts.proposalForm(
                    with: context.id("id"), again: Input.query(request).id("again"), by: viewer)
                return page(request, context, model, fields(again))
            } catch let refusal as Refusal where refusal.kind == .invalid {
                return .see(ContractPages.path, flash: .error(refusal.message))
            }
        }
        router.post("contracts/new/:id", use: propose)
        router.get("contracts/:id/accept") { request, context -> Response in
            let (view, model) = try await contracts.acceptanceForm(
                of: context.id("id"), by: context.viewer)
            guard view.moves.contains(.accept) else {
                return .see(
                    Contract.path(view.contract.id),
                    flash: .error(
                        view.contract.progress.awaited == [.witness]
                            ? "The witness is asked first. You can accept once they have agreed."
                            : "This isn’t possible any more."))
            }
            return try acceptPage(request, context, view, model, ContractFormFields(accepting: view))
        }
        router.post("contracts/:id/accept", use: accept)
    }

    // MARK: With whom

    /// Shows the friends of the viewer, to choose the partner from.
    private func people(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = Input.query(request)
        let query = input.text("q")
        let found = try await relations.search(
            query, among: .friends, by: .name, for: viewer, after: input.text("after"), limit: Self.peoplePage
        ).map(\.account)
        let next =
            found.count == Self.peoplePage
            ? found.last.map { "/contracts/new?q=\(query.queryEncoded)&after=\($0.username)" } : nil
        if request.wantsFragment {
            let isNextPage = input.string("after") != nil
            return .html(
                isNextPage
                    ? .list(found.map(steps.person) + [frame.more(next)])
                    : results(found, query, next), for: request)
        }
        return Page(
            title: "New contract", styles: [.contracts, .accounts], link: .contracts, bodyClass: "pushed"
        )
        .response(frame, request, context) {
            frame.bar("New contract", back: ("Contracts", ContractPages.path))
            main(.id("content")) {
                h2(.class("section-title")) { "Who promises with you?" }
                frame.liveSearch("/contracts/new", query, label: "Search friends") {
                    results(found, query, next)
                }
            }
        }
    }

    private func results(_ people: [Account], _ query: String, _ next: String?) -> Node {
        guard !people.isEmpty else {
            return query.isEmpty
                ? frame.empty(
                    "people", "A contract needs a friend: someone you follow and who follows you.",
                    action: ("Find people", AppPaths.users))
                : frame.empty("search", "None of your friends is called “\(query)”.")
        }
        return frame.endlessList("rows", next: next) { for person in people { steps.person(person) } }
    }

    // MARK: Proposing

    private func propose(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let partner = try await accounts.account(context.id("id"), for: viewer)
        let input = await Input.readForm(request, context, files: .init(blobs: blobs, most: 2))
        var fields = ContractFormFields(input)
        do {
            try input.checkWhole()
            try await takeStake(input, into: &fields, by: viewer)
            let draft = ContractService.Draft(
                partner: partner.id, promise: fields.promise, rules: fields.rules.filter { !$0.isEmpty },
                endsAt: fields.end(exact: input.text("ends_at"), now: frame.now()),
                witness: try await witness(fields, for: viewer), breachText: fields.breachText,
                pledge: fields.pledge)
            let contract = try await send(draft, key: fields.key, by: viewer)
            let end = fields.end(exact: input.text("ends_at"), now: contract.createdAt)
            // A length was counted from a moment before the contract existed.
            let tolerance: TimeInterval = fields.ends == "date" ? 1 : 3_600
            guard contract.says(draft), let end, abs(end.timeIntervalSince(contract.endsAt)) < tolerance
            else { throw Refusal(.conflict, Self.sentAlready) }
            // On that page, a script deletes the draft (contract-live.js).
            return .see(
                "\(Contract.path(contract.id))#sent-to-\(partner.id)",
                flash: .good("Sent to \(ContractWords.firstName(of: partner)). It holds once they accept."))
        } catch {
            await input.discardFiles(in: blobs)
            return try await ErrorResponses.form(after: error, context) { refusal, status in
                note(refusal, input, in: &fields)
                let model = try await contracts.proposalForm(
                    with: partner, stake: fields.stakePhoto, by: viewer)
                return page(request, context, model, fields, status: status)
            }
        }
    }

    /// Proposes a contract, or returns the first one when the form is sent twice. A contract that was withdrawn doesn't
    /// count as sent.
    private func send(
        _ draft: ContractService.Draft, key: String, by viewer: Account
    ) async throws -> Contract {
        let contract = try await contracts.propose(draft, by: viewer, key: .form(key, scope: "contract"))
            .contract
        guard contract.state == .withdrawn else { return contract }
        return try await send(draft, key: "after \(contract.id)", by: viewer)
    }

    /// Stores the photo that was sent with the form, for a browser without scripts. It is kept for an hour, so that a
    /// form that is refused for another reason still has it.
    private func takeStake(
        _ input: Input, into fields: inout ContractFormFields, by viewer: Account
    ) async throws {
        guard let file = input.files.first else { return }
        for other in input.files.dropFirst() { await blobs.discard(other.blob) }
        let key = IdempotencyKey.form(input.text("upload"), scope: "photo")
        let media = try await singleUse.upload(
            file.blob, purpose: .stake, by: viewer, key: input.text("upload").isEmpty ? nil : key)
        fields.stake = .upload(media.id)
    }

    /// Returns the chosen witness; nil for none.
    private func witness(_ fields: ContractFormFields, for viewer: Account) async throws -> Account.ID? {
        let chosen = try ContractForm.witness(fields.witness)
        guard !fields.witnessName.isEmpty else { return chosen }
        let name =
            fields.witnessName.hasPrefix("@") ? String(fields.witnessName.dropFirst()) : fields.witnessName
        let named: Account.ID
        do {
            named = try await accounts.account(username: name, for: viewer).id
        } catch let refusal as Refusal where refusal == .notFound {
            throw Refusal.invalid("witness_id", "ERR_INVALID", "Nobody here is called “\(name)”.")
        }
        guard chosen == nil || chosen == named else {
            throw Refusal.invalid(
                "witness_id", "ERR_INVALID", "Choose a witness or type a name, not both.")
        }
        return named
    }

    /// Notes why a form was refused: beside the fields concerned, or otherwise above the step.
    private func note(_ refusal: Refusal, _ input: Input, in fields: inout ContractFormFields) {
        fields.problems = refusal.fields.filter { Self.fields.contains($0.key) }
        let others = refusal.fields.filter { !Self.fields.contains($0.key) }.map(\.value.sentence)
        fields.message = refusal.fields.isEmpty ? refusal.message : others.sorted().first
        guard input.hadFiles, fields.stake == nil else { return }
        fields.problems["stake_media_id"] = .init(code: "ERR_BLANK", sentence: Self.chooseAgain)
    }

    /// The fields beside which a problem is shown.
    private static let fields: Set<String> = [
        "promise", "rules", "ends_at", "stake_media_id", "stake_photo_id", "witness_id", "publish_to",
        "breach_text", "consent", "of_age",
    ]

    /// Returns the fields of a contract that its proposer proposes again; empty ones when it binds both, or isn't theirs.
    private func fields(_ again: ContractView?) -> ContractFormFields {
        guard let again, again.mayProposeAgain else { return ContractFormFields() }
        return ContractFormFields(again: again.contract)
    }

    private func page(
        _ request: Request, _ context: AppContext, _ model: ContractFormModel, _ fields: ContractFormFields,
        status: HTTPResponse.Status = .ok
    ) -> Response {
        let scene = ContractFormSteps.Scene(fields: fields, model: model)
        let partner = model.partner.id
        return screen("New contract", back: ContractPages.path, request, context, status: status) {
            steps.form(
                action: "/contracts/new/\(partner)", draft: "contract:\(partner)", fields,
                [
                    steps.promise(scene), steps.rules(scene), steps.end(scene), steps.stake(scene),
                    steps.witness(scene, model.witnesses, isComplete: model.hasAllWitnesses),
                    steps.breach(scene), steps.proposal(scene),
                ])
        }
    }

    // MARK: Accepting

    private func accept(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let id = try context.id("id", of: Contract.self)
        try await contracts.checkTakesPart(viewer, in: id)
        let input = await Input.readForm(request, context, files: .init(blobs: blobs, most: 2))
        var fields = ContractFormFields(input)
        do {
            try input.checkWhole()
            try await takeStake(input, into: &fields, by: viewer)
            let accepted = try await contracts.accept(
                id, fields.pledge, by: viewer, havingSeen: input.text("seen"))
            return .see(Contract.path(id), flash: .good(ContractPages.done(.accept, accepted)))
        } catch let conflict as ContractConflict {
            return .see(Contract.path(id), flash: .error(conflict.sentence))
        } catch {
            await input.discardFiles(in: blobs)
            return try await ErrorResponses.form(after: error, context) { refusal, status in
                note(refusal, input, in: &fields)
                let (view, model) = try await contracts.acceptanceForm(
                    of: id, stake: fields.stakePhoto, by: viewer)
                return try acceptPage(request, context, view, model, fields, status: status)
            }
        }
    }

    private func acceptPage(
        _ request: Request, _ context: AppContext, _ view: ContractView, _ model: ContractFormModel?,
        _ fields: ContractFormFields, status: HTTPResponse.Status = .ok
    ) throws -> Response {
        guard let model else { throw Refusal.notFound }
        let scene = ContractFormSteps.Scene(fields: fields, model: model)
        let path = Contract.path(view.contract.id)
        return screen("Accept", back: path, request, context, status: status) {
            steps.form(
                action: "\(path)/accept", draft: nil, fields,
                [steps.stake(scene), steps.places(scene), steps.acceptance(scene, view)])
        }
    }

    // MARK: Both

    private func screen(
        _ title: String, back: String, _ request: Request, _ context: AppContext,
        status: HTTPResponse.Status, @NodeBuilder form: () -> Node
    ) -> Response {
        let form = form()
        return Page(
            title: title, styles: [.contracts, .photos, .composer, .controls], link: .contracts,
            bodyClass: "grouped pushed"
        ).response(frame, request, context, status: status) {
            header(.class("bar")) {
                a(.class("back"), .href(back), .flag("data-back")) { "Cancel" }
                h1 { title }
            }
            main(.id("content"), .class("composer")) { form }
        }
    }
}

extension Contract {
    /// Returns whether the contract has the words of a draft. The end isn't compared, because it may be counted from
    /// the moment of sending.
    fileprivate func says(_ draft: ContractService.Draft) -> Bool {
        promise == draft.promise && rules == draft.rules && breachText == draft.breachText
            && witnessID == draft.witness && party(.proposer)?.publishTo == draft.pledge.publishTo
    }
}
