import Core
import Hummingbird
import People
import Serving
import Storage

/// The screens of administrators, the commands of the operator, and the routes that describe the server to apps.
struct AdministrationFeature: Feature {
    static let tables = [FeatureTable("administration_records", isKept: true)]

    let administration: AdministrationService
    let gauges: ServerGauges
    private let app: AppParts
    private let signUps: SignUpPolicy
    private let pushKey: String

    init(
        _ app: AppParts, accounts: AccountsFeature, sessions: SessionsFeature, push: PushFeature,
        reports: ReportsFeature
    ) {
        pushKey = push.serverKey
        self.app = app
        signUps = accounts.signUps
        gauges = ServerGauges(
            database: app.database, blobs: app.blobs, processor: app.processor, hasher: app.hasher,
            events: app.events, jobs: app.jobs, metrics: app.metrics, push: push.gauges,
            folder: app.configuration.data,
            now: app.now)
        administration = AdministrationService(
            database: app.database, features: app.features, comeback: accounts.comeback,
            reports: reports.reports, sessions: sessions.sessions, events: app.events,
            signUps: signUps, gauges: gauges)
    }

    func settings(for viewer: Account, _ transaction: Transaction) throws -> [SettingsLine] {
        guard viewer.isAdmin else { return [] }
        let count = try administration.openCount(for: viewer, transaction)
        return [
            SettingsLine(
                group: .server, position: 20, title: "Administration", symbol: "shield-check",
                path: AdministrationPaths.overview, value: count == 0 ? nil : count.of("report"))
        ]
    }

    func addRoutes(to router: Router<AppContext>) {
        AdministrationPages(frame: app.frame, administration: administration).add(to: router)
        AdministratorPages(frame: app.frame, administration: administration).add(to: router)
        SignUpModePages(frame: app.frame, administration: administration).add(to: router)
        InstanceAPI(
            configuration: app.configuration, signUps: signUps, files: app.frame.files, pushKey: pushKey
        ).add(to: router)
    }
}

extension Page.Style {
    static let administration = Page.Style(name: "administration")
}
