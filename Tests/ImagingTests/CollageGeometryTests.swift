import Foundation
import Imaging
import Testing

@testable import Decoding

@Suite("Where a collage shows its pictures")
struct CollageGeometryTests {
    struct Shape: Sendable, CustomTestStringConvertible {
        let width: Int
        let height: Int
        var testDescription: String { "\(width) × \(height)" }
    }

    private static let shapes = [
        Shape(width: 2, height: 2), Shape(width: 3, height: 40), Shape(width: 97, height: 64),
        Shape(width: 640, height: 480), Shape(width: 1201, height: 907), Shape(width: 4033, height: 3023),
        Shape(width: 65_535, height: 2), Shape(width: 3, height: 20_001),
    ]
    private static let places = [
        (zoom: 1.0, x: 0.5, y: 0.5), (1, 0, 1), (1.37, 0.31, 0.77), (2, 1, 0), (3.3, 0.5, 0.123),
        (8, 0.6, 0.4),
    ]

    @Test("is right to half a pixel in TIFF, at every size, zoom and place", arguments: shapes, places)
    func tiff(shape: Shape, place: (zoom: Double, x: Double, y: Double)) async throws {
        try await expectPlace(shape, place) { column, row in
            Painting.marked(
                shape.width, shape.height, columns: column..<shape.width, rows: row..<shape.height)
        }
    }

    @Test("is right to half a pixel when the picture is turned", arguments: 2...8)
    func turned(orientation: Int) async throws {
        let upright = Shape(width: 907, height: 1201)
        let (width, height) = orientation >= 5 ? (1201, 907) : (907, 1201)
        for place in Self.places[1...2] {
            try await expectPlace(upright, place) { column, row in
                let (columns, rows) = orientation >= 5 ? (row, column) : (column, row)
                let isMirrored = [2, 3, 7, 8].contains(orientation)
                let isUpsideDown = [3, 4, 6, 7].contains(orientation)
                return Painting.marked(
                    width, height, columns: isMirrored ? 0..<width - columns : columns..<width,
                    rows: isUpsideDown ? 0..<height - rows : rows..<height, orientation: orientation)
            }
        }
    }

    @Test(
        "is right to half a pixel in pictures that decoders shrink",
        arguments: [
            (RenditionFormat.jpeg, Shape(width: 4033, height: 3023)),
            (.jpeg, Shape(width: 1607, height: 2411)), (.webp, Shape(width: 1607, height: 2411)),
        ])
    func shrunk(format: RenditionFormat, shape: Shape) async throws {
        let rendition = RenditionSpec(
            name: "r", shape: .fit(longestSide: max(shape.width, shape.height)), formats: [format])
        for place in Self.places[1...2] {
            try await expectPlace(shape, place) { column, row in
                let folder = try Folder()
                let source = try folder.write(
                    Painting.marked(
                        shape.width, shape.height, columns: column..<shape.width, rows: row..<shape.height))
                let made = try await Shared.processor.process(
                    fileAt: source, renditions: [rendition], into: folder.path)
                return [UInt8](try Data(contentsOf: URL(filePath: made.renditions[0].path)))
            }
        }
    }

