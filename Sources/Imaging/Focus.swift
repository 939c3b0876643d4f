/// The point of a picture that its cut versions show, in Mastodon's measure: from -1 to 1, `x` growing to the right and
/// `y` upwards, with (0, 0) in the middle.
public struct Focus: Sendable, Hashable {
    /// The distance from the middle to the right, from -1 at the left edge to 1 at the right edge.
    public let x: Double
    /// The distance from the middle upwards, from -1 at the bottom to 1 at the top.
    public let y: Double

    /// The middle of the picture.
    public static let middle = Focus(inside: 0, 0)

    /// The values that both distances have.
    static let range = -1.0...1

    /// Creates a point; nil outside the picture.
    public init?(x: Double, y: Double) {
        // NaN is in no range.
        guard Self.range.contains(x), Self.range.contains(y) else { return nil }
        self.init(inside: x, y)
    }

    /// Reads two numbers with a comma between them, such as `0.5,-0.5`; nil for anything else, and outside the picture.
    public init?(_ text: String) {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
            .map { Double($0.drop { $0 == " " }) }
        guard numbers.count == 2, let x = numbers[0], let y = numbers[1] else { return nil }
        self.init(x: x, y: y)
    }

    private init(inside x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }

    /// Returns the part of a picture's longer side that is before the square around this point, in percent of all that isn't
    /// in the square (`object-position`, CSS Images 3, 5.5).
    package func percentBeforeSquare(ofWidth width: Int, height: Int) -> Int {
        let side = min(width, height)
        let rest = max(width, height) - side
        let origin = origin(width: (side, width), height: (side, height))
        return rest == 0 ? 50 : (max(origin.x, origin.y) * 100 + rest / 2) / rest
    }

    /// Returns where a part of the picture begins that has this point as near to its own middle as the edges allow.
    ///
    /// - Parameters:
    ///   - width: the widths of the part and of the picture.
    ///   - height: the heights of the part and of the picture.
    package func origin(
        width: (part: Int, picture: Int), height: (part: Int, picture: Int)
    ) -> (x: Int, y: Int) {
        func start(_ sides: (part: Int, picture: Int), _ place: Double) -> Int {
            let start = Int((place * Double(sides.picture)).rounded(.down)) - sides.part / 2
            return min(max(start, 0), sides.picture - sides.part)
        }
        guard self != .middle else {
            return ((width.picture - width.part) / 2, (height.picture - height.part) / 2)
        }
        return (start(width, (1 + x) / 2), start(height, (1 - y) / 2))
    }
}
