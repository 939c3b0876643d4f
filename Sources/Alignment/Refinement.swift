/// One size of a pair of pictures, prepared for `Refinement`.
struct Level {
    let now, then: Plane
    let slopes: (across: Plane, down: Plane)
    /// How many pixels of the pictures one pixel of this level is wide.
    let spacing: Double

    init(now: Plane, then: Plane, spacing: Double, blur: Float) {
        self.now = now.blurred(blur)
        self.then = then.blurred(blur)
        self.spacing = spacing
        slopes = self.now.derivatives()
    }
}

/// A method that moves a map by fractions of a pixel until the brightness of both pictures agrees best.
///
/// The method of B. Lucas and T. Kanade (*An Iterative Image Registration Technique*, IJCAI 1981) with the
/// warp composed as in S. Baker and I. Matthews (*Lucas-Kanade 20 Years On*, International Journal of
/// Computer Vision 56, 2004). The picture is divided into blocks. Each block has a gain and an offset of its
/// own, fitted at each step; a gain may be negative, so that light that changes from place to place, fading
/// and reversed contrast are all the same to it. A block says by how much it seems to be off, and counts by
/// how well its brightness is explained: foreign objects and plain skies hardly count.
struct Refinement {
    let level: Level
    private let blocks: [Block]

    /// The width and height of a block in pixels of the level.
    static let side = 16

    /// What a block of the now picture contributes whatever the map is.
    private struct Block {
        var left, top: Int
        var mean: Float
        /// The sum of squares of the brightness, less its mean.
        var power: Float
        /// The means of the slopes, and the sums of slope × brightness.
        var meanX, meanY, alongX, alongY: Float
        /// The sums of products of the slopes, without what a mean or a gain can explain.
        var xx, xy, yy: Float
    }

    /// How well a map explains the pictures.
    struct Agreement {
        /// Blocks with something to see.
        var blocks = 0
        /// Blocks among these whose brightness a gain and an offset explain to more than a third, and that
        /// are not off.
        var agreeing = 0
    }

    init(_ level: Level, stride: Int = Refinement.side) {
        self.level = level
        let (now, slopes) = (level.now, level.slopes)
        var blocks: [Block] = []
        for top in Swift.stride(from: 1, through: now.height - Self.side - 1, by: stride) {
            for left in Swift.stride(from: 1, through: now.width - Self.side - 1, by: stride) {
                if let block = Self.block(left: left, top: top, of: now, slopes) { blocks.append(block) }
            }
        }
        self.blocks = blocks
    }

    private static func block(
        left: Int, top: Int, of now: Plane, _ slopes: (across: Plane, down: Plane)
    ) -> Block? {
        var sums = (
            value: Float(0), square: Float(0), x: Float(0), y: Float(0), xValue: Float(0), yValue: Float(0)
        )
        var (xx, xy, yy): (Float, Float, Float) = (0, 0, 0)
        let reference = now.values[top * now.width + left]
        for y in top..<top + side {
            for place in y * now.width + left..<y * now.width + left + side {
                let value = now.values[place] - reference
                let (x, y) = (slopes.across.values[place], slopes.down.values[place])
                sums.value += value
                sums.square += value * value
                sums.x += x
                sums.y += y
                sums.xValue += x * value
                sums.yValue += y * value
                xx += x * x
                xy += x * y
                yy += y * y
            }
        }
        let count = Float(side * side)
        let mean = sums.value / count
        let power = sums.square - mean * sums.value
        // Less than one step of brightness: nothing to see.
        guard power > count else { return nil }
        let (meanX, meanY) = (sums.x / count, sums.y / count)
        let (alongX, alongY) = (sums.xValue - mean * sums.x, sums.yValue - mean * sums.y)
        return Block(
            left: left, top: top, mean: mean + reference, power: power, meanX: meanX, meanY: meanY,
            alongX: alongX,
            alongY: alongY, xx: xx - meanX * sums.x - alongX * alongX / power,
            xy: xy - meanX * sums.y - alongX * alongY / power,
            yy: yy - meanY * sums.y - alongY * alongY / power)
    }

    /// The opinion of a block about a map.
    struct Vote {
        /// The middle of the block, in pixels of the level.
        var x, y: Double
        /// By how many pixels the block seems to be off.
        var across, down: Double
        /// How sure that is, as the inverse of its covariance.
        var xx, xy, yy: Double
        /// The square of the correlation.
        var correlation: Double
    }

    /// Returns the map that explains the pictures best near a given one, in pixels of the pictures, or nil if
    /// hardly any block remains.
    func refined(_ map: Homography, steps: Int, isAffine: Bool) -> Homography? {
        guard var current = map.scaled(x: 1 / level.spacing, y: 1 / level.spacing) else { return nil }
        let (width, height) = (Double(level.now.width), Double(level.now.height))
        for _ in 0..<steps {
            guard
                let change = Consensus(
                    of: votes(on: current), width: width, height: height, isAffine: isAffine)?.change,
                let next = change.inverse?.followed(by: current)
            else { return nil }
            current = next
            if let moved = change.distance(to: .identity, width: width, height: height), moved < 0.005 {
                break
            }
        }
        return current.scaled(x: level.spacing, y: level.spacing)
    }

