import Core
import Feeds
import Hummingbird
import People
import Serving
import Storage

/// Reports about the words of a contract. Administrators never see a stake.
struct ContractReports: ReportKind {
    let contracts: ContractService
    let kinds = ["contract"]
    let noun = "a contract"
    let parameters = "contract_id"
    let members = "contract_id*:id"
    let path: RouterPath = "contracts/:id/report"

    func screen(_ context: AppContext) async throws -> ReportScreen {
        let view = try await contracts.contract(context.id("id"), for: context.viewer)
        guard let reported = Self.reported(in: view), reported.accountID != nil else {
            throw Refusal.notFound
        }
        let page = Contract.path(view.contract.id)
        return ReportScreen(
            target: .init(kind: "contract", id: view.contract.id.rawValue), account: reported.account,
            words: "Contract: “\(view.contract.promise)”",
            note: "They see the words of this contract, but no photo. ", path: "\(page)/report",
            tab: .friends,
            back: ("Contract", page), next: page)
    }

    /// Returns the party whom the viewer reports: the other party, or for the witness the proposer, who wrote the
    /// contract. The contract can be reported whether or not the viewer may see that account: a block doesn't end what
    /// was done before.
    private static func reported(in view: ContractView) -> Contract.Party? {
        view.role == .witness ? view.contract.party(.proposer) : view.other
    }

    func targets(_ input: Input) throws -> [ReportTarget] {
        input.id("contract_id", of: Contract.self).map { [.init(kind: "contract", id: $0.rawValue)] } ?? []
    }

    func reported(
        _ target: ReportTarget, for viewer: Account, _ transaction: Transaction
    ) throws -> (account: Account.ID, subject: Report.Subject) {
        let view = try contracts.view(ID(rawValue: target.id), for: viewer, transaction)
        guard let account = Self.reported(in: view)?.accountID else { throw Refusal.notFound }
        return (account, .init(kind: "contract", id: target.id, quote: Self.words(of: view.contract)))
    }

    /// Returns the words of a contract on a few lines: the promise, the rules, the words of a breach, and the notes.
    private static func words(of contract: Contract) -> String {
        let added = contract.history.map(\.note)
        return ([contract.promise] + contract.rules + [contract.breachText] + added)
            .filter { !$0.isEmpty }.joined(separator: " · ")
    }

    func write(_ reports: [Report], into json: inout JSONWriter) {
        guard let report = reports.first, kinds.contains(report.subject.kind) else { return }
        json.member("contract_id", String(report.subject.id))
    }

    func evidence(
        _ subject: Report.Subject, of account: Account, _ transaction: Transaction
    ) throws -> ReportEvidence {
        let head = try ContractStore(transaction).head(ID(rawValue: subject.id))
        let isThere = head.map { $0.promise != ContractService.removedPromise } ?? false
        return ReportEvidence(
            words: ReportCard.quoted("contract", subject.quote), since: isThere ? "" : " · removed since",
            removable: isThere ? "contract" : nil)
    }

    func remove(_ subject: Report.Subject, _ transaction: Transaction) throws {
        try contracts.remove(ID(rawValue: subject.id), transaction)
    }
}
