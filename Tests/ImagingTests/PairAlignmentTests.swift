import Alignment
import Foundation
import Imaging
import Testing

@Suite("Laying the picture of today over the past one")
struct PairAlignmentTests {
    /// Rectangles of many sizes and levels, always the same ones for a seed.
    private static func scene(seed: UInt64, width: Int, height: Int, orientation: Int = 1) -> [UInt8] {
        var state = seed
        func number(below end: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % end
        }
        var pixels = [UInt8](repeating: 128, count: width * height * 3)
        for _ in 0..<500 {
            let (x, y) = (number(below: width), number(below: height))
            let (right, bottom) = (
                min(x + 4 + number(below: 50), width), min(y + 4 + number(below: 50), height)
            )
            let colour = (0..<3).map { _ in UInt8(number(below: 256)) }
            for row in y..<bottom {
                for start in stride(from: (row * width + x) * 3, to: (row * width + right) * 3, by: 3) {
                    for band in 0..<3 { pixels[start + band] = colour[band] }
                }
            }
        }
        return Painting.file(width, height, pixels, orientation: orientation)
    }

    private func align(_ frame: PairFrame, _ then: [UInt8], _ now: [UInt8]) async throws -> PairAlignment {
        let folder = try Folder()
        let (first, second) = (try folder.write(then, as: "then"), try folder.write(now, as: "now"))
        let alignment = try await Shared.processor.align(frame, then: first, now: second)
        #expect(try folder.files == ["now", "then"])
        return alignment
    }

    /// The map between two views of one picture, by the numbers of Documentation/Interface.md, "Then & Now".
    private func map(_ frame: PairFrame, width: Double, height: Double) throws -> Homography {
        /// From the unit square of the frame to the picture.
        func placed(_ view: PictureView) throws -> Homography {
            let scale = max(1 / width, 1 / frame.aspect / height) * view.zoom
            let left = view.x * (width * scale - 1)
            let top = view.y * (height * scale - 1 / frame.aspect)
            return try #require(
                Homography([1 / scale, 0, left / scale, 0, 1 / frame.aspect / scale, top / scale, 0, 0, 1]))
        }
        let back = try #require(placed(frame.then).inverse)
        return try #require(placed(frame.now).followed(by: back))
    }

    @Test("finds the map between two views of one scene, which a pair can show", arguments: [1, 1.5])
    func views(aspect: Double) async throws {
        let file = Self.scene(seed: 17, width: 480, height: 360)
        let frame = try #require(
            PairFrame(
                aspect: aspect, then: .init(zoom: 1.2, x: 0.45, y: 0.5),
                now: .init(zoom: 1.3, x: 0.5, y: 0.45)))
        guard case .aligned(let transform) = try await align(frame, file, file) else {
            Issue.record("not aligned")
            return
        }
        let expected = try map(frame, width: 480, height: 360)
        for corner in [(x: 0.0, y: 0.0), (1, 0), (1, 1), (0, 1)] {
            let (found, wanted) = (transform.applied(to: corner), expected.applied(to: corner))
            // Of pictures that are about 300 pixels wide.
            #expect(abs((found?.x ?? 9) - (wanted?.x ?? 0)) < 0.004, "\(corner): \(found?.x ?? 9)")
            #expect(abs((found?.y ?? 9) - (wanted?.y ?? 0)) < 0.004, "\(corner): \(found?.y ?? 9)")
        }
        let crop = PairSpec.Crop(try #require(transform.commonCrop))
        #expect(PairSpec(frame: frame, transform: transform, crop: crop) != nil)
    }

    @Test("refuses scenes that have nothing in common, and pictures without details")
    func refusals() async throws {
        let frame = try #require(PairFrame(aspect: 4.0 / 3))
        let scene = Self.scene(seed: 17, width: 320, height: 240)
        let other = Self.scene(seed: 18, width: 320, height: 240)
        let plain = Painting.plain(320, 240, [9, 99, 199])
        for (then, now) in [(scene, other), (scene, plain), (plain, scene), (plain, plain)] {
            guard case .unsure = try await align(frame, then, now) else {
                Issue.record("aligned")
                continue
            }
        }
        let dot = Painting.plain(1, 1, [255, 255, 255])
        #expect(try await align(frame, dot, dot) == .unsure(.tooFewDetails))
    }
}
