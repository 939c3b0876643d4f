import Decoding
import Foundation
import Imaging
import Testing

@Suite("Collages")
struct CollageTests {
    private static let colours: [[UInt8]] = [
        [200, 0, 0], [0, 200, 0], [0, 0, 200], [200, 200, 0], [0, 200, 200], [200, 0, 200], [90, 90, 90],
        [40, 0, 90], [0, 90, 40],
    ]
    private static let orange = CollageSpec.Colour(red: 255, green: 128, blue: 1)

    @Test(
        "cover the pixels of their cells, and no others",
        arguments: [0, 10, 40], [0, 40])
    func cells(spacing: Int, cornerRadius: Int) async throws {
        for (side, count) in [(512, 2), (1000, 3), (2048, 3)] {
            let frames = CollageSpec.Frame.grid(count)
            let spec = try #require(
                CollageSpec(
                    side: side, format: .png, background: Self.orange, spacing: spacing,
                    cornerRadius: cornerRadius, cells: frames.map { .init(frame: $0) }))
            let colours = Self.colours.prefix(frames.count)
            let pixels = try await Rendered(spec, colours.map { Painting.plain(7, 5, $0) }).pixels
            #expect(pixels.width == side && pixels.height == side)
            // By the numbers of Documentation/Interface.md, "Collages", in pixels of a square of 400.
            func edge(_ index: Int, _ gap: Double) -> Int {
                let room = 400 - Double(spacing)
                return Int(
                    ((gap + Double(index) / Double(count) * room) * Double(side) / 400).rounded())
            }
            for index in frames.indices {
                let (column, row) = (index % count, index / count)
                let (left, right) = (edge(column, Double(spacing)), edge(column + 1, 0))
                let (top, bottom) = (edge(row, Double(spacing)), edge(row + 1, 0))
                let colour = colours[index].map { Int($0) }
                let (middle, level) = ((left + right) / 2, (top + bottom) / 2)
                let inside = [(left, level), (right - 1, level), (middle, top), (middle, bottom - 1)]
                for (x, y) in inside { #expect(pixels[x, y] == colour, "\(x), \(y)") }
                if spacing > 0 {
                    for (x, y) in [(left - 1, level), (right, level), (middle, top - 1), (middle, bottom)] {
                        #expect(pixels[x, y] == [255, 128, 1], "\(x), \(y)")
                    }
                }
                let corners = [
                    (left, top), (right - 1, top), (left, bottom - 1), (right - 1, bottom - 1),
                ]
                for (x, y) in corners {
                    #expect(pixels[x, y] == (cornerRadius == 0 ? colour : [255, 128, 1]), "\(x), \(y)")
                }
            }
        }
    }

    @Test("have round corners, whose edge is smooth")
    func corners() async throws {
        let spec = try #require(
            CollageSpec(
                side: 1000, format: .png, background: .init(red: 0, green: 0, blue: 0), spacing: 10,
                cornerRadius: 40, cells: [.init(frame: .whole)]))
        let pixels = try await Rendered(spec, [Painting.plain(9, 9, [255, 255, 255])]).pixels
        // The cell is 950 pixels wide, and the radius 100.
        var sum = 0.0
        for y in 0..<100 { for x in 0..<100 { sum += Double(pixels[25 + x, 25 + y][0]) / 255 } }
        #expect(abs(sum - .pi / 4 * 10_000) < 20)
        let onCircle = 25 + Int(100 - 100 * 0.5.squareRoot())
        #expect(pixels[onCircle - 2, onCircle - 2] == [0, 0, 0])
        #expect(pixels[onCircle + 2, onCircle + 2] == [255, 255, 255])
        let level = pixels[onCircle, onCircle][0]
        #expect(level > 30 && level < 225, "\(level) is no blend")
        for (x, y) in [(974, 25), (25, 974), (974, 974)] { #expect(pixels[x, y] == pixels[25, 25]) }
    }

