import Alignment
import Foundation
import Imaging
import Testing

@testable import Decoding

@Suite("Where a pair shows its pictures")
struct PairGeometryTests {
    private static let then = MarkedPicture(width: 480, height: 360)
    private static let now = MarkedPicture(width: 401, height: 603)

    @Test(
        "is right to half a pixel, for every view and proportion, stacked and side by side",
        arguments: PairSpec.Layout.allCases, [0.4, 0.75, 1, 1.6, 2.5])
    func views(layout: PairSpec.Layout, aspect: Double) async throws {
        for (then, now) in [
            (PictureView(), PictureView()),
            (PictureView(zoom: 1.4, x: 0.35, y: 0.3), PictureView(zoom: 1.2, x: 0.6, y: 0.45)),
        ] {
            let frame = try #require(PairFrame(aspect: aspect, then: then, now: now))
            let pair = try await RenderedPair(
                PairSpec(frame: frame, layout: layout), Self.then.file, Self.now.file)
            try pair.expectSquares(then: Self.then, now: Self.now)
        }
    }

    @Test("is right to half a pixel when the pictures are turned", arguments: 1...8)
    func orientations(orientation: Int) async throws {
        let then = MarkedPicture(width: 400, height: 297, orientation: orientation)
        let now = MarkedPicture(width: 323, height: 480, orientation: 9 - orientation)
        let frame = try #require(PairFrame(aspect: 1, then: .init(zoom: 1.2, x: 0.4, y: 0.6)))
        for transform in [nil, try Homography.turned(by: 4, scale: 1.1, aspect: 1)] {
            let crop = try #require(transform.map { $0.commonCrop.map(PairSpec.Crop.init) } ?? .whole)
            let pair = try await RenderedPair(
                PairSpec(frame: frame, transform: transform, crop: crop), then.file, now.file)
            try pair.expectSquares(then: then, now: now)
        }
    }

    struct Move: Sendable, CustomTestStringConvertible {
        var degrees = 0.0
        var scale = 1.0
        var shift = (x: 0.0, y: 0.0)
        var perspective = (x: 0.0, y: 0.0)

        var testDescription: String { "\(degrees)°, × \(scale), \(shift), \(perspective)" }
    }

    @Test(
        "is right to half a pixel when the picture of today is moved",
        arguments: [
            Move(), Move(degrees: 2, scale: 1.05, shift: (0.01, -0.02)),
            Move(scale: 1.25, shift: (0.03, 0.03)),
            Move(degrees: -7, scale: 0.9, shift: (0.02, 0)), Move(degrees: 12, scale: 1.3),
            Move(degrees: 1, scale: 1.2, perspective: (0.1, -0.08)),
            Move(scale: 1.1, perspective: (-0.15, 0.12)),
        ])
    func moved(move: Move) async throws {
        for (aspect, now, layout) in [
            (4.0 / 3, MarkedPicture(width: 480, height: 360), PairSpec.Layout.sideBySide),
            (0.8, Self.now, .stacked), (1.2, MarkedPicture(width: 700, height: 640), .stacked),
        ] {
            let transform = try Homography.turned(
                by: move.degrees, scale: move.scale, shift: move.shift, perspective: move.perspective,
                aspect: aspect)
            let frame = try #require(
                PairFrame(aspect: aspect, now: .init(zoom: 1.1, x: 0.45, y: 0.55)))
            let crop = PairSpec.Crop(try #require(transform.commonCrop))
            let pair = try await RenderedPair(
                PairSpec(frame: frame, transform: transform, crop: crop, layout: layout), Self.then.file,
                now.file)
            try pair.expectSquares(then: Self.then, now: now)
        }
    }

    @Test("is right to half a pixel within any crop")
    func crops() async throws {
        for crop in [
            PairSpec.Crop(x: 0.3, y: 0.3, width: 0.4, height: 0.4),
            .init(x: 0, y: 0.2, width: 1, height: 0.6),
            .init(x: 0.25, y: 0, width: 0.5, height: 1), .init(x: 0.2, y: 0.3, width: 0.7, height: 0.45),
        ] {
            let frame = try #require(PairFrame(aspect: 1.5))
            let now = MarkedPicture(width: 480, height: 320)
            let pair = try await RenderedPair(
                PairSpec(frame: frame, crop: crop, layout: .sideBySide), Self.then.file, now.file)
            try pair.expectSquares(then: Self.then, now: now)
        }
    }

    @Test(
        "is right to half a pixel in pictures that decoders shrink", arguments: [RenditionFormat.jpeg, .webp])
    func shrunk(format: RenditionFormat) async throws {
        let now = MarkedPicture(width: 4033, height: 3023)
        let folder = try Folder()
        let rendition = RenditionSpec(name: "r", shape: .fit(longestSide: 4033), formats: [format])
        let made = try await Shared.processor.process(
            fileAt: try folder.write(now.file), renditions: [rendition], into: folder.path)
        let file = [UInt8](try Data(contentsOf: URL(filePath: made.renditions[0].path)))
        let frame = try #require(PairFrame(aspect: 4.0 / 3))
        for transform in [nil, try Homography.turned(by: 3, scale: 1.1, aspect: 4.0 / 3)] {
            let crop = try #require(transform.map { $0.commonCrop.map(PairSpec.Crop.init) } ?? .whole)
            let spec = PairSpec(frame: frame, transform: transform, crop: crop)
            try await RenderedPair(spec, Self.then.file, file, isFade: true).expectFade(
                then: Self.then, now: now)
        }
    }

