import Alignment
import Decoding
import Foundation
import Imaging
import Testing

@Suite("Frames between the server and its workers")
struct FrameTests {
    private static let all: [WorkerFrame] =
        [
            .ready(countsThreads: true), .ready(countsThreads: false), .proceed, .fork, .forked,
            .ended(JobEnd(status: Int(SIGSYS), processorMicroseconds: 1_000_000)),
            .unable("landlock_restrict_self: No"),
            .request(
                PictureRequest(
                    limits: ImageLimits(), source: .picture(crop: CropSquare(x: 0.25, y: -1, size: 3)),
                    renditions: RenditionSpec.photo(around: Focus(x: -0.5, y: 1) ?? .middle)
                        + RenditionSpec.portrait + RenditionSpec.banner)),
            .request(
                PictureRequest(limits: ImageLimits(bytes: 1, pixels: 2, decoderMemory: 3), renditions: [])),
            .request(
                PictureRequest(
                    limits: ImageLimits(), source: .composition(.collage(collage)),
                    renditions: RenditionSpec.photo)),
            .request(
                PictureRequest(
                    limits: ImageLimits(), source: .composition(.pair(pair)), renditions: RenditionSpec.photo)
            ),
            .request(
                PictureRequest(limits: ImageLimits(), source: .composition(.fade(plainPair)), renditions: [])),
            .request(PictureRequest(limits: ImageLimits(), source: .alignment(pair.frame), renditions: [])),
            .alignment(.aligned(map)), .alignment(.aligned(.identity)),
            .header(
                PictureHeader(
                    format: .tiff, width: 1, height: 65_536, memory: 0, capture: Capture(exif: Data()))),
            .header(
                PictureHeader(
                    format: .heic, width: 4032, height: 3024, memory: 95_000_000,
                    capture: Capture(exif: Data(CaptureTests.full.block)))),
            .result(
                PictureResult(
                    blurhash: "LxH27h2lwtX3mAWUjwfAgFfmfTfi", placeholder: "#c80a0a",
                    sizes: [.init(width: 1440, height: 1), .init(width: 240, height: 240)])),
            .refusal(.notAnImage), .refusal(.unsupported(format: "QuickTime video")), .refusal(.broken),
            .refusal(.tooManyPixels(limit: 100)), .refusal(.tooManyBytes(limit: .max)),
            .refusal(.decoderFailed), .refusal(.decoderMissing), .refusal(.outOfSpace),
            .refusal(.inputOutput(errno: EIO)),
        ] + Aligner.Reason.allCases.map { .alignment(.unsure($0)) }

    /// Nine cells with numbers of every kind.
    private static let collage: CollageSpec = {
        let cells = (0..<9).map { index in
            CollageSpec.Cell(
                frame: .init(x: Double(index) / 16, y: 1.0 / 3, width: 0.25, height: 2.0 / 3),
                zoom: index == 0 ? 1.777 : Double(index), x: Double(index) / 8, y: 0.123)
        }
        return CollageSpec(
            side: 4096, format: .webp, background: .init(red: 1, green: 128, blue: 255), spacing: 40,
            cornerRadius: 7, cells: cells)!
    }()

    private static let map = Homography([1.375, 0.0625, -0.15, -0.05, 1.4375, -0.2, 0.03125, -0.015625, 1])!

    /// A pair with numbers of every kind.
    private static let pair = PairSpec(
        frame: PairFrame(
            aspect: 1.777, then: .init(zoom: 2.25, x: 0.123, y: 0), now: .init(zoom: 1, x: 1, y: 0.75))!,
        transform: map, crop: .init(x: 0.1875, y: 0.25, width: 0.5, height: 0.4375), layout: .sideBySide,
        caption: ["1931 · Fondo Arrieta, CC BY 4.0", String(repeating: "—", count: 200)],
        background: .init(red: 1, green: 128, blue: 255))!

    private static let plainPair = PairSpec(frame: PairFrame(aspect: 0.4)!)!

    @Test("are read as they were written", arguments: all)
    func roundTrip(frame: WorkerFrame) throws {
        #expect(try WorkerFrame(frame.bytes) == frame)
    }

    @Test("that are cut or longer than they say are none", arguments: all)
    func cut(frame: WorkerFrame) {
        for length in 0..<frame.bytes.count {
            #expect(throws: FrameError.malformed) { try WorkerFrame(Array(frame.bytes.prefix(length))) }
        }
        #expect(throws: FrameError.malformed) { try WorkerFrame(frame.bytes + [0]) }
    }

