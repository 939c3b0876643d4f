import Foundation
import HTML
import Hummingbird
import Storage

/// Then & Now: past photos, matched in the camera and kept as pairs.
struct RephotographsFeature: Feature {
    static let create = [
        Page.Making(
            kind: "then-and-now", icon: "layers-fill", title: "Then & Now", text: "Stand where they stood",
            path: "/then-and-now", position: 30)
    ]
    static let tables = [
        FeatureTable("rephotographs", accounts: ["owner_id": .erased]),
        FeatureTable("rephotograph_files", ownsFiles: true),
    ]
    static let photoActions = [
        PhotoAction(
            name: "Take it again", icon: "camera",
            place: .photo { photo, now in
                photo.isWorthRetaking(at: now) ? "/then-and-now?photo=\(photo.id)" : nil
            })
    ]

    let pairs: RephotographService
    private let entities: RephotographEntities
    private let app: AppParts

    init(_ app: AppParts) throws {
        self.app = app
        pairs = try RephotographService(app)
        entities = RephotographEntities(entities: app.entities)
    }

    func addRoutes(to router: Router<AppContext>) throws {
        let (frame, library) = (app.frame, try app.features.get(PhotosFeature.self))
        ThenAndNowPages(frame: frame, pairs: pairs, singleUse: library.singleUse, blobs: app.blobs)
            .add(to: router)
        PastChoicePages(frame: frame, photos: library.photos, blobs: app.blobs).add(to: router)
        RephotographPages(frame: frame, pairs: pairs).add(to: router)
        RephotographPictures(pairs: pairs, files: library.files).add(to: router)
        RephotographAPI(pairs: pairs, entities: entities).add(to: router)
    }

    func presentation(
        of photo: Photo, for viewer: Account, _ transaction: Transaction
    ) throws -> PhotoPresentation.Drawing? {
        let components = RephotographComponents(frame: app.frame)
        let isRetaken = try RephotographService.hasRetakes(photo, for: viewer, transaction)
        if photo.kind == .rephotograph {
            let pair = try RephotographService.pair(photo.id, for: viewer, transaction)
            return { components.presentation(of: pair, isRetaken: isRetaken) }
        }
        guard isRetaken else { return nil }
        return { components.presentation(ofRetaken: photo) }
    }

    var accountData: (any AccountData)? { RephotographsData() }
    var photoUse: (any PhotoUse)? { RephotographsPhotoUse() }
}

extension Photo {
    /// Returns whether the library offers to take a photo again: its camera recorded a place, and a day at least a year
    /// ago.
    func isWorthRetaking(at now: Date) -> Bool {
        guard kind != .rephotograph, capture.latitude != nil, let date = capture.date else { return false }
        return now.timeIntervalSince(date) > 365 * 86_400
    }
}
