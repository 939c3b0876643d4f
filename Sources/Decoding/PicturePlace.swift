import Imaging

/// A rectangle whose edges may lie between two pixels.
struct ExactArea {
    var left: Double
    var top: Double
    var width: Double
    var height: Double

    /// The whole pixels whose edges are nearest.
    var rounded: PixelArea {
        // Areas that share an edge may compute it with different rounding errors, and have to round it in the same way.
        func rounded(_ edge: Double) -> Int { Int((edge + 1e-6).rounded()) }
        let (x, y) = (rounded(left), rounded(top))
        return PixelArea(x: x, y: y, width: rounded(left + width) - x, height: rounded(top + height) - y)
    }
}

/// The place of a picture on a canvas, in pixels of the canvas.
struct PicturePlace {
    /// The rectangle that the picture covers.
    let covered: ExactArea
    /// The pixels that are drawn: those of the covered rectangle, or of a part of it.
    let area: PixelArea

    /// Returns the places of the drawn pixels in a picture.
    ///
    /// - Parameters:
    ///   - view: how the picture covers the rectangle.
    ///   - width: the width of the upright picture.
    ///   - height: the height of the upright picture.
    func lines(of view: PictureView, width: Int, height: Int) -> (columns: PixelLine, rows: PixelLine) {
        let (width, height) = (Double(width), Double(height))
        let scale = max(covered.width / width, covered.height / height) * view.zoom
        let left = covered.left - view.x * (width * scale - covered.width)
        let top = covered.top - view.y * (height * scale - covered.height)
        return (
            PixelLine(start: (Double(area.x) - left) / scale, scale: scale, count: area.width),
            PixelLine(start: (Double(area.y) - top) / scale, scale: scale, count: area.height)
        )
    }
}

extension Orientation {
    /// Whether the columns of the stored picture are those of the upright one in reverse order, or its rows from the
    /// bottom.
    var reversesColumns: Bool {
        [.mirrored, .upsideDown, .transversed, .leftSideUp].contains(self)
    }

    /// Whether the rows of the stored picture are those of the upright one from the bottom, or its columns in reverse
    /// order.
    var reversesRows: Bool {
        [.upsideDown, .flipped, .rightSideUp, .transversed].contains(self)
    }

    /// Returns lines of the stored picture that show the same pixels as lines of the upright one.
    ///
    /// - Parameters:
    ///   - lines: lines of the upright picture.
    ///   - width: the width of the upright picture.
    ///   - height: the height of the upright picture.
    func storedLines(
        of lines: (columns: PixelLine, rows: PixelLine), width: Int, height: Int
    ) -> (columns: PixelLine, rows: PixelLine) {
        let (columns, rows) = swapsSides ? (lines.rows, lines.columns) : lines
        let (storedWidth, storedHeight) = swapsSides ? (height, width) : (width, height)
        return (
            reversesColumns ? columns.mirrored(in: storedWidth) : columns,
            reversesRows ? rows.mirrored(in: storedHeight) : rows
        )
    }
}
