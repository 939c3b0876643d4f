import Alignment
import Decoding
import Foundation
import Imaging
import Testing

@Suite("Pairs")
struct PairTests {
    private static let red = Painting.plain(900, 600, [200, 0, 0])
    private static let blue = Painting.plain(600, 600, [0, 0, 200])

    private func frame(_ aspect: Double) throws -> PairFrame { try #require(PairFrame(aspect: aspect)) }

    @Test("show then above or left of now, with a thin gap")
    func layouts() async throws {
        let orange = CollageSpec.Colour(red: 255, green: 128, blue: 1)
        for layout in PairSpec.Layout.allCases {
            let pair = try await RenderedPair(
                PairSpec(frame: frame(1), layout: layout, background: orange), Self.red, Self.blue)
            let pixels = try pair.pixels
            let isStacked = layout == .stacked
            #expect((pixels.width, pixels.height) == (isStacked ? (600, 1205) : (1205, 600)))
            func near(_ pixel: [Int], _ colour: [Int]) -> Bool {
                zip(pixel, colour).allSatisfy { abs($0 - $1) < 6 }
            }
            for place in [0, 300, 590] {
                let (first, gap, second) =
                    isStacked
                    ? (pixels[place, 596], pixels[place, 602], pixels[place, 608])
                    : (pixels[596, place], pixels[602, place], pixels[608, place])
                #expect(near(first, [200, 0, 0]) && near(second, [0, 0, 200]), "\(first), \(second)")
                #expect(near(gap, [255, 128, 1]), "\(gap)")
            }
        }
    }

    @Test("are written as JPEG without metadata, with renditions")
    func formats() async throws {
        let exif = CaptureTests.full.inserted(intoJPEG: try Fixture.bytes("swapped-red.jpg"))
        let rendered = try await RenderedPair(
            PairSpec(frame: frame(1)), exif, exif, renditions: RenditionSpec.photo)
        let (composed, image) = (rendered.composed, rendered.composed.image)
        #expect(composed.path == "\(rendered.folder.path)/pair.jpg")
        #expect(composed.byteCount == (try rendered.bytes.count))
        #expect(image.format == .jpeg && image.capture == Capture())
        #expect(
            image.renditions.map(\.spec.name) == ["large", "large", "medium", "medium", "square", "square"])
        #expect(try rendered.pixels.quadrants == "GGGG")
        for rendition in image.renditions { #expect(try Pixels(rendition).quadrants == "GGGG") }
        for path in [composed.path] + image.renditions.map(\.path) {
            let file = try Data(contentsOf: URL(filePath: path))
            for mark in ["Exif", "EXIF", "ICC_PROFILE", "acsp", "xmp", "Box"] {
                #expect(file.range(of: Data(mark.utf8)) == nil, "\(mark) in \(path)")
            }
        }
    }

    @Test(
        "show pictures of every kind, straight and moved",
        arguments: [
            "quadrants.jpg", "progressive.jpg", "quadrants.png", "interlaced.png", "16-bit.png",
            "quadrants.webp", "quadrants.gif", "quadrants.heic", "quadrants.avif", "tiled.tif",
        ])
    func kinds(name: String) async throws {
        let file = try Fixture.bytes(name)
        let transform = try Homography.turned(by: 1, scale: 1.1, aspect: 1.5)
        for transform in [nil, transform] {
            let pixels = try await RenderedPair(
                PairSpec(frame: frame(1.5), transform: transform, layout: .sideBySide), file, file
            ).pixels
            for (index, letter) in "RGBY".enumerated() {
                for half in 0..<2 {
                    let x = Double(half) / 2 + Double(index % 2) / 4 + 0.125
                    #expect(pixels.letter(x, Double(index / 2) / 2 + 0.25) == letter, "\(half) \(index)")
                }
            }
        }
    }

    @Test("lay transparency over white, also of a picture that is moved")
    func alpha() async throws {
        let file = try Fixture.bytes("alpha.png")
        for transform in [nil, Homography.identity] {
            let pixels = try await RenderedPair(
                PairSpec(frame: frame(1.5), transform: transform, layout: .sideBySide), file, file
            ).pixels
            for half in [0.0, 0.5] {
                #expect(pixels.letter(half + 0.1, 0.25) == "W" && pixels.letter(half + 0.4, 0.25) == "R")
            }
        }
    }

    @Test("show nothing beyond the pictures at their edges, whatever their sizes")
    func edges() async throws {
        let white: [UInt8] = [255, 255, 255]
        let transform = try Homography.turned(by: 10, scale: 1.4, aspect: 1)
        let crop = try #require(transform.commonCrop)
        for (width, height) in [(1, 1), (2, 3), (1, 900), (9000, 3), (30, 20_000), (1000, 750)] {
            for spec in [
                PairSpec(frame: try frame(1), background: .init(red: 0, green: 0, blue: 0)),
                PairSpec(
                    frame: try frame(1), transform: transform, crop: .init(crop),
                    background: .init(red: 0, green: 0, blue: 0)),
            ] {
                let file = Painting.plain(width, height, white)
                let pixels = try await RenderedPair(spec, file, file).pixels
                let (middle, last) = (pixels.width / 2, pixels.width - 1)
                for y in [0, pixels.height / 4, pixels.height * 3 / 4, pixels.height - 1] {
                    for x in [0, middle, last] {
                        #expect(pixels[x, y].allSatisfy { $0 > 250 }, "\(width) × \(height): \(x), \(y)")
                    }
                }
            }
        }
    }

    @Test("of fine stripes are grey where the picture is made much smaller, moved or not")
    func aliasing() async throws {
        let side = 2400
        let row: [UInt8] = (0..<side).flatMap { x -> [UInt8] in x % 2 == 0 ? [255, 255, 255] : [0, 0, 0] }
        let stripes = Painting.file(
            side, side, (0..<side).flatMap { _ in row }, orientation: 1)
        for transform in [nil, try Homography.turned(by: 2, scale: 1.1, aspect: 1)] {
            let crop = try #require(transform.map { $0.commonCrop.map(PairSpec.Crop.init) } ?? .whole)
            let pair = try await RenderedPair(
                PairSpec(frame: frame(1), transform: transform, crop: crop), stripes, stripes, isFade: true)
            let path = try pair.folder.write(AnimatedWebP(pair.bytes).frames[10].still, as: "now.webp")
            let pixels = try Pixels(path: path, format: .webp)
            let levels = (100..<300).map { pixels[$0, 200][1] }
            #expect(
                (levels.max() ?? 255) - (levels.min() ?? 0) < 25, "\(levels.min() ?? 0)…\(levels.max() ?? 0)")
        }
    }

