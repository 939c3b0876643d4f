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

    /// Returns where the largest cut around this point is, as the parts of what is cut off that are before it: from 0 to 1,
    /// and 0.5 where nothing is cut off.
    ///
    /// - Parameter shape: the proportions of the cut.
    package func placeOfCut(
        ofWidth width: Int, height: Int, to shape: (width: Double, height: Double)
    ) -> (x: Double, y: Double) {
        let scale = min(
            Double(width) / max(shape.width, .ulpOfOne), Double(height) / max(shape.height, .ulpOfOne))
        let part = (
            width: min(width, Int((shape.width * scale).rounded())),
            height: min(height, Int((shape.height * scale).rounded()))
        )
        let (across, down) = (width - part.width, height - part.height)
        let origin = origin(width: (part.width, width), height: (part.height, height))
        return (
            across > 0 ? Double(origin.x) / Double(across) : 0.5,
            down > 0 ? Double(origin.y) / Double(down) : 0.5
        )
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
