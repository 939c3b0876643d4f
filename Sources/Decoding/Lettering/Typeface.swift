import Foundation

/// The letters of captions.
struct Typeface {
    /// A letter, in units of which an em has ``Typeface/units``; heights grow upwards from the baseline.
    struct Glyph {
        /// The distance to the next letter.
        let advance: Int
        /// The outline: closed contours, each inside or outside of the others.
        let contours: [[Point]]
    }

    /// A point of an outline.
    struct Point {
        var x: Int
        var y: Int
        /// Whether the outline goes through the point; it controls a quadratic curve otherwise.
        var isOnCurve: Bool
    }

    /// The units of an em.
    static let units = 512.0
    /// The height of capitals in parts of an em.
    static let capitalHeight = 0.727

    /// The only typeface there is.
    static let standard = Typeface()

    private let glyphs: [UInt32: Glyph]

    private init() {
        var reader = OutlineReader(
            Data(base64Encoded: Self.outlines, options: .ignoreUnknownCharacters) ?? Data())
        var glyphs: [UInt32: Glyph] = [:]
        var character = 0
        for _ in 0..<reader.number() {
            character += reader.number()
            glyphs[UInt32(character)] = reader.glyph()
        }
        self.glyphs = glyphs
    }

    /// Returns the letters of a line of text. Characters that the typeface lacks become boxes.
    func glyphs(for line: String) -> [Glyph] {
        line.precomposedStringWithCanonicalMapping.map { character in
            // A letter with marks that the typeface lacks is shown without them.
            character.unicodeScalars.first.flatMap { glyphs[$0.properties.isWhitespace ? 0x20 : $0.value] }
                ?? Self.box
        }
    }

    /// The sign for text that was cut off.
    var ellipsis: Glyph { glyphs[0x2026] ?? Self.box }

    /// The outline of a box, for characters that aren't in the typeface.
    private static let box = Glyph(
        advance: 320,
        contours: [(40, 0), (72, 32)].enumerated().map { index, start in
            let (left, bottom) = start
            let (right, top) = (320 - left, 372 - bottom)
            let corners = [(left, bottom), (left, top), (right, top), (right, bottom)]
            // The inner contour goes round the other way.
            return (index == 0 ? corners : corners.reversed()).map {
                Point(x: $0.0, y: $0.1, isOnCurve: true)
            }
        })
}

/// Reads what `Artwork/lettering/make` has written.
private struct OutlineReader {
    private let bytes: Data
    private var position = 0
    private var place = (x: 0, y: 0)

    init(_ bytes: Data) {
        self.bytes = bytes
    }

    /// Reads a number of 7 bits a byte; 0 at the end.
    mutating func number() -> Int {
        var (value, shift) = (0, 0)
        while position < bytes.count {
            let byte = Int(bytes[position])
            position += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80 { break }
        }
        return value
    }

    mutating func glyph() -> Typeface.Glyph {
        let advance = number()
        place = (0, 0)
        let contours = (0..<number()).map { _ in (0..<number()).map { _ in point() } }
        return Typeface.Glyph(advance: advance, contours: contours)
    }

    private mutating func point() -> Typeface.Point {
        let across = number()
        place.x += Self.signed(across >> 1)
        place.y += Self.signed(number())
        return Typeface.Point(x: place.x, y: place.y, isOnCurve: across & 1 == 1)
    }

    private static func signed(_ number: Int) -> Int { number & 1 == 0 ? number >> 1 : -(number + 1) >> 1 }
}
