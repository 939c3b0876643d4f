extension PictureRequest.Source {
    func write(to writer: inout FrameWriter) {
        switch self {
        case .picture(nil):
            writer.byte(0)
        case .picture(let crop?):
            writer.byte(1)
            writer.real(crop.x)
            writer.real(crop.y)
            writer.real(crop.size)
        case .collage(let spec):
            writer.byte(2)
            spec.write(to: &writer)
        }
    }

    /// Reads a picture's crop or a collage.
    ///
    /// - Throws: ``FrameError/malformed``.
    init(from reader: inout FrameReader) throws(FrameError) {
        switch try reader.byte() {
        case 0: self = .picture(crop: nil)
        case 1:
            self = .picture(
                crop: CropSquare(x: try reader.real(), y: try reader.real(), size: try reader.real()))
        case 2: self = .collage(try CollageSpec(from: &reader))
        default: throw .malformed
        }
    }
}

extension CollageSpec {
    fileprivate func write(to writer: inout FrameWriter) {
        writer.integer(side)
        writer.byte(UInt8(Format.allCases.firstIndex(of: format) ?? 0))
        for part in [background.red, background.green, background.blue] { writer.byte(part) }
        writer.integer(spacing)
        writer.integer(cornerRadius)
        writer.integer(cells.count)
        for cell in cells {
            let frame = cell.frame
            for number in [frame.x, frame.y, frame.width, frame.height, cell.zoom, cell.x, cell.y] {
                writer.real(number)
            }
        }
    }

    /// Reads a collage, whose values are checked as those of any other collage.
    ///
    /// - Throws: ``FrameError/malformed``.
    fileprivate init(from reader: inout FrameReader) throws(FrameError) {
        let side = try reader.integer()
        let format = Int(try reader.byte())
        guard format < Format.allCases.count else { throw .malformed }
        let background = Colour(red: try reader.byte(), green: try reader.byte(), blue: try reader.byte())
        let spacing = try reader.integer()
        let cornerRadius = try reader.integer()
        var cells: [Cell] = []
        for _ in 0..<(try reader.integer(in: Self.cellCounts)) {
            let frame = Frame(
                x: try reader.real(), y: try reader.real(), width: try reader.real(),
                height: try reader.real())
            cells.append(
                Cell(frame: frame, zoom: try reader.real(), x: try reader.real(), y: try reader.real()))
        }
        guard
            let spec = CollageSpec(
                side: side, format: Format.allCases[format], background: background, spacing: spacing,
                cornerRadius: cornerRadius, cells: cells)
        else { throw .malformed }
        self = spec
    }
}
