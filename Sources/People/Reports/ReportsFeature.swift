import Core
import Hummingbird

/// The feature for reporting what should not be here.
package struct ReportsFeature: Feature {
    package static let tables = [
        FeatureTable("reports", accounts: ["reporter_id": .deleted, "account_id": .deleted], isKept: true)
    ]

    package let reports: ReportService
    private let app: AppParts
    private let accounts: AccountService

    package init(_ app: AppParts, accounts: AccountsFeature, photos: PhotosFeature) {
        self.app = app
        self.accounts = accounts.accounts
        reports = ReportService(database: app.database, kinds: app.registry(), now: app.now)
        reports.kinds.add(AccountReports(accounts: accounts.accounts))
        photos.offers.uses.add(ReportsPhotoUse(kinds: reports.kinds))
    }

    package func addRoutes(to router: Router<AppContext>) {
        ReportPages(frame: app.frame, reports: reports, kinds: reports.kinds).add(to: router)
        ReportAPI(reports: reports, accounts: accounts, entities: app.entities, kinds: reports.kinds).add(
            to: router)
    }

    package var accountData: (any AccountData)? { ReportsData() }
}
