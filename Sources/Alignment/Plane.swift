/// A picture of one floating-point number a pixel, row by row.
struct Plane: Sendable {
    let width: Int
    let height: Int
    var values: [Float]

    init(width: Int, height: Int, values: [Float]) {
        precondition(values.count == width * height)
        self.width = width
        self.height = height
        self.values = values
    }

    init(_ picture: GrayPicture) {
        self.init(width: picture.width, height: picture.height, values: picture.pixels.map(Float.init))
    }

    /// Returns a plane of the same size whose rows a closure writes.
    private func written(_ write: (UnsafePointer<Float>, UnsafeMutablePointer<Float>) -> Void) -> Plane {
        let written = [Float](unsafeUninitializedCapacity: width * height) { target, count in
            values.withUnsafeBufferPointer { source in
                if let source = source.baseAddress, let target = target.baseAddress { write(source, target) }
            }
            count = width * height
        }
        return Plane(width: width, height: height, values: written)
    }

    /// Returns the plane blurred by a Gaussian of a standard deviation in pixels. Pixels beyond the borders
    /// are those at the borders.
    func blurred(_ deviation: Float) -> Plane {
        let kernel = Self.gaussian(deviation)
        let radius = kernel.count - 1
        return written { source, target in
            // One row across, with the border's pixels on both sides, and the sum of rows that becomes a
            // blurred row.
            withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * (width + 2 * radius)) { rows in
                guard let down = rows.baseAddress else { return }
                for y in 0..<height {
                    let padded = down + radius
                    let middle = source + y * width
                    for x in 0..<width { padded[x] = kernel[0] * middle[x] }
                    for distance in 1..<max(radius + 1, 1) {
                        let weight = kernel[distance]
                        let above = source + max(y - distance, 0) * width
                        let below = source + min(y + distance, height - 1) * width
                        for x in 0..<width { padded[x] += weight * (above[x] + below[x]) }
                    }
                    for x in 0..<radius {
                        padded[-1 - x] = padded[0]
                        padded[width + x] = padded[width - 1]
                    }
                    let result = target + y * width
                    for x in 0..<width { result[x] = kernel[0] * padded[x] }
                    for distance in 1..<max(radius + 1, 1) {
                        let weight = kernel[distance]
                        let (left, right) = (padded - distance, padded + distance)
                        for x in 0..<width { result[x] += weight * (left[x] + right[x]) }
                    }
                }
            }
        }
    }

    /// Returns the plane at half the size, each pixel a mean of 4 × 4 weighted 1 3 3 1, so that little is
    /// left of what is too fine for the new size. Positions measured from the corner of the plane are halved
    /// exactly.
    func halved() -> Plane {
        let (halfWidth, halfHeight) = (max(width / 2, 1), max(height / 2, 1))
        var half = [Float](repeating: 0, count: halfWidth * halfHeight)
        var row = [Float](repeating: 0, count: width)
        values.withUnsafeBufferPointer { source in
            half.withUnsafeMutableBufferPointer { target in
                row.withUnsafeMutableBufferPointer { row in
                    for y in 0..<halfHeight {
                        let rows = (-1...2).map { min(max(2 * y + $0, 0), height - 1) * width }
                        for x in 0..<width {
                            row[x] =
                                0.125 * (source[rows[0] + x] + source[rows[3] + x])
                                + 0.375 * (source[rows[1] + x] + source[rows[2] + x])
                        }
                        for x in 0..<halfWidth {
                            let (left, right) = (max(2 * x - 1, 0), min(2 * x + 2, width - 1))
                            let next = min(2 * x + 1, width - 1)
                            target[y * halfWidth + x] =
                                0.125 * (row[left] + row[right]) + 0.375 * (row[2 * x] + row[next])
                        }
                    }
                }
            }
        }
        return Plane(width: halfWidth, height: halfHeight, values: half)
    }

    /// Returns the derivatives of the plane across and down, as central differences; zero at the borders.
    func derivatives() -> (across: Plane, down: Plane) {
        var across = [Float](repeating: 0, count: width * height)
        var down = across
        values.withUnsafeBufferPointer { source in
            across.withUnsafeMutableBufferPointer { across in
                down.withUnsafeMutableBufferPointer { down in
                    guard width > 2, height > 2 else { return }
                    for y in 1..<height - 1 {
                        for index in y * width + 1..<(y + 1) * width - 1 {
                            across[index] = 0.5 * (source[index + 1] - source[index - 1])
                            down[index] = 0.5 * (source[index + width] - source[index - width])
                        }
                    }
                }
            }
        }
        return (
            Plane(width: width, height: height, values: across),
            Plane(width: width, height: height, values: down)
        )
    }

    /// Returns the difference from another plane of the same size.
    static func - (one: Plane, other: Plane) -> Plane {
        other.values.withUnsafeBufferPointer { subtracted in
            one.written { source, target in
                for index in 0..<subtracted.count { target[index] = source[index] - subtracted[index] }
            }
        }
    }

    /// Returns the middle and one side of a Gaussian kernel whose whole sum is 1.
    static func gaussian(_ deviation: Float) -> [Float] {
        let radius = max(Int((3 * deviation).rounded(.up)), 1)
        let weights = (0...radius).map { exponential(-Float($0 * $0) / (2 * deviation * deviation)) }
        let sum = 2 * weights.reduce(0, +) - weights[0]
        return weights.map { $0 / sum }
    }

    /// Returns e to the power of a number of at most 0: the series of a 1,024th of it, to the power of 1,024.
    static func exponential(_ exponent: Float) -> Float {
        let part = Double(max(exponent, -80)) / 1024
        var power = 1 + part * (1 + part / 2 * (1 + part / 3))
        for _ in 0..<10 { power *= power }
        return Float(power)
    }
}
