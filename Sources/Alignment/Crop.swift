extension Homography {
    /// Returns the largest rectangle with the proportions of the unit square that lies within the unit square
    /// and within the moved unit square, for a map between unit squares. Returns nil if less than a quarter
    /// of the width remains.
    ///
    /// In pixels, the rectangle has the proportions of the frame: what is left of both halves of a pair once
    /// one has been laid over the other. The rectangle is a point and a size, (x, y, s), that fulfils one
    /// linear inequality for each side of the two convex quadrilaterals, so the largest s is at a corner of
    /// the polyhedron that they bound. With eight inequalities there are 56 triples to try.
    public var commonCrop: (x: Double, y: Double, width: Double, height: Double)? {
        guard let moved = corners(width: 1, height: 1) else { return nil }
        // Inequalities a·x + b·y + c·s ≤ d: the two edges of the square that a smaller s doesn't imply …
        var bounds: [SIMD4<Double>] = [[-1, 0, 0, 0], [0, -1, 0, 0], [1, 0, 1, 1], [0, 1, 1, 1]]
        for (start, end) in zip(moved, moved.dropFirst() + moved.prefix(1)) {
            // … and the distance of the rectangle's outermost corner from a side, clockwise, with its inside
            // on the right.
            let (a, b) = (end.y - start.y, start.x - end.x)
            bounds.append([a, b, max(a, 0) + max(b, 0), a * start.x + b * start.y])
        }
        var best: SIMD3<Double>?
        for first in bounds.indices {
            for second in bounds.indices where second > first {
                for third in bounds.indices where third > second {
                    guard let point = Self.crossing(bounds[first], bounds[second], bounds[third]),
                        point.z > best?.z ?? 0,
                        bounds.allSatisfy({ $0.x * point.x + $0.y * point.y + $0.z * point.z <= $0.w + 1e-9 })
                    else { continue }
                    best = point
                }
            }
        }
        guard let best, best.z >= 0.25 else { return nil }
        let side = min(best.z, 1)
        return (min(max(best.x, 0), 1 - side), min(max(best.y, 0), 1 - side), side, side)
    }

    /// Returns the point at which three inequalities are equations, by Cramer's rule, or nil if there isn't
    /// one.
    private static func crossing(_ a: SIMD4<Double>, _ b: SIMD4<Double>, _ c: SIMD4<Double>) -> SIMD3<Double>?
    {
        func determinant(_ i: Int, _ j: Int, _ k: Int) -> Double {
            a[i] * (b[j] * c[k] - b[k] * c[j]) - a[j] * (b[i] * c[k] - b[k] * c[i]) + a[k]
                * (b[i] * c[j] - b[j] * c[i])
        }
        let scale = determinant(0, 1, 2)
        guard abs(scale) > 1e-12 else { return nil }
        return [determinant(3, 1, 2) / scale, determinant(0, 3, 2) / scale, determinant(0, 1, 3) / scale]
    }
}
