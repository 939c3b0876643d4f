import Alignment
import Foundation
import Imaging
import People
import Serving

/// A point of a past photo, and the point of its match that shows the same, in the unit square of the frame.
struct PointPair: Sendable {
    var then: (x: Double, y: Double)
    var now: (x: Double, y: Double)
}

/// A past photo and its match today, laid over each other in one frame: a photo of its owner's library.
///
/// The members of ``composition`` are those of the pair: `pair.mode`.
@dynamicMemberLookup
package struct Pair: Sendable {
    /// A pair is known by its photo.
    package typealias ID = Photo.ID

    /// The photo of the library, which shows both.
    let photo: Photo
    /// What the pairs of the same past photo have in common.
    let series: Int64
    /// What the pair is put together from, and how it is shown.
    var composition: PairComposition
    /// Counts the changes.
    let revision: Int

    /// Identifies the pair.
    package var id: ID { photo.id }

    package subscript<Value>(dynamicMember member: WritableKeyPath<PairComposition, Value>) -> Value {
        get { composition[keyPath: member] }
        set { composition[keyPath: member] = newValue }
    }

    /// The ways in which a pair is shown.
    package enum Mode: String, Sendable, CaseIterable {
        /// A line that is moved between the two.
        case slider
        /// Then above now.
        case stacked
        /// Then left of now.
        case sideBySide = "side_by_side"
        /// Each changes into the other.
        case fade

        /// What the mode is called on screens.
        var title: String {
            switch self {
            case .slider: "Slider"
            case .stacked: "Stacked"
            case .sideBySide: "Side by side"
            case .fade: "Fade"
            }
        }

        /// How the pair's picture in the library is laid out.
        var layout: PairSpec.Layout { self == .sideBySide ? .sideBySide : .stacked }
    }

    /// Where a past photo comes from.
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
        /// The page of the photo at its source.
        var sourceURL: String?
        /// When it was taken, in the words of its source; empty when nobody knows.
        var dateWords = ""
        var year: Int?
        /// Pixels of the upright picture.
        var width = 0
        /// Pixels of the upright picture.
        var height = 0

        /// Sets the year in which it was taken, as its owner knows.
        mutating func date(_ year: Int) {
            self.year = year
            dateWords = String(year)
        }

        /// The author and the licence, such as `Fondo Arrieta, CC BY 4.0`; empty for photos of the library.
        var credit: String { [author, licence].filter { !$0.isEmpty }.joined(separator: ", ") }

        /// The credit as it is drawn on a picture, with letters for Latin, Greek and Cyrillic only: instead of an author in
        /// another script, where the photo was found, which names them.
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

    /// The match.
    struct Now: Sendable, Hashable {
        var year: Int
        /// Pixels of the upright picture.
        var width: Int
        /// Pixels of the upright picture.
        var height: Int
    }

    /// How the match is laid over the past photo.
    enum Alignment: Sendable, Hashable {
        /// What found the alignment.
        enum Hand: String, Sendable {
            case automatic, points
        }

        /// As the two were taken.
        case none
        /// Moved by a map from the match's frame to the past photo's, in unit squares; both show `crop`.
        case aligned(Homography, crop: PairSpec.Crop, by: Hand)
        /// As the two were taken, since no alignment was sure enough.
        case refused(reason: String)
    }

    /// The years of both, such as `1931 → 2024`; the current year is `today`.
    func title(today: Date) -> String {
        let now = self.now.year
        return "\(composition.yearThen) → \(now == Timestamp.year(of: today) ? "today" : String(now))"
    }
}

/// What a pair is put together from, and how it is shown.
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
    /// Whether the picture names dates and credit.
    var hasCaption = false

    /// The year of the past photo, or `Then`.
    var yearThen: String { then.year.map(String.init) ?? "Then" }

    /// Adds a year in which no photograph can have been taken to the problems.
    static func check(year: Int, at now: Date, _ problems: inout Problems) {
        let (first, last) = (PastPhotoQuery.firstYear, Timestamp.year(of: now))
        guard year < first || year > last else { return }
        problems.add("year", "ERR_INVALID", "The year is from \(first) to \(last).")
    }

    /// What the picture shows, for those who can't see it.
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

    /// How the two pictures are placed.
    ///
    /// - Throws: ``Refusal`` (422) for numbers that can't be rendered.
    var frame: PairFrame {
        get throws {
            guard let frame = PairFrame(aspect: aspect, then: pastView, now: nowView) else { throw unfit }
            return frame
        }
    }

    /// The numbers from which the picture is rendered.
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

    /// Whether two compositions have the same picture in the library.
    func looks(like other: PairComposition) -> Bool {
        var other = other
        if other.mode.layout == mode.layout { other.mode = mode }
        return self == other
    }
}

extension PictureView {
    /// How far the pictures of a pair are enlarged.
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
