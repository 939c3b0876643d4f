import Imaging

/// The steps from a picture's file to a canvas.
protocol Drawing {
    /// An upper estimate of the bytes that drawing needs at once besides the canvas.
    var memory: Int { get }

    /// Decodes the picture and draws it.
    func draw(on canvas: Canvas) throws(ImageError)
}

/// A picture that is decoded only as large as a canvas shows it, and drawn upright.
struct PlacedPicture: Drawing {
    let file: PictureFile
    /// The pixels of the canvas that show the picture.
    let area: PixelArea
    /// The places of these pixels in the upright picture.
    let lines: (columns: PixelLine, rows: PixelLine)

    /// The pixels of the canvas for one pixel of the picture.
    private var scale: Double { lines.columns.scale }

    var memory: Int { file.decodingMemory(scale: scale) + area.width * 64 * 16 }

    func draw(on canvas: Canvas) throws(ImageError) {
        try canvas.draw(shown(), in: area, turnedBy: file.orientation)
    }

    /// Returns the pixels that are drawn, not turned yet, in sRGB without alpha.
    private func shown() throws(ImageError) -> Picture {
        let picture = try file.opened(for: scale)
        let stored = file.orientation.storedLines(of: lines, width: file.width, height: file.height)
        let ratio = file.decodedRatio(of: picture, for: scale)
        let (columns, rows) = (stored.columns.shrunk(by: ratio.width), stored.rows.shrunk(by: ratio.height))
        // A picture that stays almost as large is interpolated, too, which is exact to a fraction of a pixel.
        guard min(columns.scale, rows.scale) < 0.9 else {
            let pixels = columns.pixels.flatMap { across in rows.pixels.map { (across, $0) } }
            let (across, down) = pixels ?? (columns.neighbours, rows.neighbours)
            let part =
                try picture
                .advanced(to: down.lowerBound)
                .window(PixelArea(across, down))
                .flattened()
                .inSRGB()
            if pixels != nil { return part }
            return try part.interpolated(
                columns.moved(to: across.lowerBound), rows.moved(to: down.lowerBound))
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

extension PlacedPicture {
    /// Computes the place of a picture.
    ///
    /// - Parameters:
    ///   - file: the picture.
    ///   - view: the part of it that is shown.
    ///   - place: its place on the canvas.
    init(_ file: PictureFile, _ view: PictureView, at place: PicturePlace) {
        self.init(
            file: file, area: place.area,
            lines: place.lines(of: view, width: file.width, height: file.height))
    }
}

extension PictureFile {
    /// Returns the pixels of a picture that is decoded smaller for one pixel of the stored picture.
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
    /// Creates the area of columns and rows.
    fileprivate init(_ columns: Range<Int>, _ rows: Range<Int>) {
        self.init(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
    }
}
