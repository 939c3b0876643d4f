import Imaging

/// The tags of TIFF 6.0 that say how pixels are written.
enum TIFFTag {
    private static let bitsPerSample = 0x0102
    private static let compression = 0x0103
    private static let photometricInterpretation = 0x0106
    private static let samplesPerPixel = 0x0115
    private static let rowsPerStrip = 0x0116
    private static let planarConfiguration = 0x011C
    private static let tileWidth = 0x0142
    private static let tileLength = 0x0143
    private static let inkSet = 0x014C
    private static let sampleFormat = 0x0153
    private static let dngVersion = 0xC612

    /// Returns what is unusual about a file that isn't read, as ``ImageError/unsupported(format:)`` names it; nil for a
    /// file whose pixels are decoded correctly.
    ///
    /// TIFF has many more kinds of file than pictures need. libvips rejects some as damaged, and decodes some in wrong
    /// colours. The tests compare the pixels of each kind that is accepted here (`ImagingTests/TIFFKindTests`).
    static func unreadKind(of directory: TIFFDirectory) -> String? {
        func number(_ tag: Int, or missing: Int) -> Int {
            directory.contains(tag) ? directory.integer(tag) ?? -1 : missing
        }
        func numbers(_ tag: Int, upTo limit: Int) -> Set<Int> {
            directory.contains(tag) ? Set(directory.integers(tag, upTo: limit) ?? [-1]) : [1]
        }
        let samples = number(samplesPerPixel, or: 1)
        let compression = number(compression, or: 1)
        let colours = Colours(number(photometricInterpretation, or: samples < 3 ? 1 : 2))
        guard !directory.contains(dngVersion), colours != .sensor else { return "camera raw" }
        guard let colours, number(inkSet, or: 1) == 1 else { return "TIFF with unusual colours" }
        guard compression != 6 else { return "TIFF with old-style JPEG" }
        guard readCompressions.contains(compression) else { return "TIFF with an unusual compression" }
        guard colours != .yCbCr || compression == jpegCompression else { return "TIFF in YCbCr without JPEG" }
        guard colours.samples.contains(samples) else { return "TIFF with \(samples) samples a pixel" }

        let sizes = numbers(bitsPerSample, upTo: samples)
        guard let bits = sizes.first, sizes.count == 1 else { return "TIFF with samples of different sizes" }
        switch numbers(sampleFormat, upTo: samples) {
        // 4: of no known form.
        case [1], [4]:
            guard colours.bits.contains(bits), bits >= 8 || samples == 1 else {
                return "TIFF with \(bits) bits a sample"
            }
        case [3]:
            guard bits == 32, samples == 3, colours == .rgb || colours == .lab else {
                return "TIFF with floating-point numbers"
            }
        default:
            return "TIFF with signed or complex numbers"
        }
        guard number(planarConfiguration, or: 1) == 1 else {
            let isTiled = directory.contains(tileWidth) || directory.contains(tileLength)
            guard !isTiled, bits >= 8, colours != .lab, samples <= colours.samples.lowerBound + 1 else {
                return "TIFF in separate planes"
            }
            return nil
        }
        return nil
    }

    /// The compressions that are read: none, CCITT (2 to 4), LZW, JPEG, deflate, PackBits, deflate as Adobe wrote it
    /// first, LZMA, Zstandard, WebP.
    private static let readCompressions: Set = [
        1, 2, 3, 4, 5, jpegCompression, 8, 32773, 32946, 34925, 50000, 50001,
    ]
    private static let jpegCompression = 7

    /// The photometric kinds.
    private enum Colours {
        case grey, palette, rgb, cmyk, yCbCr, lab
        /// What a sensor recorded, before any picture was made from it (TIFF/EP and DNG).
        case sensor

        init?(_ photometricInterpretation: Int) {
            switch photometricInterpretation {
            case 0, 1: self = .grey
            case 2: self = .rgb
            case 3: self = .palette
            case 5: self = .cmyk
            case 6: self = .yCbCr
            case 8: self = .lab
            case 32803, 34892: self = .sensor
            default: return nil
            }
        }

        /// The numbers of a pixel: those of the colours, an alpha, and one that isn't shown.
        var samples: ClosedRange<Int> {
            switch self {
            case .grey: 1...3
            case .palette: 1...1
            case .rgb: 3...5
            case .cmyk: 4...5
            case .yCbCr, .lab, .sensor: 3...3
            }
        }

        /// The bits that a whole number may have.
        var bits: Set<Int> {
            switch self {
            case .grey, .palette: [1, 2, 4, 8, 16]
            case .rgb, .cmyk, .lab: [8, 16]
            case .yCbCr, .sensor: [8]
            }
        }
    }

    /// Returns the bytes of one strip, or of two rows of tiles and one tile more.
    ///
    /// - Parameters:
    ///   - size: the size of the picture.
    ///   - pixelSize: the bytes of a pixel.
    /// - Throws: ``ImageError/broken`` for a tile that is larger than any picture.
    static func chunkBytes(
        in directory: TIFFDirectory, of size: CodedSize, pixelSize: Int
    ) throws(ImageError) -> Int {
        let row = size.width * pixelSize
        guard directory.contains(tileWidth) || directory.contains(tileLength) else {
            return row * min(directory.integer(rowsPerStrip) ?? size.height, size.height)
        }
        let sides = 1...65_536
        guard let width = directory.integer(tileWidth), let height = directory.integer(tileLength),
            sides.contains(width), sides.contains(height)
        else { throw .broken }
        return 2 * row * height + width * height * pixelSize
    }
}