    @Test("with any byte changed are refused, or say something that a frame may say", arguments: all)
    func changed(frame: WorkerFrame) {
        for index in frame.bytes.indices {
            for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
                var bytes = frame.bytes
                bytes[index] = value
                guard let other = try? WorkerFrame(bytes) else { continue }
                #expect((try? WorkerFrame(other.bytes)) == other || "\(other)".contains("nan"))
            }
        }
    }

    @Test("say nothing that a page or a person shouldn’t meet")
    func content() {
        let result = PictureResult(
            blurhash: String(repeating: "0", count: 28), placeholder: "#000000", sizes: [])
        var frames: [WorkerFrame] = []
        for change: (inout PictureResult) -> Void in [
            { $0.blurhash = "" }, { $0.blurhash = String(repeating: "<", count: 28) },
            { $0.placeholder = "#00000G" }, { $0.placeholder = "red;x:y" },
            { $0.sizes = [.init(width: 0, height: 1)] },
            { $0.sizes = [PictureResult.Size](repeating: .init(width: 1, height: 1), count: 1000) },
        ] {
            var changed = result
            change(&changed)
            frames.append(.result(changed))
        }
        for name in ["", "<b>", "a\u{0}b", String(repeating: "a", count: 61), "Log in at http://x"] {
            frames.append(.refusal(.unsupported(format: name)))
        }
        for frame in frames { #expect(throws: FrameError.malformed) { try WorkerFrame(frame.bytes) } }
    }

    @Test("of a collage have only numbers with which it can be rendered")
    func collageNumbers() {
        let frame = WorkerFrame.request(
            PictureRequest(
                limits: ImageLimits(), source: .composition(.collage(Self.collage)), renditions: []))
        let refused: [(from: [UInt8], to: [UInt8])] =
            [Double.nan, .infinity, -.infinity, 0.999, 8.001, -1].map { (bytes(1.777), bytes($0)) }
            + [Double.nan, .infinity, -0.001, 1.001].map { (bytes(0.123), bytes($0)) }
            + [Double.nan, .infinity, -0.001, 0.4].map { (bytes(1.0 / 3), bytes($0)) }
            + [Double.nan, .infinity, 0.1, 0, -1, 0.67].map { (bytes(2.0 / 3), bytes($0)) }
            + [511, 4097, 0, -1, .max, .min].map { (bytes(4096), bytes($0)) }
            + [41, -1, .max].map { (bytes(40), bytes($0)) } + [41, -1, .min].map { (bytes(7), bytes($0)) }
            + [0, 10, -1, .max].map { (bytes(9), bytes($0)) }
        expectRefused(refused, frame)
    }

    @Test("of a pair have only numbers with which it can be rendered")
    func pairNumbers() {
        let frame = WorkerFrame.request(
            PictureRequest(limits: ImageLimits(), source: .composition(.pair(Self.pair)), renditions: []))
        let refused: [(from: [UInt8], to: [UInt8])] =
            [Double.nan, .infinity, 0.39, 2.6, -1, 0].map { (bytes(1.777), bytes($0)) }
            + [Double.nan, .infinity, 0.99, 8.01].map { (bytes(2.25), bytes($0)) }
            + [Double.nan, -0.001, 1.001].map { (bytes(0.123), bytes($0)) }
            + [Double.nan, .infinity, 1e9, -1.375, 0].map { (bytes(1.375), bytes($0)) }
            + [Double.nan, .infinity, 5, -5].map { (bytes(0.03125), bytes($0)) }
            + [Double.nan, .infinity, -0.001, 0.6].map { (bytes(0.1875), bytes($0)) }
            + [Double.nan, .infinity, 0, 0.09, 0.9, -1].map { (bytes(0.4375), bytes($0)) }
        expectRefused(refused, frame)
        // A third layout, three lines, a line that is longer than the frame and one that isn't UTF-8.
        let words = Array("1931".utf8)
        expectRefused([(words, [0xFF] + words.dropFirst())], frame)
        let length = [UInt8(Self.pair.caption[0].utf8.count), 0]
        let from = [1, 2] + length + words
        expectRefused([(from, [2, 2] + length + words), (from, [1, 3] + length + words)], frame)
    }

    @Test("of an alignment have only maps with which a pair can be rendered")
    func alignmentNumbers() {
        let refused: [(from: [UInt8], to: [UInt8])] =
            [Double.nan, .infinity, -.infinity, 1e300, 1e-300, 0, -1.375, 40].map {
                (bytes(1.375), bytes($0))
            }
            + [Double.nan, .infinity, 1e300, -5, 2].map { (bytes(-0.15), bytes($0)) }
            + [Double.nan, .infinity, 1e300, -2, 30].map { (bytes(-0.015625), bytes($0)) }
        expectRefused(refused, .alignment(.aligned(Self.map)))
        let count = UInt8(Aligner.Reason.allCases.count)
        for bytes: [UInt8] in [[9, 1, count], [9, 1, 255], [9, 2, 0], [9, 0], [9]] {
            #expect(throws: FrameError.malformed) { try WorkerFrame(bytes) }
        }
    }

    private func bytes(_ number: Double) -> [UInt8] {
        withUnsafeBytes(of: number.bitPattern.littleEndian) { Array($0) }
    }

    private func bytes(_ number: Int) -> [UInt8] { withUnsafeBytes(of: number.littleEndian) { Array($0) } }

    /// Expects that a frame is refused once some of its bytes are replaced.
    private func expectRefused(_ changes: [(from: [UInt8], to: [UInt8])], _ frame: WorkerFrame) {
        for change in changes {
            let changed = frame.bytes.replacing(change.from, with: change.to, maxReplacements: 1)
            #expect(changed != frame.bytes)
            #expect(throws: FrameError.malformed, "\(change.to)") { try WorkerFrame(changed) }
        }
    }
}
