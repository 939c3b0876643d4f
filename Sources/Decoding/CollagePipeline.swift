import Imaging

/// A collage's way from the files of its pictures to its own: one picture is decoded after the other, each only as far
/// as its cell shows it, and drawn on a canvas.
package struct CollagePipeline {
    private struct Cell {
        let file: PictureFile
        let place: CellPlace
        /// Where the cell's pixels lie in the upright picture.
        let lines: (columns: PixelLine, rows: PixelLine)

        /// The pixels of the collage for one of the picture.
        var scale: Double { lines.columns.scale }
    }

    private let spec: CollageSpec
    private let cells: [Cell]
    private let renditions: [RenditionSpec]
    /// The files to write: the collage in full size, then the renditions.
    private let outputs: [Descriptor]

    /// Reads the headers of the pictures.
    ///
    /// - Parameters:
    ///   - spec: the collage.
    ///   - pictures: the files of the pictures, one for each cell.
    ///   - limits: the limits for each picture.
    ///   - renditions: the renditions to write.
    ///   - outputs: the files to write: the collage in full size, then one for each format of each rendition.
    /// - Throws: ``ImageError``, as a single picture is refused.
    package init(
        _ spec: CollageSpec, pictures: [Descriptor], limits: ImageLimits, renditions: [RenditionSpec],
        outputs: [Descriptor]
    ) throws(ImageError) {
        var cells: [Cell] = []
        for (cell, picture) in zip(spec.cells, pictures) {
            let file = try PictureFile(picture, limits: limits)
            let place = CellPlace(cell.frame, in: spec)
            let lines = place.lines(cell, width: file.width, height: file.height)
            cells.append(Cell(file: file, place: place, lines: lines))
        }
        self.spec = spec
        self.cells = cells
        self.renditions = renditions
        self.outputs = outputs
    }

    /// The facts about the collage that the server learns before any picture is decoded.
    package var header: PictureHeader {
        PictureHeader(
            format: spec.format.imageFormat, width: spec.side, height: spec.side, memory: memory,
            capture: Capture())
    }

    private var area: PixelArea { PixelArea(x: 0, y: 0, width: spec.side, height: spec.side) }

    /// The bytes that the canvas, and either a decoder with the steps behind it or an encoder, will hold at once, rather
    /// too high.
    ///
    /// Measured by `ImagingTests/MemoryTests`.
    private var memory: Int {
        let pixels = spec.side * spec.side
        let steps = cells.map { $0.file.decodingMemory(scale: $0.scale) + $0.place.area.width * 64 * 16 }
        let written = RenditionWriter(area: area, specs: renditions, outputs: []).parts.map(\.memory)
        let encoder = pixels * (spec.format == .jpeg ? 8 : 16)
        return PictureFile.processMemory + pixels * 3 + ((steps + written + [encoder]).max() ?? 0)
    }

    /// Renders the collage and writes all files.
    func run() throws(ImageError) -> PictureResult {
        let canvas = try Canvas(side: spec.side, background: spec.background)
        for cell in cells {
            try canvas.draw(shown(cell), in: cell.place.area, turnedBy: cell.file.orientation)
            canvas.roundCorners(of: cell.place.area, radius: cell.place.cornerRadius)
        }
        try outputs[0].write(canvas.picture.encoded(by: Encoding(spec.format)))
        var writer = RenditionWriter(area: area, specs: renditions, outputs: Array(outputs.dropFirst()))
        for part in writer.parts { try writer.write(part, of: canvas.picture) }
        var result = try writer.result()
        result.sizes.insert(PictureResult.Size(width: spec.side, height: spec.side), at: 0)
        return result
    }

    /// Returns the pixels that a cell shows, not turned yet, in sRGB without alpha.
    private func shown(_ cell: Cell) throws(ImageError) -> Picture {
        let file = cell.file
        let picture = try file.opened(for: cell.scale)
        let stored = file.orientation.storedLines(of: cell.lines, width: file.width, height: file.height)
        let ratio = file.decodedRatio(of: picture, for: cell.scale)
        let (columns, rows) = (stored.columns.shrunk(by: ratio.width), stored.rows.shrunk(by: ratio.height))
        // A picture that stays almost as large is interpolated too, which is exact to a fraction of a pixel.
        guard min(columns.scale, rows.scale) < 0.9 else {
            let (across, down) = (columns.neighbours, rows.neighbours)
            return
                try picture
                .advanced(to: down.lowerBound)
                .window(PixelArea(across, down))
                .flattened()
                .inSRGB()
                .interpolated(columns.moved(to: across.lowerBound), rows.moved(to: down.lowerBound))
        }
        let (across, down) = (Reduction(columns), Reduction(rows))
        return
            try picture
            .advanced(to: down.source.lowerBound)
            .window(PixelArea(across.source, down.source))
            .flattened()
            .resized(to: (across.count, down.count))
            .cropped(
                to: PixelArea(x: across.first, y: down.first, width: columns.count, height: rows.count)
            )
            .inSRGB()
    }
}

extension PictureFile {
    /// Returns the pixels of a picture that is decoded smaller for one of the stored picture.
    ///
    /// JPEG makes one pixel of each whole block, and cuts or fills the last one. WebP scales from edge to edge.
    fileprivate func decodedRatio(of picture: Picture, for scale: Double) -> (width: Double, height: Double) {
        if format == .jpeg {
            let ratio = 1 / Double(format.shrink(for: scale))
            return (ratio, ratio)
        }
        return (
            Double(picture.width) / Double(storedWidth), Double(picture.height) / Double(storedHeight)
        )
    }
}

extension PixelArea {
    /// The area of columns and rows.
    fileprivate init(_ columns: Range<Int>, _ rows: Range<Int>) {
        self.init(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
    }
}
