import Foundation
import Imaging
import Testing

/// A file that must not be taken, made of a fixture or from nothing, the same at each run.
struct BrokenFile: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let expected: ImageError
    let bytes: @Sendable () throws -> [UInt8]

    init(_ description: String, _ expected: ImageError, _ bytes: @escaping @Sendable () throws -> [UInt8]) {
        testDescription = description
        self.expected = expected
        self.bytes = bytes
    }

    static let all = other + jpeg + png + gifAndWebP + heif + lyingHEIF + tiff

    private static let tooManyPixels = ImageError.tooManyPixels(limit: 100_000_000)

    private static let other = [
        BrokenFile("nothing", .notAnImage) { [] },
        BrokenFile("one byte", .notAnImage) { [0xFF] },
        BrokenFile("noise", .notAnImage) {
            var state: UInt64 = 7
            return (0..<10_000).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(state >> 56)
            }
        },
        BrokenFile("text", .notAnImage) { Array("Not a picture at all.".utf8) },
        BrokenFile("a portable pixmap", .notAnImage) { Array("P6 1 1 255\nabc".utf8) },
        BrokenFile("libvips' own format", .notAnImage) { [0xB6, 0xA6, 0xF2, 0x08] + zeros(200) },
        BrokenFile("SVG", .unsupported(format: "SVG")) {
            Array(
                "<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"/>"
                    .utf8)
        },
        BrokenFile("PDF", .unsupported(format: "PDF")) { Array("%PDF-1.7\n1 0 obj".utf8) },
        BrokenFile("BMP", .unsupported(format: "BMP")) { Array("BM".utf8) + zeros(100) },
        BrokenFile("MP4", .unsupported(format: "MP4 video")) { isoFile(brand: "isom") },
        BrokenFile("QuickTime", .unsupported(format: "QuickTime video")) { isoFile(brand: "qt  ") },
        BrokenFile("WebM", .unsupported(format: "WebM video")) { [0x1A, 0x45, 0xDF, 0xA3] + zeros(50) },
        BrokenFile("Photoshop", .unsupported(format: "Photoshop")) { Array("8BPS".utf8) + zeros(50) },
        BrokenFile("JPEG XL", .unsupported(format: "JPEG XL")) { [0xFF, 0x0A] + zeros(50) },
        BrokenFile("ZIP", .unsupported(format: "ZIP")) { Array("PK\u{3}\u{4}".utf8) + zeros(50) },
        BrokenFile("more than 50 MB", .tooManyBytes(limit: 50_000_000)) {
            try Fixture.bytes("quadrants.jpg") + zeros(50_000_000)
        },
    ]

    private static let jpeg = [
        BrokenFile("JPEG of three bytes", .broken) { [0xFF, 0xD8, 0xFF] },
        BrokenFile("JPEG cut at 90 %", .broken) { try cut("quadrants.jpg", at: 0.9) },
        BrokenFile("JPEG cut at half", .broken) { try cut("quadrants.jpg", at: 0.5) },
        BrokenFile("progressive JPEG cut at 90 %", .broken) { try cut("progressive.jpg", at: 0.9) },
        BrokenFile("JPEG without coded pixels", .broken) { try Array(jpegParts().head) },
        BrokenFile("JPEG of zeros behind its head", .broken) { try jpegParts().head + zeros(2000) },
        BrokenFile("JPEG that claims 65,500 × 65,500", tooManyPixels) {
            try jpegClaiming(width: 65_500, height: 65_500)
        },
        BrokenFile("JPEG without width", .broken) { try jpegClaiming(width: 0, height: 64) },
        BrokenFile("JPEG of 5,000 scans", .broken) {
            let parts = try jpegParts()
            let scan = parts.scan.dropLast(2)
            return parts.head + (0..<5000).flatMap { _ in scan } + [0xFF, 0xD9]
        },
        BrokenFile("JPEG of 98 scans of 98 megapixels", .tooCostly) {
            let parts = try jpegParts()
            let scan = parts.scan.dropLast(2)
            let head = Array(try jpegClaiming(width: 9_900, height: 9_900).prefix(parts.head.count))
            return head + (0..<98).flatMap { _ in scan } + [0xFF, 0xD9]
        },
    ]

    private static let png = [
        BrokenFile("PNG of its signature", .broken) { try Array(Fixture.bytes("quadrants.png").prefix(8)) },
        BrokenFile("PNG cut at 70 %", .broken) { try cut("quadrants.png", at: 0.7) },
        BrokenFile("interlaced PNG cut at 70 %", .broken) { try cut("interlaced.png", at: 0.7) },
        BrokenFile("PNG with a wrong checksum", .broken) {
            try changed("quadrants.png", at: 30) { $0 ^ 0xFF }
        },
        BrokenFile("PNG with a changed pixel", .broken) {
            try changed("quadrants.png", at: 60) { $0 ^ 0xFF }
        },
        BrokenFile("PNG of 30,000 × 30,000 in 100 bytes", tooManyPixels) {
            PNGWriter.head(width: 30_000, height: 30_000)
                + PNGWriter.chunk("IDAT", [0x78, 0x9C, 3, 0, 0, 0, 0, 1])
        },
        BrokenFile("PNG that claims 9,000 × 9,000 and holds nothing", .broken) {
            PNGWriter.head(width: 9000, height: 9000)
                + PNGWriter.chunk("IDAT", [0x78, 0x9C, 3, 0, 0, 0, 0, 1])
                + PNGWriter.chunk("IEND", [])
        },
        BrokenFile("interlaced PNG of 9,900 × 9,900 at 16 bits that holds nothing", .broken) {
            PNGWriter.head(width: 9900, height: 9900, depth: 16, colour: 6, interlaced: true)
                + PNGWriter.chunk("IDAT", [0x78, 0x9C, 3, 0, 0, 0, 0, 1]) + PNGWriter.chunk("IEND", [])
        },
        BrokenFile("PNG of 65,536 × 2", .tooCostly) {
            PNGWriter.head(width: 65_536, height: 2)
                + PNGWriter.chunk("IDAT", [0x78, 0x9C, 3, 0, 0, 0, 0, 1])
        },
        BrokenFile("PNG without height", .broken) { PNGWriter.head(width: 10, height: 0) },
    ]

    private static let gifAndWebP = [
        BrokenFile("GIF of its head", .broken) { try Array(Fixture.bytes("quadrants.gif").prefix(13)) },
        BrokenFile("GIF cut at half", .broken) { try cut("quadrants.gif", at: 0.5) },
        BrokenFile("GIF that claims 65,535 × 65,535", tooManyPixels) {
            var bytes = try Fixture.bytes("quadrants.gif")
            let sides: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
            bytes.replaceSubrange(6..<10, with: sides)
            // The frame's own place and size follow a comma.
            let frame = bytes.ranges(of: [0x2C, 0, 0, 0, 0])[0].upperBound
            bytes.replaceSubrange(frame..<frame + 4, with: sides)
            return bytes
        },
        BrokenFile("WebP of its head", .broken) { try Array(Fixture.bytes("quadrants.webp").prefix(16)) },
        BrokenFile("WebP cut at 80 %", .broken) { try cut("quadrants.webp", at: 0.8) },
        BrokenFile("WebP that claims 16,384 × 16,384 for its canvas", .broken) {
            let picture = try Fixture.bytes("quadrants.webp").dropFirst(12)
            let body =
                Array("WEBPVP8X".utf8) + [10, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0x3F, 0, 0xFF, 0x3F, 0] + picture
            return Array("RIFF".utf8) + PNGWriter.bigEndian(body.count).reversed() + body
        },
    ]

    private static let heif = [
        BrokenFile("HEIC of its brand", .broken) { isoFile(brand: "heic") },
        BrokenFile("HEIC cut at 80 %", .broken) { try cut("quadrants.heic", at: 0.8) },
        BrokenFile("HEIC cut at 20 %", .broken) { try cut("quadrants.heic", at: 0.2) },
        BrokenFile("AVIF cut at 80 %", .broken) { try cut("quadrants.avif", at: 0.8) },
        BrokenFile("HEIC that claims 30,000 × 30,000", .broken) {
            try heifClaiming("quadrants.heic", width: 30_000, height: 30_000)
        },
        BrokenFile("HEIC that claims less than is coded", .broken) {
            try heifClaiming("huge.heic", width: 64, height: 64)
        },
        BrokenFile("AVIF that claims less than is coded", .broken) {
            try heifClaiming("huge.avif", width: 64, height: 64)
        },
        BrokenFile("HEIC without its coding", .broken) { try renamed("quadrants.heic", "hvcC", "free") },
        BrokenFile("HEIC without places", .broken) { try renamed("quadrants.heic", "iloc", "free") },
    ]

    /// Files that name a picture of 400 megapixels, which must be found, and some in ways that make readers and
    /// decoders disagree about what is in the file, which are refused for that.
    private static let lyingHEIF: [BrokenFile] = {
        let huge = HEIFWriter.parameterSet(width: 20_000, height: 20_000)
        let little = HEIFWriter.parameterSet(width: 64, height: 64)
        let item = HEIFWriter.units([huge])
        let honest = HEIFWriter(items: [(1, "hvc1", item)])
        return [
            BrokenFile("HEIC whose item is too large", tooManyPixels) { honest.file() },
            BrokenFile("HEIC whose grid is 0xFFFFFFFF × 0xFFFFFFFF", tooManyPixels) {
                let most = UInt32.max
                return HEIFWriter(items: [(1, "grid", HEIFWriter.grid(width: most, height: most))]).file()
            },
            BrokenFile("HEIC whose size follows 00 00 03 03", tooManyPixels) {
                let profile: [UInt8] = [0, 0, 3, 0, 0, 3, 0, 0, 2, 0, 0, 1]
                let unit = HEIFWriter.parameterSet(width: 20_000, height: 20_000, profile: profile)
                return HEIFWriter(properties: HEIFWriter.configuration(unit)).file()
            },
            BrokenFile("HEIC whose items name the same bytes 1,000 times", .broken) {
                HEIFWriter(items: [(1, "hvc1", item + zeros(1000))], copies: 1000).file()
            },
            BrokenFile("HEIC with 1,001 units in an item", .broken) {
                let units = [huge] + [[UInt8]](repeating: [0], count: 1000)
                return HEIFWriter(items: [(1, "hvc1", HEIFWriter.units(units))]).file()
            },
            BrokenFile("HEIC with two kinds of an item", .broken) {
                HEIFWriter(items: [(1, "mime", []), (1, "hvc1", item)]).file()
            },
            BrokenFile("HEIC with two places of an item", .broken) {
                var bytes = HEIFWriter(items: [(1, "hvc1", item), (2, "hvc1", item)]).file()
                let places = bytes.ranges(of: [0, 2, 0, 1, 0, 0, 0, 1])
                bytes[places[places.count - 1].lowerBound + 1] = 1
                return bytes
            },
            BrokenFile("HEIC with two meta boxes", .broken) {
                honest.file(besideMeta: HEIFWriter(items: [(1, "hvc1", HEIFWriter.units([little]))]).meta())
            },
            BrokenFile("HEIC with two lists of properties", .broken) {
                honest.file(besideProperties: HEIFWriter.box("ipco", HEIFWriter.configuration(little)))
            },
            BrokenFile("HEIC with a parameter set that can’t be read", .broken) {
                let unreadable: [UInt8] = [0x42, 1, 1] + zeros(30)
                return HEIFWriter(properties: HEIFWriter.configuration(huge, unreadable)).file()
            },
            BrokenFile("HEIC with offsets of two bytes", .broken) {
                HEIFWriter(items: [(1, "hvc1", item)], offsetSize: 2).file()
            },
            BrokenFile("HEIC with 10,001 properties", .broken) {
                let free = (0..<10_000).flatMap { _ in HEIFWriter.box("free", []) }
                return HEIFWriter(properties: HEIFWriter.configuration(huge) + free).file()
            },
        ]
    }()

    private static let tiff = [
        BrokenFile("TIFF of its head", .broken) { try Array(Fixture.bytes("quadrants.tif").prefix(8)) },
        BrokenFile("TIFF cut at half", .broken) { try cut("tiled.tif", at: 0.5) },
        BrokenFile("TIFF whose directory lies behind its end", .broken) {
            Array("II*\0".utf8) + [0xFF, 0xFF, 0xFF, 0x7F] + zeros(100)
        },
        BrokenFile("TIFF of 100,000 × 100,000", tooManyPixels) {
            tiffFile([(256, 100_000), (257, 100_000)])
        },
        BrokenFile("TIFF with tiles of 2,000,000,000 px", .broken) {
            tiffFile([(256, 64), (257, 64), (322, 2_000_000_000), (323, 2_000_000_000)])
        },
        BrokenFile("TIFF with tiles of 60,000 px", .broken) {
            tiffFile([(256, 64), (257, 64), (322, 60_000), (323, 60_000)])
        },
        BrokenFile("TIFF of 60,000 bands", .unsupported(format: "TIFF with 60000 samples a pixel")) {
            tiffFile([(256, 64), (257, 64), (277, 60_000)])
        },
        BrokenFile("camera raw", .unsupported(format: "camera raw")) {
            tiffFile([(256, 64), (257, 64), (0xC612, 1)])
        },
        BrokenFile("BigTIFF", .unsupported(format: "BigTIFF")) { Array("II+\0".utf8) + zeros(100) },
    ]
}

