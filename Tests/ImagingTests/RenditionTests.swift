import Foundation
import Imaging
import Testing

@Suite("Renditions")
struct RenditionTests {
    private func sides(_ picture: ProcessedImage) -> [[Int]] {
        picture.renditions.map { [$0.width, $0.height] }
    }

    @Test("are never larger than the picture")
    func neverEnlarged() async throws {
        let folder = try Folder()
        let picture = try await Shared.processor.process(
            fileAt: Fixture.path("quadrants.jpg"), renditions: RenditionSpec.photo, into: folder.path)
        #expect(sides(picture) == [[96, 64], [96, 64], [96, 64], [96, 64], [64, 64], [64, 64]])
        #expect(
            try folder.files == [
                "large.jpg", "large.webp", "medium.jpg", "medium.webp", "square.jpg", "square.webp",
            ])
        for rendition in picture.renditions {
            let pixels = try Pixels(rendition)
            #expect(pixels.width == rendition.width && pixels.height == rendition.height)
            #expect(pixels.quadrants == "RGBY")
        }
    }

    @Test("of a picture of 98 megapixels in 24 kB are made too")
    func large() async throws {
        let folder = try Folder()
        let picture = try await Shared.processor.process(
            fileAt: Fixture.path("98-megapixels.png"), renditions: RenditionSpec.photo, into: folder.path)
        #expect(picture.width == 9900 && picture.height == 9900)
        #expect(picture.renditions.map(\.width) == [1440, 1440, 720, 720, 240, 240])
        #expect(picture.renditions.map(\.height) == [1440, 1440, 720, 720, 240, 240])
        #expect(picture.placeholder == "#ffffff")
    }

    @Test(
        "come in the order of their specs, of whatever sizes", arguments: ["quadrants.jpg", "quadrants.heic"])
    func order(name: String) async throws {
        let folder = try Folder()
        let specs = [
            RenditionSpec(name: "a", shape: .square(side: 10), formats: [.jpeg]),
            RenditionSpec(name: "b", shape: .fit(longestSide: 48), formats: [.webp]),
            RenditionSpec(name: "c", shape: .fit(longestSide: 1), formats: [.jpeg, .webp]),
        ]
        let picture = try await Shared.processor.process(
            fileAt: Fixture.path(name), renditions: specs, into: folder.path)
        #expect(picture.renditions.map(\.spec.name) == ["a", "b", "c", "c"])
        #expect(picture.renditions.map(\.format) == [.jpeg, .webp, .jpeg, .webp])
        #expect(sides(picture) == [[10, 10], [48, 32], [1, 1], [1, 1]])
    }

    @Test(
        "of a banner are three times as wide as high, from the middle, and never enlarged",
        arguments: [("quadrants.png", [96, 32]), ("98-megapixels.png", [1500, 500])])
    func banner(name: String, size: [Int]) async throws {
        let folder = try Folder()
        let whole = RenditionSpec(name: "whole", shape: .fit(longestSide: 96), formats: [.jpeg])
        let picture = try await Shared.processor.process(
            fileAt: Fixture.path(name), renditions: RenditionSpec.banner + [whole], into: folder.path)
        #expect(sides(picture).dropLast() == [size, size])
        // A middle has a part of each quadrant, where the whole picture has it.
        let (banner, all) = (try Pixels(picture.renditions[1]), try Pixels(picture.renditions[2]))
        #expect(banner.quadrants == all.quadrants)
    }

    @Test("of a tall, narrow picture are cut out of its middle")
    func tall() async throws {
        let folder = try Folder()
        let path = folder.path + "/tall.tif"
        try Data(Self.tall(width: 200, height: 24_000)).write(to: URL(filePath: path))
        let picture = try await Shared.processor.process(
            fileAt: path, renditions: RenditionSpec.banner + RenditionSpec.portrait, into: folder.path)
        #expect(
            sides(picture) == [[200, 67], [200, 67], [200, 200], [200, 200], [120, 120], [120, 120]])
        // White in the middle, black above and below.
        for rendition in picture.renditions where rendition.format == .jpeg {
            let pixels = try Pixels(rendition)
            #expect([0.1, 0.5, 0.9].allSatisfy { pixels[0.5, $0][0] > 240 }, "\(rendition.spec.name)")
        }
    }

    @Test(
        "of a tall, narrow picture are cut out around their focus",
        arguments: [(0.0, true), (1.0, false), (0.7, false), (-1.0, false)])
    func focus(y: Double, isWhite: Bool) async throws {
        let folder = try Folder()
        let path = folder.path + "/tall.tif"
        try Data(Self.tall(width: 200, height: 24_000)).write(to: URL(filePath: path))
        let focus = try #require(Focus(x: 0.5, y: y))
        let picture = try await Shared.processor.process(
            fileAt: path, renditions: RenditionSpec.photo(around: focus), into: folder.path)
        let square = try #require(
            picture.renditions.first { $0.spec.name == "square" && $0.format == .jpeg })
        #expect(square.width == 200 && square.height == 200)
        let pixels = try Pixels(square)
        for place in [0.1, 0.5, 0.9] { #expect(isWhite == (pixels[0.5, place][0] > 200)) }
    }

    @Test("around a corner show its quadrant", arguments: [(-1.0, 1.0, 0), (1.0, -1.0, 3)])
    func corner(x: Double, y: Double, quadrant: Int) async throws {
        let folder = try Folder()
        let shape = RenditionSpec.Shape.part(width: 48, height: 10, around: try #require(Focus(x: x, y: y)))
        let picture = try await Shared.processor.process(
            fileAt: Fixture.path("quadrants.png"),
            renditions: [
                RenditionSpec(name: "part", shape: shape, formats: [.jpeg]),
                RenditionSpec(name: "whole", shape: .fit(longestSide: 96), formats: [.jpeg]),
            ], into: folder.path)
        let (part, whole) = (try Pixels(picture.renditions[0]), try Pixels(picture.renditions[1]))
        let colour = Array(whole.quadrants)[quadrant]
        // The part is as wide as the picture: its edge shows the quadrant, and it lies in the picture's upper or lower half.
        #expect(part.nearest(part[x < 0 ? 0.1 : 0.9, 0.5]).rawValue == colour)
    }

    /// Returns an uncompressed grey picture (TIFF 6.0), white from a third of its height to two thirds and black
    /// elsewhere.
    private static func tall(width: Int, height: Int) -> [UInt8] {
        let tags: [(tag: UInt16, value: UInt32)] = [
            (256, UInt32(width)), (257, UInt32(height)), (258, 8), (259, 1), (262, 1), (273, 122), (277, 1),
            (278, UInt32(height)), (279, UInt32(width * height)),
        ]
        // The head has 8 bytes, the number of tags 2, each tag 12, and the end of the list 4: the pixels begin at 122.
        var file: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0, UInt8(tags.count), 0]
        for (tag, value) in tags {
            file += [UInt8(tag & 255), UInt8(tag >> 8), 4, 0, 1, 0, 0, 0]
            for shift: UInt32 in [0, 8, 16, 24] { file.append(UInt8(value >> shift & 255)) }
        }
        file += [0, 0, 0, 0]
        for row in 0..<height {
            let isWhite = row > height / 3 && row < height * 2 / 3
            file += [UInt8](repeating: isWhite ? 255 : 0, count: width)
        }
        return file
    }

    @Test("none asked for: the picture is described all the same")
    func none() async throws {
        let folder = try Folder()
        let picture = try await Shared.processor.process(
            fileAt: Fixture.path("quadrants.png"), renditions: [], into: folder.path)
        #expect(picture.renditions.isEmpty)
        #expect(picture.blurhash.count == 28)
        #expect(try folder.files.isEmpty)
    }

    @Test(
        "a crop stays within the picture and is square",
        arguments: [
            (CropSquare(x: 0, y: 0, size: 1), 64), (CropSquare(x: 0.9, y: 0.9, size: 0.5), 32),
            (CropSquare(x: -1, y: 2, size: 9), 64), (CropSquare(x: 0.5, y: 0.5, size: 0), 1),
            (CropSquare(x: .nan, y: .infinity, size: .nan), 1),
        ])
    func crop(crop: CropSquare, side: Int) async throws {
        let folder = try Folder()
        let picture = try await Shared.processor.process(
            fileAt: Fixture.path("quadrants.png"), crop: crop, renditions: RenditionSpec.portrait,
            into: folder.path)
        #expect(sides(picture) == [[Int]](repeating: [side, side], count: 4))
        // The sides are those of the whole picture.
        #expect(picture.width == 96 && picture.height == 64)
    }

    /// Shrinking while decoding must not move the picture: each edge between quadrants stays where it was.
    @Test("keep edges in place when the decoder shrinks", arguments: [13, 24, 40, 47, 48, 95])
    func edges(side: Int) async throws {
        let folder = try Folder()
        for name in ["quadrants.jpg", "quadrants.webp", "progressive.jpg"] {
            let picture = try await Shared.processor.process(
                fileAt: Fixture.path(name),
                renditions: [RenditionSpec(name: "r", shape: .fit(longestSide: side))],
                into: folder.path)
            let pixels = try Pixels(picture.renditions[1])
            let step = 1.5 / Double(side)
            #expect(pixels[0.5 - step, 0.25][0] > pixels[0.5 + step, 0.25][0] + 60, "\(name) at \(side)")
        }
    }

    @Test(
        "of real photos keep their form", .enabled(if: !Wallpapers.paths.isEmpty), arguments: Wallpapers.paths
    )
    func photos(path: String) async throws {
        let folder = try Folder()
        let picture = try await Shared.processor.process(
            fileAt: path, renditions: RenditionSpec.photo, into: folder.path)
        let large = picture.renditions[0]
        #expect(max(large.width, large.height) == min(1440, max(picture.width, picture.height)))
        let form = Double(picture.width) / Double(picture.height)
        #expect(abs(Double(large.width) / Double(large.height) - form) < 0.002)
        #expect(picture.renditions[4].width == 240 && picture.renditions[5].height == 240)
        for pair in stride(from: 0, to: 6, by: 2) {
            let webp = try Pixels(picture.renditions[pair])
            let jpeg = try Pixels(picture.renditions[pair + 1])
            #expect(webp.width == jpeg.width && webp.height == jpeg.height)
            for place in [(0.2, 0.3), (0.5, 0.5), (0.8, 0.7)] {
                let difference =
                    zip(webp[place.0, place.1], jpeg[place.0, place.1]).map { abs($0 - $1) }.max() ?? 255
                #expect(difference < 70)
            }
        }
    }
}

/// Debian's wallpapers: real photos of 1 to 24 megapixels, on machines that have them.
enum Wallpapers {
    static let paths: [String] = {
        let folder = "/usr/share/backgrounds"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".jpg") }.sorted().map { "\(folder)/\($0)" }
    }()
}
