import Imaging

/// The way in which a stored picture has to be turned to be upright: EXIF 2.32, tag 0x0112.
package enum Orientation: Int, Sendable, CaseIterable {
    case upright = 1
    case mirrored
    case upsideDown
    case flipped
    case transposed
    case rightSideUp
    case transversed
    case leftSideUp

    /// Whether the stored width is the upright height.
    var swapsSides: Bool { rawValue >= 5 }

    /// Returns the area of the stored picture that shows an area of the upright one.
    ///
    /// - Parameters:
    ///   - area: the area of the upright picture.
    ///   - width: the width of the upright picture.
    ///   - height: the height of the upright picture.
    func storedArea(of area: PixelArea, width: Int, height: Int) -> PixelArea {
        let right = width - area.x - area.width
        let below = height - area.y - area.height
        let (x, y) =
            switch self {
            case .upright: (area.x, area.y)
            case .mirrored: (right, area.y)
            case .upsideDown: (right, below)
            case .flipped: (area.x, below)
            case .transposed: (area.y, area.x)
            case .rightSideUp: (area.y, right)
            case .transversed: (below, right)
            case .leftSideUp: (below, area.x)
            }
        return swapsSides
            ? PixelArea(x: x, y: y, width: area.height, height: area.width)
            : PixelArea(x: x, y: y, width: area.width, height: area.height)
    }
}

/// A rectangle of whole pixels.
struct PixelArea: Hashable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int

    /// Computes the square of a picture that `crop` describes, inside the picture and at least one pixel large.
    init(_ crop: CropSquare, width: Int, height: Int) {
        let shorter = min(width, height)
        let side = min(max(Int((crop.size.clampedToUnit * Double(shorter)).rounded()), 1), shorter)
        x = min(Int((crop.x.clampedToUnit * Double(width)).rounded()), width - side)
        y = min(Int((crop.y.clampedToUnit * Double(height)).rounded()), height - side)
        self.width = side
        self.height = side
    }

    init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

extension Double {
    /// The number brought to between 0 and 1; 0 for NaN.
    fileprivate var clampedToUnit: Double { isNaN ? 0 : Swift.min(Swift.max(self, 0), 1) }
}
