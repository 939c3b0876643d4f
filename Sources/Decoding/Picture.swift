import CVips
import Imaging

/// A libvips image: what to compute, or pixels already in memory. It stays on the thread that made it.
///
/// A step that fails throws ``ImageError/broken``: sizes and formats were checked before, so the only remaining reason
/// is a file that can't be decoded.
package final class Picture {
    private let image: OpaquePointer

    private init(_ image: OpaquePointer?) throws(ImageError) {
        guard let image else { throw .broken }
        self.image = image
    }

    deinit {
        tintype_vips_release(image)
    }

    /// Starts libvips, once for the process.
    static func startLibrary() {
        precondition(isLibraryStarted, "libvips can't start")
    }

    private static let isLibraryStarted = tintype_vips_start() == 0

    /// Creates a picture of three bytes a pixel in sRGB, whose pixels are then written through ``canvasPixels``.
    ///
    /// - Parameters:
    ///   - width: the width in pixels.
    ///   - height: the height in pixels.
    /// - Throws: ``ImageError/broken`` if there is not enough memory.
    convenience init(canvasOf width: Int, _ height: Int) throws(ImageError) {
        Self.startLibrary()
        try self.init(tintype_vips_canvas(Int32(width), Int32(height)))
    }

    /// The pixels of a canvas row by row, which live as long as the picture.
    var canvasPixels: UnsafeMutablePointer<UInt8>? { tintype_vips_canvas_pixels(image) }

    /// Opens a file and reads its header.
    ///
    /// - Parameters:
    ///   - file: the file, from which no other picture may be read meanwhile.
    ///   - format: the file's format, recognised by its content.
    ///   - shrink: 1, or for JPEG and WebP 2, 4 or 8: how many times smaller it is decoded.
    package convenience init(
        file: Descriptor, format: ImageFormat, shrink: Int = 1
    ) throws(ImageError) {
        Self.startLibrary()
        try self.init(tintype_vips_load(format.loader, file.number, Int32(shrink)))
    }

    /// The width in pixels.
    package var width: Int { Int(tintype_vips_width(image)) }
    /// The height in pixels.
    package var height: Int { Int(tintype_vips_height(image)) }
    /// The numbers of a pixel.
    var bands: Int { Int(tintype_vips_bands(image)) }
    /// The bytes of one decoded pixel.
    var pixelSize: Int { tintype_vips_pixel_size(image) }
    var hasAlpha: Bool { tintype_vips_has_alpha(image) != 0 }
    var isInterlaced: Bool { tintype_vips_is_interlaced(image) != 0 }
    var isAV1: Bool { tintype_vips_is_av1(image) != 0 }

    /// The way in which the stored picture has to be turned.
    var orientation: Orientation {
        Orientation(rawValue: Int(tintype_vips_orientation(image))) ?? .upright
    }

    /// The EXIF block as it is in the file; empty when there is none.
    package var exif: [UInt8] {
        var length = 0
        guard let bytes = tintype_vips_exif(image, &length) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: bytes, count: length))
    }

    /// Decodes the rows of a file above the first one that will be used, some at a time: libvips would hold all of them
    /// at once.
    func advanced(to row: Int) throws(ImageError) -> Picture {
        guard tintype_vips_advance(image, Int32(row)) == 0 else { throw .broken }
        return self
    }

    func cropped(to area: PixelArea) throws(ImageError) -> Picture {
        try Picture(
            tintype_vips_crop(image, Int32(area.x), Int32(area.y), Int32(area.width), Int32(area.height)))
    }

    /// Returns a part that may extend beyond the picture, where the pixels of its edge are repeated.
    ///
    /// - Parameter area: a part that has at least one pixel in common with the picture.
    func window(_ area: PixelArea) throws(ImageError) -> Picture {
        try Picture(
            tintype_vips_window(image, Int32(area.x), Int32(area.y), Int32(area.width), Int32(area.height)))
    }

    func resized(to sides: (width: Int, height: Int)) throws(ImageError) -> Picture {
        if sides == (width, height) { return self }
        return try Picture(tintype_vips_resize(image, Int32(sides.width), Int32(sides.height)))
    }

    /// Returns pixels between those of the picture.
    ///
    /// - Parameters:
    ///   - columns: the places of the result's pixels in width, within the picture.
    ///   - rows: the places of the result's pixels in height, within the picture.
    func interpolated(_ columns: PixelLine, _ rows: PixelLine) throws(ImageError) -> Picture {
        try Picture(
            tintype_vips_interpolate(
                image, columns.scale, rows.scale, columns.start, rows.start, Int32(columns.count),
                Int32(rows.count)))
    }

    /// Returns the picture with alpha laid over white; the picture itself when it has no alpha.
    func flattened() throws(ImageError) -> Picture {
        hasAlpha ? try Picture(tintype_vips_flatten(image)) : self
    }

    /// Returns the picture as 8-bit sRGB with three bands, whatever its colours were.
    package func inSRGB() throws(ImageError) -> Picture {
        try Picture(tintype_vips_srgb(image))
    }

    func turned(by orientation: Orientation) throws(ImageError) -> Picture {
        if orientation == .upright { return self }
        return try Picture(tintype_vips_turn(image, Int32(orientation.rawValue)))
    }

    /// Computes all pixels and drops all metadata.
    func inMemory() throws(ImageError) -> Picture {
        try Picture(tintype_vips_in_memory(image))
    }

    /// Computes all pixels, three bytes each, and writes them into a canvas.
    ///
    /// - Parameters:
    ///   - first: the place of the first pixel in the canvas.
    ///   - across: the bytes from the first pixel to the next one of the row; negative if it is before.
    ///   - down: the bytes from the first pixel to the next one of the column; negative if it is before.
    /// - Throws: ``ImageError/broken``; then a part may have been written.
    func draw(at first: UnsafeMutablePointer<UInt8>, across: Int, down: Int) throws(ImageError) {
        guard tintype_vips_draw(image, first, across, down) == 0 else { throw .broken }
    }

    /// Returns the pixels row by row, three bytes each for an 8-bit sRGB picture.
    package func pixels() throws(ImageError) -> [UInt8] {
        var length = 0
        let pixels = tintype_vips_pixels(image, &length)
        return try Self.take(pixels, length)
    }

    /// Encodes without metadata.
    func encoded(by encoding: Encoding) throws(ImageError) -> [UInt8] {
        var length = 0
        switch encoding {
        case .jpeg(let quality, let isSmallest):
            return try Self.take(
                tintype_vips_encode_jpeg(image, quality, isSmallest ? 1 : 0, &length), length)
        case .webp(let quality):
            let file = tintype_vips_encode_webp(image, quality, Encoding.webpEffort, &length)
            return try WebPContainer.withoutMetadata(Self.take(file, length))
        case .png:
            return try Self.take(tintype_vips_encode_png(image, &length), length)
        }
    }

    private static func take(_ bytes: UnsafeMutableRawPointer?, _ length: Int) throws(ImageError) -> [UInt8] {
        guard let bytes else { throw .broken }
        defer { tintype_vips_free(bytes) }
        return [UInt8](UnsafeRawBufferPointer(start: bytes, count: length))
    }
}

