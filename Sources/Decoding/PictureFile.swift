import Foundation
import Imaging

/// A received file whose format and sizes are known and allowed. No pixel of it has been decoded.
package struct PictureFile {
    let file: Descriptor
    let format: ImageFormat
    /// The width as stored, before turning.
    let storedWidth: Int
    let storedHeight: Int
    let orientation: Orientation
    let capture: Capture
    /// The bytes of one decoded pixel.
    let pixelSize: Int
    /// The bytes that the file's decoder will hold at once, estimated rather too high; 0 for a decoder that streams.
    /// ``decodingMemory(scale:)`` adds what the steps after the decoder hold.
    let decoderBytes: Int

    var width: Int { orientation.swapsSides ? storedHeight : storedWidth }
    var height: Int { orientation.swapsSides ? storedWidth : storedHeight }

    /// Reads the header.
    ///
    /// - Throws: every ``ImageError`` except `outOfSpace`.
    package init(_ file: Descriptor, limits: ImageLimits) throws(ImageError) {
        let bytes = try Self.contents(file, limit: limits.bytes)
        var format = try ImageFormat(head: [UInt8](bytes.prefix(512)))
        let directory = format == .tiff ? TIFFDirectory(bytes) : nil
        var largestCoded = 0
        var scans = 0
        switch format {
        case .jpeg:
            scans = JPEGScans.count(in: bytes, upTo: Self.allowedScans + 1)
            guard scans <= Self.allowedScans else { throw .broken }
        case .heic, .avif:
            largestCoded = try HEIFHeader(bytes).sizes.map(\.pixels).max() ?? 0
            guard largestCoded > 0 else { throw .broken }
            guard largestCoded <= limits.pixels else { throw .tooManyPixels(limit: limits.pixels) }
        case .tiff:
            guard let directory else { throw .broken }
            if let kind = TIFFTag.unreadKind(of: directory) { throw .unsupported(format: kind) }
        default:
            break
        }

        let picture = try Picture(file: file, format: format)
        let size = CodedSize(width: picture.width, height: picture.height)
        guard size.width > 0, size.height > 0, picture.bands <= Self.allowedBands else { throw .broken }
        guard size.pixels <= limits.pixels else { throw .tooManyPixels(limit: limits.pixels) }
        guard max(size.width, size.height) <= ImageLimits.longestSide else { throw .tooCostly }
        guard scans * size.pixels <= Self.allowedScannedPixels else { throw .tooCostly }
        if format == .heic && picture.isAV1 { format = .avif }

        self.file = file
        self.format = format
        self.storedWidth = picture.width
        self.storedHeight = picture.height
        self.orientation = picture.orientation
        self.capture = directory.map(Capture.init(directory:)) ?? Capture(exif: Data(picture.exif))
        self.pixelSize = picture.pixelSize
        self.decoderBytes = try Self.decoderBytes(of: picture, format, directory, largestCoded: largestCoded)
    }

    /// The most scans. Progressive JPEG is decoded once for each scan, and a file of some kilobytes can contain
    /// thousands of them. Encoders write about ten.
    private static let allowedScans = 100

    /// The most pixels of all scans together: fifteen scans of 100 megapixels, and all scans of 15.
    private static let allowedScannedPixels = 1_500_000_000

    /// The most bands: CMYK with alpha, or RGB with two further bands. TIFF allows pictures of 65,535 bands.
    private static let allowedBands = 5

    /// Returns the bytes of a file, mapped into memory, since of most files only the first page is read here. libvips
    /// reads them itself.
    private static func contents(_ file: Descriptor, limit: Int) throws(ImageError) -> Data {
        let count = try file.byteCount()
        guard count > 0 else { throw .notAnImage }
        guard count <= limit else { throw .tooManyBytes(limit: limit) }
        guard let bytes = mmap(nil, count, PROT_READ, MAP_PRIVATE, file.number, 0), bytes != MAP_FAILED else {
            throw .inputOutput(errno: errno)
        }
        return Data(bytesNoCopy: bytes, count: count, deallocator: .unmap)
    }

    private static func decoderBytes(
        of picture: Picture, _ format: ImageFormat, _ directory: TIFFDirectory?, largestCoded: Int
    ) throws(ImageError) -> Int {
        // Both were checked: at most `ImageLimits.pixels` of at most five numbers of 16 bytes.
        let size = CodedSize(width: picture.width, height: picture.height)
        let pixels = size.pixels
        switch format {
        // Two bytes for each coefficient of each band.
        case .jpeg: return picture.isInterlaced ? pixels * picture.pixelSize * 2 : 0
        case .png: return picture.isInterlaced ? pixels * picture.pixelSize : 0
        // The canvas with alpha, and for WebP its copy.
        case .gif: return pixels * 4
        case .webp: return pixels * 8
        // Planes of the decoder and its references, then the packed picture and its copy.
        case .heic, .avif: return max(pixels, largestCoded) * (3 + 2 * picture.pixelSize)
        case .tiff:
            guard let directory else { throw .broken }
            return try TIFFTag.chunkBytes(in: directory, of: size, pixelSize: picture.pixelSize)
        }
    }
}

extension PictureFile {
    /// The bytes that the process holds without any picture.
    static let processMemory = 45_000_000

    /// Opens the picture for decoding, reduced as far as a scale allows.
    ///
    /// - Parameter scale: the pixels to be made of one pixel of the picture.
    /// - Throws: ``ImageError/broken``.
    func opened(for scale: Double) throws(ImageError) -> Picture {
        try Picture(file: file, format: format, shrink: format.shrink(for: scale))
    }

    /// Returns the bytes that the decoder, and the steps up to a smaller or larger picture, will hold at once,
    /// estimated rather too high.
    ///
    /// A step of libvips computes 128 rows of its result at a time, and holds the rows from which they are computed, in
    /// the decoder's form and in further ones. After a decoder it holds some hundred rows in any case.
    ///
    /// - Parameter scale: the pixels to be made of one pixel of the picture.
    func decodingMemory(scale: Double) -> Int {
        let shrink = format.shrink(for: scale)
        let row = (storedWidth / shrink + 1) * pixelSize
        let rows = min(Double(storedHeight / shrink + 1), max(220 / (scale * Double(shrink)), 550))
        return decoderBytes + row * Int(rows)
    }
}

extension ImageFormat {
    /// Returns how many times smaller a picture is decoded for a scale: the greatest factor that still leaves all
    /// pixels of the result.
    ///
    /// Decoders that reduce pictures average well, so between one and two times the wanted size is enough for the
    /// resampling that follows. (libvips' own thumbnail keeps twice the size, and so decodes 4,032 px in full for
    /// 1,440.)
    func shrink(for scale: Double) -> Int {
        guard self == .jpeg || self == .webp else { return 1 }
        return [8, 4, 2].first { Double($0) * scale <= 1 } ?? 1
    }
}
