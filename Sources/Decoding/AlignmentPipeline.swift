import Alignment
import Imaging

/// The steps from two picture files to the map that lays one picture over the other.
package struct AlignmentPipeline {
    private let now: PictureFile
    private let pictures: (then: PlacedPicture, now: PlacedPicture)

    /// The allowed lengths of the longer side of the pictures that are compared.
    private static let longestSides = 200...1000

    /// Reads the headers of the pictures.
    ///
    /// - Parameters:
    ///   - frame: how the pictures are placed.
    ///   - pictures: the files of the past picture and of today's picture.
    ///   - limits: the limits for each picture.
    /// - Throws: ``ImageError``, for each reason for which a single picture is refused.
    package init(_ frame: PairFrame, pictures: [Descriptor], limits: ImageLimits) throws(ImageError) {
        let then = try PictureFile(pictures[0], limits: limits)
        now = try PictureFile(pictures[1], limits: limits)
        // A fade of both pictures in their whole frames.
        guard let spec = PairSpec(frame: frame) else { throw .broken }
        let layout = PairLayout(
            spec, .fade, then: then.sides, now: now.sides, longestSides: Self.longestSides)
        self.pictures = (
            PlacedPicture(then, frame.then, at: layout.then), PlacedPicture(now, frame.now, at: layout.now)
        )
    }

    /// The bytes that a pixel of the compared pictures takes during the comparison, with everything computed from it.
    private static let bytesPerPixel = 100

    /// The facts about today's picture, and the memory that comparing takes; measured by `ImagingTests/MemoryTests`.
    package var header: PictureHeader {
        let area = pictures.then.area
        let drawing = max(pictures.then.memory, pictures.now.memory)
        let comparing = area.width * area.height * Self.bytesPerPixel
        return now.header(memory: PictureFile.processMemory + drawing + comparing)
    }

    /// Compares the pictures.
    func run() throws(ImageError) -> PairAlignment {
        let (then, now) = (try gray(pictures.then), try gray(pictures.now))
        switch Aligner().align(now, to: then) {
        case .unsure(let reason): return .unsure(reason)
        case .aligned(let map):
            guard let transform = map.inUnitSquare(width: now.width, height: now.height),
                PairAlignment.aligned(transform).isRenderable
            else { return .unsure(.implausible) }
            return .aligned(transform)
        }
    }

    /// Decodes a picture and returns its brightness (Rec. 601, in 256ths).
    private func gray(_ picture: PlacedPicture) throws(ImageError) -> GrayPicture {
        let canvas = try Canvas(width: picture.area.width, height: picture.area.height, background: .white)
        try picture.draw(on: canvas)
        let levels = (0..<canvas.width * canvas.height).map { index in
            let pixel = canvas.pixels + index * 3
            return UInt8((Int(pixel[0]) * 77 + Int(pixel[1]) * 150 + Int(pixel[2]) * 29) >> 8)
        }
        guard let gray = GrayPicture(width: canvas.width, height: canvas.height, pixels: levels) else {
            throw .broken
        }
        return gray
    }
}
