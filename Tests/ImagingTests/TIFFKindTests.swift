import Foundation
import Imaging
import Testing

@Suite("TIFF files of every kind")
struct TIFFKindTests {
    /// Numbers a pixel, bits of each, and their form, each in strips, in tiles, and in planes of both: 6,000
    /// files, of which the daily run takes the seventh part that differs most.
    private static let (samples, bits, formats) =
        ProcessInfo.processInfo.environment["TINTYPE_LONG"] == nil
        ? ([1, 3, 5], [1, 8, 12, 32], [1, 3])
        : ([1, 2, 3, 4, 5, 6, 10], [1, 2, 4, 8, 12, 16, 32, 64], [1, 2, 3])

    /// Photometric kinds: white is zero, black is zero, RGB, palette, CMYK, YCbCr, Lab, ICC Lab, LogLuv.
    @Test(
        "open in the right colours, or are refused by their kind, and never as damaged",
        arguments: [0, 1, 2, 3, 5, 6, 8, 9, 32845])
    func everyKind(photometric: Int) async throws {
        let folder = try Folder()
        var tried: Set<String> = []
        var opened: Set<String> = []
        for samples in Self.samples {
            for bits in Self.bits {
                for format in Self.formats {
                    let name = "\(samples) × \(bits)\(format == 3 ? " float" : "")"
                    tried.insert(name)
                    for (isPlanar, isTiled) in [(false, false), (false, true), (true, false), (true, true)] {
                        let writer = TIFFWriter(
                            photometric: photometric, samples: samples, bits: bits, format: format,
                            isPlanar: isPlanar, isTiled: isTiled)
                        if try await opens(writer, in: folder) { opened.insert(name) }
                    }
                }
            }
        }
        let grey: Set = ["1 × 1", "1 × 2", "1 × 4", "1 × 8", "1 × 16"]
        let extra: Set = ["2 × 8", "2 × 16", "3 × 8", "3 × 16"]
        let expected: [Int: Set<String>] = [
            0: grey.union(extra), 1: grey.union(extra),
            2: ["3 × 8", "3 × 16", "4 × 8", "4 × 16", "5 × 8", "5 × 16", "3 × 32 float"],
            3: grey, 5: ["4 × 8", "4 × 16", "5 × 8", "5 × 16"], 8: ["3 × 8", "3 × 16", "3 × 32 float"],
        ]
        #expect(opened == expected[photometric, default: []].intersection(tried))
    }

    /// Whether a file opens. Its colours must be right then, and its refusal name its kind otherwise.
    private func opens(_ writer: TIFFWriter, in folder: Folder) async throws -> Bool {
        let path = try folder.write(writer.file)
        do {
            let picture = try await Shared.processor.process(
                fileAt: path, renditions: [RenditionSpec(name: "r", shape: .fit(longestSide: 32))],
                into: folder.path)
            let pixels = try Pixels(picture.renditions[1])
            for (index, place) in [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)].enumerated() {
                let (pixel, wanted) = (pixels[place.0, place.1], colours(writer)[index])
                let distance = zip(pixel, wanted).map { abs($0 - $1) }.max() ?? 255
                #expect(distance <= 16, "\(pixel) instead of \(wanted): \(writer)")
            }
            return true
        } catch ImageError.unsupported(let format) {
            #expect(format.hasPrefix("TIFF "))
            return false
        } catch {
            Issue.record("\(error) for \(writer)")
            return false
        }
    }

    private func colours(_ writer: TIFFWriter) -> [[Int]] {
        switch writer.photometric {
        case 0, 1:
            let most = 1 << writer.bits - 1
            return TIFFWriter.greys.map { grey in
                // White is zero in kind 0, and rounding goes down.
                let level = writer.photometric == 0 ? most - (255 - grey) * most / 255 : grey * most / 255
                return [Int](repeating: level * 255 / most, count: 3)
            }
        case 3: return (0..<4).map { TIFFWriter.colours[writer.bits == 1 ? $0 % 2 : $0] }
        // By libvips' own profile.
        case 5: return [[232, 30, 42], [0, 143, 63], [49, 37, 123], [255, 240, 0]]
        default: return TIFFWriter.colours
        }
    }

    @Test(
        "say in the sentence what isn’t read",
        arguments: [
            (TIFFWriter(bits: 12), "TIFF with 12 bits a sample"),
            (TIFFWriter(samples: 10, bits: 32), "TIFF with 10 samples a pixel"),
            (TIFFWriter(compression: 6), "TIFF with old-style JPEG"),
            (TIFFWriter(compression: 1234), "TIFF with an unusual compression"),
            (TIFFWriter(samples: 5, isPlanar: true), "TIFF in separate planes"),
            (TIFFWriter(isPlanar: true, isTiled: true), "TIFF in separate planes"),
            (TIFFWriter(format: 2), "TIFF with signed or complex numbers"),
            (TIFFWriter(samples: 4, bits: 32, format: 3), "TIFF with floating-point numbers"),
            (TIFFWriter(photometric: 6), "TIFF in YCbCr without JPEG"),
            (TIFFWriter(photometric: 32803), "camera raw"),
        ])
    func sentence(writer: TIFFWriter, kind: String) async throws {
        let folder = try Folder()
        let path = try folder.write(writer.file)
        let error = ImageError.unsupported(format: kind)
        await #expect(throws: error) {
            try await Shared.processor.process(fileAt: path, renditions: small, into: folder.path)
        }
        #expect(
            error.sentence
                == "Files of this kind can’t be read: \(kind). Send a JPEG, PNG, WebP, GIF, HEIC or AVIF picture."
        )
    }
}
