import Core
import HTML
import Hummingbird
import People
import Serving
import Storage

/// Reports about snaps. Administrators never see the pictures.
struct SnapReports: ReportKind {
    let snaps: SnapService
    let kinds = ["snap"]
    let noun = "a snap"
    let parameters = "snap_id"
    let members = "snap_id*:id"
    let path: RouterPath = "snaps/:id/report"

    func screen(_ context: AppContext) async throws -> ReportScreen {
        let snap = try await snaps.snap(context.id("id"), for: context.viewer)
        return ReportScreen(
            target: .init(kind: "snap", id: snap.id.rawValue), account: snap.poster,
            words: "Snap in \(snap.feed.title)",
            note: "They don’t see the picture, because it can be seen only once. Describe what it showed. ",
            path: "/snaps/\(snap.id)/report", tab: .snaps, back: ("Snaps", SnapPaths.list),
            next: SnapPaths.list)
    }

    func targets(_ input: Input) throws -> [ReportTarget] {
        input.id("snap_id", of: Snap.self).map { [.init(kind: "snap", id: $0.rawValue)] } ?? []
    }

    func reported(
        _ target: ReportTarget, for viewer: Account, _ transaction: Transaction
    ) throws -> (account: Account.ID, subject: Report.Subject) {
        let snap = try SnapRecords(transaction).visible(
            ID(rawValue: target.id), for: viewer, by: snaps.settings)
        return (snap.poster.id, .init(kind: "snap", id: target.id, quote: snap.feed.title))
    }

    func write(_ reports: [Report], into json: inout JSONWriter) {
        guard let report = reports.first, kinds.contains(report.subject.kind) else { return }
        json.member("snap_id", String(report.subject.id))
    }

    func evidence(
        _ subject: Report.Subject, of account: Account, _ transaction: Transaction
    ) throws -> ReportEvidence {
        let id = Snap.ID(rawValue: subject.id)
        let isThere = try SnapRecords(transaction).isThere(id)
        return ReportEvidence(
            words: "snap in \(subject.quote) · ", postedAt: id.createdAt,
            since: isThere ? ". Only the people it was sent to can see the picture." : ". It is gone.",
            removable: isThere ? "snap" : nil)
    }

    func remove(_ subject: Report.Subject, _ transaction: Transaction) throws {
        try snaps.remove(ID(rawValue: subject.id), transaction)
    }
}