    @Test("follows the larger one of what the pictures hold, from 512 to 4096 pixels")
    func sizes() async throws {
        let frame = try #require(PairFrame(aspect: 4.0 / 3))
        let zoomed = try #require(PairFrame(aspect: 4.0 / 3, now: .init(zoom: 2)))
        let half = PairSpec.Crop(x: 0.25, y: 0.25, width: 0.5, height: 0.5)
        let transform = try Homography.turned(by: 0, scale: 2, aspect: 4.0 / 3)
        for (spec, then, now, expected) in [
            // Two halves of 4:3, and a gap of 0.4 % of both together.
            (PairSpec(frame: frame), (800, 600), (1600, 1200), (1600, 2410)),
            (PairSpec(frame: frame), (1600, 1200), (80, 60), (1600, 2410)),
            (PairSpec(frame: frame, layout: .sideBySide), (400, 300), (900, 1200), (1807, 675)),
            (PairSpec(frame: zoomed), (400, 300), (1600, 1200), (800, 1205)),
            (PairSpec(frame: frame, crop: half), (400, 300), (1600, 1200), (800, 1205)),
            (
                PairSpec(frame: frame, transform: transform, crop: .whole), (400, 300), (1600, 1200),
                (800, 1205)
            ),
            (PairSpec(frame: frame), (1, 1), (1, 1), (340, 512)),
            (PairSpec(frame: frame, layout: .sideBySide), (5000, 2500), (1, 1), (4096, 1530)),
        ] {
            let pair = try await RenderedPair(
                spec, Painting.plain(then.0, then.1, [200, 0, 0]), Painting.plain(now.0, now.1, [0, 0, 200]))
            #expect(pair.composed.image.width == expected.0 && pair.composed.image.height == expected.1)
            let pixels = try pair.pixels
            #expect(pixels.width == expected.0 && pixels.height == expected.1)
        }
    }

    @Test("is the same in the layout’s own numbers: edges meet, and all of the halves is drawn")
    func edges() throws {
        for aspect in [0.4, 0.77, 1, 1.333, 2.5] {
            for side in stride(from: 100, to: 4000, by: 137) {
                for layout in [PairLayout.Arrangement.stacked, .sideBySide, .fade] {
                    let frame = try #require(PairFrame(aspect: aspect))
                    let spec = try #require(PairSpec(frame: frame, caption: side % 2 == 0 ? ["a"] : []))
                    let sides = PictureSides(width: side, height: side)
                    let pair = PairLayout(
                        spec, layout, then: sides, now: sides, longestSides: PairSpec.longestSides)
                    let (then, now, caption) = (pair.then.area, pair.now.area, pair.caption)
                    #expect((512...4096).contains(max(pair.width, pair.height)))
                    #expect(then.x == 0 && then.y == 0 && now.x + now.width == pair.width)
                    #expect(max(now.y + now.height, then.height) == caption.y)
                    #expect(caption.y + caption.height == pair.height && caption.width == pair.width)
                    switch layout {
                    case .stacked: #expect(now.y > then.height && now.y < then.height + 20)
                    case .sideBySide: #expect(now.x > then.width && now.x < then.width + 20)
                    case .fade: #expect(now == then)
                    }
                    #expect((caption.height > 0) == !spec.caption.isEmpty)
                }
            }
        }
    }
}

extension RenderedPair {
    /// Expects the squares of both pictures in the first and in the middle frame of a fade.
    fileprivate func expectFade(then: MarkedPicture, now: MarkedPicture) throws {
        let frames = try AnimatedWebP(bytes).frames
        let height = spec.crop.height / spec.crop.width / spec.frame.aspect
        let scale = Double(max(composed.image.width, composed.image.height)) / max(1, height)
        for (picture, isNow, frame) in [(then, false, frames[0]), (now, true, frames[10])] {
            let path = try folder.write(frame.still, as: "frame.webp")
            let pixels = try Pixels(path: path, format: .webp)
            for index in MarkedPicture.middles.indices {
                // The place in a stacked half, at the size of the fade.
                let stacked = try place(picture.middle(index), of: picture, isNow: isNow)
                let corner = isNow ? halves.now : halves.then
                let ratio = scale / halves.width
                let expected = ((stacked.x - corner.x) * ratio, (stacked.y - corner.y) * ratio)
                let found = try #require(pixels.middle(ofBand: index, near: expected))
                #expect(max(abs(found.x - expected.0), abs(found.y - expected.1)) < 0.5)
            }
        }
    }
}
