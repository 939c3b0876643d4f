import Core
import Foundation
import HTML
import Hummingbird
import People
import Storage

extension Photo.Kind {
    /// A past photo and its match, in one picture.
    static let pair = Photo.Kind("rephotograph")
}

extension SingleUseMedia.Purpose {
    /// The match of a past photo, which becomes part of a pair in the library.
    package static let pair = Self("rephotograph", isSeenOnce: false, keepsDate: true)
}

/// Then & Now: past photos, matched in the camera and kept as pairs.
package struct ThenAndNowFeature: Feature {
    package let create = [
        Page.Making(
            tone: 3, icon: "layers-fill", title: "Then & Now", text: "Stand where they stood",
            path: ThenAndNowPaths.camera, position: 30)
    ]
    package static let scripts = FeatureScripts(
        elements: [
            "pair-points": "then-and-now/pair-points.js", "pair-view": "then-and-now/pair-view.js",
            "past-choice": "then-and-now/past-choice.js", "then-and-now": "then-and-now/then-and-now.js",
            "waiting-pairs": "then-and-now/waiting-cells.js",
            "year-sequence": "then-and-now/year-sequence.js",
        ],
        background: [.account("then-and-now/background.js")],
        offline: [
            .init("then-and-now/offline.js", page: "Then & Now", at: ThenAndNowPaths.camera, position: 70)
        ],
        outbox: ["pair": "then-and-now/sending.js"])
    package static let tables = [
        FeatureTable("pairs", accounts: ["owner_id": .erased]),
        FeatureTable("pair_files", ownsFiles: true),
    ]

    package let pairs: PairService
    private let entities: PairEntities
    private let app: AppParts
    private let library: PhotosFeature

    package init(_ app: AppParts, photos: PhotosFeature, pastPhotos: PastPhotosFeature) {
        self.app = app
        library = photos
        pairs = PairService(app, photos: photos.photos, pastPhotos: pastPhotos.pastPhotos)
        entities = PairEntities(entities: app.entities)
        photos.offers.kinds.add(
            PhotoKind(
                .pair, symbol: "layers-fill", isMade: true,
                chip: .init(
                    name: "pairs", title: "Then & Now", empty: "No Then & Now pairs yet.", position: 10,
                    above: .init(style: .waitingPairs) { element("waiting-pairs") {} })))
        photos.offers.purposes.add(.pair)
        photos.offers.uses.add(ThenAndNowPhotoUse())
        photos.offers.presentations.add(presentation)
        photos.offers.actions.add(
            PhotoAction(
                name: "Take it again", icon: "camera",
                place: .photo { photo, now in
                    photo.isWorthRetaking(at: now) ? ThenAndNowPaths.retake(photo.id) : nil
                }))
    }

    package func addRoutes(to router: Router<AppContext>) {
        let frame = app.frame
        ThenAndNowPages(frame: frame, pairs: pairs, singleUse: library.singleUse, blobs: app.blobs)
            .add(to: router)
        PastChoicePages(
            frame: frame, photos: library.photos, kinds: library.offers.kinds, blobs: app.blobs
        ).add(to: router)
        PairPages(frame: frame, pairs: pairs).add(to: router)
        PairPictures(pairs: pairs, files: library.files).add(to: router)
        PairAPI(pairs: pairs, entities: entities).add(to: router)
    }

    @Sendable private func presentation(
        of photo: Photo, for viewer: Account, _ transaction: Transaction
    ) throws -> PhotoPresentation.Drawing? {
        let components = PairComponents(frame: app.frame)
        let isRetaken = try PairRecords(transaction).hasRetakes(photo, for: viewer)
        if photo.kind == .pair {
            let pair = try PairRecords(transaction).pair(photo.id, for: viewer)
            return { components.presentation(of: pair, isRetaken: isRetaken) }
        }
        guard isRetaken else { return nil }
        return { components.presentation(ofRetaken: photo) }
    }

    package var accountData: (any AccountData)? { ThenAndNowData() }
}

extension Photo {
    /// Returns whether the library offers to take a photo again: its camera recorded a place, and a day at least a year
    /// ago.
    func isWorthRetaking(at now: Date) -> Bool {
        guard kind != .pair, capture.latitude != nil, let date = capture.date else { return false }
        return now.timeIntervalSince(date) > 365 * 86_400
    }
}
