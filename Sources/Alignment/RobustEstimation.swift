/// A search for the map on which most matches agree, although many of them may be wrong.
///
/// Samples are of two matches, which fix a shift, a turn and a scale, and come from the clearest matches
/// first (O. Chum and J. Matas, *Matching with PROSAC*, CVPR 2005). A sample of two is right far more often
/// than one of four, and pictures taken from about the same place differ by little else. The best ones are
/// improved step by step to an affine map and a homography, with weights that fall off softly within a
/// shrinking reach (as in D. Barath and others, *MAGSAC++*, CVPR 2020).
struct RobustEstimation {
    /// The matches, the clearest first.
    let matches: [Match]
    /// The sides of the pictures in pixels.
    let width, height: Double

    /// The longest side, by which distances are judged.
    private var side: Double { max(width, height) }

    /// A shift, turn and scale: x′ = a x − b y + c, y′ = b x + a y + d.
    private struct Similarity {
        var a, b, c, d: Double

        /// Creates the map of two matches, or returns nil if it turns or scales more than two pictures of one
        /// view do.
        init?(_ one: Match, _ two: Match, closest: Double) {
            let (from, to) = (two.from - one.from, two.to - one.to)
            let length = (from * from).sum()
            guard length > closest * closest else { return nil }
            a = (from * to).sum() / length
            b = (from.x * to.y - from.y * to.x) / length
            let scale = a * a + b * b
            // The tangent of 30° bounds the turn.
            guard scale > 0.35, scale < 2.8, a > 0, abs(b) < 0.57735 * a else { return nil }
            c = one.to.x - a * one.from.x + b * one.from.y
            d = one.to.y - b * one.from.x - a * one.from.y
        }
    }

    /// Returns the maps on which most matches agree, the best first, each within `reach` of the longest side.
    func homographies(reach: Double = 0.02, samples: Int = 6000, most: Int = 3) -> [Homography] {
        guard matches.count >= 4 else { return [] }
        var random = RandomNumbers(seed: 17)
        var best: [(score: Double, map: Similarity)] = []
        let tolerance = reach * side
        let points = matches.map { SIMD4($0.from.x, $0.from.y, $0.to.x, $0.to.y) }
        for sample in 0..<samples {
            // The first samples come from the 10 clearest matches, the last ones from all.
            let pool = min(matches.count, 10 + matches.count * sample / max(samples * 2 / 3, 1))
            let (first, second) = (random.next(below: pool), random.next(below: pool))
            guard first != second,
                let map = Similarity(matches[first], matches[second], closest: 0.08 * side)
            else { continue }
            let score = Self.score(of: map, points: points, tolerance: tolerance)
            let worst = best.count == most ? best[most - 1].score : 0
            guard score > worst else { continue }
            // Of two that do nearly the same to the picture, the better one is kept.
            if let known = best.firstIndex(where: { isNear($0.map, map, tolerance) }) {
                guard score > best[known].score else { continue }
                best.remove(at: known)
            } else if best.count == most {
                best.removeLast()
            }
            best.insert((score, map), at: best.firstIndex { $0.score < score } ?? best.count)
        }
        return best.compactMap { improved($0.map, reach: tolerance) }
            .map { (inliers(of: $0, within: 0.004 * side), $0) }
            .sorted { $0.0 > $1.0 }.map(\.1)
    }

    private static func score(of map: Similarity, points: [SIMD4<Double>], tolerance: Double) -> Double {
        let limit = 1 / (tolerance * tolerance)
        var score = 0.0
        points.withUnsafeBufferPointer { points in
            for point in points {
                let x = map.a * point.x - map.b * point.y + map.c - point.z
                let y = map.b * point.x + map.a * point.y + map.d - point.w
                score += max(0, 1 - (x * x + y * y) * limit)
            }
        }
        return score
    }

    private func isNear(_ one: Similarity, _ two: Similarity, _ tolerance: Double) -> Bool {
        [(0.0, 0.0), (width, 0), (0, height), (width, height)].allSatisfy { x, y in
            let across = (one.a - two.a) * x - (one.b - two.b) * y + one.c - two.c
            let down = (one.b - two.b) * x + (one.a - two.a) * y + one.d - two.d
            return across * across + down * down < 4 * tolerance * tolerance
        }
    }