private func cut(_ name: String, at part: Double) throws -> [UInt8] {
    let bytes = try Fixture.bytes(name)
    return Array(bytes.prefix(Int(Double(bytes.count) * part)))
}

private func changed(_ name: String, at offset: Int, _ change: (UInt8) -> UInt8) throws -> [UInt8] {
    var bytes = try Fixture.bytes(name)
    bytes[offset] = change(bytes[offset])
    return bytes
}

private func renamed(_ name: String, _ old: String, _ new: String) throws -> [UInt8] {
    try Fixture.bytes(name).replacing(Array(old.utf8), with: Array(new.utf8))
}

private func isoFile(brand: String) -> [UInt8] {
    [0, 0, 0, 20] + Array("ftyp\(brand)".utf8) + zeros(4) + Array(brand.utf8) + zeros(40)
}

/// A HEIF file whose container claims other sides.
private func heifClaiming(_ name: String, width: Int, height: Int) throws -> [UInt8] {
    var bytes = try Fixture.bytes(name)
    for range in bytes.ranges(of: Array("ispe".utf8)) {
        let sides = PNGWriter.bigEndian(width) + PNGWriter.bigEndian(height)
        bytes.replaceSubrange(range.upperBound + 4..<range.upperBound + 12, with: sides)
    }
    return bytes
}

