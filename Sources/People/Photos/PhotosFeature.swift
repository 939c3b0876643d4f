import Core
import Hummingbird
import Storage

extension OAuthScope.Topic {
    package static let photos = Self(
        "photos", seen: "the photos of your library",
        changed: "delete photos of your library")
}

/// The feature of photos: the library, and pictures uploaded for one use.
package struct PhotosFeature: Feature {
    package let tabs = [Page.Tab.create, .library]
    package let create = [
        Page.Making(
            tone: 5, icon: "camera-fill", title: "Photo", text: "Straight into your library",
            path: "/library#add-photos", position: 50)
    ]
    package static let topics = [OAuthScope.Topic.photos]
    package static let scripts = FeatureScripts(
        elements: [
            "edit-button": "editing/edit-button.js", "photo-upload": "photos/photo-upload.js",
            "photo-viewer": "photos/photo-viewer.js",
        ],
        offline: [.init("photos/offline.js", page: "Library", at: AppPaths.library, position: 40)])
    package static let tables = [
        FeatureTable("photos", accounts: ["owner_id": .erased]), FeatureTable("photo_files", ownsFiles: true),
        FeatureTable("single_use_media", accounts: ["owner_id": .erased]),
        FeatureTable("single_use_media_files", ownsFiles: true),
    ]

    package let photos: PhotoService
    package let singleUse: SingleUseMediaService
    package let files: PhotoFiles
    package let copies: PhotoCopies
    /// What features offer to do with photos.
    package let offers: PhotoOffers
    private let app: AppParts

    package init(_ app: AppParts, accounts: AccountsFeature) {
        self.app = app
        offers = PhotoOffers(app)
        photos = PhotoService(
            database: app.database, intake: app.intake, uses: offers.uses, signatures: app.signatures)
        singleUse = SingleUseMediaService(database: app.database, intake: app.intake)
        copies = PhotoCopies(database: app.database, intake: app.intake, kinds: offers.kinds)
        files = PhotoFiles(
            photos: photos, portraits: accounts.portraits, blobs: app.blobs)
        offers.arrivals.add(
            PhotoArrival(
                tone: 5, icon: "images", title: "Library", text: "Only you see it", position: 50,
                photos: 1...Int.max, way: .uploaded(path: AppPaths.library, field: nil)))
        offers.kinds.add(PhotoKind(.upload))
        offers.kinds.add(PhotoKind(.camera, symbol: "camera"))
    }

    package func addRoutes(to router: Router<AppContext>) {
        files.add(to: router)
        PhotoPages(frame: app.frame, photos: photos, blobs: app.blobs, offers: offers).add(to: router)
        PhotoAPI(
            photos: photos, singleUse: singleUse, offers: offers, blobs: app.blobs, files: files,
            entities: app.entities
        ).add(to: router)
    }

    package static func leaveOutOfBackup(_ transaction: Transaction) throws {
        try SingleUseMediaStore(transaction).deleteAll()
        // A restored server makes another key, so that nobody with a backup can sign the addresses of pictures.
        try transaction.deleteServerValue(PictureSignatures.keyName)
    }

    package var jobs: [JobKind: JobRunner.Handler] {
        [
            .cutSquare: PhotoSquares(database: app.database, intake: app.intake, logger: app.logger).cut,
            .eraseUnusedMedia: { [app] in try await SingleUseMediaService.eraseUnused($0, in: app.database) },
        ]
    }

    package func settings(for viewer: Account, _ transaction: Transaction) throws -> [SettingsLine] {
        [
            SettingsLine(
                group: .data, position: 10, title: "Storage", symbol: "hdd", path: AppPaths.library,
                value: try photos.storage(of: viewer, transaction).words)
        ]
    }

    package var privacy: [PrivacyLine] {
        [
            PrivacyLine(
                .people, 70,
                "Your library is otherwise seen only by you. Nobody else learns where, when and with which camera a photo was taken."
            )
        ]
    }

    package var accountData: (any AccountData)? { PhotosData(uses: offers.uses) }
}

extension JobKind {
    /// Erases a picture that was uploaded for one use and not used in time; the payload is its id.
    static let eraseUnusedMedia = JobKind("erase-unused-media", .erasing)
}

extension Page.Style {
    package static let photos = Page.Style(name: "photos")
}

extension Page.Tab {
    package static let create = Page.Tab(name: "create", icon: "plus-square", position: 30)
    package static let library = Page.Tab(name: "library", icon: "images", position: 50)
}
