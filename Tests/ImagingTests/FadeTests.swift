import Foundation
import Imaging
import Testing

/// An animated WebP file, read by its specification (RFC 9649, section 2.7).
struct AnimatedWebP {
    struct Frame {
        let x: Int
        let y: Int
        let width: Int
        let height: Int
        let milliseconds: Int
        let flags: UInt8
        /// The chunk with the pixels.
        let picture: [UInt8]

        /// The frame as a still picture.
        var still: [UInt8] {
            let length = UInt32(picture.count + 4)
            return Array("RIFF".utf8) + (0..<4).map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) }
                + Array("WEBP".utf8) + picture
        }
    }

    let width: Int
    let height: Int
    let loops: Int
    let frames: [Frame]

    init(_ file: [UInt8]) throws {
        func integer(_ start: Int, _ size: Int) -> Int {
            file[start..<start + size].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        func name(_ start: Int) -> String { String(decoding: file[start..<start + 4], as: UTF8.self) }
        try #require(name(0) == "RIFF" && integer(4, 4) == file.count - 8 && name(8) == "WEBP")
        try #require(name(12) == "VP8X" && integer(16, 4) == 10 && file[20] == 2)
        (width, height) = (integer(24, 3) + 1, integer(27, 3) + 1)
        try #require(name(30) == "ANIM" && integer(34, 4) == 6)
        loops = integer(42, 2)
        var frames: [Frame] = []
        var start = 44
        while start < file.count {
            try #require(name(start) == "ANMF")
            let length = integer(start + 4, 4)
            try #require(
                name(start + 24) == "VP8 " && length == 16 + 8 + (integer(start + 28, 4) + 1) / 2 * 2)
            frames.append(
                Frame(
                    x: integer(start + 8, 3) * 2, y: integer(start + 11, 3) * 2,
                    width: integer(start + 14, 3) + 1, height: integer(start + 17, 3) + 1,
                    milliseconds: integer(start + 20, 3), flags: file[start + 23],
                    picture: Array(file[start + 24..<start + 8 + length])))
            start += 8 + length
        }
        self.frames = frames
    }
}

@Suite("Fades")
struct FadeTests {
    private static let red = Painting.plain(900, 600, [200, 0, 0])
    private static let blue = Painting.plain(90, 60, [0, 0, 200])

    private func fade(_ caption: [String] = []) async throws -> RenderedPair {
        let frame = try #require(PairFrame(aspect: 1.5))
        return try await RenderedPair(
            PairSpec(frame: frame, layout: .sideBySide, caption: caption), Self.red, Self.blue, isFade: true)
    }

    @Test("are animated WebP without end, of twenty whole frames, of which two stay")
    func container() async throws {
        let rendered = try await fade()
        let (composed, animation) = (rendered.composed, try AnimatedWebP(rendered.bytes))
        #expect(composed.path == "\(rendered.folder.path)/fade.webp")
        #expect(composed.byteCount == (try rendered.bytes.count))
        #expect(composed.image.format == .webp && composed.image.renditions.isEmpty)
        #expect(composed.image.width == 900 && composed.image.height == 600)
        #expect(composed.image.placeholder == "#c80000" && composed.image.capture == Capture())
        #expect(animation.width == 900 && animation.height == 600 && animation.loops == 0)
        #expect(animation.frames.count == 20)
        #expect(animation.frames.indices.filter { animation.frames[$0].milliseconds == 1600 } == [0, 10])
        #expect(animation.frames.filter { $0.milliseconds == 70 }.count == 18)
        for frame in animation.frames {
            #expect(frame.x == 0 && frame.y == 0 && frame.width == 900 && frame.height == 600)
            // Not blended with the frame before, which stays.
            #expect(frame.flags == 2)
        }
        #expect(try rendered.folder.files == ["fade.webp", "now.upload", "then.upload"])
    }

    @Test("go from then to now in even steps, and back the same way")
    func steps() async throws {
        let rendered = try await fade()
        let frames = try AnimatedWebP(rendered.bytes).frames
        for (index, frame) in frames.enumerated() {
            let path = try rendered.folder.write(frame.still, as: "frame.webp")
            let pixel = try Pixels(path: path, format: .webp)[450, 300]
            let part = Double(index <= 10 ? index : 20 - index) / 10
            #expect(abs(Double(pixel[0]) - 200 * (1 - part)) < 6 && pixel[1] < 6, "\(index): \(pixel)")
            #expect(abs(Double(pixel[2]) - 200 * part) < 6, "\(index): \(pixel)")
        }
        for index in 1...9 { #expect(frames[index].picture == frames[20 - index].picture) }
    }

    @Test("are at most 960 pixels long with their caption, and at least 512")
    func sizes() async throws {
        for (then, now, caption, expected) in [
            ((2000, 1000), (10, 10), [], (960, 960)), ((10, 10), (10, 10), [], (512, 512)),
            ((2000, 2000), (10, 10), ["1931", "2026"], (882, 960)), ((700, 900), (10, 10), [], (700, 700)),
        ] as [((Int, Int), (Int, Int), [String], (Int, Int))] {
            let frame = try #require(PairFrame(aspect: 1))
            let rendered = try await RenderedPair(
                PairSpec(frame: frame, caption: caption), Painting.plain(then.0, then.1, [9, 99, 199]),
                Painting.plain(now.0, now.1, [199, 99, 9]), isFade: true)
            let animation = try AnimatedWebP(rendered.bytes)
            #expect(animation.width == expected.0 && animation.height == expected.1)
            for frame in animation.frames {
                #expect(frame.width == expected.0 && frame.height == expected.1)
            }
        }
    }

    @Test("show their caption all the time")
    func caption() async throws {
        let rendered = try await fade(["Plaza, 1931 → 2026"])
        let animation = try AnimatedWebP(rendered.bytes)
        let top = Int((Double(animation.width) / 1.5).rounded())
        for index in [0, 5, 10, 15] {
            let path = try rendered.folder.write(animation.frames[index].still, as: "frame.webp")
            let pixels = try Pixels(path: path, format: .webp)
            let dark = (top + 2..<pixels.height).flatMap { y in
                (0..<pixels.width).map { pixels[$0, y].reduce(0, +) }
            }.count { $0 < 200 }
            #expect(dark > 300)
        }
    }
}
