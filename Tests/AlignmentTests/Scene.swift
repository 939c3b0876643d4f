import Alignment

/// A drawn scene: rectangles of random sizes and shades, the same for the same seed.
struct Scene {
    /// The sides of a picture of the scene.
    static let width = 300, height = 225
    /// The scene goes on beyond the picture by this much on each side.
    private static let margin = 50
    private static let drawnWidth = width + 2 * margin, drawnHeight = height + 2 * margin

    private let seed: UInt64
    private var drawn: [Float]

    init(seed: UInt64) {
        self.seed = seed
        drawn = [Float](repeating: 120, count: Self.drawnWidth * Self.drawnHeight)
        var random = Random(state: seed)
        for _ in 0..<240 {
            let size = 6 + Int(50 * random.part() * random.part())
            let left = Int(random.part() * Float(Self.drawnWidth - size))
            let top = Int(random.part() * Float(Self.drawnHeight - size))
            let row = [Float](repeating: 40 + 180 * random.part(), count: size)
            for y in top..<top + size {
                drawn.replaceSubrange(
                    y * Self.drawnWidth + left..<y * Self.drawnWidth + left + size, with: row)
            }
        }
    }

    /// Returns a picture as seen through a map from its pixels to the scene's, each shade worn by a closure.
    func picture(
        through map: Homography = .identity, wear: (Float, inout Random) -> Float = { shade, _ in shade }
    ) -> GrayPicture {
        let m = map.elements.map(Float.init)
        var random = Random(state: seed ^ 0xabcdef)
        var pixels: [UInt8] = []
        pixels.reserveCapacity(Self.width * Self.height)
        drawn.withUnsafeBufferPointer { drawn in
            for row in 0..<Self.height {
                for column in 0..<Self.width {
                    let (x, y) = (Float(column) + 0.5, Float(row) + 0.5)
                    let scale = m[6] * x + m[7] * y + 1
                    let fromX = (m[0] * x + m[1] * y + m[2]) / scale + Float(Self.margin) - 0.5
                    let fromY = (m[3] * x + m[4] * y + m[5]) / scale + Float(Self.margin) - 0.5
                    let left = min(max(Int(fromX), 0), Self.drawnWidth - 2)
                    let top = min(max(Int(fromY), 0), Self.drawnHeight - 2)
                    let (partX, partY) = (fromX - Float(left), fromY - Float(top))
                    let source = top * Self.drawnWidth + left
                    let upper = drawn[source] * (1 - partX) + drawn[source + 1] * partX
                    let below = source + Self.drawnWidth
                    let lower = drawn[below] * (1 - partX) + drawn[below + 1] * partX
                    let shade = wear(upper * (1 - partY) + lower * partY, &random)
                    pixels.append(UInt8(min(max(shade, 0), 255)))
                }
            }
        }
        return GrayPicture(width: Self.width, height: Self.height, pixels: pixels)!
    }
}

/// Random numbers that are the same in each run.
struct Random {
    var state: UInt64

    /// Returns a number from 0 to 1.
    mutating func part() -> Float {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(state >> 40) / Float(1 << 24)
    }

    /// Returns a number of about a normal distribution with a standard deviation of 1.
    mutating func grain() -> Float { 2 * (part() + part() + part() - 1.5) }
}
