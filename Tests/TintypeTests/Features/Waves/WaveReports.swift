import Core
import Hummingbird
import People
import Serving
import Storage

/// Waves as something to report.
struct WaveReports: ReportKind {
    let waves: WaveService
    let kinds = ["wave"]
    let noun = "a wave"
    let parameters = "wave_id"
    let members = "wave_id*:id"
    let path: RouterPath = "waves/:id/report"

    func screen(_ context: AppContext) async throws -> ReportScreen {
        let wave = try await waves.wave(context.id("id"), for: context.viewer)
        return ReportScreen(
            target: .init(kind: "wave", id: wave.id.rawValue), account: wave.sender, words: "Wave",
            path: "\(Wave.path)/\(wave.id)/report", tab: .waves, back: ("Waves", Wave.path), next: Wave.path)
    }

    func targets(_ input: Input) throws -> [ReportTarget] {
        input.id("wave_id", of: Wave.self).map { [.init(kind: "wave", id: $0.rawValue)] } ?? []
    }

    func reported(
        _ target: ReportTarget, for viewer: Account, _ transaction: Transaction
    ) throws -> (account: Account.ID, subject: Report.Subject) {
        let wave = try WaveRecords(transaction).wave(ID(rawValue: target.id), for: viewer)
        return (wave.sender.id, .init(kind: "wave", id: target.id))
    }

    func write(_ reports: [Report], into json: inout JSONWriter) {
        guard let report = reports.first, kinds.contains(report.subject.kind) else { return }
        json.member("wave_id", String(report.subject.id))
    }

    func evidence(
        _ subject: Report.Subject, of account: Account, _ transaction: Transaction
    ) throws -> ReportEvidence {
        let isThere = try WaveStore(transaction).wave(ID(rawValue: subject.id)) != nil
        return ReportEvidence(
            words: "wave", since: isThere ? "" : ". It is gone.", removable: isThere ? "wave" : nil)
    }

    func remove(_ subject: Report.Subject, _ transaction: Transaction) throws {
        try waves.erase(ID(rawValue: subject.id), transaction)
    }
}
