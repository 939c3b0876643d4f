import Alignment
import Decoding
import Foundation
import Imaging
import Testing

/// Pictures of extreme shapes, each prepared by a process of its own whose peak the kernel reports.
@Suite(
    "The memory that a picture needs",
    .enabled(if: ProcessInfo.processInfo.environment["TINTYPE_LONG"] != nil, "takes minutes: ./test --full"),
    .serialized)
struct MemoryTests {
    struct Shape: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: @Sendable () async throws -> [UInt8]

        init(_ description: String, _ bytes: @escaping @Sendable () async throws -> [UInt8]) {
            testDescription = description
            self.bytes = bytes
        }

        static let all = [
            png(10_000, 10_000), png(65_535, 1525), png(1525, 65_535), png(65_535, 240), png(240, 65_535),
            png(10_000, 10_000, depth: 16, colour: 6), png(65_535, 800, depth: 16, colour: 6),
            png(1525, 65_535, depth: 16, colour: 6),
            png(7000, 7000, depth: 16, colour: 6, isInterlaced: true),
            png(10_000, 10_000, isInterlaced: true),
            tiff(10_000, 10_000, samples: 3, bits: 8, rows: 1),
            tiff(10_000, 10_000, samples: 5, bits: 16, rows: 64),
            tiff(10_000, 8000, samples: 3, bits: 32, rows: 8),
            tiff(65_535, 240, samples: 3, bits: 32, rows: 1),
            tiff(10_000, 10_000, samples: 3, bits: 8, rows: 8, orientation: 6),
            tiff(65_535, 1000, samples: 3, bits: 8, rows: 8, orientation: 6),
            Shape("JPEG of 65,000 × 1,500") { try await rendition(65_000, 1500, .jpeg) },
            Shape("JPEG of 1,500 × 65,000") { try await rendition(1500, 65_000, .jpeg) },
            Shape("WebP of 16,383 × 6,000") { try await rendition(16_383, 6000, .webp) },
            Shape("WebP of 16,383 × 240") { try await rendition(16_383, 240, .webp) },
        ]

        static func png(
            _ width: Int, _ height: Int, depth: UInt8 = 8, colour: UInt8 = 2, isInterlaced: Bool = false
        ) -> Shape {
            Shape("PNG of \(width) × \(height), \(depth) bits\(isInterlaced ? ", interlaced" : "")") {
                PNGWriter.black(
                    width: width, height: height, depth: depth, colour: colour, isInterlaced: isInterlaced)
            }
        }

        static func tiff(
            _ width: Int, _ height: Int, samples: Int, bits: Int, rows: Int, orientation: Int = 1
        ) -> Shape {
            Shape("TIFF of \(width) × \(height), \(samples) × \(bits) bits, turned by \(orientation)") {
                TIFFWriter.black(
                    width: width, height: height, samples: samples, bits: bits, rows: rows,
                    orientation: orientation)
            }
        }

