import Imaging

/// The steps from the files of a collage's pictures to its own: one picture is decoded after the other, each only as
/// large as its cell shows it, and drawn on a canvas.
package struct CollagePipeline {
    private let spec: CollageSpec
    private let cells: [PlacedPicture]
    private let writer: CompositionWriter

    /// Reads the headers of the pictures.
    ///
    /// - Parameters:
    ///   - spec: the collage.
    ///   - pictures: the files of the pictures, one for each cell.
    ///   - limits: the limits for each picture.
    ///   - renditions: the renditions to write.
    /// - Throws: ``ImageError``, for each reason for which a single picture is refused.
    package init(
        _ spec: CollageSpec, pictures: [Descriptor], limits: ImageLimits, renditions: [RenditionSpec]
    ) throws(ImageError) {
        var cells: [PlacedPicture] = []
        for (cell, picture) in zip(spec.cells, pictures) {
            let file = try PictureFile(picture, limits: limits)
            cells.append(PlacedPicture(file, cell.view, at: PicturePlace(cell.frame, in: spec)))
        }
        self.spec = spec
        self.cells = cells
        writer = CompositionWriter(
            composition: .collage(spec), width: spec.side, height: spec.side, renditions: renditions)
    }

    /// The facts about the collage that the server learns before any picture is decoded.
    ///
    /// The collage takes the memory of the canvas, and either of a decoder with the steps after it or of an encoder;
    /// measured by `ImagingTests/MemoryTests`.
    package var header: PictureHeader {
        writer.header(memory: writer.canvasMemory + max(cells.map(\.memory).max() ?? 0, writer.memory))
    }

    /// Renders the collage and writes all files.
    ///
    /// - Parameter outputs: the files: the collage in full size, then one for each format of each rendition.
    func run(_ outputs: [Descriptor]) throws(ImageError) -> PictureResult {
        let canvas = try Canvas(width: spec.side, height: spec.side, background: spec.background)
        for cell in cells {
            try cell.draw(on: canvas)
            canvas.roundCorners(of: cell.area, radius: spec.cornerRadius(of: cell.area))
        }
        return try writer.write(
            canvas.picture.encoded(by: Encoding(spec.format)), showing: canvas.picture, to: outputs)
    }
}
