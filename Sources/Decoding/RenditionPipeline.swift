import Foundation
import Imaging

/// The steps from a picture's file to its renditions: the picture is decoded once, or twice when it is very long.
package struct RenditionPipeline {
    let file: PictureFile
    /// The shown part of the upright picture.
    private let area: PixelArea

    /// Prepares the renditions of a picture.
    ///
    /// - Parameters:
    ///   - file: the picture.
    ///   - crop: the square to show; nil for the whole picture.
    package init(file: PictureFile, crop: CropSquare?) {
        self.file = file
        self.area =
            crop.map { PixelArea($0, width: file.width, height: file.height) }
            ?? PixelArea(x: 0, y: 0, width: file.width, height: file.height)
    }

    /// Writes all renditions.
    ///
    /// - Parameters:
    ///   - specs: the renditions.
    ///   - outputs: the files to write, in the order of the specs and of each spec's formats.
    func run(_ specs: [RenditionSpec], _ outputs: [Descriptor]) throws(ImageError) -> PictureResult {
        var writer = RenditionWriter(area: area, specs: specs, outputs: outputs)
        for part in writer.parts { try writer.write(part, of: decoded(part)) }
        return try writer.result()
    }

    /// Returns the bytes that the decoder and all steps after it will hold at once, estimated rather too high.
    ///
    /// The estimate is measured by `ImagingTests/MemoryTests` over pictures of all forms.
    package func memory(for specs: [RenditionSpec]) -> Int {
        let parts = RenditionWriter(area: area, specs: specs, outputs: []).parts
        return PictureFile.processMemory
            + (parts.map { file.decodingMemory(scale: $0.scale) + $0.memory }.max() ?? 0)
    }

    /// Returns the part in memory: upright sRGB without alpha.
    private func decoded(_ part: RenditionWriter.Part) throws(ImageError) -> Picture {
        let picture = try file.opened(for: part.scale)
        let stored = file.orientation.storedArea(of: part.area, width: file.width, height: file.height)
        let decoded = stored.scaled(fromWidth: file.storedWidth, height: file.storedHeight, to: picture)
        return
            try picture
            .advanced(to: decoded.y)
            .cropped(to: decoded)
            .flattened()
            .resized(to: stored.sides(part.scale))
            .inSRGB()
            .inMemory()
            .turned(by: file.orientation)
            .inMemory()
    }
}

extension PixelArea {
    /// Returns this part of a picture that was decoded smaller, whose sides a decoder may round either way.
    fileprivate func scaled(fromWidth width: Int, height: Int, to picture: Picture) -> PixelArea {
        let across = Double(picture.width) / Double(width)
        let down = Double(picture.height) / Double(height)
        let left = min(Int((Double(x) * across).rounded()), picture.width - 1)
        let top = min(Int((Double(y) * down).rounded()), picture.height - 1)
        return PixelArea(
            x: left, y: top,
            width: min(max(Int((Double(self.width) * across).rounded()), 1), picture.width - left),
            height: min(max(Int((Double(self.height) * down).rounded()), 1), picture.height - top))
    }
}