    /// Renders a picture that is white from a column on, and one that is white from a row on, both in the middle of what
    /// a cell shows, and looks for these edges.
    private func expectPlace(
        _ shape: Shape, _ place: (zoom: Double, x: Double, y: Double),
        _ file: (_ column: Int, _ row: Int) async throws -> [UInt8]
    ) async throws {
        // By the numbers of Documentation/Interface.md, "Collages": cells in the left and the right third, in pixels of
        // a collage of 1100 px.
        let (scale, spacing, top) = (2.75, 10.0, 10 * 2.75)
        let lefts = [spacing * scale, (spacing + 260) * scale]
        let (width, height) = (120 * scale, 250 * scale)
        let factor = max(width / Double(shape.width), height / Double(shape.height)) * place.zoom
        // An edge between two pixels of the picture, near the middle of the cell; none if it isn't shown.
        func edge(_ shown: Double, _ place: Double, _ length: Int) -> (pixel: Int, place: Double) {
            let start = -place * (Double(length) * factor - shown)
            let pixel = min(max(Int(((shown / 2 - start) / factor).rounded()), 0), length)
            return (pixel, start + Double(pixel) * factor)
        }
        let column = edge(width, place.x, shape.width)
        let row = edge(height, place.y, shape.height)
        let spec = try #require(
            CollageSpec(
                side: 1100, format: .png, background: .init(red: 9, green: 99, blue: 199),
                cells: [0, 260.0 / 390].map { x in
                    .init(
                        frame: .init(x: x, y: 0, width: 130.0 / 390, height: 260.0 / 390), zoom: place.zoom,
                        x: place.x, y: place.y)
                }))
        let files = [try await file(column.pixel, shape.height), try await file(shape.width, row.pixel)]
        let pixels = try await Rendered(spec, files).pixels
        let areas = lefts.map { Int($0.rounded())..<Int(($0 + width).rounded()) }
        let rows = Int(top.rounded())..<Int((top + height).rounded())
        // libvips interpolates at 64 places between two pixels, so that pixels which become very large have steps.
        let allowed = max(0.5, factor / 32)
        if column.place > 8, column.place < width - 8 {
            let found = try #require(Self.crossing(areas[0].map { pixels[$0, 200][1] }), "no edge across")
            let error = found + Double(areas[0].lowerBound) - lefts[0] - column.place
            #expect(abs(error) < allowed, "\(error) pixels off in width")
        }
        if row.place > 8, row.place < height - 8 {
            let found = try #require(
                Self.crossing(rows.map { pixels[areas[1].lowerBound + 100, $0][1] }), "no edge down")
            let error = found + Double(rows.lowerBound) - top - row.place
            #expect(abs(error) < allowed, "\(error) pixels off in height")
        }
    }

    /// Returns where levels first exceed the half, between the middles of two pixels.
    private static func crossing(_ levels: [Int]) -> Double? {
        guard let above = levels.firstIndex(where: { $0 > 127 }), above > 0 else { return nil }
        let (low, high) = (Double(levels[above - 1]), Double(levels[above]))
        return Double(above) - 0.5 + (127.5 - low) / (high - low)
    }

    @Test("is never off by half a pixel or more when a picture is made smaller")
    func reductions() {
        var generator = Generator(state: 16)
        var worst = 0.0
        for _ in 0..<20_000 {
            let count = Int.random(in: 13...4096, using: &generator)
            let scale = pow(10, Double.random(in: -3.6 ... -0.0458, using: &generator))
            let line = PixelLine(
                start: Double.random(in: -1...65_535, using: &generator), scale: scale, count: count)
            let reduction = Reduction(line)
            #expect(reduction.first >= 0 && reduction.first + count <= reduction.count)
            #expect(Double(reduction.source.lowerBound) < line.start - 3 / scale + 1)
            #expect(Double(reduction.source.upperBound) > line.end + 3 / scale - 1)
            // Not much more is computed than is shown.
            #expect(Double(reduction.count) <= Double(count) + 40)
            worst = max(worst, reduction.error)
        }
        #expect(worst < 0.5, "\(worst) pixels off")
    }

    @Test("is in the stored picture where its orientation says", arguments: Orientation.allCases)
    func storedLines(orientation: Orientation) {
        let (width, height) = (300, 200)
        let area = PixelArea(x: 30, y: 50, width: 120, height: 40)
        let stored = orientation.storedArea(of: area, width: width, height: height)
        let lines = orientation.storedLines(
            of: (
                PixelLine(start: 30, scale: 2, count: 240), PixelLine(start: 50, scale: 2, count: 80)
            ), width: width, height: height)
        #expect(lines.columns.start == Double(stored.x) && lines.rows.start == Double(stored.y))
        #expect(lines.columns.count == stored.width * 2 && lines.rows.count == stored.height * 2)
    }

    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }
}
