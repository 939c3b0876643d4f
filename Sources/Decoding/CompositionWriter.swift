import Imaging

/// Writes a composition in full size and its renditions.
struct CompositionWriter {
    let composition: Composition
    /// The width in pixels.
    let width: Int
    /// The height in pixels.
    let height: Int
    let renditions: [RenditionSpec]

    private var area: PixelArea { PixelArea(x: 0, y: 0, width: width, height: height) }

    /// The bytes of a canvas.
    var canvasMemory: Int { width * height * 3 }

    /// The bytes that encoding and making renditions hold at once, estimated rather too high.
    var memory: Int {
        let written = RenditionWriter(area: area, specs: renditions, outputs: []).parts.map(\.memory)
        let encoder = width * height * (composition.format == .jpeg ? 8 : 16)
        return (written + [encoder]).max() ?? encoder
    }

    /// Returns the facts that the server learns before any picture is decoded.
    ///
    /// - Parameter memory: the bytes that all steps hold at once, without those of the process.
    func header(memory: Int) -> PictureHeader {
        PictureHeader(
            format: composition.format, width: width, height: height,
            memory: PictureFile.processMemory + memory, capture: Capture())
    }

    /// Writes all files.
    ///
    /// - Parameters:
    ///   - file: the composition in full size, encoded.
    ///   - picture: the pixels that the renditions show.
    ///   - outputs: the files: the composition in full size, then one for each format of each rendition.
    func write(
        _ file: [UInt8], showing picture: Picture, to outputs: [Descriptor]
    ) throws(ImageError) -> PictureResult {
        try outputs[0].write(file)
        var writer = RenditionWriter(area: area, specs: renditions, outputs: Array(outputs.dropFirst()))
        for part in writer.parts { try writer.write(part, of: picture) }
        var result = try writer.result()
        result.sizes.insert(PictureResult.Size(width: width, height: height), at: 0)
        return result
    }
}
