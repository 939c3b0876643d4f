import Hummingbird

/// Reporting what should not be here.
struct ReportsFeature: Feature {
    static let tables = [
        FeatureTable("reports", accounts: ["reporter_id": .deleted, "account_id": .deleted])
    ]

    let reports: ReportService
    private let app: AppParts
    private let accounts: AccountService

    init(_ app: AppParts) throws {
        self.app = app
        accounts = try app.features.get(AccountsFeature.self).accounts
        reports = ReportService(database: app.database, features: app.features, now: app.now)
    }

    func addRoutes(to router: Router<AppContext>) {
        ReportPages(frame: app.frame, reports: reports, features: app.features).add(to: router)
        ReportAPI(reports: reports, accounts: accounts, entities: app.entities, features: app.features).add(
            to: router)
    }

    var accountData: (any AccountData)? { ReportsData() }
    var photoUse: (any PhotoUse)? { ReportsPhotoUse(features: app.features) }
    var reportKinds: [any ReportKind] { [AccountReports(accounts: accounts)] }
}
