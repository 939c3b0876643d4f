import Hummingbird
import Storage

/// Photos: the library, and what was uploaded for one use.
struct PhotosFeature: Feature {
    static let create = [
        Page.Making(
            kind: "photo", icon: "camera-fill", title: "Photo", text: "Straight into your library",
            path: "/library#add-photos", position: 50)
    ]
    static let tables = [
        FeatureTable("photos", accounts: ["owner_id": .erased]), FeatureTable("photo_files", ownsFiles: true),
        FeatureTable("single_use_media", accounts: ["owner_id": .erased]),
        FeatureTable("single_use_media_files", ownsFiles: true),
    ]

    let photos: PhotoService
    let singleUse: SingleUseMediaService
    let files: PhotoFiles
    private let app: AppParts

    init(_ app: AppParts) throws {
        self.app = app
        photos = PhotoService(
            database: app.database, intake: app.intake, features: app.features, signatures: app.signatures)
        singleUse = SingleUseMediaService(database: app.database, intake: app.intake)
        files = PhotoFiles(
            photos: photos, portraits: try app.features.get(AccountsFeature.self).portraits, blobs: app.blobs)
    }

    func addRoutes(to router: Router<AppContext>) {
        files.add(to: router)
        PhotoPages(frame: app.frame, photos: photos, blobs: app.blobs, features: app.features).add(to: router)
        PhotoAPI(photos: photos, singleUse: singleUse, blobs: app.blobs, files: files, entities: app.entities)
            .add(to: router)
    }

    static func leaveOutOfBackup(_ transaction: Transaction) throws {
        try SingleUseMediaStore(transaction).deleteAll()
        // A restored server makes another, so that who has a backup can't sign the addresses of pictures.
        try transaction.deleteServerValue(PictureSignatures.keyName)
    }

    var jobs: [JobKind: JobRunner.Handler] {
        [.eraseUnusedMedia: { [app] in try await SingleUseMediaService.eraseUnused($0, in: app.database) }]
    }

    func settings(for viewer: Account, _ transaction: Transaction) throws -> [SettingsLine] {
        [
            SettingsLine(
                group: .data, position: 10, title: "Storage", symbol: "hdd", path: "/library",
                value: try photos.storage(of: viewer, transaction).words)
        ]
    }

    var accountData: (any AccountData)? { PhotosData(features: app.features) }
}

extension JobKind {
    /// Erases a picture that was uploaded for one use and not used in time; the payload is its id.
    static let eraseUnusedMedia = JobKind("erase-unused-media", .erasing)
}

extension Page.Style {
    static let photos = Page.Style(name: "photos")
}
