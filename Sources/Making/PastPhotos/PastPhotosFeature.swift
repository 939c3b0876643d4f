import Core
import Feeds
import Hummingbird
import People
import Storage

extension JobKind {
    /// Erases a search for old photos that wasn't looked at for a long time; the payload is the account's id.
    static let eraseUnusedPastSearch = JobKind("erase-unused-past-search", .erasing)
}

/// Old photos near a place: the search, the list and the pictures.
package struct PastPhotosFeature: Feature {
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

    package init(_ app: AppParts, photos: PhotosFeature, posts: PostsFeature) {
        self.app = app
        files = photos.files
        let settings = app.configuration.pastPhotos
        let publicURL = app.configuration.publicURL
        var sources: [any PastPhotoSource] = []
        if let key = settings.flickrKey, !key.isEmpty {
            sources.append(FlickrSource(base: settings.flickrURL, key: key, http: app.outgoing))
        }
        if !settings.commonsURL.isEmpty {
            sources.append(CommonsSource(base: settings.commonsURL, http: app.outgoing))
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
            frame: app.frame, pastPhotos: pastPhotos, entities: entities, map: app.configuration.map
        ).add(to: router)
    }

    package var jobs: [JobKind: JobRunner.Handler] {
        [
            .eraseUnusedPastSearch: { [app] in
                try await PastPhotoService.eraseUnused($0, in: app.database)
            }
        ]
    }

    package var accountData: (any AccountData)? { PastPhotosData() }
}