    /// Returns how well a map explains the pictures.
    func agreement(of map: Homography) -> Agreement {
        guard let map = map.scaled(x: 1 / level.spacing, y: 1 / level.spacing) else { return Agreement() }
        let votes = self.votes(on: map)
        let agreeing = votes.count { vote in
            vote.correlation > 0.35 && vote.across * vote.across + vote.down * vote.down < 1
        }
        return Agreement(blocks: votes.count, agreeing: agreeing)
    }

    private func votes(on map: Homography) -> [Vote] {
        level.now.values.withUnsafeBufferPointer { now in
            level.then.values.withUnsafeBufferPointer { then in
                level.slopes.across.values.withUnsafeBufferPointer { across in
                    level.slopes.down.values.withUnsafeBufferPointer { down in
                        blocks.compactMap { vote(of: $0, on: map, now, then, across, down) }
                    }
                }
            }
        }
    }

    private func vote(
        of block: Block, on map: Homography, _ now: UnsafeBufferPointer<Float>,
        _ then: UnsafeBufferPointer<Float>,
        _ across: UnsafeBufferPointer<Float>, _ down: UnsafeBufferPointer<Float>
    ) -> Vote? {
        let side = Double(Self.side)
        let (x, y) = (Double(block.left) + side / 2, Double(block.top) + side / 2)
        // Within a block, the map is as good as affine.
        let m = map.elements
        let scale = m[6] * x + m[7] * y + 1
        guard scale > 0.1 else { return nil }
        let middle = (x: (m[0] * x + m[1] * y + m[2]) / scale, y: (m[3] * x + m[4] * y + m[5]) / scale)
        let right = (x: Float((m[0] - m[6] * middle.x) / scale), y: Float((m[3] - m[6] * middle.y) / scale))
        let below = (x: Float((m[1] - m[7] * middle.x) / scale), y: Float((m[4] - m[7] * middle.y) / scale))
        let half = Float(Self.side - 1) / 2
        // Half a pixel less, since a pixel's value is that at its middle.
        let start = (
            x: Float(middle.x - 0.5) - half * (right.x + below.x),
            y: Float(middle.y - 0.5) - half * (right.y + below.y)
        )
        let reach = Float(Self.side - 1)
        let (width, height) = (level.then.width, level.then.height)
        let left = start.x + min(0, reach * right.x) + min(0, reach * below.x)
        let top = start.y + min(0, reach * right.y) + min(0, reach * below.y)
        let end = start.x + max(0, reach * right.x) + max(0, reach * below.x)
        let bottom = start.y + max(0, reach * right.y) + max(0, reach * below.y)
        guard left >= 0.01, top >= 0.01, end < Float(width) - 1.01, bottom < Float(height) - 1.01 else {
            return nil
        }

        var (sum, square, product, productX, productY): (Float, Float, Float, Float, Float) = (0, 0, 0, 0, 0)
        let reference = then[Int(Float(middle.y)) * width + Int(Float(middle.x))]
        for row in 0..<Self.side {
            let place = (block.top + row) * level.now.width + block.left
            let (rowX, rowY) = (start.x + Float(row) * below.x, start.y + Float(row) * below.y)
            for column in 0..<Self.side {
                let (x, y) = (rowX + Float(column) * right.x, rowY + Float(column) * right.y)
                let (wholeX, wholeY) = (Int(x), Int(y))
                let (partX, partY) = (x - Float(wholeX), y - Float(wholeY))
                let source = wholeY * width + wholeX
                let upper = then[source] + partX * (then[source + 1] - then[source])
                let lower = then[source + width] + partX * (then[source + width + 1] - then[source + width])
                let value = upper + partY * (lower - upper) - reference
                sum += value
                square += value * value
                product += value * (now[place + column] - block.mean)
                productX += value * across[place + column]
                productY += value * down[place + column]
            }
        }
        let count = Float(Self.side * Self.side)
        let power = square - sum * sum / count
        let gain = product / block.power
        guard power > 0.25 * count else { return nil }
        let explained = min(gain * product / power, 0.98)
        // The rest has at least the variance of rounding to bytes.
        let rest = max((1 - explained) * power / count, 0.05)
        let slopeX = productX - block.meanX * sum - gain * block.alongX
        let slopeY = productY - block.meanY * sum - gain * block.alongY
        // A little more than nothing on the diagonal, for blocks with a slope in one direction alone.
        let least = 0.001 * (block.xx + block.yy) + 0.1
        let (xx, yy) = (block.xx + least, block.yy + least)
        let determinant = xx * yy - block.xy * block.xy
        guard determinant > 0, abs(gain) > 1e-4 else { return nil }
        let sure = Double(gain * gain / rest)
        return Vote(
            x: x, y: y, across: Double((yy * slopeX - block.xy * slopeY) / determinant / gain),
            down: Double((xx * slopeY - block.xy * slopeX) / determinant / gain), xx: Double(block.xx) * sure,
            xy: Double(block.xy) * sure, yy: Double(block.yy) * sure, correlation: Double(max(explained, 0)))
    }
}
