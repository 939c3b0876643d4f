/// Two pictures of the same size in several sizes, and the way to the best map between them.
struct PicturePair {
    private let width, height: Double
    /// The pictures at the whole size, half of it, and so on, the last ones at most 160 pixels wide and high.
    private let now, then: [Plane]

    init(now: Plane, then: Plane) {
        width = Double(now.width)
        height = Double(now.height)
        (self.now, self.then) = (Self.sizes(of: now), Self.sizes(of: then))
    }

    private static func sizes(of picture: Plane) -> [Plane] {
        var sizes = [picture]
        while let last = sizes.last, max(last.width, last.height) > 160 { sizes.append(last.halved()) }
        return sizes
    }

    /// Returns the map with the most evidence, and that evidence.
    func bestMap() -> (map: Homography?, evidence: Evidence) {
        var evidence = Evidence()
        // Features at half the size of a large picture.
        let size = now.firstIndex { max($0.width, $0.height) <= 720 } ?? now.count - 1
        let (mine, theirs) = (
            Features(now[size], spacing: spacing(size)), Features(then[size], spacing: spacing(size))
        )
        evidence.details = min(mine.keypoints.count, theirs.keypoints.count)
        let matches = mine.matches(with: theirs, reach: Float(0.45 * width))
        evidence.matches = matches.count
        let estimation = RobustEstimation(matches: matches, width: width, height: height)

        let coarse = now.count - 1
        let middle = Refinement(level(max(coarse - 1, 0)), stride: Refinement.side / 2)
        var attempts: [Attempt] = []
        for candidate in estimation.homographies() {
            evidence.inliersOfFeatures = max(
                evidence.inliersOfFeatures, inliers(of: candidate, among: estimation))
            attempt(candidate, with: middle, estimation, adding: &attempts)
            if attempts.last?.isConvincing == true { break }
        }
        if !attempts.contains(where: \.isConvincing) {
            let coarsest = Refinement(level(coarse), stride: Refinement.side / 2)
            let search = CoarseSearch(now: now[coarse], then: then[coarse], spacing: Double(spacing(coarse)))
            for candidate in search.homographies() {
                let nearer = coarsest.refined(candidate, steps: 8, isAffine: true) ?? candidate
                attempt(nearer, with: middle, estimation, adding: &attempts)
            }
        }
        guard let best = attempts.max(by: { $0.score < $1.score }) else { return (nil, evidence) }
        evidence.blocks = best.agreement.blocks
        evidence.agreeing = best.agreement.agreeing
        let map = refined(best.map, from: coarse - 2)
        evidence.inliers = inliers(of: map, among: estimation)
        confirm(map, by: mine.matches(with: theirs, reach: Float(0.02 * width), of: map), in: &evidence)
        evidence.isPlausible = map.isPlausible(width: width, height: height)
        return (map, evidence)
    }

    /// A map with its evidence at a quarter of the size.
    private struct Attempt {
        var map: Homography
        var agreement: Refinement.Agreement
        var inliers: Int

        /// The score, to which both methods contribute: blocks that agree, and details in their place.
        var score: Int { agreement.agreeing + inliers }
        /// Whether nothing else needs to be tried.
        var isConvincing: Bool { inliers >= 40 && agreement.agreeing * 5 > agreement.blocks }
    }

    private func attempt(
        _ candidate: Homography, with refinement: Refinement, _ estimation: RobustEstimation,
        adding attempts: inout [Attempt]
    ) {
        let isKnown = attempts.contains { attempt in
            attempt.map.distance(to: candidate, width: width, height: height).map { $0 < 0.005 * width }
                ?? false
        }
        guard !isKnown, let map = refinement.refined(candidate, steps: 8, isAffine: false),
            map.isPlausible(width: width, height: height)
        else { return }
        attempts.append(
            Attempt(
                map: map, agreement: refinement.agreement(of: map),
                inliers: inliers(of: map, among: estimation)))
    }

    /// Returns the map refined at ever larger sizes.
    private func refined(_ map: Homography, from size: Int) -> Homography {
        var map = map
        for size in (0...max(size, 0)).reversed() {
            map = Refinement(level(size)).refined(map, steps: 6, isAffine: false) ?? map
        }
        return map
    }

    /// Notes how many matches near a map it takes to their place, and in which parts of the picture clearly
    /// more than chance explains.
    private func confirm(_ map: Homography, by nearby: [Match], in evidence: inout Evidence) {
        let (columns, rows) = (4, 3)
        var all = [Int](repeating: 0, count: columns * rows)
        var confirmed = all
        let estimation = RobustEstimation(matches: nearby, width: width, height: height)
        for column in 0..<columns {
            for row in 0..<rows {
                let part = nearby.filter { match in
                    min(Int(match.from.x / width * Double(columns)), columns - 1) == column
                        && min(Int(match.from.y / height * Double(rows)), rows - 1) == row
                }
                all[row * columns + column] = part.count
                confirmed[row * columns + column] = inliers(
                    of: map, among: RobustEstimation(matches: part, width: width, height: height))
            }
        }
        evidence.nearby = nearby.count
        evidence.confirmed = inliers(of: map, among: estimation)
        let supported = all.indices.filter { confirmed[$0] >= 4 && 4 * confirmed[$0] >= all[$0] }
        evidence.columns = Set(supported.map { $0 % columns }).count
        evidence.rows = Set(supported.map { $0 / columns }).count
    }

    /// Returns how many matches a map takes to within 4 pixels of their place in a picture of 1,000 pixels.
    private func inliers(of map: Homography, among estimation: RobustEstimation) -> Int {
        estimation.inliers(of: map, within: 0.004 * max(width, height))
    }

    private func level(_ size: Int) -> Level {
        Level(now: now[size], then: then[size], spacing: Double(spacing(size)), blur: 1)
    }

    private func spacing(_ size: Int) -> Float { Float(1 << size) }
}
