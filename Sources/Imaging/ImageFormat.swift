import Foundation

/// The kinds of pictures that can be uploaded.
public enum ImageFormat: String, Sendable, CaseIterable, Codable {
    case jpeg, png, webp, gif, heic, avif, tiff

    /// The media type of RFC 2046, for example `image/jpeg`.
    public var contentType: String { "image/\(rawValue)" }

    /// The usual extension of a file name, without the dot.
    public var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .tiff: "tif"
        default: rawValue
        }
    }
}

extension ImageFormat {
    /// Recognizes a file's kind by its first bytes. The file's name doesn't matter.
    ///
    /// A HEIF file without a brand that says how its picture is coded counts as HEIC until it is opened.
    ///
    /// - Parameter head: the beginning of the file: 512 bytes, or the whole file if it is shorter.
    /// - Throws: ``ImageError/unsupported(format:)`` for a known kind that can't be read here,
    ///   ``ImageError/notAnImage`` for everything else.
    package init(head: [UInt8]) throws(ImageError) {
        if let format = Self.signatures.first(where: { $0.matches(head) })?.format {
            self = format
        } else if let format = try Self.format(ofISOMediaFile: head) {
            self = format
        } else if let known = Self.refused.first(where: { $0.matches(head) })?.format {
            throw .unsupported(format: known)
        } else if Self.looksLikeSVG(head) {
            throw .unsupported(format: "SVG")
        } else {
            throw .notAnImage
        }
    }

    /// The bytes that a file of a kind has at fixed positions.
    private struct Signature<Format: Sendable>: Sendable {
        let format: Format
        let parts: [(offset: Int, bytes: [UInt8])]

        init(_ format: Format, _ parts: (offset: Int, text: String)...) {
            self.format = format
            self.parts = parts.map {
                (offset: $0.offset, bytes: $0.text.unicodeScalars.map { UInt8($0.value) })
            }
        }

        func matches(_ head: [UInt8]) -> Bool {
            parts.allSatisfy { head.dropFirst($0.offset).starts(with: $0.bytes) }
        }
    }

    private static let signatures: [Signature<ImageFormat>] = [
        Signature(.jpeg, (0, "\u{FF}\u{D8}\u{FF}")),
        Signature(.png, (0, "\u{89}PNG\r\n\u{1A}\n")),
        Signature(.webp, (0, "RIFF"), (8, "WEBP")),
        Signature(.gif, (0, "GIF87a")),
        Signature(.gif, (0, "GIF89a")),
        Signature(.tiff, (0, "II*\0")),
        Signature(.tiff, (0, "MM\0*")),
    ]

    private static let refused: [Signature<String>] = [
        Signature("BMP", (0, "BM")),
        Signature("PDF", (0, "%PDF")),
        Signature("Photoshop", (0, "8BPS")),
        Signature("icon", (0, "\0\0\u{01}\0")),
        Signature("JPEG XL", (0, "\u{FF}\u{0A}")),
        Signature("JPEG XL", (4, "JXL ")),
        Signature("JPEG 2000", (4, "jP  ")),
        Signature("JPEG 2000", (0, "\u{FF}\u{4F}\u{FF}\u{51}")),
        Signature("BigTIFF", (0, "II+\0")),
        Signature("BigTIFF", (0, "MM\0+")),
        Signature("WebM video", (0, "\u{1A}\u{45}\u{DF}\u{A3}")),
        Signature("AVI video", (0, "RIFF"), (8, "AVI ")),
        Signature("ZIP", (0, "PK\u{03}\u{04}")),
    ]

    /// Reads a box by ISO/IEC 14496-12, 4.3: four bytes of length, `ftyp`, the major brand, a version, more
    /// brands.
    private static func format(ofISOMediaFile head: [UInt8]) throws(ImageError) -> ImageFormat? {
        guard head.count >= 16, head[4..<8].elementsEqual("ftyp".utf8) else { return nil }
        let length = head[0..<4].reduce(0) { $0 << 8 | Int($1) }
        let end = min(max(length, 16), head.count)
        var brands = [String(decoding: head[8..<12], as: UTF8.self)]
        for start in stride(from: 16, through: end - 4, by: 4) {
            brands.append(String(decoding: head[start..<start + 4], as: UTF8.self))
        }
        if brands.contains("avif") || brands.contains("avis") { return .avif }
        let heic: Set = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"]
        if brands.contains(where: heic.contains) { return .heic }
        throw .unsupported(format: brands[0] == "qt  " ? "QuickTime video" : "MP4 video")
    }

    private static func looksLikeSVG(_ head: [UInt8]) -> Bool {
        let text = String(decoding: head, as: UTF8.self).lowercased()
        return text.contains("<svg") || text.contains("<!doctype svg")
    }
}
