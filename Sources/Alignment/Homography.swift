/// A projective map of the plane, which takes straight lines to straight lines: a 3 × 3 matrix in row-major
/// order whose last element is 1.
///
/// Points are measured from the upper left corner of a picture, in pixels or in parts of its sides. The
/// middle of a picture's first pixel is at (0.5, 0.5), so the same map in other units is a matter of scale
/// alone (`scaled`).
///
/// The formulas are those of R. Hartley and A. Zisserman, *Multiple View Geometry in Computer Vision*, 2nd
/// edition, sections 2.3 and 4.1.
public struct Homography: Sendable, Hashable {
    /// The nine elements of the matrix, row by row.
    public let elements: [Double]

    /// Creates a map, or returns nil for elements that are not nine finite numbers with a last one that can
    /// be scaled to 1.
    public init?(_ elements: [Double]) {
        guard elements.count == 9, elements.allSatisfy(\.isFinite), abs(elements[8]) > 1e-12 else {
            return nil
        }
        let scaled = elements.map { $0 / elements[8] }
        guard scaled.allSatisfy(\.isFinite) else { return nil }
        self.elements = scaled
    }

    /// The map that moves nothing.
    public static let identity = Homography(exactly: [1, 0, 0, 0, 1, 0, 0, 0, 1])

    private init(exactly elements: [Double]) { self.elements = elements }

    /// Creates the map that takes four points exactly to four others, or returns nil if there are not four
    /// pairs of finite points, or three of them lie nearly on a line.
    public init?(from: [(x: Double, y: Double)], to: [(x: Double, y: Double)]) {
        guard from.count == 4, to.count == 4,
            let first = Self.ofUnitSquare(from), let second = Self.ofUnitSquare(to),
            let map = first.inverse?.followed(by: second)
        else { return nil }
        self = map
    }

    /// Returns the map that takes the corners of the unit square, clockwise from the upper left one, to four
    /// points (P. Heckbert, *Fundamentals of Texture Mapping and Image Warping*, 1989, section 2.2.3).
    private static func ofUnitSquare(_ corners: [(x: Double, y: Double)]) -> Homography? {
        let (a, b, c, d) = (corners[0], corners[1], corners[2], corners[3])
        guard corners.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return nil }
        // Twice the areas of the four triangles, which vanish beside the extent when three points lie on a
        // line.
        let extent = corners.reduce(0) { max($0, abs($1.x - a.x), abs($1.y - a.y)) }
        let areas = corners.indices.map { index -> Double in
            let (first, second, third) = (corners[index], corners[(index + 1) % 4], corners[(index + 2) % 4])
            return (second.x - first.x) * (third.y - first.y) - (second.y - first.y) * (third.x - first.x)
        }
        guard extent.isFinite, areas.allSatisfy({ abs($0) > 1e-6 * extent * extent }) else { return nil }
        let (sumX, sumY) = (a.x - b.x + c.x - d.x, a.y - b.y + c.y - d.y)
        let (rightX, rightY, lowerX, lowerY) = (b.x - c.x, b.y - c.y, d.x - c.x, d.y - c.y)
        let determinant = rightX * lowerY - rightY * lowerX
        let g = (sumX * lowerY - sumY * lowerX) / determinant
        let h = (rightX * sumY - rightY * sumX) / determinant
        let (acrossX, acrossY) = (b.x - a.x + g * b.x, b.y - a.y + g * b.y)
        let (downX, downY) = (d.x - a.x + h * d.x, d.y - a.y + h * d.y)
        return Homography([acrossX, downX, a.x, acrossY, downY, a.y, g, h, 1])
    }

    /// Returns where the map takes a point, or nil if that is at infinity.
    public func applied(to point: (x: Double, y: Double)) -> (x: Double, y: Double)? {
        let scale = elements[6] * point.x + elements[7] * point.y + elements[8]
        guard abs(scale) > 1e-12 else { return nil }
        let x = (elements[0] * point.x + elements[1] * point.y + elements[2]) / scale
        let y = (elements[3] * point.x + elements[4] * point.y + elements[5]) / scale
        return x.isFinite && y.isFinite ? (x, y) : nil
    }

    /// The map back, or nil if several points go to one.
    public var inverse: Homography? {
        let m = elements
        let adjugate: [Double] = [
            m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
            m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
            m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3],
        ]
        let determinant = m[0] * adjugate[0] + m[1] * adjugate[3] + m[2] * adjugate[6]
        guard abs(determinant) > 1e-12 else { return nil }
        return Homography(adjugate)
    }

    /// Returns the map that first does what this one does and then what the other does, or nil if the result
    /// takes the origin to infinity.
    public func followed(by other: Homography) -> Homography? {
        let (a, b) = (other.elements, elements)
        return Homography(
            (0..<9).map { index -> Double in
                let (row, column) = (index / 3 * 3, index % 3)
                return a[row] * b[column] + a[row + 1] * b[column + 3] + a[row + 2] * b[column + 6]
            })
    }

    /// Returns this map for points whose coordinates are multiplied by two factors, for example by the sides of a
    /// picture, from the unit square to pixels. Returns nil for a factor that is not a positive number.
    public func scaled(x: Double, y: Double) -> Homography? {
        guard x > 0, y > 0, x.isFinite, y.isFinite else { return nil }
        let m = elements
        let elements: [Double] = [
            m[0], m[1] * x / y, m[2] * x, m[3] * y / x, m[4], m[5] * y, m[6] / x, m[7] / y, m[8],
        ]
        return Homography(elements)
    }

    /// Returns this map between unit squares, given the sides in pixels of the pictures that it maps.
    public func inUnitSquare(width: Int, height: Int) -> Homography? {
        guard width > 0, height > 0 else { return nil }
        return scaled(x: 1 / Double(width), y: 1 / Double(height))
    }

    /// Returns the moved corners of a picture, clockwise from the upper left one, or nil if the horizon,
    /// which the map takes to infinity, crosses the picture.
    func corners(width: Double, height: Double) -> [(x: Double, y: Double)]? {
        let corners = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]
        guard corners.allSatisfy({ elements[6] * $0.0 + elements[7] * $0.1 + 1 > 1e-6 }) else { return nil }
        let moved = corners.compactMap { applied(to: (x: $0.0, y: $0.1)) }
        return moved.count == 4 ? moved : nil
    }

    /// Returns the mean distance between where two maps take the corners of a picture, or nil if one of them
    /// takes a corner to infinity.
    func distance(to other: Homography, width: Double, height: Double) -> Double? {
        guard let first = corners(width: width, height: height),
            let second = other.corners(width: width, height: height)
        else { return nil }
        var sum = 0.0
        for (one, two) in zip(first, second) {
            let (x, y) = (one.x - two.x, one.y - two.y)
            sum += (x * x + y * y).squareRoot()
        }
        return sum / 4
    }
}
