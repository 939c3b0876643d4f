import Core
import Feeds
import Hummingbird
import People
import Storage

extension JobKind {
    /// Erases a search for old photos that wasn't looked at for a long time; the payload is the account's id.
    static let eraseUnusedPastSearch = JobKind("erase-unused-past-search", .erasing)
}

extension OAuthScope.Topic {
    /// Past photos, and the pairs that are made with them.
    static let pairs = Self(
        "rephotographs", seen: "your Then & Now pairs and searches",
        changed: "make and change Then & Now pairs")
}

/// Old photos near a place: the search, the list and the pictures.
package struct PastPhotosFeature: Feature {
    package static let configuration: [any FeatureSettings.Type] = [PastPhotoSettings.self, MapSettings.self]
    package static let topics = [OAuthScope.Topic.pairs]
    package static let scripts = FeatureScripts(
        elements: [
            "nearby-search": "past-photos/nearby-search.js", "radius-slider": "past-photos/radius-slider.js",
            "year-wheel": "past-photos/year-wheel.js",
        ],
        offline: [
            .init("past-photos/offline.js", page: "Last search", at: PastPhotoPaths.search, position: 80)
        ])
    package static let tables = [
        FeatureTable("past_search_turns", accounts: ["account_id": .deleted]),
        FeatureTable("past_searches", accounts: ["account_id": .erased]),
        FeatureTable("past_search_answers"),
        FeatureTable("past_photos", accounts: ["owner_id": .erased]),
        FeatureTable("past_photo_files", ownsFiles: true),
    ]

    package let pastPhotos: PastPhotoService
    let entities: PastPhotoEntities
    private let app: AppParts
    private let files: PhotoFiles
    private let camera: String

    /// Builds the feature.
    ///
    /// - Parameter camera: the address of the camera that retakes old photos.
    package init(_ app: AppParts, photos: PhotosFeature, posts: PostsFeature, camera: String) {
        self.app = app
        self.camera = camera
        files = photos.files
        let settings = app.configuration.pastPhotos
        let publicURL = app.configuration.publicURL
        var sources: [any PastPhotoSource] = []
        if let key = settings.flickrKey, !key.isEmpty {
            sources.append(
                FlickrSource(
                    base: settings.flickrURL, key: key, http: app.outgoing, attempts: app.attempts))
        }
        if !settings.commonsURL.isEmpty {
            sources.append(
                CommonsSource(base: settings.commonsURL, http: app.outgoing, attempts: app.attempts))
        }
        sources.append(
            ServerSource(
                title: app.configuration.name, places: posts.places,
                publicURL: publicURL))
        let pictures = PastPhotoPictures(app, patience: settings.picturePatience)
        pastPhotos = PastPhotoService(
            app, library: photos.photos, sources: sources, pictures: pictures)
        entities = PastPhotoEntities(sources: sources, signatures: app.signatures, publicURL: publicURL)
    }

    package func addRoutes(to router: Router<AppContext>) {
        PastPhotoAPI(pastPhotos: pastPhotos, entities: entities, files: files, now: app.now).add(to: router)
        PastPhotoPages(
            frame: app.frame, pastPhotos: pastPhotos, entities: entities, map: app.configuration.map,
            camera: camera
        ).add(to: router)
    }

    package var jobs: [JobKind: JobRunner.Handler] {
        [
            .eraseUnusedPastSearch: { [app] in
                try await PastPhotoService.eraseUnused($0, in: app.database)
            }
        ]
    }

    package var privacy: [PrivacyLine] {
        let others = pastPhotos.sources.filter { $0.name != ServerSource.name }.map(\.title)
        var lines: [PrivacyLine] = []
        if !others.isEmpty {
            lines.append(
                PrivacyLine(
                    .others, 10,
                    "When you search for old photos near a place, this server asks \(others.joined(separator: " and ")) for them. What is sent is the place, the distance and the years, and nothing about you. The photos come to you from this server."
                ))
        }
        if let host = app.configuration.map.origin?.split(separator: "/").last {
            lines.append(
                PrivacyLine(
                    .others, 20,
                    "The map on which you choose a place comes from \(host). Your browser loads it there, so that server learns your internet address and which part of the map you look at."
                ))
        }
        return lines
    }

    package var accountData: (any AccountData)? { PastPhotosData() }
}
