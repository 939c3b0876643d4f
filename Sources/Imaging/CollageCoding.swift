extension CollageSpec {
    func write(to writer: inout FrameWriter) {
        writer.integer(side)
        writer.byte(UInt8(Format.allCases.firstIndex(of: format) ?? 0))
        background.write(to: &writer)
        writer.integer(spacing)
        writer.integer(cornerRadius)
        writer.integer(cells.count)
        for cell in cells {
            let frame = cell.frame
            for number in [frame.x, frame.y, frame.width, frame.height] { writer.real(number) }
            cell.view.write(to: &writer)
        }
    }

    /// Reads a collage, whose values are checked as those of any other collage.
    ///
    /// - Throws: ``FrameError/malformed``.
    init(from reader: inout FrameReader) throws(FrameError) {
        let side = try reader.integer()
        let format = Int(try reader.byte())
        guard format < Format.allCases.count else { throw .malformed }
        let background = try Colour(from: &reader)
        let spacing = try reader.integer()
        let cornerRadius = try reader.integer()
        var cells: [Cell] = []
        for _ in 0..<(try reader.integer(in: Self.cellCounts)) {
            let frame = Frame(
                x: try reader.real(), y: try reader.real(), width: try reader.real(),
                height: try reader.real())
            var cell = Cell(frame: frame)
            cell.view = try PictureView(from: &reader)
            cells.append(cell)
        }
        guard
            let spec = CollageSpec(
                side: side, format: Format.allCases[format], background: background, spacing: spacing,
                cornerRadius: cornerRadius, cells: cells)
        else { throw .malformed }
        self = spec
    }
}
