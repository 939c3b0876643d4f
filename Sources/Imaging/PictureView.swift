/// The part of a picture that a rectangle shows.
///
/// At zoom 1 the picture just covers the rectangle, and is cut on two sides unless both have the same proportions.
public struct PictureView: Sendable, Hashable {
    /// The allowed values of ``zoom``.
    public static let zooms = 1.0...8.0

    /// How many times larger the picture is than it needs to be to cover the rectangle, 1 to 8.
    public var zoom: Double
    /// The part that is shown of what the rectangle can't hold in width: 0 the left, 0.5 the middle, 1 the right.
    public var x: Double
    /// The part that is shown of what the rectangle can't hold in height: 0 the top, 0.5 the middle, 1 the bottom.
    public var y: Double

    /// Creates a view of the middle of a picture, as much of it as fits.
    ///
    /// - Parameters:
    ///   - zoom: how many times the picture is enlarged, 1 to 8.
    ///   - x: the part to show of what doesn't fit in width, 0 (left) to 1 (right).
    ///   - y: the part to show of what doesn't fit in height, 0 (top) to 1 (bottom).
    public init(zoom: Double = 1, x: Double = 0.5, y: Double = 0.5) {
        self.zoom = zoom
        self.x = x
        self.y = y
    }

    /// Whether all values are in range.
    var isValid: Bool { Self.zooms.contains(zoom) && (0...1).contains(x) && (0...1).contains(y) }
}
