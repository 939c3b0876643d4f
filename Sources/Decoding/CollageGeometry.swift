import Imaging

/// Where a cell is in a collage, in pixels of the collage.
struct CellPlace {
    /// The cell's edges before they are rounded to pixels.
    private let exact: (left: Double, top: Double, width: Double, height: Double)
    /// The cell's pixels.
    let area: PixelArea
    /// The radius of the corners.
    let cornerRadius: Double

    /// - Parameters:
    ///   - frame: the cell's place in the unit square.
    ///   - spec: the collage.
    init(_ frame: CollageSpec.Frame, in spec: CollageSpec) {
        let scale = Double(spec.side) / CollageSpec.designSide
        let spacing = Double(spec.spacing)
        let room = CollageSpec.designSide - spacing
        exact = (
            left: (spacing + frame.x * room) * scale, top: (spacing + frame.y * room) * scale,
            width: (frame.width * room - spacing) * scale, height: (frame.height * room - spacing) * scale
        )
        // Cells that share an edge may compute it with different rounding errors, and have to round it the same way.
        func rounded(_ edge: Double) -> Int { Int((edge + 1e-6).rounded()) }
        let (left, top) = (rounded(exact.left), rounded(exact.top))
        area = PixelArea(
            x: left, y: top, width: rounded(exact.left + exact.width) - left,
            height: rounded(exact.top + exact.height) - top)
        cornerRadius = min(
            Double(spec.cornerRadius) * scale, Double(area.width) / 2, Double(area.height) / 2)
    }

    /// Returns where the cell's pixels lie in a picture, which covers the cell.
    ///
    /// - Parameters:
    ///   - cell: how the picture is placed in the cell.
    ///   - width: the width of the upright picture.
    ///   - height: the height of the upright picture.
    func lines(_ cell: CollageSpec.Cell, width: Int, height: Int) -> (columns: PixelLine, rows: PixelLine) {
        let (width, height) = (Double(width), Double(height))
        let scale = max(exact.width / width, exact.height / height) * cell.zoom
        let left = exact.left - cell.x * (width * scale - exact.width)
        let top = exact.top - cell.y * (height * scale - exact.height)
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

    /// Returns lines of the stored picture that show the same as lines of the upright one.
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
