extension Homography {
    /// Returns whether the map can be that between two photographs of one view, taken from about the same
    /// place: the moved picture of the given sides is convex and not mirrored, turned by less than 30°, has
    /// 0.4 to 2.5 times the area, its middle is at most 0.4 widths away, and its opposite sides differ by a
    /// factor of at most 1.8.
    ///
    /// Unrelated pictures can have many matching details by chance. They seldom agree on such a map.
    public func isPlausible(width: Double, height: Double) -> Bool {
        guard width > 0, height > 0, let moved = corners(width: width, height: height) else { return false }
        let sides = moved.indices.map { index in
            let (start, end) = (moved[index], moved[(index + 1) % 4])
            return (x: end.x - start.x, y: end.y - start.y)
        }
        let isConvex = sides.indices.allSatisfy { index in
            let (one, next) = (sides[index], sides[(index + 1) % 4])
            return one.x * next.y - one.y * next.x > 0
        }
        // Half the cross product of the diagonals.
        let area =
            ((moved[2].x - moved[0].x) * (moved[3].y - moved[1].y)
                - (moved[2].y - moved[0].y) * (moved[3].x - moved[1].x)) / 2
        guard isConvex, area > 0.4 * width * height, area < 2.5 * width * height else { return false }

        // The tangent of 30° bounds the turn of each side; those on the left and below run against the axes.
        let steepest = 0.57735
        let turns = [
            (sides[0].y, sides[0].x), (-sides[1].x, sides[1].y), (-sides[2].y, -sides[2].x),
            (sides[3].x, -sides[3].y),
        ]
        guard turns.allSatisfy({ $0.1 > 0 && abs($0.0) < steepest * $0.1 }) else { return false }

        guard let middle = applied(to: (x: width / 2, y: height / 2)) else { return false }
        let (shiftX, shiftY) = (middle.x - width / 2, middle.y - height / 2)
        guard shiftX * shiftX + shiftY * shiftY < 0.16 * width * width else { return false }

        let squares = sides.map { $0.x * $0.x + $0.y * $0.y }
        return [(squares[0], squares[2]), (squares[1], squares[3])].allSatisfy {
            max($0, $1) < 1.8 * 1.8 * min($0, $1)
        }
    }
}
