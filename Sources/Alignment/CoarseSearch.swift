/// A search for the shift, turn and scale at which two pictures' edges fit best, which tries all of them at a size of
/// about 60 pixels.
///
/// What is compared is the magnitude of the gradient divided by its local mean, which is about the same by
/// day and by night and on faded prints. This finds the place where grain, a soft print or a plain scene
/// leave too few keypoints.
struct CoarseSearch {
    /// How many pixels of the pictures one compared pixel is wide.
    let spacing: Double
    private let now, then: Plane

    /// The turns that are tried, as tangents.
    private static let turns: [Double] = [0, -0.05, 0.05, -0.1, 0.1]
    /// The scales that are tried.
    private static let scales: [Double] = [1, 0.92, 1.087, 0.85, 1.176]
    /// The largest shift that is tried, in widths of the picture.
    private static let largestShift = 0.16

    /// Prepares two pictures of the same size, of at most 160 pixels.
    init(now: Plane, then: Plane, spacing: Double) {
        let (now, then) = (Self.edges(of: now), Self.edges(of: then))
        let isHalved = max(now.width, now.height) > 88
        self.now = isHalved ? now.halved() : now
        self.then = isHalved ? then.halved() : then
        self.spacing = isHalved ? 2 * spacing : spacing
    }

    private static func edges(of picture: Plane) -> Plane {
        let slopes = picture.blurred(0.7).derivatives()
        var size = Plane(
            width: picture.width, height: picture.height,
            values: zip(slopes.across.values, slopes.down.values).map { ($0 * $0 + $1 * $1).squareRoot() })
        let local = size.blurred(6)
        for index in size.values.indices { size.values[index] /= local.values[index] + 0.5 }
        return size.blurred(0.8)
    }

    /// Returns the best maps, the best first, in pixels of the pictures.
    func homographies(most: Int = 3) -> [Homography] {
        let (width, height) = (now.width, now.height)
        let reach = Int(Self.largestShift * Double(width))
        guard width >= 16, height >= 12, max(width, height) <= 88 else { return [] }
        var found: [(score: Float, map: Homography)] = []
        let (middleX, middleY) = (Double(width) / 2, Double(height) / 2)
        for scale in Self.scales {
            for turn in Self.turns {
                let length = (1 + turn * turn).squareRoot()
                let (a, b) = (scale / length, scale * turn / length)
                // The map without a shift, about the middle of the picture, and the now picture as that shows
                // it.
                let shiftX = middleX - a * middleX + b * middleY
                let shiftY = middleY - b * middleX - a * middleY
                guard let map = Homography([a, -b, shiftX, b, a, shiftY, 0, 0, 1]), let back = map.inverse
                else { continue }
                let moved = look(through: back)
                guard let best = bestShift(of: moved, reach: reach),
                    let whole = Homography([
                        a, -b, shiftX + Double(best.x), b, a, shiftY + Double(best.y), 0, 0, 1,
                    ])?.scaled(x: spacing, y: spacing)
                else { continue }
                found.append((best.score, whole))
            }
        }
        return found.sorted { $0.score > $1.score }.prefix(most).map(\.map)
    }

    /// Returns the now picture as seen through a map from the then picture, and where there is something to
    /// see: 1 there, elsewhere 0.
    private func look(through map: Homography) -> (picture: Plane, mask: Plane) {
        let (width, height) = (now.width, now.height)
        var values = [Float](repeating: 0, count: width * height)
        var mask = values
        for y in 0..<height {
            for x in 0..<width {
                guard let place = map.applied(to: (x: Double(x) + 0.5, y: Double(y) + 0.5)) else { continue }
                let (fromX, fromY) = (place.x - 0.5, place.y - 0.5)
                guard fromX >= 0, fromY >= 0, fromX < Double(width - 1), fromY < Double(height - 1) else {
                    continue
                }
                let (partX, partY) = (Float(fromX) - Float(Int(fromX)), Float(fromY) - Float(Int(fromY)))
                let source = Int(fromY) * width + Int(fromX)
                let upper = now.values[source] * (1 - partX) + now.values[source + 1] * partX
                let lower = now.values[source + width] * (1 - partX) + now.values[source + width + 1] * partX
                values[y * width + x] = upper * (1 - partY) + lower * partY
                mask[y * width + x] = 1
            }
        }
        return (
            Plane(width: width, height: height, values: values),
            Plane(width: width, height: height, values: mask)
        )
    }

    /// Returns the shift at which a moved now picture correlates best with the then picture, among those at
    /// which at least half of it overlaps.
    private func bestShift(of moved: (picture: Plane, mask: Plane), reach: Int) -> (
        score: Float, x: Int, y: Int
    )? {
        var best: (score: Float, x: Int, y: Int)?
        for shiftY in -reach...reach {
            for shiftX in -reach...reach {
                let score = correlation(of: moved, shiftX: shiftX, shiftY: shiftY)
                if score > best?.score ?? 0 { best = (score, shiftX, shiftY) }
            }
        }
        return best
    }

    private func correlation(of moved: (picture: Plane, mask: Plane), shiftX: Int, shiftY: Int) -> Float {
        typealias Lanes = SIMD8<Float>
        let (width, height) = (now.width, now.height)
        let columns = max(0, -shiftX)..<min(width, width - shiftX)
        var (count, one, two) = (Lanes.zero, Lanes.zero, Lanes.zero)
        var (oneOne, twoTwo, oneTwo) = (Lanes.zero, Lanes.zero, Lanes.zero)
        moved.picture.values.withUnsafeBytes { picture in
            moved.mask.values.withUnsafeBytes { mask in
                then.values.withUnsafeBytes { then in
                    for y in max(0, -shiftY)..<min(height, height - shiftY) {
                        let (row, other) = (y * width, (y + shiftY) * width + shiftX)
                        // Up to seven columns at the right are left out, too few to matter.
                        for x in stride(from: columns.lowerBound, through: columns.upperBound - 8, by: 8) {
                            let seen = mask.loadUnaligned(fromByteOffset: 4 * (row + x), as: Lanes.self)
                            let mine = picture.loadUnaligned(fromByteOffset: 4 * (row + x), as: Lanes.self)
                            let all = then.loadUnaligned(fromByteOffset: 4 * (other + x), as: Lanes.self)
                            let theirs = all * seen
                            count += seen
                            one += mine
                            two += theirs
                            oneOne += mine * mine
                            twoTwo += theirs * theirs
                            oneTwo += mine * theirs
                        }
                    }
                }
            }
        }
        let (all, mine, theirs) = (count.sum(), one.sum(), two.sum())
        guard all > 0.5 * Float(width * height) else { return 0 }
        let (mineVaries, theirsVaries) = (
            oneOne.sum() - mine * mine / all, twoTwo.sum() - theirs * theirs / all
        )
        guard mineVaries > 1e-3, theirsVaries > 1e-3 else { return 0 }
        return (oneTwo.sum() - mine * theirs / all) / (mineVaries * theirsVaries).squareRoot()
    }
}
