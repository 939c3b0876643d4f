import Imaging
import Testing

@Suite("Pictures are turned upright")
struct OrientationTests {
    /// The quadrants of a picture stored as RGBY, by EXIF orientation (EXIF 2.32, tag 0x0112).
    static let upright = [
        (1, "RGBY"), (2, "GRYB"), (3, "YBGR"), (4, "BYRG"), (5, "RBGY"), (6, "BRYG"), (7, "YGBR"),
        (8, "GYRB"),
    ]

    @Test("by EXIF in JPEG", arguments: upright, [true, false])
    func jpeg(orientation: (value: Int, quadrants: String), isBigEndian: Bool) async throws {
        let exif = EXIFWriter(isBigEndian: isBigEndian, orientation: orientation.value)
        try await expect(orientation, exif.inserted(intoJPEG: Fixture.bytes("quadrants.jpg")))
    }

    @Test("by EXIF in PNG", arguments: upright)
    func png(orientation: (value: Int, quadrants: String)) async throws {
        let exif = EXIFWriter(orientation: orientation.value)
        try await expect(orientation, exif.inserted(intoPNG: Fixture.bytes("quadrants.png")))
    }

    @Test("by the tag of a TIFF file")
    func tiff() async throws {
        try await expect((6, "BRYG"), Fixture.bytes("turned.tif"))
    }

    @Test("an orientation that doesn't exist is none", arguments: [0, 9, 65_535])
    func unknown(value: Int) async throws {
        let exif = EXIFWriter(orientation: value)
        try await expect((1, "RGBY"), exif.inserted(intoJPEG: Fixture.bytes("quadrants.jpg")))
    }

    @Test("a crop counts in the upright picture", arguments: upright)
    func crop(orientation: (value: Int, quadrants: String)) async throws {
        let exif = EXIFWriter(orientation: orientation.value)
        let folder = try Folder()
        let file = try folder.write(exif.inserted(intoJPEG: Fixture.bytes("quadrants.jpg")))
        for (index, letter) in orientation.quadrants.enumerated() {
            let crop = CropSquare(x: index % 2 == 0 ? 0 : 0.6, y: index < 2 ? 0 : 0.6, size: 0.4)
            let picture = try await Shared.processor.process(
                fileAt: file, crop: crop, renditions: RenditionSpec.portrait, into: folder.path)
            let rendition = picture.renditions[1]
            #expect(rendition.width == rendition.height)
            #expect(try Pixels(rendition).quadrants == String(repeating: letter, count: 4))
        }
    }

    private func expect(_ orientation: (value: Int, quadrants: String), _ bytes: [UInt8]) async throws {
        let folder = try Folder()
        let file = try folder.write(bytes)
        let picture = try await Shared.processor.process(fileAt: file, renditions: small, into: folder.path)
        let sides = (1...4).contains(orientation.value) ? [96, 64] : [64, 96]
        #expect([picture.width, picture.height] == sides)
        for rendition in picture.renditions {
            #expect(try Pixels(rendition).quadrants == orientation.quadrants)
            #expect([rendition.width, rendition.height] == sides.map { $0 / 2 })
        }
    }
}