    @Test(
        "are refused with a broken picture beside a good one, and leave nothing",
        arguments: RefusedFile.allCases, [true, false])
    func broken(kind: RefusedFile, isFirst: Bool) async throws {
        let folder = try Folder()
        let good = try Fixture.path("quadrants.jpg")
        let bad = try kind.path(in: folder)
        let before = try folder.files
        let (then, now) = isFirst ? (bad, good) : (good, bad)
        let frame = try frame(1)
        let spec = try #require(PairSpec(frame: frame, transform: .identity))
        let processor = Shared.processor
        await #expect(throws: kind.error) {
            try await processor.pair(
                spec, then: then, now: now, renditions: RenditionSpec.photo, into: folder.path)
        }
        await #expect(throws: kind.error) {
            try await processor.fade(spec, then: then, now: now, into: folder.path)
        }
        await #expect(throws: kind.error) { try await processor.align(frame, then: then, now: now) }
        #expect(try folder.files == before)
        #expect(processor.lossCount == 0)
    }

    @Test("can only be asked for with values that can be rendered")
    func values() throws {
        for aspect in [0.39, 2.51, .nan, .infinity, -1, 0] { #expect(PairFrame(aspect: aspect) == nil) }
        for view in [
            PictureView(zoom: 0.99), .init(zoom: 8.01), .init(zoom: .nan), .init(x: -0.01), .init(x: 1.01),
            .init(y: .nan), .init(y: 2),
        ] {
            #expect(PairFrame(aspect: 1, then: view) == nil && PairFrame(aspect: 1, now: view) == nil)
        }
        let frame = try frame(1)
        for crop in [
            PairSpec.Crop(x: -0.01, y: 0, width: 1, height: 1), .init(x: 0.1, y: 0, width: 0.91, height: 1),
            .init(x: 0, y: 0.5, width: 1, height: 0.51), .init(x: 0, y: 0, width: 0.09, height: 1),
            .init(x: 0, y: 0, width: 1, height: 0.09), .init(x: .nan, y: 0, width: 1, height: 1),
            .init(x: 0, y: 0, width: .nan, height: 1), .init(x: 0, y: 0, width: .infinity, height: 1),
        ] { #expect(PairSpec(frame: frame, crop: crop) == nil, "\(crop)") }
        let long = String(repeating: "é", count: 200)
        #expect(PairSpec(frame: frame, caption: [long, long]) != nil)
        #expect(PairSpec(frame: frame, caption: [long + "e"]) == nil)
        #expect(PairSpec(frame: frame, caption: ["a", "b", "c"]) == nil)
        #expect(PairSpec(frame: frame, caption: ["", " \n", "a"]) == nil)
        #expect(PairSpec(frame: frame, caption: [" ", "a"])?.caption == ["a"])
    }

    @Test("are moved only by maps with which the picture of today covers the crop")
    func transforms() throws {
        let frame = try frame(1)
        let middle = PairSpec.Crop(x: 0.25, y: 0.25, width: 0.5, height: 0.5)
        func accepts(_ elements: [Double], _ crop: PairSpec.Crop = .whole) throws -> Bool {
            let transform = try #require(Homography(elements))
            return PairSpec(frame: frame, transform: transform, crop: crop) != nil
        }
        #expect(try accepts([1, 0, 0, 0, 1, 0, 0, 0, 1]))
        #expect(try accepts([1, 0, 0.01, 0, 1, 0, 0, 0, 1]))
        #expect(try accepts([5, 0, -2, 0, 5, -2, 0, 0, 1]))
        #expect(try accepts([1, 0, 0.2, 0, 1, -0.2, 0, 0, 1], middle))
        let corner = PairSpec.Crop(x: 0.1, y: 0.1, width: 0.45, height: 0.45)
        #expect(try accepts([1, 0, 0, 0, 1, 0, 0.3, 0.3, 1], corner))
        for elements in [
            // Beside the crop, smaller than it, mirrored, turned upside down, seen from its edge, nowhere.
            [1, 0, 0.1, 0, 1, 0, 0, 0, 1], [0.9, 0, 0, 0, 0.9, 0, 0, 0, 1], [-1, 0, 1, 0, 1, 0, 0, 0, 1],
            [-1, 0, 0, 0, -1, 0, 0, 0, 1], [1, 0, 0, 0, 1, 0, 0, -5, 1],
            [0, 0, 0, 0, 0, 0, 0, 0, 1], [1, 1, 0, 1, 1, 0, 0, 0, 1], [6, 0, -2, 0, 6, -2, 0, 0, 1],
            [1e300, 0, 0, 0, 1e300, 0, 0, 0, 1], [1e-300, 0, 0, 0, 1e-300, 0, 0, 0, 1],
            [1, 0, 1e308, 0, 1, 0, 0, 0, 1], [1, 0, 0, 0, 1, 0, 1e308, -1e308, 1],
        ] { #expect(try !accepts(elements), "\(elements)") }
    }
}

extension Pixels {
    /// The nearest of a few colours at a place in the unit square.
    fileprivate func letter(_ x: Double, _ y: Double) -> Character { nearest(self[x, y]).rawValue }
}
