import People

/// The merging of all sources' results into one list.
enum PastPhotoMerge {
    /// The largest distance, in metres, between two entries of the same photo.
    private static let sameSpot = 50.0

    /// A photo with its distance from the middle of the search, in metres.
    struct Placed: Sendable, Hashable {
        var photo: FoundPhoto
        var distance: Double
    }

    /// Returns the photos of a circle and its years, nearest and then oldest first, without duplicates.
    ///
    /// A photo is a duplicate when its source has returned it before, or when its title, author and years equal those
    /// of another photo within 50 m: archives give one photo several places.
    ///
    /// - Parameter limit: the most photos.
    static func list(_ found: [FoundPhoto], _ query: PastPhotoQuery, limit: Int) -> [Placed] {
        let placed = found.filter { $0.years.overlaps(query.years) }
            .map { Placed(photo: $0, distance: query.place.distance(to: $0.place)) }
            .filter { $0.distance <= Double(query.radius) }
            .sorted(by: isBefore)
        var known: Set<Origin> = []
        var byWords: [Words: [Coordinate]] = [:]
        var list: [Placed] = []
        for one in placed where list.count < limit {
            guard known.insert(Origin(source: one.photo.source, id: one.photo.sourceID)).inserted else {
                continue
            }
            if let words = Words(one.photo) {
                let isDouble = byWords[words, default: []].contains {
                    $0.distance(to: one.photo.place) <= sameSpot
                }
                guard !isDouble else { continue }
                byWords[words, default: []].append(one.photo.place)
            }
            list.append(one)
        }
        return list
    }

    private static func isBefore(_ one: Placed, _ other: Placed) -> Bool {
        if one.distance != other.distance { return one.distance < other.distance }
        if one.photo.years.lowerBound != other.photo.years.lowerBound {
            return one.photo.years.lowerBound < other.photo.years.lowerBound
        }
        return (one.photo.source, one.photo.sourceID) < (other.photo.source, other.photo.sourceID)
    }

    private struct Origin: Hashable {
        var source: String
        var id: String
    }

    /// A title and author, without the parts that archives write differently.
    private struct Words: Hashable {
        var title: String
        var author: String
        var years: ClosedRange<Int>

        /// Creates the words for comparing a photo.
        ///
        /// - Returns: nil for a photo without a title, which is like many others.
        init?(_ photo: FoundPhoto) {
            func plain(_ text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }
            (title, author, years) = (plain(photo.title), plain(photo.author), photo.years)
            guard !title.isEmpty else { return nil }
        }
    }
}