        static func rendition(
            _ width: Int, _ height: Int, _ format: RenditionFormat
        ) async throws -> [UInt8] {
            let folder = try Folder()
            let source = try folder.write(
                TIFFWriter.black(width: width, height: height, samples: 3, bits: 8, rows: 1))
            let spec = RenditionSpec(
                name: "r", shape: .fit(longestSide: max(width, height)), formats: [format])
            let limits = ImageLimits(decoderMemory: 8_000_000_000)
            let made = try await ImageProcessor(
                limits: limits, concurrency: 1, waiting: 1, patience: .seconds(300)
            ).process(fileAt: source, renditions: [spec], into: folder.path)
            return [UInt8](try Data(contentsOf: URL(filePath: made.renditions[0].path)))
        }
    }

    @Test("is at most what was estimated, and the estimate within the budget", arguments: Shape.all)
    func estimate(shape: Shape) async throws {
        let folder = try Folder()
        let path = try await folder.write(shape.bytes())
        let limits = ImageLimits()
        let file = try PictureFile(Descriptor(reading: path), limits: limits)
        let estimate = RenditionPipeline(file: file, crop: nil)
            .memory(for: RenditionSpec.photo)
        let held =
            try peak(["image", path, folder.path])
            - peak(["image", Fixture.path("bilevel.tif"), folder.path])
        print("\(shape): \(held / 1_000_000) MB held, \(estimate / 1_000_000) MB estimated")
        #expect(held <= estimate, "\(held / 1_000_000) MB, estimated \(estimate / 1_000_000) MB")
        #expect(estimate <= limits.decoderMemory)
    }

    /// A collage of one picture in all of its cells.
    struct Collage: Sendable, CustomTestStringConvertible {
        let picture: Shape
        let cells: Int
        let side: Int
        let format: CollageSpec.Format
        /// The most bytes that the process of the job may hold, with all its libraries.
        var limit = Int.max

        var testDescription: String { "\(cells) × \(picture.testDescription), \(side) px, \(format)" }

        static let all = [
            Collage(
                picture: .init("JPEG of 12 megapixels") { try await Shape.rendition(4032, 3024, .jpeg) },
                cells: 9, side: 2048, format: .jpeg, limit: 150_000_000),
            Collage(picture: .png(10_000, 10_000), cells: 4, side: 2048, format: .jpeg),
            Collage(picture: .png(65_535, 1525), cells: 1, side: 512, format: .webp),
            Collage(picture: .png(1525, 65_535), cells: 9, side: 512, format: .jpeg),
            Collage(picture: .png(7000, 7000, depth: 16, colour: 6), cells: 4, side: 4096, format: .jpeg),
            Collage(picture: .png(10_000, 10_000, isInterlaced: true), cells: 1, side: 1024, format: .png),
            Collage(
                picture: .tiff(10_000, 10_000, samples: 3, bits: 8, rows: 8, orientation: 6), cells: 4,
                side: 2048, format: .jpeg),
            noise(2048, .jpeg), noise(2048, .png), noise(2048, .webp), noise(4096, .jpeg), noise(4096, .png),
            noise(4096, .webp),
        ]

        /// An encoder holds most of what can't be compressed.
        private static func noise(_ side: Int, _ format: CollageSpec.Format) -> Collage {
            Collage(picture: .init("noise") { Painting.noise(2048) }, cells: 1, side: side, format: format)
        }
    }

    @Test("is at most what was estimated for a collage too", arguments: Collage.all)
    func collage(collage: Collage) async throws {
        let folder = try Folder()
        let path = try await folder.write(collage.picture.bytes())
        let limits = ImageLimits()
        let across = Int(Double(collage.cells).squareRoot())
        let spec = try #require(
            CollageSpec(
                side: collage.side, format: collage.format,
                cells: CollageSpec.Frame.grid(across).map { .init(frame: $0) }))
        let picture = try Descriptor(reading: path)
        let pipeline = try CollagePipeline(
            spec, pictures: [Descriptor](repeating: picture, count: collage.cells), limits: limits,
            renditions: [])
        let estimate = pipeline.header.memory
        func arguments(_ side: Int, _ picture: String, _ cells: Int) -> [String] {
            ["collage", "\(side)", "\(collage.format)", folder.path]
                + [String](repeating: picture, count: cells)
        }
        let peak = try peak(arguments(collage.side, path, collage.cells))
        let held = try peak - self.peak(arguments(512, Fixture.path("bilevel.tif"), 1))
        print("\(collage.testDescription): \(held / 1_000_000) MB held, \(estimate / 1_000_000) MB estimated")
        #expect(held <= estimate, "\(held / 1_000_000) MB, estimated \(estimate / 1_000_000) MB")
        #expect(estimate <= limits.decoderMemory && peak <= collage.limit, "\(peak / 1_000_000) MB")
    }

    /// A pair of one picture with itself.
    struct Pair: Sendable, CustomTestStringConvertible {
        let picture: Shape
        /// What `benchmark pair` makes: `stacked`, `side_by_side`, `fade` or `align`.
        let kind: String
        var isMoved = false
        /// The most bytes that the process of the job may hold, with all its libraries.
        var limit = Int.max

        var testDescription: String { "\(kind) of \(picture.testDescription)\(isMoved ? ", moved" : "")" }

        private static let photo = Shape("JPEG of 12 megapixels") {
            try await Shape.rendition(4032, 3024, .jpeg)
        }

        static let all =
            ["stacked", "side_by_side", "fade"].flatMap { kind in
                [
                    Pair(picture: photo, kind: kind, limit: 250_000_000),
                    Pair(picture: photo, kind: kind, isMoved: true, limit: 300_000_000),
                    Pair(picture: .init("noise") { Painting.noise(2048) }, kind: kind, isMoved: true),
                    Pair(picture: .png(65_535, 1525), kind: kind, isMoved: true),
                    Pair(picture: .png(65_535, 800, depth: 16, colour: 6), kind: kind, isMoved: true),
                ]
            } + [
                Pair(picture: photo, kind: "align", limit: 400_000_000),
                Pair(picture: .init("noise") { Painting.noise(2048) }, kind: "align"),
                Pair(picture: .png(1525, 65_535), kind: "align"),
            ]
    }

    @Test("is at most what was estimated for a pair too", arguments: Pair.all)
    func pair(pair: Pair) async throws {
        let folder = try Folder()
        let path = try await folder.write(pair.picture.bytes())
        let limits = ImageLimits()
        let frame = try #require(PairFrame(aspect: 1))
        let transform = try Homography.turned(by: 5, scale: 1.05, aspect: 1)
        let crop = PairSpec.Crop(try #require(transform.commonCrop))
        let spec = try #require(
            PairSpec(
                frame: frame, transform: pair.isMoved ? transform : nil, crop: pair.isMoved ? crop : .whole,
                layout: pair.kind == "stacked" ? .stacked : .sideBySide, caption: ["1931", "2026"]))
        let pictures = [try Descriptor(reading: path), try Descriptor(reading: path)]
        let estimate =
            pair.kind == "align"
            ? try AlignmentPipeline(frame, pictures: pictures, limits: limits).header.memory
            : try PairPipeline(
                spec, as: pair.kind == "fade" ? .fade : .still, pictures: pictures, limits: limits,
                renditions: []
            ).header.memory
        func arguments(_ picture: String) -> [String] {
            let elements = pair.isMoved ? transform.elements.map { "\($0)" } : []
            return ["pair", pair.kind, folder.path, picture, picture] + elements
        }
        let peak = try peak(arguments(path))
        // A picture that needs next to nothing.
        let idle = try self.peak(["image", Fixture.path("bilevel.tif"), folder.path])
        let held = peak - idle
        print("\(pair.testDescription): \(held / 1_000_000) MB held, \(estimate / 1_000_000) MB estimated")
        #expect(held <= estimate, "\(held / 1_000_000) MB, estimated \(estimate / 1_000_000) MB")
        #expect(estimate <= limits.decoderMemory && peak <= pair.limit, "\(peak / 1_000_000) MB")
    }

    /// The most bytes that a process of a job, or the warm process, had resident while our `benchmark` did something.
    private func peak(_ arguments: [String]) throws -> Int {
        let benchmark = Bundle.module.bundleURL.deletingLastPathComponent().appending(path: "benchmark")
        let folder = try Folder()
        let file = "\(folder.path)/peak"
        let status = try Program.run(benchmark.path, arguments, environment: ["TINTYPE_PEAK=\(file)"])
        try #require(status == 0, "benchmark \(arguments) failed")
        return try #require(Int(String(contentsOfFile: file, encoding: .utf8)))
    }
}