/// Everything up to the first scan, and the scan with its header and the end mark.
private func jpegParts() throws -> (head: [UInt8], scan: [UInt8]) {
    let bytes = try Fixture.bytes("quadrants.jpg")
    let start = bytes.ranges(of: [0xFF, 0xDA])[0].lowerBound
    return (Array(bytes[..<start]), Array(bytes[start...]))
}

private func jpegClaiming(width: Int, height: Int) throws -> [UInt8] {
    var bytes = try Fixture.bytes("quadrants.jpg")
    let start = bytes.ranges(of: [0xFF, 0xC0])[0].lowerBound
    let sides = PNGWriter.bigEndian(height).suffix(2) + PNGWriter.bigEndian(width).suffix(2)
    bytes.replaceSubrange(start + 5..<start + 9, with: sides)
    return bytes
}

/// A TIFF file of one directory, grey at 8 bits by default, with 4 kB of zeros for pixels.
private func tiffFile(_ tags: [(UInt16, UInt32)]) -> [UInt8] {
    func little<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
    var all: [UInt16: UInt32] = [258: 8, 259: 1, 262: 1, 277: 1]
    for (tag, value) in tags { all[tag] = value }
    let isTiled = all[322] != nil
    let count = UInt16(all.count + 2)
    let pixels = 8 + 2 + UInt32(count) * 12 + 4
    all[isTiled ? 324 : 273] = pixels
    all[isTiled ? 325 : 279] = 4096
    var bytes = Array("II*\0".utf8) + little(UInt32(8)) + little(count)
    for (tag, value) in all.sorted(by: { $0.key < $1.key }) {
        bytes += little(tag) + little(UInt16(4)) + little(UInt32(1)) + little(value)
    }
    return bytes + zeros(4 + 4096)
}