/// The way in which a picture is encoded.
enum Encoding {
    /// JPEG, with a quality of 1 to 100. A file is smallest with Huffman tables of its own, for which all coefficients
    /// are kept in memory.
    case jpeg(quality: Int32, isSmallest: Bool)
    /// WebP, with a quality of 1 to 100.
    case webp(quality: Int32)
    case png

    /// The effort, chosen by measurement: with effort 4, the default, all renditions of a JPEG take 45 % more CPU time,
    /// for files that are 4 % smaller.
    fileprivate static let webpEffort: Int32 = 2

    /// Encodes renditions.
    init(_ format: RenditionFormat) {
        self =
            switch format {
            case .jpeg: .jpeg(quality: 82, isSmallest: true)
            case .webp: .webp(quality: 80)
            }
    }

    /// Encodes a composition in full size.
    init(_ format: CollageSpec.Format) {
        self =
            switch format {
            case .jpeg: .jpeg(quality: 90, isSmallest: false)
            case .webp: .webp(quality: 90)
            case .png: .png
            }
    }
}

extension ImageFormat {
    fileprivate var loader: TintypeVipsLoader {
        switch self {
        case .jpeg: TINTYPE_VIPS_JPEG
        case .png: TINTYPE_VIPS_PNG
        case .webp: TINTYPE_VIPS_WEBP
        case .gif: TINTYPE_VIPS_GIF
        case .heic, .avif: TINTYPE_VIPS_HEIF
        case .tiff: TINTYPE_VIPS_TIFF
        }
    }
}
