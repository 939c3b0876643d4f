import Alignment
import Testing

@Suite("Homographies")
struct HomographyTests {
    private typealias Point = (x: Double, y: Double)

    private let square: [Point] = [(0, 0), (1, 0), (1, 1), (0, 1)]
    /// A map with a turn, a scale, a shift and perspective.
    private let general = Homography([1.1, -0.2, 0.1, 0.15, 0.9, -0.05, 0.1, -0.08, 1])!

    private func distance(_ one: Point?, _ two: Point?) -> Double {
        guard let one, let two else { return .infinity }
        return max(abs(one.x - two.x), abs(one.y - two.y))
    }

    @Test("A matrix is scaled so that its last element is 1")
    func scaled() {
        #expect(Homography([2, 0, 0, 0, 2, 0, 0, 0, 2]) == .identity)
    }

    @Test("What is no matrix is refused")
    func refused() {
        #expect(Homography([1, 2, 3]) == nil)
        #expect(Homography([1, 0, 0, 0, 1, 0, 0, 0, 0]) == nil)
        #expect(Homography([.nan, 0, 0, 0, 1, 0, 0, 0, 1]) == nil)
        #expect(Homography([1e300, 0, 0, 0, 1, 0, 0, 0, 1e-11]) == nil)
    }

    @Test("Four pairs of points fix a map exactly")
    func fourPoints() throws {
        let from: [Point] = [(0.1, 0.2), (0.9, 0.15), (0.8, 0.95), (0.15, 0.7)]
        let to = from.map { general.applied(to: $0)! }
        let found = try #require(Homography(from: from, to: to))
        for (one, two) in zip(found.elements, general.elements) { #expect(abs(one - two) < 1e-9) }
        let same = try #require(Homography(from: from, to: from))
        for (one, two) in zip(same.elements, Homography.identity.elements) { #expect(abs(one - two) < 1e-9) }
    }

    @Test("Points in pixels fix a map as well as points in the unit square")
    func fourPointsInPixels() throws {
        let from: [Point] = [(40, 30), (960, 20), (990, 740), (10, 700)]
        let to: [Point] = [(0, 0), (1000, 0), (1000, 750), (0, 750)]
        let found = try #require(Homography(from: from, to: to))
        for (one, two) in zip(from, to) { #expect(distance(found.applied(to: one), two) < 1e-6) }
    }

    @Test("Points on a line, equal points, too few points and no numbers fix nothing")
    func degeneratePoints() {
        let line: [Point] = [(0, 0), (1, 1), (2, 2), (0, 1)]
        #expect(Homography(from: line, to: square) == nil)
        #expect(Homography(from: square, to: line) == nil)
        #expect(Homography(from: Array(repeating: (1, 1), count: 4), to: square) == nil)
        #expect(Homography(from: Array(square.prefix(3)), to: Array(square.prefix(3))) == nil)
        #expect(Homography(from: square, to: [(.nan, 0), (1, 0), (1, 1), (0, 1)]) == nil)
        #expect(Homography(from: square, to: [(1e300, 0), (-1e300, 0), (1, 1), (0, 1)]) == nil)
    }

    @Test("The inverse undoes a map")
    func inverse() throws {
        let back = try #require(general.inverse)
        for point in square {
            let moved = try #require(general.applied(to: point))
            #expect(distance(back.applied(to: moved), point) < 1e-9)
        }
        #expect(Homography([1, 0, 0, 2, 0, 0, 0, 0, 1])?.inverse == nil)
    }

    @Test("A map followed by another does one after the other")
    func followed() throws {
        let shift = try #require(Homography([1, 0, 3, 0, 1, 4, 0, 0, 1]))
        let both = try #require(general.followed(by: shift))
        for point in square {
            let moved = try #require(general.applied(to: point))
            #expect(distance(both.applied(to: point), shift.applied(to: moved)) < 1e-9)
        }
    }

    @Test("A point on the horizon goes nowhere")
    func horizon() {
        #expect(Homography([1, 0, 0, 0, 1, 0, -1, 0, 1])?.applied(to: (x: 1, y: 0.5)) == nil)
    }

    @Test("A map of pixels and of the unit square do the same")
    func units() throws {
        let pixels = try #require(general.scaled(x: 1000, y: 750))
        let moved = try #require(general.applied(to: (x: 0.3, y: 0.6)))
        #expect(distance(pixels.applied(to: (x: 300, y: 450)), (x: moved.x * 1000, y: moved.y * 750)) < 1e-6)
        let back = try #require(pixels.inUnitSquare(width: 1000, height: 750))
        for (one, two) in zip(back.elements, general.elements) { #expect(abs(one - two) < 1e-12) }
        #expect(general.scaled(x: 0, y: 1) == nil)
        #expect(general.inUnitSquare(width: 0, height: 1) == nil)
    }

    @Test("A small turn, shift and tilt are plausible")
    func plausible() {
        #expect(Homography.identity.isPlausible(width: 1000, height: 750))
        #expect(
            Homography([1.1, -0.1, 40, 0.1, 1.1, -60, 0.00004, 0, 1])!.isPlausible(width: 1000, height: 750))
    }

    @Test(
        "A mirrored, folded, turned, tiny, huge or far picture isn't plausible",
        arguments: [
            [-1, 0, 1000, 0, 1, 0, 0, 0, 1],  // mirrored
            [1, 0, 0, 0, 1, 0, -0.002, 0, 1],  // the horizon crosses it
            [0.8, -0.6, 300, 0.6, 0.8, -100, 0, 0, 1],  // turned by 37°
            [-1, 0, 1000, 0, -1, 750, 0, 0, 1],  // upside down
            [0.6, 0, 200, 0, 0.6, 150, 0, 0, 1],  // 0.36 times as large
            [1.6, 0, -300, 0, 1.6, -225, 0, 0, 1],  // 2.56 times as large
            [1, 0, 410, 0, 1, 0, 0, 0, 1],  // 41 % of the width away
            [1, 0, 0, 0, 1, 0, 0.0009, 0, 1],  // one side 1.9 times the other
        ])
    func implausible(elements: [Double]) {
        #expect(!Homography(elements)!.isPlausible(width: 1000, height: 750))
    }

    @Test("Without a movement, nothing is cropped")
    func wholeCrop() throws {
        let crop = try #require(Homography.identity.commonCrop)
        #expect(
            abs(crop.x) < 1e-9 && abs(crop.y) < 1e-9 && abs(crop.width - 1) < 1e-9
                && abs(crop.height - 1) < 1e-9)
    }

    @Test("A shift crops the shifted part, and of the other direction what the proportions ask")
    func shiftedCrop() throws {
        let crop = try #require(Homography([1, 0, 0.2, 0, 1, 0, 0, 0, 1])!.commonCrop)
        #expect(abs(crop.x - 0.2) < 1e-9 && abs(crop.width - 0.8) < 1e-9 && abs(crop.height - 0.8) < 1e-9)
        #expect(crop.y >= 0 && crop.y + crop.height <= 1)
    }

    @Test("A smaller picture is the crop, and a larger one crops nothing")
    func scaledCrop() throws {
        let small = try #require(Homography([0.5, 0, 0.1, 0, 0.5, 0.3, 0, 0, 1])!.commonCrop)
        #expect(abs(small.x - 0.1) < 1e-9 && abs(small.y - 0.3) < 1e-9 && abs(small.width - 0.5) < 1e-9)
        let large = try #require(Homography([2, 0, -0.5, 0, 2, -0.5, 0, 0, 1])!.commonCrop)
        #expect(abs(large.width - 1) < 1e-9)
    }

    @Test("The crop lies within both pictures, and touches their borders")
    func cropIsLargest() throws {
        let crop = try #require(general.commonCrop)
        let back = try #require(general.inverse)
        func fits(_ by: Double) -> Bool {
            let (left, top) = (crop.x - by, crop.y - by)
            let (right, bottom) = (crop.x + crop.width + by, crop.y + crop.height + by)
            return [(left, top), (right, top), (right, bottom), (left, bottom)].allSatisfy { x, y in
                guard let from = back.applied(to: (x: x, y: y)) else { return false }
                return [x, y, from.x, from.y].allSatisfy { $0 > -1e-9 && $0 < 1 + 1e-9 }
            }
        }
        #expect(fits(0))
        #expect(!fits(0.001))
        #expect(crop.width > 0.6)
    }

    @Test("Where less than a quarter of the width remains, there is no crop")
    func noCrop() {
        #expect(Homography([1, 0, 0.8, 0, 1, 0, 0, 0, 1])!.commonCrop == nil)
        #expect(Homography([1, 0, 5, 0, 1, 0, 0, 0, 1])!.commonCrop == nil)
        #expect(Homography([1, 0, 0, 0, 1, 0, -2, 0, 1])!.commonCrop == nil)
    }
}
