import Alignment
import Imaging

extension Canvas {
    /// Draws pixels between those of another canvas, by cubic convolution.
    ///
    /// Where the map leads beyond the other canvas, the pixels of its edge are repeated.
    ///
    /// - Parameters:
    ///   - source: the other canvas, at least four pixels wide and high.
    ///   - area: the pixels to draw, within this canvas.
    ///   - map: the map from places on this canvas to places on the other, measured from the upper left corner.
    func draw(_ source: Canvas, in area: PixelArea, resampledBy map: Homography) {
        precondition(source.width >= 4 && source.height >= 4, "too few pixels to resample")
        precondition(
            area.x >= 0 && area.y >= 0 && area.x + area.width <= width && area.y + area.height <= height)
        let m = map.elements
        let weights = CubicWeights.table
        let sourceRow = source.width * 3
        let (lastX, lastY) = (Double(source.width - 3), Double(source.height - 3))
        weights.withUnsafeBufferPointer { weights in
            for y in area.y..<area.y + area.height {
                let middle = Double(y) + 0.5
                var pixel = pixels + (y * width + area.x) * 3
                for x in area.x..<area.x + area.width {
                    let across = Double(x) + 0.5
                    let scale = 1 / (m[6] * across + m[7] * middle + m[8])
                    let sourceX = (m[0] * across + m[1] * middle + m[2]) * scale - 0.5
                    let sourceY = (m[3] * across + m[4] * middle + m[5]) * scale - 0.5
                    // Written so that NaN becomes 1, too.
                    let left = sourceX > 1 ? min(sourceX, lastX) : 1
                    let top = sourceY > 1 ? min(sourceY, lastY) : 1
                    let (column, row) = (Int(left), Int(top))
                    let acrossWeights = Int((left - Double(column)) * CubicWeights.steps) * 4
                    let downWeights = Int((top - Double(row)) * CubicWeights.steps) * 4
                    var (red, green, blue): (Int32, Int32, Int32) = (0, 0, 0)
                    var line = UnsafePointer(source.pixels) + (row - 1) * sourceRow + (column - 1) * 3
                    for down in 0..<4 {
                        var (lineRed, lineGreen, lineBlue): (Int32, Int32, Int32) = (0, 0, 0)
                        for tap in 0..<4 {
                            let weight = weights[acrossWeights + tap]
                            lineRed += weight * Int32(line[tap * 3])
                            lineGreen += weight * Int32(line[tap * 3 + 1])
                            lineBlue += weight * Int32(line[tap * 3 + 2])
                        }
                        let weight = weights[downWeights + down]
                        red += weight * lineRed
                        green += weight * lineGreen
                        blue += weight * lineBlue
                        line += sourceRow
                    }
                    pixel[0] = CubicWeights.level(red)
                    pixel[1] = CubicWeights.level(green)
                    pixel[2] = CubicWeights.level(blue)
                    pixel += 3
                }
            }
        }
    }
}

/// The weights of four neighbouring pixels for a place between the inner two of them (R. Keys, *Cubic Convolution
/// Interpolation for Digital Image Processing*, 1981, with a = -1/2).
private enum CubicWeights {
    /// The number of places between two pixels.
    static let steps = 256.0
    /// The sum of the weights of four pixels: 1024, so that a level times two weights fits in 32 bits.
    private static let one = 1024.0

    /// The four weights for each place.
    static let table: [Int32] = (0..<Int(steps)).flatMap { step in
        // The middle of the places that are rounded to this step.
        let t = (Double(step) + 0.5) / steps
        let outer = [-0.5 * t * (1 - t) * (1 - t), -0.5 * t * t * (1 - t)].map { Int32(($0 * one).rounded()) }
        let left = Int32(((1.5 * t - 2.5) * t * t * one).rounded()) + Int32(one)
        return [outer[0], left, Int32(one) - outer[0] - outer[1] - left, outer[1]]
    }

    /// Returns the level of a sum of levels with two weights each.
    static func level(_ sum: Int32) -> UInt8 {
        UInt8(truncatingIfNeeded: min(max((sum + 1 << 19) >> 20, 0), 255))
    }
}
