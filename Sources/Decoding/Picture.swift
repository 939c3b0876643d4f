import CVips
import Imaging

/// A libvips image: what to compute, or pixels already in memory. Stays on the thread that made it.
///
/// A step that fails throws ``ImageError/broken``: sizes and formats were checked before, so that only a file
/// that can't be decoded is left as a reason.
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

    /// Gives the memory of pictures that are done back to the system.
    static func trimMemory() {
        tintype_vips_trim()
    }

    /// Opens a file and reads its header.
    ///
    /// - Parameters:
    ///   - file: the file, which no other picture may be read from meanwhile.
    ///   - format: its kind, told by its content.
    ///   - shrink: 1, or for JPEG and WebP 2, 4 or 8: how many times smaller it is decoded.
    package convenience init(
        file: Descriptor, format: ImageFormat, shrink: Int = 1
    ) throws(ImageError) {
        Self.startLibrary()
        try self.init(tintype_vips_load(format.loader, file.number, Int32(shrink)))
    }

    /// In pixels.
    package var width: Int { Int(tintype_vips_width(image)) }
    /// In pixels.
    package var height: Int { Int(tintype_vips_height(image)) }
    /// Numbers a pixel.
    var bands: Int { Int(tintype_vips_bands(image)) }
    /// Bytes of one decoded pixel.
    var pixelSize: Int { tintype_vips_pixel_size(image) }
    var hasAlpha: Bool { tintype_vips_has_alpha(image) != 0 }
    var isInterlaced: Bool { tintype_vips_is_interlaced(image) != 0 }
    var isAV1: Bool { tintype_vips_is_av1(image) != 0 }

    /// How the stored picture has to be turned.
    var orientation: Orientation {
        Orientation(rawValue: Int(tintype_vips_orientation(image))) ?? .upright
    }

    /// The EXIF block as it stands in the file, empty when there is none.
    package var exif: [UInt8] {
        var length = 0
        guard let bytes = tintype_vips_exif(image, &length) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: bytes, count: length))
    }

    func cropped(to area: PixelArea) throws(ImageError) -> Picture {
        try Picture(
            tintype_vips_crop(image, Int32(area.x), Int32(area.y), Int32(area.width), Int32(area.height)))
    }

    func resized(to sides: (width: Int, height: Int)) throws(ImageError) -> Picture {
        if sides == (width, height) { return self }
        return try Picture(tintype_vips_resize(image, Int32(sides.width), Int32(sides.height)))
    }

    /// Alpha laid over white; itself when it has none.
    func flattened() throws(ImageError) -> Picture {
        hasAlpha ? try Picture(tintype_vips_flatten(image)) : self
    }

    /// As 8-bit sRGB with three bands, whatever came in.
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

    /// The pixels row by row, for an 8-bit sRGB picture three bytes each.
    package func pixels() throws(ImageError) -> [UInt8] {
        var length = 0
        let pixels = tintype_vips_pixels(image, &length)
        return try Self.take(pixels, length)
    }

    /// Encodes without metadata.
    func encoded(as format: RenditionFormat) throws(ImageError) -> [UInt8] {
        var length = 0
        let bytes =
            switch format {
            case .jpeg: tintype_vips_encode_jpeg(image, Encoding.jpegQuality, &length)
            case .webp: tintype_vips_encode_webp(image, Encoding.webpQuality, Encoding.webpEffort, &length)
            }
        let file = try Self.take(bytes, length)
        return format == .webp ? try WebPContainer.withoutMetadata(file) : file
    }

    private static func take(_ bytes: UnsafeMutableRawPointer?, _ length: Int) throws(ImageError) -> [UInt8] {
        guard let bytes else { throw .broken }
        defer { tintype_vips_free(bytes) }
        return [UInt8](UnsafeRawBufferPointer(start: bytes, count: length))
    }
}

/// How renditions are encoded.
private enum Encoding {
    static let jpegQuality: Int32 = 82
    static let webpQuality: Int32 = 80
    /// Chosen by measurement: with effort 4, the usual one, all renditions of a JPEG take 45 % more CPU time, for
    /// files that are 4 % smaller.
    static let webpEffort: Int32 = 2
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
