import Core
import Feeds
import People
import Serving

/// The source of this server: photos of posts whose authors let others find them by place.
package struct ServerSource: PastPhotoSource {
    package static let name = "server"

    package var name: String { Self.name }
    package let title: String
    private let places: PostPlaces
    private let publicURL: String

    /// Creates the source.
    ///
    /// - Parameter title: the server's name for people.
    init(title: String, places: PostPlaces, publicURL: String) {
        self.title = title
        self.places = places
        self.publicURL = publicURL
    }

    package func find(
        _ query: PastPhotoQuery, for viewer: Account, until deadline: ContinuousClock.Instant
    ) async throws -> Findings {
        let near = try await places.near(
            query.place, radius: Double(query.radius), years: query.years, for: viewer,
            limit: PastPhotoQuery.mostCandidates)
        var findings = Findings(photos: near.photos.map(photo))
        if !near.isWhole {
            findings.narrowed = """
                Many photos were taken here, and only a part of them was looked through. Choose a smaller radius or \
                fewer years to see others.
                """
        }
        return findings
    }

    private func photo(_ near: PostPlaces.NearPhoto) -> FoundPhoto {
        let words = near.photo.description.isEmpty ? near.caption : near.photo.description
        let pixels = near.photo.pixels(.large)
        return FoundPhoto(
            source: name, sourceID: near.photo.id.description,
            title: PlainText.oneLine(words, limit: FoundPhoto.longestTitle),
            author: near.author.displayName, licence: "All rights reserved", licenceURL: nil,
            pageURL: publicURL + PostPaths.page(near.post), dateWords: "\(near.year)",
            years: near.year...near.year, place: near.place, pictureURL: "", fullURL: nil,
            width: pixels.width, height: pixels.height, photo: near.photo.id)
    }
}
