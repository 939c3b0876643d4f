import Alignment

/// The placement of a pair's two pictures: each covers a frame of the same proportions.
public struct PairFrame: Sendable, Hashable {
    /// The allowed values of ``aspect``.
    public static let aspects = 0.4...2.5

    /// The width of the frame divided by its height.
    public let aspect: Double
    /// The part of the past picture that the frame shows.
    public let then: PictureView
    /// The part of the picture of today that the frame shows.
    public let now: PictureView

    /// Creates a frame, or returns nil if a value is out of range.
    ///
    /// - Parameters:
    ///   - aspect: the width divided by the height, 0.4 to 2.5.
    ///   - then: the part of the past picture that the frame shows.
    ///   - now: the part of the picture of today that the frame shows.
    public init?(aspect: Double, then: PictureView = PictureView(), now: PictureView = PictureView()) {
        guard Self.aspects.contains(aspect), then.isValid, now.isValid else { return nil }
        self.aspect = aspect
        self.then = then
        self.now = now
    }
}

/// A picture of then and one of now, as ``ImageProcessor/pair(_:then:now:renditions:into:)`` and
/// ``ImageProcessor/fade(_:then:now:into:)`` render them.
///
/// A spec can only be created with values that can be rendered.
public struct PairSpec: Sendable, Hashable {
    /// The allowed lengths of a rendered pair's longer side, in pixels.
    public static let longestSides = 512...4096
    /// The allowed lengths of a fade's longer side, in pixels.
    public static let longestSidesOfFade = 512...960
    /// The most lines of ``caption``.
    public static let mostLines = 2
    /// The most Unicode scalars of a line of ``caption``.
    public static let mostCharacters = 200

    /// How the pictures are placed.
    public let frame: PairFrame
    /// The map that lays the picture of today over the past one: from the unit square of its frame to that of the past
    /// picture's frame. Nil if it isn't moved.
    public let transform: Homography?
    /// The part of both frames that is shown.
    public let crop: Crop
    /// Where the halves are.
    public let layout: Layout
    /// The lines under the pictures, in small letters. A line that is too long is made smaller, and then cut.
    public let caption: [String]
    /// The colour of the gap between the halves and behind the caption.
    public let background: CollageSpec.Colour

    /// Creates a spec, or returns nil if a value is out of range, or if the crop shows what isn't in the picture of
    /// today.
    ///
    /// - Parameters:
    ///   - frame: how the pictures are placed.
    ///   - transform: the map that lays the picture of today over the past one, between unit squares. It takes parts
    ///     of the picture of today of at most 32 times and at least a 32nd of the area to each part of the crop, and
    ///     mirrors nothing.
    ///   - crop: the part of both frames that is shown. The moved picture of today covers it, but for a fiftieth of
    ///     the frame on each side, where its edge is repeated.
    ///   - layout: where the halves are.
    ///   - caption: at most two lines of at most 200 Unicode scalars each. Empty lines are left out.
    ///   - background: the colour of the gap between the halves and behind the caption.
    public init?(
        frame: PairFrame, transform: Homography? = nil, crop: Crop = .whole, layout: Layout = .stacked,
        caption: [String] = [], background: CollageSpec.Colour = .white
    ) {
        guard crop.isValid, transform.map({ Self.isCovered(crop, $0) }) ?? true,
            caption.count <= Self.mostLines,
            caption.allSatisfy({ $0.unicodeScalars.count <= Self.mostCharacters })
        else { return nil }
        self.frame = frame
        self.transform = transform
        self.crop = crop
        self.layout = layout
        self.caption = caption.filter { !$0.allSatisfy(\.isWhitespace) }
        self.background = background
    }

    /// Where the halves of a pair are.
    public enum Layout: String, Sendable, CaseIterable, Codable {
        /// The past picture above that of today.
        case stacked
        /// The past picture on the left of that of today.
        case sideBySide = "side_by_side"
    }

    /// A rectangle in the unit square; `y` grows downwards.
    public struct Crop: Sendable, Hashable {
        /// The least width and height.
        public static let leastSide = 0.1

        /// The left edge, 0 to 1.
        public var x: Double
        /// The top edge, 0 to 1.
        public var y: Double
        /// The width, 0.1 to 1.
        public var width: Double
        /// The height, 0.1 to 1.
        public var height: Double

        /// The whole unit square.
        public static let whole = Crop(x: 0, y: 0, width: 1, height: 1)

        /// Creates a rectangle of its left and top edges, its width and its height, in parts of the frame.
        public init(x: Double, y: Double, width: Double, height: Double) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
        }

        fileprivate var isValid: Bool {
            // The far edges may exceed 1 by a rounding error.
            let edges = 0...1 + 1e-9
            return [x, y, x + width, y + height].allSatisfy(edges.contains)
                && width >= Self.leastSide && height >= Self.leastSide
        }

        /// The corners clockwise, the upper left one first.
        fileprivate var corners: [(x: Double, y: Double)] {
            [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
        }
    }

    /// The areas that the moved picture of today may have, compared with those before.
    private static let areaRatios = 1.0 / 32...32
    /// The places in the frame of the picture of today that a crop may show.
    private static let shownPlaces = -0.02...1.02

    /// Returns whether a moved picture covers a crop, not mirrored and everywhere about the size that it had before.
    ///
    /// The corners are the extremes: the map's denominator is linear, and the area changes with its third power. If the
    /// horizon crossed the crop, the area would be negative at some of them.
    static func isCovered(_ crop: Crop, _ transform: Homography) -> Bool {
        guard let back = transform.inverse else { return false }
        return crop.corners.allSatisfy { corner in
            guard let place = back.applied(to: corner) else { return false }
            return areaRatios.contains(back.areaScale(at: corner))
                && shownPlaces.contains(place.x) && shownPlaces.contains(place.y)
        }
    }
}

extension Homography {
    /// Returns how many times larger the map makes a small area at a place; a negative number if it mirrors it.
    package func areaScale(at place: (x: Double, y: Double)) -> Double {
        let m = elements
        let determinant =
            m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6])
            + m[2] * (m[3] * m[7] - m[4] * m[6])
        let denominator = m[6] * place.x + m[7] * place.y + m[8]
        return determinant / (denominator * denominator * denominator)
    }
}
