import Foundation
import Imaging

/// One picture's way from file to renditions: decoded once, the largest rendition first, each further one from
/// the one before.
struct RenditionPipeline {
    let file: PictureFile
    /// What is shown of the upright picture.
    private let area: PixelArea
    /// The files to write, in the order of the specs and of each spec's formats.
    private let outputs: [Descriptor]

    init(file: PictureFile, crop: CropSquare?, outputs: [Descriptor]) {
        self.file = file
        self.area =
            crop.map { PixelArea($0, width: file.width, height: file.height) }
            ?? PixelArea(x: 0, y: 0, width: file.width, height: file.height)
        self.outputs = outputs
    }

    func run(_ specs: [RenditionSpec]) throws(ImageError) -> PictureResult {
        let scales = specs.map(scale)
        let order = specs.indices.sorted { scales[$0] > scales[$1] }
        // Where each spec's files begin among the outputs.
        let starts = specs.reduce(into: [0]) { starts, spec in
            starts.append((starts.last ?? 0) + spec.formats.count)
        }
        var whole = try decoded(scale: order.first.map { scales[$0] } ?? scale(longestSide: Impression.side))
        var made: [Int: PictureResult.Size] = [:]
        for index in order {
            whole = try resized(whole, scale: scales[index])
            made[index] = try write(specs[index], of: whole, to: outputs[starts[index]..<starts[index + 1]])
        }
        let small = try resized(whole, scale: scale(longestSide: Impression.side))
        let impression = Impression(pixels: try small.pixels(), width: small.width, height: small.height)
        return PictureResult(
            blurhash: impression.blurhash, placeholder: impression.dominantColour,
            sizes: specs.indices.flatMap { index in specs[index].formats.compactMap { _ in made[index] } })
    }

    // MARK: Sizes

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

    private func side(_ length: Int, _ scale: Double) -> Int {
        max(1, Int((Double(length) * scale).rounded()))
    }

    // MARK: Steps

    /// The shown part in memory: upright sRGB without alpha, at a scale.
    private func decoded(scale: Double) throws(ImageError) -> Picture {
        let picture = try Picture(
            file: file.file, format: file.format, shrink: file.format.shrink(for: scale))
        let stored = file.orientation.storedArea(of: area, width: file.width, height: file.height)
        let size = (side(stored.width, scale), side(stored.height, scale))
        return
            try picture
            .cropped(to: stored.scaled(fromWidth: file.storedWidth, height: file.storedHeight, to: picture))
            .flattened()
            .resized(width: size.0, height: size.1)
            .inSRGB()
            .inMemory()
            .turned(by: file.orientation)
            .inMemory()
    }

    private func resized(_ whole: Picture, scale: Double) throws(ImageError) -> Picture {
        try whole.resized(width: side(area.width, scale), height: side(area.height, scale)).inMemory()
    }

    private func write(
        _ spec: RenditionSpec, of whole: Picture, to outputs: ArraySlice<Descriptor>
    ) throws(ImageError) -> PictureResult.Size {
        var picture = whole
        if case .square = spec.shape {
            let side = min(whole.width, whole.height)
            picture = try whole.cropped(
                to: PixelArea(
                    x: (whole.width - side) / 2, y: (whole.height - side) / 2, width: side, height: side)
            ).inMemory()
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
