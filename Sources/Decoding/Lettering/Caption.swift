import Imaging

/// Lines of small letters under pictures.
struct Caption {
    /// The lines of text.
    let lines: [String]
    /// The pixels of the canvas that the caption may use.
    let area: PixelArea
    /// The pixels of an em, unless a line is too long for that.
    let letterSize: Double

    /// The distance of two lines in ems.
    private static let lineHeight = 1.4
    /// The space above, below and beside the lines in ems.
    private static let margin = 0.6
    /// How small letters may become so that a line fits.
    private static let leastSize = 0.55

    /// Returns how high a caption is.
    ///
    /// - Parameters:
    ///   - lines: the number of lines.
    ///   - letterSize: the size of an em.
    static func height(lines: Int, letterSize: Double) -> Double {
        lines == 0 ? 0 : (Double(lines) * lineHeight + 2 * margin) * letterSize
    }

    /// Draws the lines. A line that doesn't fit makes all letters smaller, and is cut if that isn't enough.
    func draw(on canvas: Canvas) {
        let rows = lines.map { Typeface.standard.glyphs(for: $0) }
        let room = Double(area.width) - 2 * Self.margin * letterSize
        guard room > 0, let widest = rows.map(Self.width).max(), widest > 0 else { return }
        let size = max(min(letterSize, room / widest), letterSize * Self.leastSize)
        let colour = canvas.background.isBright ? Self.dark : Self.bright
        for (index, row) in rows.enumerated() {
            let top = Self.margin + Double(index) * Self.lineHeight
            let middle = Double(area.y) + (top + Self.lineHeight / 2) * letterSize
            var x = Double(area.x) + Self.margin * letterSize
            for glyph in Self.cut(row, to: room / size) {
                draw(glyph, size, x, middle + Typeface.capitalHeight / 2 * size, colour, canvas)
                x += Double(glyph.advance) / Typeface.units * size
            }
        }
    }

    private static let dark = CollageSpec.Colour(red: 38, green: 38, blue: 42)
    private static let bright = CollageSpec.Colour(red: 235, green: 235, blue: 240)

    /// Returns the width of a line in ems.
    private static func width(_ row: [Typeface.Glyph]) -> Double {
        Double(row.reduce(0) { $0 + $1.advance }) / Typeface.units
    }

    /// Returns a line of at most a width in ems. What was cut off is marked by an ellipsis.
    private static func cut(_ row: [Typeface.Glyph], to room: Double) -> [Typeface.Glyph] {
        guard width(row) > room * (1 + 1e-9) else { return row }
        let ellipsis = Typeface.standard.ellipsis
        var kept = row[...]
        while !kept.isEmpty, width(kept + [ellipsis]) > room { kept.removeLast() }
        return kept + [ellipsis]
    }

    private func draw(
        _ glyph: Typeface.Glyph, _ size: Double, _ x: Double, _ y: Double, _ colour: CollageSpec.Colour,
        _ canvas: Canvas
    ) {
        let lines = glyph.lines(size: size, x: x, y: y)
        let places = lines.map(\.from)
        guard let left = places.map(\.x).min(), let right = places.map(\.x).max(),
            let top = places.map(\.y).min(), let bottom = places.map(\.y).max()
        else { return }
        let (column, row) = (Int(left.rounded(.down)), Int(top.rounded(.down)))
        let moved = lines.map { line in
            Coverage.Line(
                from: (line.from.x - Double(column), line.from.y - Double(row)),
                to: (line.to.x - Double(column), line.to.y - Double(row)))
        }
        let coverage = Coverage(
            of: moved, width: Int(right.rounded(.up)) - column, height: Int(bottom.rounded(.up)) - row)
        canvas.draw(coverage, at: (column, row), within: area, in: colour)
    }
}

extension CollageSpec.Colour {
    /// Whether dark letters are easier to read on the colour than bright ones.
    fileprivate var isBright: Bool { Int(red) * 77 + Int(green) * 150 + Int(blue) * 29 > 110 << 8 }
}
