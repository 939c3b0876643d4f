import Foundation
import Imaging
import Testing

@testable import Decoding

@Suite("Captions")
struct CaptionTests {
    private static let black = Painting.plain(600, 600, [0, 0, 0])

    /// Renders two black pictures with a caption, and returns the pixels below them.
    private func band(
        _ caption: [String], layout: PairSpec.Layout = .sideBySide, aspect: Double = 1,
        background: CollageSpec.Colour = .white
    ) async throws -> (pixels: Pixels, top: Int) {
        let frame = try #require(PairFrame(aspect: aspect))
        let spec = PairSpec(frame: frame, layout: layout, caption: caption, background: background)
        let pixels = try await RenderedPair(spec, Self.black, Self.black).pixels
        // Below the last row whose first pixel is black; there are no letters that far on the left.
        let last = try #require((0..<pixels.height).last { pixels[1, $0][1] < 30 })
        let top = last + 1
        return (pixels, top)
    }

    /// The columns and rows in which letters are.
    private func letters(
        _ band: (pixels: Pixels, top: Int), _ background: Int = 255
    ) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>)? {
        let pixels = band.pixels
        let places = (band.top + 8..<pixels.height).flatMap { y in
            (0..<pixels.width).compactMap { abs(pixels[$0, y][1] - background) > 90 ? (x: $0, y: y) : nil }
        }
        guard let left = places.map(\.x).min(), let right = places.map(\.x).max(),
            let top = places.map(\.y).min(), let bottom = places.map(\.y).max()
        else { return nil }
        return (left...right, top...bottom)
    }

    @Test("are drawn under the pictures, on the left, inside of their margins")
    func place() async throws {
        let band = try await band(["1931 · Fondo Arrieta, CC BY 4.0", "Šćepan, Ελλάδα, Москва → “2026”"])
        let found = try #require(letters(band))
        // Letters of 2.2 % of 1200 pixels.
        let size = 0.022 * 1200
        #expect(abs(Double(found.columns.lowerBound) - 0.6 * size) < 0.2 * size)
        #expect(Double(found.columns.upperBound) < 20 * size)
        #expect(Double(found.rows.lowerBound - band.top) > 0.4 * size)
        #expect(Double(band.pixels.height - found.rows.upperBound) > 0.4 * size)
        #expect(Double(band.pixels.height - band.top) - 4 * size < 6)
        // Between the lines is a row without letters.
        let middle = Int(Double(band.top) + 2 * size)
        #expect(
            (middle - 6..<middle + 6).contains { y in
                (0..<band.pixels.width).allSatisfy { band.pixels[$0, y][1] > 200 }
            })
    }

    @Test("are none without lines, and take no room")
    func none() async throws {
        let frame = try #require(PairFrame(aspect: 1))
        let pair = try await RenderedPair(
            PairSpec(frame: frame, layout: .sideBySide, caption: ["", " "]), Self.black, Self.black)
        #expect(pair.composed.image.height == 600)
    }

    @Test("become smaller when they are too long, and are then cut", arguments: [20, 45, 200])
    func long(count: Int) async throws {
        let band = try await band([String(repeating: "m", count: count)], layout: .stacked, aspect: 0.75)
        let found = try #require(letters(band))
        let size = 0.022 * 1200
        #expect(found.columns.upperBound < band.pixels.width - Int(0.5 * size))
        #expect(found.columns.upperBound > band.pixels.width - Int(2.5 * size))
        // The ellipsis is lower than the letters.
        let end = (found.columns.upperBound - 4...found.columns.upperBound)
        let top = found.rows.lowerBound + 2
        #expect(end.allSatisfy { band.pixels[$0, top][1] > 170 } == (count > 20))
    }

    @Test("are bright on dark backgrounds")
    func background() async throws {
        let colour = CollageSpec.Colour(red: 60, green: 60, blue: 60)
        let band = try await band(["Night"], background: colour)
        #expect(letters(band, 60) != nil)
        let brightest = (0..<200).map { band.pixels[$0, band.pixels.height - 30][0] }.max()
        #expect((brightest ?? 0) > 180)
    }

    @Test("show a box for a character that isn’t in the typeface, and never end the worker")
    func unknown() async throws {
        for line in [
            "東京", "👩‍👩‍👧‍👦🇪🇸", "e\u{301}\u{302}\u{303}", "\u{202E}abc", "a\tb\r\nc\u{0}", "\u{FEFF}", "مرحبا",
            String(repeating: "\u{301}", count: 200),
        ] {
            #expect(letters(try await band([line, "a"])) != nil, "\(line.debugDescription)")
        }
        #expect(Shared.processor.lossCount == 0)
    }

    @Test("have letters for the languages of Europe")
    func typeface() {
        let box = Typeface.standard.glyphs(for: "東")[0].contours.map(\.count)
        let text = "AZaz09 ÀÿŐűŠžŁțẞ ΑΩαωΆώ АЯаяЁёЇїЉџ –—“”„‘’‚«»·…→©№€½×−°ªº¿¡§†•"
        for (letter, glyph) in zip(
            text.precomposedStringWithCanonicalMapping, Typeface.standard.glyphs(for: text))
        {
            #expect(glyph.advance > 50 && glyph.advance < 1100, "\(letter)")
            #expect(letter == " " || !glyph.contours.isEmpty, "\(letter)")
            #expect(glyph.contours.map(\.count) != box, "\(letter)")
        }
        // Decomposed letters are the same as composed ones.
        let (one, other) = (Typeface.standard.glyphs(for: "e\u{301}"), Typeface.standard.glyphs(for: "é"))
        #expect(one.count == 1 && one[0].advance == other[0].advance && one[0].contours.count == 2 + 1)
    }

    @Test("cover pixels as far as their outlines do")
    func coverage() throws {
        func closed(_ points: [(x: Double, y: Double)]) -> [Coverage.Line] {
            zip(points, points.dropFirst() + points.prefix(1)).map { Coverage.Line(from: $0, to: $1) }
        }
        let square = closed([(1.25, 1), (1.25, 3.5), (3.5, 3.5), (3.5, 1)])
        let coverage = Coverage(of: square, width: 5, height: 5)
        #expect(abs(coverage.parts.reduce(0, +) - 2.25 * 2.5) < 1e-9)
        #expect(abs(coverage.parts[5 + 1] - 0.75) < 1e-9 && abs(coverage.parts[3 * 5 + 3] - 0.25) < 1e-9)
        // A hole goes round the other way; what goes round twice is covered once.
        let hole = closed([(2, 2), (3, 2), (3, 3), (2, 3)])
        #expect(abs(Coverage(of: square + hole, width: 5, height: 5).parts[2 * 5 + 2]) < 1e-9)
        #expect(abs(Coverage(of: square + square, width: 5, height: 5).parts[2 * 5 + 2] - 1) < 1e-9)
        // What lies beside the pixels isn't covered, and a slope is.
        let triangle = closed([(-2, -2), (-2, 8), (8, 8)])
        let parts = Coverage(of: triangle, width: 4, height: 4).parts
        #expect(abs(parts.reduce(0, +) - 8) < 0.01 && parts[3] == 0 && abs(parts[0] - 0.5) < 0.01)
    }
}
