/// The predicted processor time of work on pictures, from the pixels and formats that are read and written.
///
/// The seconds are those of the machine of the benchmarks. Only their ratios matter for the order of jobs, and what a job
/// has really used replaces them.
struct PictureCost {
    private let source: PictureRequest.Source
    private let renditions: [RenditionSpec]
    private let pixels: [Int]

    /// - Parameters:
    ///   - source: what is made.
    ///   - pixels: the number of pixels of each picture that is read; empty if unknown.
    ///   - renditions: the renditions that are written.
    init(of source: PictureRequest.Source, pixels: [Int], _ renditions: [RenditionSpec] = []) {
        self.source = source
        self.renditions = renditions
        let count = PictureRequest(limits: ImageLimits(), source: source, renditions: []).pictureCount
        self.pixels = pixels.count == count ? pixels : Array(repeating: Self.typicalPixels, count: count)
    }

    /// The pixels of a photo as phones take it.
    private static let typicalPixels = 12_000_000

    /// The seconds before anybody has read the files: as if all were JPEGs.
    var beforeReading: Double { seconds(reading: pixels.map { (.jpeg, $0) }) }

    /// Returns the seconds, after reading the first bytes of the files. May block.
    func seconds(readingFrom paths: [String]) -> Double {
        seconds(reading: zip(paths, pixels).map { (Self.format(of: $0) ?? .jpeg, $1) })
    }

    /// Returns the kind of a file; nil for one that is going to be refused.
    private static func format(of path: String) -> ImageFormat? {
        guard let file = try? Descriptor(reading: path), let head = try? file.read(512) else { return nil }
        return try? ImageFormat(head: head)
    }

    /// Returns the seconds when the header of an upload is known.
    static func seconds(_ renditions: [RenditionSpec], of header: PictureHeader) -> Double {
        PictureCost(of: .picture(crop: nil), pixels: [], renditions)
            .seconds(reading: [(header.format, header.width * header.height)])
    }

    private func seconds(reading pictures: [(format: ImageFormat, pixels: Int)]) -> Double {
        pictures.reduce(making) { $0 + Double($1.pixels) / 1_000_000 * Self.perMegapixel($1.format) }
    }

    /// The seconds for what is made of the pictures after they were read.
    private var making: Double {
        let written = renditions.reduce(0) { sum, spec in
            switch spec.shape {
            // A photo of 4:3.
            case .fit(let longestSide): sum + longestSide * longestSide * 3 / 4 * spec.formats.count
            case .part(let width, let height, _): sum + width * height * spec.formats.count
            }
        }
        let seconds = Double(written) / 1_000_000 * Self.perWrittenMegapixel
        switch source {
        case .picture: return seconds
        case .alignment: return Self.alignment
        case .composition(.collage(let spec)):
            return seconds + Double(spec.side * spec.side) / 1_000_000 * Self.perWrittenMegapixel
        case .composition(.pair): return seconds + Self.pair
        case .composition(.fade): return seconds + Self.fade
        }
    }

    // MARK: Measured by `Benchmarks/run fair --costs`, that of HEIC by `Benchmarks/imaging`

    /// Returns the seconds for decoding a million pixels and making them smaller.
    private static func perMegapixel(_ format: ImageFormat) -> Double {
        switch format {
        // Mostly decoded at half the size.
        case .jpeg: 0.007
        case .tiff: 0.008
        case .png, .webp, .gif: 0.015
        case .avif: 0.028
        case .heic: 0.058
        }
    }

    /// The seconds for a million pixels that are encoded as WebP or JPEG.
    private static let perWrittenMegapixel = 0.022
    /// The seconds for drawing and encoding a pair.
    private static let pair = 0.2
    /// The seconds for drawing and encoding a fade.
    private static let fade = 0.3
    /// The seconds for comparing two pictures.
    private static let alignment = 0.2
}
