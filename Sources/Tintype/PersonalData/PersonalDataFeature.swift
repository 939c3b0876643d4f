import Core
import HTML
import Hummingbird
import People
import Storage

extension JobKind {
    /// Erases a batch of a deleted account's data; the payload is the account's id.
    static let eraseAccount = JobKind("erase-account", .erasing)
    /// Packs all data of a person into one file; the payload is the download's id.
    static let packDownload = JobKind("pack-download", .long)
    /// Erases the file of an expired download; the payload is the download's id.
    static let expireDownload = JobKind("expire-download", .erasing)
}

extension Notification.Kind {
    /// The download that the person asked for is ready.
    static let download = Notification.Kind("download")
}

/// The data of a person: the download of all data, and the deletion of the account.
struct PersonalDataFeature: Feature {
    static let scripts = FeatureScripts(
        elements: ["download-status": "accounts/download-status.js"], events: [.download],
        offline: [.init("personal-data/offline.js")])
    static let tables = [FeatureTable("downloads", ownsFiles: true, accounts: ["account_id": .erased])]

    let downloads: DownloadService
    let deletion: AccountDeletion
    private let packer: DownloadPacker
    private let files: PhotoFiles
    private let app: AppParts

    init(
        _ app: AppParts, sessions: SessionsFeature, notifications: NotificationsFeature, photos: PhotosFeature
    ) {
        self.app = app
        files = photos.files
        downloads = DownloadService(database: app.database, now: app.now)
        deletion = AccountDeletion(
            database: app.database, sessions: sessions.sessions, events: app.events, features: app.features)
        packer = DownloadPacker(
            database: app.database, blobs: app.blobs, work: app.work, intake: app.intake,
            features: app.features, notifications: notifications.notifications, events: app.events,
            logger: app.logger)
        notifications.notifications.kinds.add(notificationKinds)
    }

    func addRoutes(to router: Router<AppContext>) {
        DataPages(
            frame: app.frame, downloads: downloads, deletion: deletion, files: files, isSecure: app.isSecure
        ).add(to: router)
    }

    var jobs: [JobKind: JobRunner.Handler] {
        let (eraser, packer) = (AccountEraser(database: app.database, features: app.features), packer)
        return [
            .eraseAccount: { try await eraser.erase($0) }, .packDownload: { try await packer.pack($0) },
            .expireDownload: { try await packer.expire($0) },
        ]
    }

    func settings(for viewer: Account, _ transaction: Transaction) -> [SettingsLine] {
        [
            SettingsLine(
                group: .data, position: 20, title: "Download my data", symbol: "download",
                path: "/settings/data"),
            SettingsLine(
                group: .data, position: 30, title: "Delete account", symbol: "trash",
                path: "/settings/delete",
                isDanger: true),
        ]
    }

    var accountData: (any AccountData)? { DownloadsData() }

    private var notificationKinds: [NotificationKind] {
        [
            NotificationKind(
                kind: .download, topic: .other, mastodonType: "tintype.download", colour: "follow",
                symbol: "download",
                namesActor: false, words: { _ in .text("Your download is ready.") },
                path: { _ in "/settings/data" })
        ]
    }
}

/// A person's download, which is deleted with the account and isn't part of later downloads.
private struct DownloadsData: AccountData {
    let lists: [AccountDataList] = []

    func erase(_ account: Account.ID, _ transaction: Transaction) throws -> Bool {
        let store = DownloadStore(transaction)
        guard let download = try store.download(of: account) else { return true }
        try store.delete(download.id)
        return false
    }
}
