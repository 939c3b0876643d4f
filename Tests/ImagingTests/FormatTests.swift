import Imaging
import Testing

@Suite("Pictures of every kind come in")
struct FormatTests {
    @Test(
        "and keep their quadrants",
        arguments: [
            ("quadrants.jpg", ImageFormat.jpeg), ("progressive.jpg", .jpeg), ("quadrants.png", .png),
            ("interlaced.png", .png), ("palette.png", .png), ("16-bit.png", .png), ("quadrants.webp", .webp),
            ("quadrants.gif", .gif), ("quadrants.heic", .heic), ("quadrants.avif", .avif),
            ("quadrants.tif", .tiff), ("tiled.tif", .tiff),
        ])
    func quadrants(name: String, format: ImageFormat) async throws {
        let folder = try Folder()
        // The wrong ending shows that only the content counts.
        let file = try folder.write(Fixture.bytes(name), as: "upload.dat")
        let picture = try await Shared.processor.process(fileAt: file, renditions: small, into: folder.path)
        #expect(picture.format == format)
        #expect(picture.width == 96 && picture.height == 64)
        #expect(picture.renditions.map(\.format) == [.webp, .jpeg])
        for rendition in picture.renditions {
            let pixels = try Pixels(rendition)
            #expect(pixels.quadrants == "RGBY")
            #expect(pixels.width == 48 && pixels.height == 32)
            #expect(rendition.width == 48 && rendition.height == 32)
        }
    }

    @Test("transparency lies on white", arguments: ["alpha.png", "16-bit-alpha.png", "alpha.webp"])
    func alpha(name: String) async throws {
        try await expectQuadrants("WRWR", of: name)
    }

    @Test("transparency of a grey picture lies on white")
    func greyAlpha() async throws {
        try await expectQuadrants("W-W-", of: "grey-alpha.png")
    }

    @Test("the first frame of an animation counts", arguments: ["red-then-blue.gif", "red-then-blue.webp"])
    func animation(name: String) async throws {
        try await expectQuadrants("RRRR", of: name)
    }

    @Test("CMYK becomes red", arguments: ["cmyk-red.jpg", "cmyk-red.tif"])
    func cmyk(name: String) async throws {
        try await expectQuadrants("RRRR", of: name)
    }

    @Test("grey and black-and-white become sRGB", arguments: ["grey.jpg", "grey.png", "bilevel.tif"])
    func grey(name: String) async throws {
        let folder = try Folder()
        let picture = try await Shared.processor.process(
            fileAt: Fixture.path(name), renditions: small, into: folder.path)
        for rendition in picture.renditions {
            let pixel = try Pixels(rendition)[0.25, 0.25]
            let spread = try #require(pixel.max()) - (try #require(pixel.min()))
            #expect(spread <= 4, "\(pixel) isn't grey")
        }
    }

    private func expectQuadrants(_ expected: String, of name: String) async throws {
        let folder = try Folder()
        let picture = try await Shared.processor.process(
            fileAt: Fixture.path(name), renditions: small, into: folder.path)
        for rendition in picture.renditions {
            #expect(try Pixels(rendition).quadrants == expected, "\(rendition.path)")
        }
    }
}

@Suite("Colours come out as sRGB")
struct ColourTests {
    /// What a Display P3 colour is in sRGB by the matrices of both spaces, within what JPEG, gamma 2.2 for the
    /// sRGB curve, and WebP leave.
    @Test(
        "by the embedded profile",
        arguments: [
            ("p3-red.jpg", [255, 0, 0]), ("p3-brown.jpg", [213, 96, 47]), ("swapped-red.jpg", [30, 230, 30]),
        ])
    func profile(name: String, expected: [Int]) async throws {
        try await expectColour(expected, of: name)
    }

    @Test(
        "and without one, or with one that can't be read, as they stand", arguments: ["damaged-profile.jpg"])
    func damagedProfile(name: String) async throws {
        try await expectColour([230, 30, 30], of: name)
    }

    @Test("with transparency under a profile on white")
    func alphaUnderProfile() async throws {
        let folder = try Folder()
        let picture = try await Shared.processor.process(
            fileAt: Fixture.path("alpha-swapped.png"), renditions: small, into: folder.path)
        #expect(try Pixels(picture.renditions[1]).quadrants == "WGWG")
    }

    private func expectColour(_ expected: [Int], of name: String) async throws {
        let folder = try Folder()
        let picture = try await Shared.processor.process(
            fileAt: Fixture.path(name), renditions: small, into: folder.path)
        for rendition in picture.renditions {
            let pixel = try Pixels(rendition)[0.5, 0.5]
            let distance = zip(pixel, expected).map { abs($0 - $1) }.max() ?? 255
            #expect(distance <= 8, "\(pixel) instead of \(expected) in \(rendition.format)")
        }
    }
}
