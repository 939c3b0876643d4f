import Imaging

/// The renditions of a picture whose pixels are in memory: the largest is made first, and each further one from the one
/// before.
struct RenditionWriter {
    /// A part of the picture that is in memory once, and the renditions that are made from it.
    struct Part {
        /// The part, within the upright picture.
        let area: PixelArea
        /// The pixels of the largest rendition for one pixel of the picture.
        let scale: Double
        /// The places of the specs, those of the largest scale first.
        fileprivate let specs: [Int]

        /// The sides of the largest rendition in pixels.
        var sides: (width: Int, height: Int) { area.sides(scale) }

        /// The bytes that the part takes while it is turned, as three copies of three bytes, and then while it is
        /// encoded.
        var memory: Int { sides.width * sides.height * 16 }
    }

    /// The parts, each of which is written once.
    let parts: [Part]
    private let area: PixelArea
    private let specs: [RenditionSpec]
    private let outputs: [Descriptor]
    private var sizes: [Int: PictureResult.Size] = [:]
    private var impression: Impression?

    /// Plans the renditions.
    ///
    /// - Parameters:
    ///   - area: the part of the upright picture that the renditions show.
    ///   - specs: the renditions.
    ///   - outputs: the files to write, in the order of the specs and of each spec's formats.
    init(area: PixelArea, specs: [RenditionSpec], outputs: [Descriptor]) {
        self.area = area
        self.specs = specs
        self.outputs = outputs
        parts = Self.parts(of: area, for: specs)
    }

    /// Writes the renditions of a part.
    ///
    /// - Parameters:
    ///   - part: one of the parts.
    ///   - picture: the part's pixels, at the part's scale or larger.
    mutating func write(_ part: Part, of picture: Picture) throws(ImageError) {
        var shown = picture
        for index in part.specs {
            shown = try shown.resized(to: part.area.sides(area.scale(of: specs[index]))).inMemory()
            sizes[index] = try write(specs[index], of: shown, to: files(index))
        }
        guard part.area == area else { return }
        let small = try shown.resized(to: area.sides(area.scale(longestSide: Impression.side))).inMemory()
        impression = try Impression(pixels: small.pixels(), width: small.width, height: small.height)
    }

    /// Returns the facts about the renditions after all parts were written.
    func result() throws(ImageError) -> PictureResult {
        guard let impression else { throw .broken }
        return PictureResult(
            blurhash: impression.blurhash, placeholder: impression.dominantColour,
            sizes: specs.indices.flatMap { index in specs[index].formats.compactMap { _ in sizes[index] } })
    }

    /// The most pixels of the shown part that are held for what is cut out of it. The square of 240 px of a picture of
    /// 65,000 × 240 px would need all of its pixels, so what is cut out of long pictures is decoded separately.
    private static let mostPixelsForCuts = 4_000_000

    /// Returns the parts: the shown part for most renditions and, where these need it, what is cut out of it.
    private static func parts(of area: PixelArea, for specs: [RenditionSpec]) -> [Part] {
        let order = specs.indices.sorted { area.scale(of: specs[$0]) > area.scale(of: specs[$1]) }
        let apart = order.filter { index in
            guard case .part = specs[index].shape else { return false }
            let sides = area.sides(area.scale(of: specs[index]))
            return sides.width * sides.height > mostPixelsForCuts
        }
        let together = order.filter { !apart.contains($0) }
        let scales = together.map { area.scale(of: specs[$0]) } + [area.scale(longestSide: Impression.side)]
        let whole = Part(area: area, scale: scales[0], specs: together)
        // The renditions of a part keep their order, the largest first.
        let cuts = Dictionary(grouping: apart) { area.cut(for: specs[$0]) }
        return [whole]
            + cuts.map { cut, renditions in
                Part(area: cut, scale: area.scale(of: specs[renditions[0]]), specs: renditions)
            }
    }

    /// Returns the files of a spec.
    private func files(_ index: Int) -> ArraySlice<Descriptor> {
        let first = specs[..<index].reduce(0) { $0 + $1.formats.count }
        return outputs[first..<first + specs[index].formats.count]
    }

    private func write(
        _ spec: RenditionSpec, of shown: Picture, to outputs: ArraySlice<Descriptor>
    ) throws(ImageError) -> PictureResult.Size {
        let shownArea = PixelArea(x: 0, y: 0, width: shown.width, height: shown.height)
        let cut = shownArea.cut(for: spec)
        let picture = cut == shownArea ? shown : try shown.cropped(to: cut).inMemory()
        for (format, output) in zip(spec.formats, outputs) {
            try output.write(picture.encoded(by: Encoding(format)))
        }
        return PictureResult.Size(width: picture.width, height: picture.height)
    }
}

extension PixelArea {
    /// Returns the part that a rendition shows: the largest one with its proportions, around its focus as far as the
    /// edges allow, or the whole area.
    fileprivate func cut(for spec: RenditionSpec) -> PixelArea {
        guard case .part(let across, let down, let focus) = spec.shape else { return self }
        let scale = min(Double(width) / Double(across), Double(height) / Double(down))
        let width = min(max(1, Int((Double(across) * scale).rounded())), self.width)
        let height = min(max(1, Int((Double(down) * scale).rounded())), self.height)
        let origin = focus.origin(width: (width, self.width), height: (height, self.height))
        return PixelArea(x: x + origin.x, y: y + origin.y, width: width, height: height)
    }

    /// Returns the sides at a scale, at least one pixel each.
    func sides(_ scale: Double) -> (width: Int, height: Int) {
        func side(_ length: Int) -> Int { max(1, Int((Double(length) * scale).rounded())) }
        return (side(width), side(height))
    }

    /// Returns the pixels of a rendition for one pixel of the area; never above 1.
    fileprivate func scale(of spec: RenditionSpec) -> Double {
        switch spec.shape {
        case .fit(let longestSide): scale(longestSide: longestSide)
        case .part(let across, let down, _):
            min(1, max(Double(across) / Double(width), Double(down) / Double(height)))
        }
    }

    fileprivate func scale(longestSide: Int) -> Double {
        min(1, Double(longestSide) / Double(max(width, height)))
    }
}
