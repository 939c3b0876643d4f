import Alignment
import Foundation
import Imaging
import People
import Serving

/// A point of a past photo, and the point of its match that shows the same spot, both in the unit square of the frame.
struct PointPair: Sendable {
    var then: (x: Double, y: Double)
    var now: (x: Double, y: Double)
}

/// A past photo and a photo of the same place today (its match), laid over each other in one frame: a photo of its
/// owner's library.
///
/// The members of ``composition`` are those of the pair: `pair.mode`.
@dynamicMemberLookup
package struct Pair: Sendable {
    /// A pair's identifier, which is that of its photo.
    package typealias ID = Photo.ID

    /// The photo of the library, which shows both pictures.
    let photo: Photo
    /// A number that the pairs of the same past photo share.
    let series: Int64
    /// The two pictures, and how they are shown.
    var composition: PairComposition
    /// The number of changes.
    let revision: Int

    /// The pair's identifier.
    package var id: ID { photo.id }

    package subscript<Value>(dynamicMember member: WritableKeyPath<PairComposition, Value>) -> Value {
        get { composition[keyPath: member] }
        set { composition[keyPath: member] = newValue }
    }

    /// The ways in which a pair is shown.
    package enum Mode: String, Sendable, CaseIterable {
        /// A line that is moved between the two pictures.
        case slider
        /// The past photo above the match.
        case stacked
        /// The past photo left of the match.
        case sideBySide = "side_by_side"
        /// A fade from each picture to the other.
        case fade

        /// The mode's name on screens.
        var title: String {
            switch self {
            case .slider: "Slider"
            case .stacked: "Stacked"
            case .sideBySide: "Side by side"
            case .fade: "Fade"
            }
        }

        /// The layout of the pair's picture in the library.
        var layout: PairSpec.Layout { self == .sideBySide ? .sideBySide : .stacked }
    }

    /// The place from which a past photo was taken over.
    enum Origin: String, Sendable, CaseIterable {
        case library, flickr, commons, server
    }

    /// The past photo.
    struct Then: Sendable, Hashable {
        var origin = Origin.library
        var title = ""
        var author = ""
        var licence = ""
        var licenceURL: String?
        /// The address of the photo's page at its source.
        var sourceURL: String?
        /// When the photo was taken, in the words of its source; empty when nobody knows.
        var dateWords = ""
        var year: Int?
        /// The width of the upright picture in pixels.
        var width = 0
        /// The height of the upright picture in pixels.
        var height = 0

        /// Sets the year in which the photo was taken, which its owner knows.
        mutating func date(_ year: Int) {
            self.year = year
            dateWords = String(year)
        }

        /// The author and the licence, such as `Fondo Arrieta, CC BY 4.0`; empty for photos of the library.
        var credit: String { [author, licence].filter { !$0.isEmpty }.joined(separator: ", ") }

        /// The credit as it is drawn on a picture, whose font has only Latin, Greek and Cyrillic letters. Instead of an
        /// author in another script, it says where the photo was found, since that page names the author.
        var creditOnPicture: String {
            let isWritable = author.unicodeScalars.allSatisfy { scalar in
                !scalar.properties.isAlphabetic || scalar.value < 0x530
                    || (0x1E00...0x1FFF).contains(scalar.value)
            }
            guard !isWritable, let sourceURL else { return credit }
            return [licence, sourceURL.replacing(/^https?:\/\//, with: "")].filter { !$0.isEmpty }
                .joined(separator: ", ")
        }
    }

    /// The match: a photo of the same place today.
    struct Now: Sendable, Hashable {
        var year: Int
        /// The width of the upright picture in pixels.
        var width: Int
        /// The height of the upright picture in pixels.
        var height: Int
    }

    /// The way in which the match is laid over the past photo.
    enum Alignment: Sendable, Hashable {
        /// The origin of an alignment.
        enum Hand: String, Sendable {
            case automatic, points
        }

        /// Both pictures as they were taken.
        case none
        /// The match moved by a map from its frame to the past photo's, in unit squares; both pictures show `crop`.
        case aligned(Homography, crop: PairSpec.Crop, by: Hand)
        /// Both pictures as they were taken, because no alignment was certain enough.
        case refused(reason: String)
    }

    /// Returns the years of both pictures, such as `1931 → 2024`; the current year is `today`.
    func title(today: Date) -> String {
        let now = self.now.year
        return "\(composition.yearThen) → \(now == Timestamp.year(of: today) ? "today" : String(now))"
    }
}

/// The two pictures of a pair, and how they are shown.
package struct PairComposition: Sendable, Hashable {
    var then: Pair.Then
    var now: Pair.Now
    /// The width of the frame divided by its height.
    var aspect: Double
    /// The part of the past photo that the frame shows.
    var pastView = PictureView()
    /// The part of the match that the frame shows.
    var nowView = PictureView()
    var alignment = Pair.Alignment.none
    var mode = Pair.Mode.slider
    /// Whether the picture has a caption with dates and credit.
    var hasCaption = false

    /// The year of the past photo, or `Then`.
    var yearThen: String { then.year.map(String.init) ?? "Then" }

    /// Adds a year in which no photograph can have been taken to the problems.
    static func check(year: Int, at now: Date, _ problems: inout Problems) {
        let years = years(at: now)
        guard !years.contains(year) else { return }
        problems.add("year", "ERR_INVALID", "The year is from \(years.lowerBound) to \(years.upperBound).")
    }

    /// Returns the years of which a past photo can be.
    static func years(at now: Date = Date()) -> ClosedRange<Int> {
        PastPhotoQuery.firstYear...max(PastPhotoQuery.firstYear, Timestamp.year(of: now))
    }

    /// A description of the picture, for people who can't see it.
    var description: String {
        let years = then.year.map { "in \($0) and in \(now.year)" } ?? "long ago and in \(now.year)"
        return then.title.isEmpty
            ? "The same place \(years)." : "\(then.title.prefix(1_400)): the same place \(years)."
    }

    /// The lines below the picture: the years, and the credit of the past photo.
    private var captionLines: [String] {
        guard hasCaption else { return [] }
        return ["\(yearThen) → \(now.year)"] + (then.credit.isEmpty ? [] : ["Then: \(then.creditOnPicture)"])
    }

    /// The placement of the two pictures.
    ///
    /// - Throws: ``Refusal`` (422) for numbers that can't be rendered.
    var frame: PairFrame {
        get throws {
            guard let frame = PairFrame(aspect: aspect, then: pastView, now: nowView) else { throw unfit }
            return frame
        }
    }

    /// Returns the numbers from which the picture is rendered.
    ///
    /// - Throws: ``Refusal`` (422) for numbers that can't be rendered.
    func spec(_ layout: PairSpec.Layout) throws -> PairSpec {
        var (transform, crop): (Homography?, PairSpec.Crop) = (nil, .whole)
        if case .aligned(let map, let common, _) = alignment { (transform, crop) = (map, common) }
        let spec = PairSpec(
            frame: try frame, transform: transform, crop: crop, layout: layout, caption: captionLines)
        guard let spec else { throw unfit }
        return spec
    }

    private var unfit: Refusal {
        Refusal.invalid("aspect", "ERR_INVALID", "These two pictures can’t be put together.")
    }

    /// Returns whether two compositions have the same picture in the library.
    func looks(like other: PairComposition) -> Bool {
        var other = other
        if other.mode.layout == mode.layout { other.mode = mode }
        return self == other
    }
}

extension PictureView {
    /// The range of enlargements of a pair's pictures.
    static let zoomsInPairs = 1.0...3.0

    /// Adds the values that a pair can't have to the problems.
    ///
    /// - Parameter name: the name of the parameter with the view.
    func check(_ name: String, _ problems: inout Problems) {
        if !Self.zoomsInPairs.contains(zoom) {
            problems.add("\(name)[zoom]", "ERR_INVALID", "The zoom is a number from 1 to 3.")
        }
        if !(0...1).contains(x) { problems.add("\(name)[x]", "ERR_INVALID", "x is a number from 0 to 1.") }
        if !(0...1).contains(y) { problems.add("\(name)[y]", "ERR_INVALID", "y is a number from 0 to 1.") }
    }
}
