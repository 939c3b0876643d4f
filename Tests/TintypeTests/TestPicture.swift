import Foundation
import Imaging
import Testing

/// Pictures made for tests.
enum TestPicture {
    /// A JPEG with a gradient and 64 fields of random blue, so that no two are alike, nor any parts of them.
    ///
    /// - Parameters:
    ///   - width: in pixels.
    ///   - height: in pixels.
    ///   - pixels: three bytes each, row by row; nil for the gradient.
    static func jpeg(width: Int = 64, height: Int = 48, pixels: [UInt8]? = nil) async throws -> [UInt8] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "picture-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = folder.appending(path: "source.tif")
        try Data(tiff(width: width, height: height, pixels: pixels)).write(to: source)
        let spec = RenditionSpec(
            name: "picture", shape: .fit(longestSide: max(width, height)), formats: [.jpeg])
        let made = try await processor.process(
            fileAt: source.path(), renditions: [spec], into: folder.path())
        return [UInt8](try Data(contentsOf: URL(filePath: made.renditions[0].path)))
    }

    /// Returns what the server reads of a picture, such as its size and main colour.
    static func read(_ picture: [UInt8]) async throws -> ProcessedImage {
        let folder = FileManager.default.temporaryDirectory.appending(path: "picture-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "picture")
        try Data(picture).write(to: file)
        return try await processor.process(fileAt: file.path(), renditions: [], into: folder.path())
    }

    /// The pool that all tests share. To start processes for each test would take longer than its pictures.
    static let processor = ImageProcessor(concurrency: 2, waiting: 10_000, patience: .seconds(600))

    /// An uncompressed picture (TIFF 6.0, baseline RGB): the one format that is written in a few lines.
    ///
    /// - Parameter change: a tag and another value of it; with more samples a pixel (277) come as many bytes.
    static func tiff(
        width: Int, height: Int, pixels given: [UInt8]? = nil,
        changing change: (tag: UInt16, value: UInt32)? = nil
    ) -> [UInt8] {
        let extra = change?.tag == 277 ? Int(change?.value ?? 3) - 3 : 0
        let pixels = given ?? gradient(width: width, height: height, extra: extra)
        let tags: [(tag: UInt16, type: UInt16, count: UInt32, value: UInt32)] = [
            (256, 4, 1, UInt32(width)), (257, 4, 1, UInt32(height)),
            (258, 3, UInt32(3 + extra), 8 + 2 + 10 * 12 + 4),  // bits a sample, behind the directory
            (259, 3, 1, 1), (262, 3, 1, 2),
            (273, 4, 1, UInt32(8 + 2 + 10 * 12 + 4 + 6 + extra * 2)),  // the pixels, behind those
            (277, 3, 1, 3), (278, 4, 1, UInt32(height)), (279, 4, 1, UInt32(pixels.count)), (284, 3, 1, 1),
        ]
        func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
            withUnsafeBytes(of: number.littleEndian) { Array($0) }
        }
        var file: [UInt8] =
            Array("II".utf8) + bytes(UInt16(42)) + bytes(UInt32(8)) + bytes(UInt16(tags.count))
        for var tag in tags {
            if let change, change.tag == tag.tag { tag.value = change.value }
            file += bytes(tag.tag) + bytes(tag.type) + bytes(tag.count)
            file += tag.type == 3 && tag.count == 1 ? bytes(UInt16(tag.value)) + [0, 0] : bytes(tag.value)
        }
        file += bytes(UInt32(0))
        for _ in 0..<3 + extra { file += bytes(UInt16(8)) }
        return file + pixels
    }

    /// Returns pixels of three bytes, and some more. Rows of the same shade are computed once: this isn't optimised, and
    /// some pictures are large.
    private static func gradient(width: Int, height: Int, extra: Int) -> [UInt8] {
        let size = 3 + extra
        var row = [UInt8](repeating: 255, count: width * size)
        for x in 0..<width { row[x * size] = UInt8(x * 255 / width) }
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * size)
        for y in 0..<height {
            if y == 0 || y * 8 / height > (y - 1) * 8 / height {
                let blues = (0..<8).map { _ in UInt8.random(in: 0...255) }
                for x in 0..<width { row[x * size + 2] = blues[x * 8 / width] }
            }
            let shade = UInt8(y * 255 / height)
            if row[1] != shade || y == 0 {
                for x in 0..<width { row[x * size + 1] = shade }
            }
            pixels += row
        }
        return pixels
    }

    // MARK: What a camera writes

    /// The picture with an EXIF block: a Geheim 7 of Kamera-Werk, on 4 March 2019 at 05:06:07 UTC, at 48.858367° N,
    /// 2.294500° E. Made by the `EXIFWriter` of ImagingTests.
    static func taken(_ jpeg: [UInt8]) throws -> [UInt8] {
        let block = [UInt8](try #require(Data(base64Encoded: exif)))
        let length = UInt16(block.count + 2)
        return jpeg[..<2] + [0xff, 0xe1, UInt8(length >> 8), UInt8(length & 0xff)] + block + jpeg[2...]
    }

    private static let exif = """
        RXhpZgAATU0AKgAAAAgABAEPAAIAAAAMAAAAPgEQAAIAAAAJAAAASodpAAQAAAABAAAAU4glAAQAAAABAAAAjAAAAABLYW1l\
        cmEtV2VyawBHZWhlaW0gNwAAApADAAIAAAAUAAAAcZARAAIAAAAHAAAAhQAAAAAyMDE5OjAzOjA0IDA1OjA2OjA3ACswMDow\
        MAAABAABAAIAAAACTgAAAAACAAUAAAADAAAAwgADAAIAAAACRQAAAAAEAAUAAAADAAAA2gAAAAAAAAAwAAAAAQAAADMAAAAB\
        AAALxAAAAGQAAAACAAAAAQAAABEAAAABAAABkgAAAAo=
        """
}
