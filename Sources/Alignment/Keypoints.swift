/// A blob of a picture, which is found again in another picture of the same view.
struct Keypoint {
    /// The position in pixels from the upper left corner of the picture.
    var x, y: Float
    /// The standard deviation of the Gaussian that fits the blob, in pixels of the picture.
    var scale: Float
    /// The octave and the plane of the scale space in which the blob was found.
    var octave, plane: Int
    /// Whether the blob is darker than what surrounds it.
    var isDark: Bool
    /// How much the blob differs from what surrounds it.
    var response: Float
}

extension ScaleSpace {
    /// The most keypoints that a picture has.
    static let mostKeypoints = 1600

    /// Returns the extrema of the differences over position and scale, without those along edges, the
    /// strongest of each part of the picture (Lowe 2004, sections 3 and 4).
    func keypoints() -> [Keypoint] {
        guard let finest = octaves.first else { return [] }
        var found: [Keypoint] = []
        for (index, octave) in octaves.enumerated() {
            for plane in 1...Self.scales { Self.find(in: octave, index: index, plane: plane, into: &found) }
        }
        // Equal responses are ordered by position, since sorting isn't stable.
        found.sort { ($0.response, $0.y, $0.x) > ($1.response, $1.y, $1.x) }

        // An equal share for each part, so that a tree doesn't take the places of the faint skyline beside it.
        let (columns, rows) = (10, 8)
        let width = Float(finest.planes[0].width) * finest.spacing
        let height = Float(finest.planes[0].height) * finest.spacing
        var counts = [Int](repeating: 0, count: columns * rows)
        var kept: [Keypoint] = []
        for keypoint in found {
            let column = min(max(Int(keypoint.x / width * Float(columns)), 0), columns - 1)
            let row = min(max(Int(keypoint.y / height * Float(rows)), 0), rows - 1)
            guard counts[row * columns + column] < 2 * Self.mostKeypoints / (columns * rows) else { continue }
            counts[row * columns + column] += 1
            kept.append(keypoint)
            if kept.count == Self.mostKeypoints { break }
        }
        return kept
    }

    private static func find(in octave: Octave, index: Int, plane: Int, into found: inout [Keypoint]) {
        let (width, height) = (octave.planes[0].width, octave.planes[0].height)
        let border = 4
        guard width > 2 * border, height > 2 * border else { return }
        octave.differences[plane - 1].values.withUnsafeBufferPointer { finer in
            octave.differences[plane].values.withUnsafeBufferPointer { middle in
                octave.differences[plane + 1].values.withUnsafeBufferPointer { coarser in
                    for y in border..<height - border {
                        for x in border..<width - border {
                            let place = y * width + x
                            let value = middle[place]
                            // Fainter than the rounding of the picture's bytes: no blob that both pictures
                            // could show.
                            guard abs(value) > 0.25 else { continue }
                            let isDark = value > 0
                            let sign: Float = isDark ? 1 : -1
                            let size = sign * value
                            guard sign * middle[place - 1] < size, sign * middle[place + 1] <= size,
                                sign * middle[place - width] < size, sign * middle[place + width] <= size,
                                sign * finer[place] < size, sign * coarser[place] <= size
                            else { continue }
                            var isExtreme = true
                            for down in -1...1 where isExtreme {
                                for across in -1...1 {
                                    let neighbour = place + down * width + across
                                    if sign * finer[neighbour] > size || sign * coarser[neighbour] > size
                                        || sign * middle[neighbour] > size
                                    {
                                        isExtreme = false
                                        break
                                    }
                                }
                            }
                            guard isExtreme else { continue }

                            let curveX = middle[place - 1] + middle[place + 1] - 2 * value
                            let curveY = middle[place - width] + middle[place + width] - 2 * value
                            let curveXY =
                                0.25
                                * (middle[place + width + 1] - middle[place + width - 1]
                                    - middle[place - width + 1]
                                    + middle[place - width - 1])
                            let (trace, determinant) = (curveX + curveY, curveX * curveY - curveXY * curveXY)
                            // An edge is 10 times as curved across as it is along; its blob can be anywhere
                            // on it.
                            guard determinant > 0, trace * trace * 10 < 121 * determinant else { continue }

                            let offsetX = offset(middle[place - 1], value, middle[place + 1])
                            let offsetY = offset(middle[place - width], value, middle[place + width])
                            let offsetScale = offset(finer[place], value, coarser[place])
                            var scale = firstDeviation * octave.spacing
                            for _ in 0..<plane { scale *= step }
                            // The cube root of 2 to the power of the offset, to second order.
                            let power = 0.2310491 * offsetScale
                            scale *= 1 + power + 0.5 * power * power
                            found.append(
                                Keypoint(
                                    x: (Float(x) + 0.5 + offsetX) * octave.spacing,
                                    y: (Float(y) + 0.5 + offsetY) * octave.spacing, scale: scale,
                                    octave: index,
                                    plane: plane, isDark: isDark, response: size))
                        }
                    }
                }
            }
        }
    }

    /// Returns where the parabola through three neighbouring values has its extreme, as an offset from the
    /// middle one.
    private static func offset(_ before: Float, _ middle: Float, _ after: Float) -> Float {
        let curve = before + after - 2 * middle
        guard abs(curve) > 1e-6 else { return 0 }
        return min(max(0.5 * (before - after) / curve, -0.5), 0.5)
    }
}
