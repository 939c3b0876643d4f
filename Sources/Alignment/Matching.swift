/// A place of the now picture and the place of the then picture that looks like it.
struct Match {
    /// The position in the now picture, in pixels from its upper left corner.
    var from: SIMD2<Double>
    /// The position in the then picture.
    var to: SIMD2<Double>
    /// How far the best place is ahead of the second best one: the ratio of their distances, from 0 (alone)
    /// to 1.
    var ambiguity: Float
}

/// The keypoints of one picture with what their surroundings look like.
struct Features {
    let keypoints: [Keypoint]
    let descriptors: Descriptors

    init(_ picture: Plane, spacing: Float) {
        let space = ScaleSpace(picture, spacing: spacing)
        keypoints = space.keypoints()
        descriptors = Descriptors(keypoints, in: space)
    }

    /// Returns the pairs of keypoints that look most like each other in both directions, the clearest first.
    ///
    /// A light blob is compared with light blobs, and as a negative with dark ones, so that pictures by day
    /// and by night match too. Only blobs of similar size are compared, and only if they are at most `reach`
    /// pixels across and down from where a map takes them.
    func matches(with then: Features, reach: Float, of map: Homography = .identity) -> [Match] {
        let (count, others) = (keypoints.count, then.keypoints.count)
        guard count > 0, others > 0 else { return [] }
        let negative = then.descriptors.reversed()
        // The similarities of the best and of the second best place, and the best place.
        var best = [Float](repeating: -1, count: count), second = best,
            choice = [Int](repeating: -1, count: count)
        var bestBack = [Float](repeating: -1, count: others), choiceBack = [Int](repeating: -1, count: others)
        for index in 0..<count {
            let one = keypoints[index]
            guard let place = map.applied(to: (x: Double(one.x), y: Double(one.y))) else { continue }
            let (x, y) = (Float(place.x), Float(place.y))
            descriptors.values.withUnsafeBufferPointer { mine in
                then.descriptors.values.withUnsafeBufferPointer { same in
                    negative.values.withUnsafeBufferPointer { reversed in
                        then.keypoints.withUnsafeBufferPointer { keypoints in
                            for other in 0..<others {
                                let two = keypoints[other]
                                guard two.scale < 1.8 * one.scale, one.scale < 1.8 * two.scale,
                                    abs(x - two.x) < reach, abs(y - two.y) < reach
                                else { continue }
                                let theirs = one.isDark == two.isDark ? same : reversed
                                let similarity = Self.product(mine, index, theirs, other)
                                if similarity > bestBack[other] {
                                    bestBack[other] = similarity
                                    choiceBack[other] = index
                                }
                                if similarity > best[index] {
                                    // A blob that was found again at the next scale is no second place.
                                    if choice[index] < 0 || !Self.isNear(two, keypoints[choice[index]]) {
                                        second[index] = best[index]
                                    }
                                    best[index] = similarity
                                    choice[index] = other
                                } else if similarity > second[index],
                                    !Self.isNear(two, keypoints[choice[index]])
                                {
                                    second[index] = similarity
                                }
                            }
                        }
                    }
                }
            }
        }
        let matches = (0..<count).compactMap { index -> Match? in
            guard choice[index] >= 0, choiceBack[choice[index]] == index else { return nil }
            let (one, two) = (keypoints[index], then.keypoints[choice[index]])
            // Of unit vectors, the square of the distance is 2 − 2 × the product.
            let ratio = max(1 - best[index], 1e-6) / max(1 - second[index], 1e-6)
            return Match(
                from: [Double(one.x), Double(one.y)], to: [Double(two.x), Double(two.y)],
                ambiguity: min(ratio, 1).squareRoot())
        }
        return matches.sorted { ($0.ambiguity, $0.from.y, $0.from.x) < ($1.ambiguity, $1.from.y, $1.from.x) }
    }

    private static func isNear(_ one: Keypoint, _ two: Keypoint) -> Bool {
        let reach = one.scale + two.scale
        return abs(one.x - two.x) < reach && abs(one.y - two.y) < reach
    }

    @inline(__always)
    private static func product(
        _ one: UnsafeBufferPointer<Descriptors.Histogram>, _ index: Int,
        _ two: UnsafeBufferPointer<Descriptors.Histogram>, _ other: Int
    ) -> Float {
        let (first, second) = (index * Descriptors.histograms, other * Descriptors.histograms)
        var even = Descriptors.Histogram.zero, odd = even
        for histogram in stride(from: 0, to: Descriptors.histograms, by: 2) {
            even += one[first + histogram] * two[second + histogram]
            odd += one[first + histogram + 1] * two[second + histogram + 1]
        }
        return (even + odd).sum()
    }
}
