/// How much of each pixel of a rectangle an outline covers.
struct Coverage {
    /// The width of the rectangle in pixels.
    let width: Int
    /// The height of the rectangle in pixels.
    let height: Int
    /// The covered part of each pixel, 0 to 1, row by row.
    private(set) var parts: [Double]

    /// A straight piece of an outline.
    struct Line {
        var from: (x: Double, y: Double)
        var to: (x: Double, y: Double)
    }

    /// The scan lines of a row of pixels. Across them, coverage is exact.
    private static let scansPerRow = 8

    /// Computes the coverage of an outline. A point is inside if the outline goes round it, however often.
    ///
    /// - Parameters:
    ///   - lines: the pieces of closed contours, in pixels from the upper left corner of the rectangle.
    ///   - width: the width of the rectangle in pixels.
    ///   - height: the height of the rectangle in pixels.
    init(of lines: [Line], width: Int, height: Int) {
        self.width = width
        self.height = height
        parts = [Double](repeating: 0, count: width * height)
        for scan in 0..<height * Self.scansPerRow {
            let y = (Double(scan) + 0.5) / Double(Self.scansPerRow)
            let crossings = lines.compactMap { $0.crossing(at: y) }.sorted { $0.x < $1.x }
            var turns = 0
            for (crossing, next) in zip(crossings, crossings.dropFirst()) {
                turns += crossing.turn
                if turns != 0 { cover(from: crossing.x, to: next.x, row: scan / Self.scansPerRow) }
            }
        }
    }

    /// Adds a piece of a scan line.
    private mutating func cover(from start: Double, to end: Double, row: Int) {
        let (start, end) = (max(start, 0), min(end, Double(width)))
        guard start < end else { return }
        for column in Int(start)..<min(Int(end.rounded(.up)), width) {
            let part = min(end, Double(column + 1)) - max(start, Double(column))
            parts[row * width + column] += part / Double(Self.scansPerRow)
        }
    }
}

extension Coverage.Line {
    /// Returns where the line crosses a height, and whether it goes up (-1) or down (1) there.
    fileprivate func crossing(at y: Double) -> (x: Double, turn: Int)? {
        guard (from.y <= y) != (to.y <= y) else { return nil }
        return (from.x + (y - from.y) / (to.y - from.y) * (to.x - from.x), from.y < to.y ? 1 : -1)
    }
}

extension Typeface.Glyph {
    /// Returns the outline as straight lines, with heights that grow downwards.
    ///
    /// - Parameters:
    ///   - size: the pixels of an em.
    ///   - x: the place of the letter's origin.
    ///   - y: the place of the baseline.
    func lines(size: Double, x: Double, y: Double) -> [Coverage.Line] {
        let scale = size / Typeface.units
        return contours.flatMap { contour -> [Coverage.Line] in
            let points = contour.map {
                (x: x + Double($0.x) * scale, y: y - Double($0.y) * scale, isOnCurve: $0.isOnCurve)
            }
            return Self.lines(through: points)
        }
    }

    /// The straight lines for each curve.
    private static let pieces = 6

    private static func lines(
        through points: [(x: Double, y: Double, isOnCurve: Bool)]
    ) -> [Coverage.Line] {
        // Between two points that control curves lies one on the outline.
        var all: [(x: Double, y: Double, isOnCurve: Bool)] = []
        for (point, next) in zip(points, points.dropFirst() + points.prefix(1)) {
            all.append(point)
            if !point.isOnCurve && !next.isOnCurve {
                all.append((x: (point.x + next.x) / 2, y: (point.y + next.y) / 2, isOnCurve: true))
            }
        }
        guard let first = all.firstIndex(where: \.isOnCurve) else { return [] }
        all = Array(all[first...] + all[...first])
        var lines: [Coverage.Line] = []
        var from = (x: all[0].x, y: all[0].y)
        func add(_ to: (x: Double, y: Double)) {
            lines.append(Coverage.Line(from: from, to: to))
            from = to
        }
        for index in all.indices.dropFirst() {
            let (point, before) = (all[index], all[index - 1])
            guard point.isOnCurve else { continue }
            if !before.isOnCurve {
                let start = from
                for piece in 1..<pieces {
                    let t = Double(piece) / Double(pieces)
                    let (a, b, c) = ((1 - t) * (1 - t), 2 * t * (1 - t), t * t)
                    add(
                        (
                            x: a * start.x + b * before.x + c * point.x,
                            y: a * start.y + b * before.y + c * point.y
                        ))
                }
            }
            add((x: point.x, y: point.y))
        }
        return lines
    }
}
