/// Descriptions of keypoints' surroundings: for each, the directions of the gradients in 4 × 4 cells around it, as 16
/// histograms of 8 directions.
///
/// After Lowe (2004), section 6, with three differences: descriptors are upright, since both pictures were
/// held upright, which tells more places apart; directions are counted by the square of the half-wave
/// rectified cosine, which needs no arc tangent; and the square roots are compared (R. Arandjelović and A.
/// Zisserman, *Three things everyone should know to improve object retrieval*, CVPR 2012). The negative of a
/// picture has the same descriptor with the opposite directions.
struct Descriptors {
    typealias Histogram = SIMD8<Float>
    /// The histograms of one descriptor.
    static let histograms = 16

    /// The histograms of all keypoints, 16 after another.
    private(set) var values: [Histogram] = []

    /// The width of a cell in standard deviations of the keypoint.
    static let cellWidth: Float = 4

    private static let cosines: Histogram = [1, 0.70710678, 0, -0.70710678, -1, -0.70710678, 0, 0.70710678]
    private static let sines: Histogram = [0, 0.70710678, 1, 0.70710678, 0, -0.70710678, -1, -0.70710678]

    /// Samples of a cell across and down.
    private static let samples = 4

    init(_ keypoints: [Keypoint], in space: ScaleSpace) {
        values.reserveCapacity(keypoints.count * Self.histograms)
        let weights = Self.weights()
        var cells = [Histogram](repeating: .zero, count: Self.histograms)
        for keypoint in keypoints {
            let octave = space.octaves[keypoint.octave]
            for index in cells.indices { cells[index] = .zero }
            Self.add(
                keypoint, spacing: octave.spacing, plane: octave.planes[keypoint.plane], weights: weights,
                to: &cells)
            let sum = cells.reduce(0) { $0 + $1.sum() }
            let scale = sum > 1e-6 ? 1 / sum : 0
            values.append(contentsOf: cells.lazy.map { ($0 * scale).squareRoot() })
        }
    }

    /// Returns the weights of the 16 samples of a row for each of the 4 cells across, and for a Gaussian over all.
    private static func weights() -> [SIMD4<Float>] {
        (0..<4 * samples).map { sample in
            let position = (Float(sample) + 0.5) / Float(samples) - 0.5
            let window = Plane.exponential(-(position - 1.5) * (position - 1.5) / (2 * 1.6 * 1.6))
            return SIMD4((0..<4).map { max(0, 1 - abs(position - Float($0))) * window })
        }
    }

    private static func add(
        _ keypoint: Keypoint, spacing: Float, plane: Plane, weights: [SIMD4<Float>],
        to cells: inout [Histogram]
    ) {
        let (width, height) = (plane.width, plane.height)
        let step = cellWidth * keypoint.scale / spacing / Float(samples)
        let (middleX, middleY) = (keypoint.x / spacing, keypoint.y / spacing)
        let half = 0.5 * Float(4 * samples - 1)
        plane.values.withUnsafeBufferPointer { source in
            weights.withUnsafeBufferPointer { weights in
                cells.withUnsafeMutableBufferPointer { cells in
                    for down in 0..<4 * samples {
                        let y = min(max(Int(middleY + (Float(down) - half) * step), 1), height - 2)
                        var row = (Histogram.zero, Histogram.zero, Histogram.zero, Histogram.zero)
                        for across in 0..<4 * samples {
                            let x = min(max(Int(middleX + (Float(across) - half) * step), 1), width - 2)
                            let place = y * width + x
                            let slopeX = source[place + 1] - source[place - 1]
                            let slopeY = source[place + width] - source[place - width]
                            let size = (slopeX * slopeX + slopeY * slopeY).squareRoot()
                            guard size > 1e-4 else { continue }
                            var directions = slopeX * cosines + slopeY * sines
                            directions.clamp(
                                lowerBound: .zero, upperBound: .init(repeating: .greatestFiniteMagnitude))
                            directions *= directions * (1 / size)
                            let weight = weights[across]
                            row.0 += directions * weight.x
                            row.1 += directions * weight.y
                            row.2 += directions * weight.z
                            row.3 += directions * weight.w
                        }
                        for cell in 0..<4 {
                            let weight = weights[down][cell]
                            guard weight > 0 else { continue }
                            cells[4 * cell] += row.0 * weight
                            cells[4 * cell + 1] += row.1 * weight
                            cells[4 * cell + 2] += row.2 * weight
                            cells[4 * cell + 3] += row.3 * weight
                        }
                    }
                }
            }
        }
    }

    /// Returns the descriptors of the same places in the negative of the picture.
    func reversed() -> Descriptors {
        var reversed = self
        reversed.values = values.map { Histogram(lowHalf: $0.highHalf, highHalf: $0.lowHalf) }
        return reversed
    }
}
