import Imaging

/// The steps from the files of a pair's two pictures to its own, as a picture of both or as a fade.
package struct PairPipeline {
    /// The form of a rendered pair.
    package enum Form {
        /// A picture of both halves, in the layout of the spec.
        case still
        /// An animation.
        case fade
    }

    private let spec: PairSpec
    private let form: Form
    private let layout: PairLayout
    private let then: any Drawing
    private let now: any Drawing
    private let writer: CompositionWriter

    /// Reads the headers of the pictures.
    ///
    /// - Parameters:
    ///   - spec: the pair.
    ///   - form: the form in which it is rendered.
    ///   - pictures: the files of the past picture and of today's picture.
    ///   - limits: the limits for each picture.
    ///   - renditions: the renditions to write.
    /// - Throws: ``ImageError``, for each reason for which a single picture is refused.
    package init(
        _ spec: PairSpec, as form: Form, pictures: [Descriptor], limits: ImageLimits,
        renditions: [RenditionSpec]
    ) throws(ImageError) {
        let then = try PictureFile(pictures[0], limits: limits)
        let now = try PictureFile(pictures[1], limits: limits)
        let layout = PairLayout(
            spec, form == .fade ? .fade : .init(spec.layout), then: then.sides, now: now.sides,
            longestSides: form == .fade ? PairSpec.longestSidesOfFade : PairSpec.longestSides)
        self.spec = spec
        self.form = form
        self.layout = layout
        self.then = PlacedPicture(then, spec.frame.then, at: layout.then)
        if let transform = spec.transform {
            self.now = try WarpedPicture(now, spec.frame.now, movedBy: transform, at: layout.now)
        } else {
            self.now = PlacedPicture(now, spec.frame.now, at: layout.now)
        }
        writer = CompositionWriter(
            composition: form == .fade ? .fade(spec) : .pair(spec), width: layout.width,
            height: layout.height, renditions: renditions)
    }

    /// The facts about the pair that the server learns before any picture is decoded.
    ///
    /// The pair takes the memory of the canvases, and either of a decoder with the steps after it or of an encoder;
    /// measured by `ImagingTests/MemoryTests`.
    package var header: PictureHeader {
        let steps = max(then.memory, now.memory, writer.memory)
        switch form {
        case .still: return writer.header(memory: writer.canvasMemory + steps)
        case .fade:
            let frames = Animation.memory(width: layout.width, height: layout.height)
            return writer.header(memory: writer.canvasMemory * 3 + frames + steps)
        }
    }

    /// Renders the pair and writes all files.
    ///
    /// - Parameter outputs: the files: the pair in full size, then one for each format of each rendition.
    func run(_ outputs: [Descriptor]) throws(ImageError) -> PictureResult {
        switch form {
        case .still:
            let canvas = try drawn([then, now])
            let file = try canvas.picture.encoded(by: Encoding(CollageSpec.Format.jpeg))
            return try writer.write(file, showing: canvas.picture, to: outputs)
        case .fade:
            let (first, last) = (try drawn([then]), try drawn([now]))
            return try writer.write(
                Animation.fade(from: first, to: last), showing: first.picture, to: outputs)
        }
    }

    /// Returns a canvas with pictures and the caption on it.
    private func drawn(_ pictures: [any Drawing]) throws(ImageError) -> Canvas {
        let canvas = try Canvas(width: layout.width, height: layout.height, background: spec.background)
        for picture in pictures { try picture.draw(on: canvas) }
        Caption(lines: spec.caption, area: layout.caption, letterSize: layout.letterSize).draw(on: canvas)
        return canvas
    }
}

extension PairLayout.Arrangement {
    fileprivate init(_ layout: PairSpec.Layout) {
        switch layout {
        case .stacked: self = .stacked
        case .sideBySide: self = .sideBySide
        }
    }
}
