import Decoding
import Foundation
import Imaging
import Testing

@Suite("What the camera wrote is read for the owner and kept out of renditions")
struct CaptureTests {
    static let full = EXIFWriter(
        orientation: 1, make: "Tintype", model: "Box Camera", taken: "2026:07:04 12:30:15", offset: "+02:00",
        latitude: ("N", [(52, 1), (31, 1), (1234, 100)]), longitude: ("W", [(13, 1), (24, 1), (3600, 100)]))

    @Test("date, zone, place and camera", arguments: [true, false])
    func all(isBigEndian: Bool) throws {
        var exif = Self.full
        exif.isBigEndian = isBigEndian
        let capture = Capture(exif: Data(exif.block))
        // 2026-07-04T10:30:15Z
        #expect(capture.date == Date(timeIntervalSince1970: 1_783_161_015))
        #expect(capture.secondsFromUTC == 7200)
        #expect(capture.cameraMake == "Tintype")
        #expect(capture.cameraModel == "Box Camera")
        let location = try #require(capture.location)
        #expect(abs(location.latitude - 52.520094) < 0.000001)
        #expect(abs(location.longitude + 13.41) < 0.000001)
    }

    @Test("a date without zone counts as UTC")
    func withoutZone() {
        let capture = Capture(exif: Data(EXIFWriter(taken: "2026:07:04 12:30:15").block))
        #expect(capture.date == Date(timeIntervalSince1970: 1_783_168_215))
        #expect(capture.secondsFromUTC == nil)
    }

    @Test(
        "a date that makes no sense is none",
        arguments: [
            "0000:00:00 00:00:00", "    :  :     :  :  ", "2026:13:01 00:00:00", "2026:02:30 10:00:00", "x",
            "2026:9223372036854775807:01 00:00:00", "2026:01:01 00:9223372036854775807:00",
            "2026:-1:01 00:00:00",
        ])
    func noDate(text: String) {
        let capture = Capture(exif: Data(EXIFWriter(taken: text, offset: "+02:00").block))
        #expect(capture.date == nil && capture.secondsFromUTC == nil)
    }

    @Test("a place that makes no sense is none")
    func noPlace() {
        let one: [(UInt32, UInt32)] = [(10, 1), (0, 1), (0, 1)]
        let writers = [
            EXIFWriter(latitude: ("N", [(91, 1), (0, 1), (0, 1)]), longitude: ("E", one)),
            EXIFWriter(latitude: ("N", [(10, 0), (0, 1), (0, 1)]), longitude: ("E", one)),
            EXIFWriter(latitude: ("Q", one), longitude: ("E", one)),
            EXIFWriter(latitude: ("N", [(10, 1)]), longitude: ("E", one)),
            EXIFWriter(latitude: ("N", one)),
        ]
        for writer in writers { #expect(Capture(exif: Data(writer.block)).location == nil) }
    }

    @Test("a block that is cut, or whose numbers are changed, never stops the reader")
    func damaged() {
        let block = Self.full.block
        for length in 0..<block.count { _ = Capture(exif: Data(block.prefix(length))) }
        for index in block.indices {
            for value: UInt8 in [0, 0x7F, 0xFF] {
                var changed = block
                changed[index] = value
                _ = Capture(exif: Data(changed))
            }
        }
        #expect(Capture(exif: Data(block.prefix(20))).cameraMake == nil)
    }

    @Test("a text of thousands of letters is cut, and a place of thousands of numbers is none")
    func tooLong() {
        let numbers = [(UInt32, UInt32)](repeating: (1, 1), count: 5000)
        let writer = EXIFWriter(
            make: String(repeating: "m", count: 50_000), latitude: ("N", numbers), longitude: ("E", numbers))
        let capture = Capture(exif: Data(writer.block))
        #expect(capture.cameraMake == String(repeating: "m", count: 200))
        #expect(capture.location == nil)
    }

    @Test("from JPEG, PNG, HEIC and TIFF files")
    func files() async throws {
        let folder = try Folder()
        let jpeg = try folder.write(Self.full.inserted(intoJPEG: Fixture.bytes("quadrants.jpg")), as: "a")
        let png = try folder.write(Self.full.inserted(intoPNG: Fixture.bytes("quadrants.png")), as: "b")
        for file in [jpeg, png] {
            let picture = try await Shared.processor.process(
                fileAt: file, renditions: small, into: folder.path)
            #expect(picture.capture == Capture(exif: Data(Self.full.block)))
            #expect(picture.capture.location != nil)
        }
        let heic = try await Shared.processor.process(
            fileAt: Fixture.path("quadrants.heic"), renditions: small, into: folder.path)
        #expect(heic.capture.cameraModel == "Box Camera")
        #expect(heic.capture.date == Date(timeIntervalSince1970: 1_783_168_215))
        let tiff = try await Shared.processor.process(
            fileAt: Fixture.path("turned.tif"), renditions: small, into: folder.path)
        #expect(tiff.capture.cameraMake == "Tintype")
    }

    @Test("no rendition carries any of it")
    func stripped() async throws {
        let folder = try Folder()
        var files = ["p3-red.jpg", "swapped-red.jpg", "quadrants.heic", "turned.tif"].map {
            try? Fixture.path($0)
        }
        files.append(try folder.write(Self.full.inserted(intoJPEG: Fixture.bytes("p3-red.jpg")), as: "in"))
        for file in files {
            let picture = try await Shared.processor.process(
                fileAt: try #require(file), renditions: RenditionSpec.photo, into: folder.path)
            #expect(picture.renditions.count == 6)
            for rendition in picture.renditions {
                let bytes = try Data(contentsOf: URL(filePath: rendition.path))
                #expect(bytes.count == rendition.byteCount)
                let marks = [
                    "Exif", "EXIF", "ICC_PROFILE", "ICCP", "acsp", "http://ns.adobe.com", "XMP ", "8BIM",
                    "Tintype", "Box Camera", "2026:",
                ]
                for mark in marks {
                    #expect(bytes.range(of: Data(mark.utf8)) == nil, "\(mark) in \(rendition.path)")
                }
                let picture = try Picture(
                    file: Descriptor(reading: rendition.path),
                    format: rendition.format == .jpeg ? .jpeg : .webp)
                #expect(picture.exif.isEmpty)
            }
        }
    }
}