    /// Returns the homography that fits the matches near a similarity best.
    private func improved(_ map: Similarity, reach: Double) -> Homography? {
        var homography = Homography([map.a, -map.b, map.c, map.b, map.a, map.d, 0, 0, 1])
        for (factor, isAffine) in [
            (1.0, true), (0.7, true), (0.5, false), (0.35, false), (0.25, false), (0.2, false),
        ] {
            guard let current = homography else { return nil }
            homography = fitted(to: current, reach: factor * reach, isAffine: isAffine) ?? current
        }
        return homography
    }

    /// Returns the map that fits best the matches within a reach of another map, by linear least squares;
    /// with few of them, the terms of perspective are held small.
    func fitted(to map: Homography, reach: Double, isAffine: Bool) -> Homography? {
        let pairs = matches.compactMap { match -> WeightedFit.Pair? in
            guard let moved = map.applied(to: (x: match.from.x, y: match.from.y)) else { return nil }
            let (x, y) = (moved.x - match.to.x, moved.y - match.to.y)
            let rest = 1 - (x * x + y * y) / (reach * reach)
            guard rest > 0 else { return nil }
            return .init(from: match.from, to: match.to, weight: rest * rest)
        }
        return WeightedFit(width: width, height: height).homography(of: pairs, isAffine: isAffine)
    }

    /// Returns how many matches a map takes within a distance of their place in the then picture. Several
    /// matches in one small part of the picture count once.
    func inliers(of map: Homography, within distance: Double) -> Int {
        var parts: Set<SIMD2<Int32>> = []
        let part = 0.012 * side
        for match in matches {
            guard let moved = map.applied(to: (x: match.from.x, y: match.from.y)) else { continue }
            let (x, y) = (moved.x - match.to.x, moved.y - match.to.y)
            if x * x + y * y < distance * distance {
                parts.insert([Int32(match.from.x / part), Int32(match.from.y / part)])
            }
        }
        return parts.count
    }
}

/// Least squares for a homography from pairs of points.
struct WeightedFit {
    /// A point, where it goes, and how much that counts.
    struct Pair {
        var from, to: SIMD2<Double>
        var weight: Double
    }

    /// The sides of the picture, by which points are brought to about −1 … 1 (Hartley and Zisserman, section
    /// 4.4).
    let width, height: Double

    /// Returns the map that takes the first points nearest to the second ones, or nil if they don't fix one.
    func homography(of pairs: [Pair], isAffine: Bool) -> Homography? {
        guard pairs.count >= 4 else { return nil }
        let unknowns = isAffine ? 6 : 8
        let half = max(width, height) / 2
        let middle = SIMD2(width / 2, height / 2)
        var matrix = [Double](repeating: 0, count: unknowns * unknowns)
        var right = [Double](repeating: 0, count: unknowns)
        var total = 0.0
        for pair in pairs {
            let (from, to) = ((pair.from - middle) / half, (pair.to - middle) / half)
            let rows: [[Double]] = [
                [from.x, from.y, 1, 0, 0, 0, -from.x * to.x, -from.y * to.x],
                [0, 0, 0, from.x, from.y, 1, -from.x * to.y, -from.y * to.y],
            ]
            total += pair.weight
            for (row, value) in zip(rows, [to.x, to.y]) {
                for i in 0..<unknowns {
                    for j in 0..<unknowns { matrix[i * unknowns + j] += pair.weight * row[i] * row[j] }
                    right[i] += pair.weight * row[i] * value
                }
            }
        }
        // A perspective of 0.1 costs as much as a distance of a hundredth in a few points.
        if !isAffine {
            for i in 6..<8 { matrix[i * unknowns + i] += 0.002 * (total / Double(pairs.count)) * 4 }
        }
        guard let found = solution(of: matrix, right) else { return nil }
        let normalised = Homography(Array(found) + (isAffine ? [0, 0, 1] : [1]))
        let to = Homography([1 / half, 0, -middle.x / half, 0, 1 / half, -middle.y / half, 0, 0, 1])
        let back = Homography([half, 0, middle.x, 0, half, middle.y, 0, 0, 1])
        guard let normalised, let to, let back else { return nil }
        return to.followed(by: normalised)?.followed(by: back)
    }
}

/// Random numbers that are the same in each run, so that two pictures always give the same map (G. Steele and others,
/// *Fast Splittable Pseudorandom Number Generators*, OOPSLA 2014).
struct RandomNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    mutating func next(below bound: Int) -> Int { Int(next() % UInt64(max(bound, 1))) }
}