extension PNGWriter {
    /// A picture whose numbers are all 0, in a few bytes for each kilobyte.
    static func black(width: Int, height: Int, depth: UInt8, colour: UInt8, isInterlaced: Bool) -> [UInt8] {
        let pixel = (colour == 6 ? 4 : 3) * Int(depth) / 8
        // The seven passes of interlacing (PNG 1.2, 2.6): first column and row, and steps.
        let passes =
            isInterlaced
            ? [
                (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
                (0, 1, 1, 2),
            ]
            : [(0, 0, 1, 1)]
        let count = passes.reduce(0) { sum, pass in
            let columns = (width - pass.0 + pass.2 - 1) / pass.2
            return sum + (height - pass.1 + pass.3 - 1) / pass.3 * (1 + columns * pixel)
        }
        return head(width: width, height: height, depth: depth, colour: colour, interlaced: isInterlaced)
            + chunk("IDAT", zlib(zeros: count)) + chunk("IEND", [])
    }

    /// A zlib stream (RFC 1950) of zeros: one block of fixed codes (RFC 1951, 3.2.6), a zero and then copies of it.
    private static func zlib(zeros count: Int) -> [UInt8] {
        var bytes: [UInt8] = [0x78, 0x01]
        var (rest, size) = (0, 0)
        func put(_ bits: String) {
            for bit in bits {
                rest |= (bit == "1" ? 1 : 0) << size
                size += 1
                if size == 8 {
                    bytes.append(UInt8(rest))
                    (rest, size) = (0, 0)
                }
            }
        }
        put("110")
        let literal = "00110000"
        put(literal)
        // 258 zeros at once: length code 285, distance code 0. Eight of these take 13 bytes, again and again.
        let copy = "1100010100000"
        let copies = (count - 1) / 258
        for _ in 0..<16 { put(copy) }
        let eight = bytes.suffix(13)
        for _ in 2..<copies / 8 { bytes += eight }
        for _ in 0..<copies % 8 { put(copy) }
        for _ in 0..<(count - 1) % 258 { put(literal) }
        put("0000000" + "0000000")
        // Adler-32 of zeros.
        return bytes + bigEndian(count % 65_521 << 16 | 1)
    }
}

extension TIFFWriter {
    /// A picture of several strips whose numbers are all 0. All strips are the same bytes, packed (TIFF 6.0, section 9).
    static func black(
        width: Int, height: Int, samples: Int, bits: Int, rows: Int, orientation: Int = 1
    ) -> [UInt8] {
        func little(_ number: Int, _ size: Int) -> [UInt8] {
            (0..<size).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
        func strip(_ rows: Int) -> [UInt8] {
            let row = width * samples * bits / 8
            let packed = (0..<row / 128).flatMap { _ in [0x81, 0] as [UInt8] }
            let rest = row % 128
            let end: [UInt8] = rest == 0 ? [] : rest == 1 ? [0, 0] : [UInt8(257 - rest), 0]
            return (0..<rows).flatMap { _ in packed + end }
        }
        let strips = (height + rows - 1) / rows
        let (all, last) = (strip(rows), strip(height - (strips - 1) * rows))
        let numbers = 8 + 2 + (samples > 3 ? 13 : 12) * 12 + 4
        let offsets = numbers + samples * 4
        let pixels = offsets + strips * 8
        let tags: [(tag: Int, type: Int, count: Int, value: Int)] =
            [
                (256, 4, 1, width), (257, 4, 1, height), (258, 3, samples, numbers), (259, 3, 1, 32773),
                (262, 3, 1, 2), (273, 4, strips, offsets), (274, 3, 1, orientation), (277, 3, 1, samples),
                (278, 4, 1, rows), (279, 4, strips, offsets + strips * 4), (284, 3, 1, 1),
            ] + (samples > 3 ? [(338, 3, 1, 2)] : []) + [(339, 3, samples, numbers + samples * 2)]
        var file = Array("II*\0".utf8) + little(8, 4) + little(tags.count, 2)
        for tag in tags {
            file += little(tag.tag, 2) + little(tag.type, 2) + little(tag.count, 4) + little(tag.value, 4)
        }
        file += zeros(4) + (0..<samples).flatMap { _ in little(bits, 2) }
        file += (0..<samples).flatMap { _ in little(bits == 32 ? 3 : 1, 2) }
        file +=
            (1..<strips).flatMap { _ in little(pixels, 4) } + little(pixels + (strips > 1 ? all.count : 0), 4)
        file += (1..<strips).flatMap { _ in little(all.count, 4) } + little(last.count, 4)
        return file + (strips > 1 ? all : []) + last
    }
}
