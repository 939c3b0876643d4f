import Core
import HTML
import Hummingbird
import People
import Serving
import Storage

/// Reports about a friend's photo in an unfinished collage.
struct CollageReports: ReportKind {
    let collages: CollageService
    let kinds = ["collage"]
    let noun = "a photo of a collage"
    let parameters = "collage_id photo_id"
    let members = "collage_id*:id photo_id*:id"
    let path: RouterPath = "collage/:id/cells/:index/report"

    func screen(_ context: AppContext) async throws -> ReportScreen {
        let viewer = try context.viewer
        let collage = try await collages.collage(context.id("id"), for: viewer)
        guard let index = context.parameters.get("index").flatMap({ Int($0) }),
            collage.shownCells.indices.contains(index), let photo = collage.cells[index].photo,
            let giver = collage.cells[index].giver, giver.id != viewer.id
        else { throw Refusal.notFound }
        let page = CollageService.path(collage.id)
        return ReportScreen(
            target: .init(kind: "collage", id: collage.id.rawValue, holder: photo.id.rawValue),
            account: giver, photo: photo, words: "Photo in a collage of \(collage.owner.displayName)",
            note: "They see this photo, but no other photo of the collage. ",
            path: "\(page)/cells/\(index)/report", tab: .create, back: ("Collage", page), next: page)
    }

    func targets(_ input: Input) throws -> [ReportTarget] {
        guard let collage = input.id("collage_id", of: Collage.self) else { return [] }
        guard let photo = input.id("photo_id", of: Photo.self) else {
            throw Refusal.invalid("photo_id", "ERR_BLANK", "Say which photo of the collage it is.")
        }
        return [.init(kind: "collage", id: collage.rawValue, holder: photo.rawValue)]
    }

    func reported(
        _ target: ReportTarget, for viewer: Account, _ transaction: Transaction
    ) throws -> (account: Account.ID, subject: Report.Subject) {
        let collage = try CollageRecords(transaction).collage(ID(rawValue: target.id), for: viewer)
        guard let cell = collage.cells.first(where: { $0.photo?.id.rawValue == target.holder }),
            let giver = cell.giver
        else { throw Refusal.notFound }
        return (giver.id, .init(kind: "collage", id: target.id, holder: target.holder))
    }

    func write(_ reports: [Report], into json: inout JSONWriter) {
        guard let report = reports.first, kinds.contains(report.subject.kind) else { return }
        json.member("collage_id", String(report.subject.id))
        json.member("photo_id", String(report.subject.holder))
    }

    func evidence(
        _ subject: Report.Subject, of account: Account, _ transaction: Transaction
    ) throws -> ReportEvidence {
        let photo = try photo(subject, transaction)
        return ReportEvidence(
            words: "photo in a collage", since: photo == nil ? " · taken out since" : "",
            photos: [photo].compactMap { $0 }, removable: photo == nil ? nil : "photo")
    }

    func remove(_ subject: Report.Subject, _ transaction: Transaction) throws {
        try collages.removePhoto(ID(rawValue: subject.holder), of: ID(rawValue: subject.id), transaction)
    }

    func showing(_ photo: Photo.ID, _ transaction: Transaction) throws -> [Int64] {
        try CollageStore(transaction).collages(with: photo).map(\.id.rawValue)
    }

    /// Returns the reported photo, if the collage still contains it.
    private func photo(_ subject: Report.Subject, _ transaction: Transaction) throws -> Photo? {
        try CollageStore(transaction).cells(of: ID(rawValue: subject.id))
            .compactMap(\.photo).first { $0.id.rawValue == subject.holder }
    }
}
