import Foundation
import Imaging

/// One picture's way from file to renditions: decoded once, or twice when it is very long, the largest rendition
/// first, each further one from the one before.
package struct RenditionPipeline {
    let file: PictureFile
    /// What is shown of the upright picture.
    private let area: PixelArea
    /// The files to write, in the order of the specs and of each spec's formats.
    private let outputs: [Descriptor]

    /// - Parameters:
    ///   - file: the picture.
    ///   - crop: the square to show of it; all of it when missing.
    ///   - outputs: the files to write, in the order of the specs and of each spec's formats.
    package init(file: PictureFile, crop: CropSquare?, outputs: [Descriptor]) {
        self.file = file
        self.area =
            crop.map { PixelArea($0, width: file.width, height: file.height) }
            ?? PixelArea(x: 0, y: 0, width: file.width, height: file.height)
        self.outputs = outputs
    }

    func run(_ specs: [RenditionSpec]) throws(ImageError) -> PictureResult {
        // Where each spec's files begin among the outputs.
        let starts = specs.reduce(into: [0]) { starts, spec in
            starts.append((starts.last ?? 0) + spec.formats.count)
        }
        var made: [Int: PictureResult.Size] = [:]
        var impression: Impression?
        for decode in decodes(for: specs) {
            var shown = try decoded(decode)
            for index in decode.specs {
                shown = try resized(shown, to: decode.sides(scale(specs[index])))
                made[index] = try write(
                    specs[index], of: shown, to: outputs[starts[index]..<starts[index + 1]])
            }
            if decode.area == area {
                let small = try resized(shown, to: decode.sides(scale(longestSide: Impression.side)))
                impression = try Impression(pixels: small.pixels(), width: small.width, height: small.height)
            }
        }
        guard let impression else { throw .broken }
        return PictureResult(
            blurhash: impression.blurhash, placeholder: impression.dominantColour,
            sizes: specs.indices.flatMap { index in specs[index].formats.compactMap { _ in made[index] } })
    }

    // MARK: What is decoded

    /// A part of the picture that is decoded once, and the renditions that are made of it.
    private struct Decode {
        /// The part, within the upright picture.
        let area: PixelArea
        /// Pixels of the largest rendition for one of the picture.
        let scale: Double
        /// Places of the specs, those of the largest scale first.
        let specs: [Int]

        /// The sides of the part at a scale.
        func sides(_ scale: Double) -> (width: Int, height: Int) { area.sides(scale) }
    }

    /// Pixels of the shown part that are held for squares. The square of 240 px of a picture of 65,000 × 240 has all
    /// of its pixels, so that squares of long pictures are decoded apart.
    private static let mostPixelsForSquares = 4_000_000

    /// The shown part for most renditions, and where squares need it: the square in its middle.
    private func decodes(for specs: [RenditionSpec]) -> [Decode] {
        let order = specs.indices.sorted { scale(specs[$0]) > scale(specs[$1]) }
        let apart = order.filter { index in
            guard case .square = specs[index].shape else { return false }
            let sides = area.sides(scale(specs[index]))
            return sides.width * sides.height > Self.mostPixelsForSquares
        }
        let together = order.filter { !apart.contains($0) }
        let scales = together.map { scale(specs[$0]) } + [scale(longestSide: Impression.side)]
        let decode = Decode(area: area, scale: scales[0], specs: together)
        guard let first = apart.first else { return [decode] }
        return [decode, Decode(area: area.middleSquare, scale: scale(specs[first]), specs: apart)]
    }

    /// Bytes that the decoder and all steps behind it will hold at once, rather too high.
    ///
    /// Measured by `ImagingTests/MemoryTests` over pictures of all forms: a step of libvips computes 128 rows of its
    /// result at a time, and holds the rows that they are made of, in the decoder's form and in further ones.
    package func memory(for specs: [RenditionSpec]) -> Int {
        let steps = decodes(for: specs).map { decode in
            let shrink = file.format.shrink(for: decode.scale)
            let row = (file.storedWidth / shrink + 1) * file.pixelSize
            let rows = min(Double(file.storedHeight / shrink + 1), 220 / (decode.scale * Double(shrink)))
            let sides = decode.sides(decode.scale)
            // Three copies of three bytes while it is turned; then those of an encoder.
            return row * Int(rows) + sides.width * sides.height * 16
        }
        return 45_000_000 + file.decoderBytes + (steps.max() ?? 0)
    }

    /// Pixels of the rendition for one of the picture; never above 1.
    private func scale(_ spec: RenditionSpec) -> Double {
        switch spec.shape {
        case .fit(let longestSide): scale(longestSide: longestSide)
        case .square(let side): min(1, Double(side) / Double(min(area.width, area.height)))
        }
    }

    private func scale(longestSide: Int) -> Double {
        min(1, Double(longestSide) / Double(max(area.width, area.height)))
    }

    // MARK: Steps

    /// The part in memory: upright sRGB without alpha.
    private func decoded(_ decode: Decode) throws(ImageError) -> Picture {
        let picture = try Picture(
            file: file.file, format: file.format, shrink: file.format.shrink(for: decode.scale))
        let stored = file.orientation.storedArea(of: decode.area, width: file.width, height: file.height)
        return
            try picture
            .cropped(to: stored.scaled(fromWidth: file.storedWidth, height: file.storedHeight, to: picture))
            .flattened()
            .resized(to: stored.sides(decode.scale))
            .inSRGB()
            .inMemory()
            .turned(by: file.orientation)
            .inMemory()
    }

    private func resized(_ picture: Picture, to sides: (width: Int, height: Int)) throws(ImageError)
        -> Picture
    {
        try picture.resized(to: sides).inMemory()
    }

    private func write(
        _ spec: RenditionSpec, of shown: Picture, to outputs: ArraySlice<Descriptor>
    ) throws(ImageError) -> PictureResult.Size {
        var picture = shown
        if case .square = spec.shape {
            let shownArea = PixelArea(x: 0, y: 0, width: shown.width, height: shown.height)
            picture = try shown.cropped(to: shownArea.middleSquare).inMemory()
        }
        for (format, output) in zip(spec.formats, outputs) {
            try output.write(picture.encoded(as: format))
        }
        return PictureResult.Size(width: picture.width, height: picture.height)
    }
}

extension ImageFormat {
    /// How many times smaller a picture is decoded for a scale: the most that still leaves all of its pixels.
    ///
    /// Decoders that shrink average well, so what is left between one and two times the wanted size is enough
    /// for the resampling that follows. (libvips' own thumbnail keeps twice the size, and so decodes 4,032 px in
    /// full for 1,440.)
    fileprivate func shrink(for scale: Double) -> Int {
        guard self == .jpeg || self == .webp else { return 1 }
        return [8, 4, 2].first { Double($0) * scale <= 1 } ?? 1
    }
}

extension PixelArea {
    fileprivate var middleSquare: PixelArea {
        let side = min(width, height)
        return PixelArea(x: x + (width - side) / 2, y: y + (height - side) / 2, width: side, height: side)
    }

    /// Its sides at a scale, at least one pixel each.
    fileprivate func sides(_ scale: Double) -> (width: Int, height: Int) {
        func side(_ length: Int) -> Int { max(1, Int((Double(length) * scale).rounded())) }
        return (side(width), side(height))
    }

    /// The same part of a picture that was decoded smaller, whose sides a decoder may round either way.
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