    @Test("have smaller corners where a cell is too small for them")
    func smallCorners() async throws {
        let frame = CollageSpec.Frame(x: 0, y: 0, width: 1, height: 0.1)
        let spec = try #require(
            CollageSpec(side: 1000, format: .png, spacing: 0, cornerRadius: 40, cells: [.init(frame: frame)]))
        let pixels = try await Rendered(spec, [Painting.plain(9, 9, [0, 0, 0])]).pixels
        // Half a circle of radius 50 at each end.
        #expect(pixels[1, 50] == [0, 0, 0] && pixels[998, 50] == [0, 0, 0])
        #expect(pixels[10, 10] == [255, 255, 255] && pixels[40, 4] == [0, 0, 0])
        #expect(pixels[500, 0] == [0, 0, 0] && pixels[500, 99] == [0, 0, 0])
        #expect(pixels[500, 100] == [255, 255, 255])
    }

    @Test("show nothing beyond the picture at its edges, whatever its size", arguments: [1, 8])
    func edges(zoom: Double) async throws {
        for (width, height) in [(1, 1), (2, 3), (1, 900), (65_535, 1), (1000, 750)] {
            for place in [0.0, 0.5, 1] {
                let rendered = try await Rendered(
                    Painting.plain(width, height, [255, 255, 255]), zoom: zoom, x: place, y: place)
                let pixels = try rendered.pixels
                let places = [0, 1, 255, 510, 511]
                for y in places { for x in places { #expect(pixels[x, y] == [255, 255, 255]) } }
            }
        }
    }

    @Test("of 4096 pixels show one pixel eight times enlarged")
    func enlarged() async throws {
        let pixels = try await Rendered(Painting.plain(1, 1, [9, 99, 199]), side: 4096, zoom: 8, x: 0, y: 1)
            .pixels
        for place in [0, 2047, 4095] { #expect(pixels[place, 4095 - place] == [9, 99, 199]) }
    }

    @Test("turn pictures upright by EXIF", arguments: OrientationTests.upright)
    func orientation(orientation: (value: Int, quadrants: String)) async throws {
        let exif = EXIFWriter(orientation: orientation.value)
        let file = try exif.inserted(intoJPEG: Fixture.bytes("quadrants.jpg"))
        #expect(try await Rendered(file).pixels.quadrants == orientation.quadrants)
        for (index, letter) in orientation.quadrants.enumerated() {
            let rendered = try await Rendered(file, zoom: 2.5, x: Double(index % 2), y: Double(index / 2))
            #expect(try rendered.pixels.quadrants == String(repeating: letter, count: 4))
        }
    }

    @Test(
        "show pictures of every kind",
        arguments: [
            "quadrants.jpg", "progressive.jpg", "quadrants.png", "interlaced.png", "palette.png",
            "16-bit.png", "quadrants.webp", "quadrants.gif", "quadrants.heic", "quadrants.avif",
            "quadrants.tif", "tiled.tif",
        ])
    func kinds(name: String) async throws {
        #expect(try await Rendered(Fixture.bytes(name)).pixels.quadrants == "RGBY")
        #expect(try await Rendered(Fixture.bytes(name), zoom: 8, x: 1, y: 1).pixels.quadrants == "YYYY")
    }

    @Test(
        "lay transparency over white",
        arguments: [
            ("alpha.png", "WRWR"), ("16-bit-alpha.png", "WRWR"), ("alpha.webp", "WRWR"),
            ("grey-alpha.png", "W-W-"),
        ])
    func alpha(name: String, quadrants: String) async throws {
        #expect(try await Rendered(Fixture.bytes(name)).pixels.quadrants == quadrants)
    }

    @Test(
        "show the colours of a picture’s profile and of CMYK", arguments: ["swapped-red.jpg", "cmyk-red.jpg"])
    func colours(name: String) async throws {
        let quadrants = try await Rendered(Fixture.bytes(name)).pixels.quadrants
        #expect(quadrants == (name == "cmyk-red.jpg" ? "RRRR" : "GGGG"))
    }

    @Test("of a picture of 98 megapixels decode it once, row by row")
    func large() async throws {
        let pixels = try await Rendered(Fixture.bytes("98-megapixels.png"), side: 512).pixels
        #expect(pixels[1, 510] == [255, 255, 255])
    }

    @Test("are written in the format asked for, without metadata", arguments: CollageSpec.Format.allCases)
    func formats(format: CollageSpec.Format) async throws {
        let exif = CaptureTests.full.inserted(intoJPEG: try Fixture.bytes("swapped-red.jpg"))
        let spec = try #require(
            CollageSpec(side: 600, format: format, cells: CollageSpec.Frame.grid(1).map { .init(frame: $0) }))
        let rendered = try await Rendered(spec, [exif], renditions: RenditionSpec.photo)
        let (composed, bytes) = (rendered.composed, try rendered.bytes)
        #expect(composed.path == "\(rendered.folder.path)/collage.\(format.imageFormat.fileExtension)")
        #expect(composed.byteCount == bytes.count)
        #expect(try ImageFormat(head: Array(bytes.prefix(512))) == format.imageFormat)
        #expect(composed.image.format == format.imageFormat)
        #expect(composed.image.width == 600 && composed.image.height == 600)
        #expect(composed.image.capture == Capture())
        #expect(composed.image.blurhash.count == 28 && composed.image.placeholder.hasPrefix("#"))
        #expect(composed.image.renditions.map(\.width) == [600, 600, 600, 600, 240, 240])
        #expect(try rendered.pixels.quadrants == "GGGG")
        for rendition in composed.image.renditions { #expect(try Pixels(rendition).quadrants == "GGGG") }
        for path in [composed.path] + composed.image.renditions.map(\.path) {
            let file = try Data(contentsOf: URL(filePath: path))
            for mark in ["Exif", "EXIF", "eXIf", "ICC_PROFILE", "iCCP", "acsp", "tEXt", "iTXt", "xmp", "Box"]
            {
                #expect(file.range(of: Data(mark.utf8)) == nil, "\(mark) in \(path)")
            }
        }
    }

    @Test("may show a picture in several cells")
    func repeated() async throws {
        let folder = try Folder()
        let path = try Fixture.path("quadrants.heic")
        let spec = try #require(
            CollageSpec(side: 600, spacing: 0, cells: CollageSpec.Frame.grid(3).map { .init(frame: $0) }))
        let composed = try await Shared.processor.compose(
            spec, picturesAt: [String](repeating: path, count: 9), renditions: [], into: folder.path)
        let pixels = try Pixels(path: composed.path, format: .jpeg)
        for cell in 0..<9 {
            let (x, y) = (cell % 3 * 200, cell / 3 * 200)
            #expect(pixels[x + 50, y + 50][0] > 180 && pixels[x + 150, y + 50][1] > 130)
        }
    }

    @Test(
        "are refused with a broken picture among good ones, and leave nothing",
        arguments: RefusedFile.allCases)
    func broken(kind: RefusedFile) async throws {
        let folder = try Folder()
        let good = try Fixture.path("quadrants.jpg")
        let bad = try kind.path(in: folder)
        let before = try folder.files
        let spec = try #require(
            CollageSpec(cells: CollageSpec.Frame.grid(2).map { .init(frame: $0) }))
        await #expect(throws: kind.error) {
            try await Shared.processor.compose(
                spec, picturesAt: [good, good, bad, good], renditions: RenditionSpec.photo, into: folder.path)
        }
        #expect(try folder.files == before)
    }

    @Test("can only be asked for with values that can be rendered")
    func values() {
        let cell = CollageSpec.Cell(frame: .whole)
        func cells(_ change: (inout CollageSpec.Cell) -> Void) -> [CollageSpec.Cell] {
            var changed = cell
            change(&changed)
            return [cell, changed]
        }
        #expect(CollageSpec(cells: [cell]) != nil)
        #expect(
            CollageSpec(side: 512, spacing: 0, cornerRadius: 40, cells: cells { $0.view.zoom = 8 }) != nil)
        let refused = [
            CollageSpec(cells: []), CollageSpec(cells: .init(repeating: cell, count: 10)),
            CollageSpec(side: 511, cells: [cell]), CollageSpec(side: 4097, cells: [cell]),
            CollageSpec(spacing: 41, cells: [cell]), CollageSpec(spacing: -1, cells: [cell]),
            CollageSpec(cornerRadius: 41, cells: [cell]), CollageSpec(cells: cells { $0.view.zoom = 0.99 }),
            CollageSpec(cells: cells { $0.view.zoom = .nan }),
            CollageSpec(cells: cells { $0.view.x = -0.01 }),
            CollageSpec(cells: cells { $0.view.y = 1.01 }), CollageSpec(cells: cells { $0.view.y = .nan }),
            CollageSpec(cells: cells { $0.frame.x = 0.01 }), CollageSpec(cells: cells { $0.frame.y = .nan }),
            CollageSpec(cells: cells { $0.frame.width = 0.05 }),
            CollageSpec(cells: cells { $0.frame.height = .infinity }),
        ]
        #expect(refused == [CollageSpec?](repeating: nil, count: 16))
        #expect(CollageSpec.Colour(hex: "#0aFf80") == .init(red: 10, green: 255, blue: 128))
        for text in ["", "#", "ffffff", "#fffff", "#fffffff", "#+fffff", "#ggffff", "#ﬀ0000", " #ffffff"] {
            #expect(CollageSpec.Colour(hex: text) == nil, "\(text)")
        }
    }
}
