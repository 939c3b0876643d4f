import Foundation

/// A directory of tags of TIFF files and EXIF blocks (TIFF 6.0, section 2). Whatever is outside the bytes or
/// contradicts itself counts as missing.
///
/// Offsets and counts in a file have 32 bits, so that sums and products of them stay far below `Int.max`.
struct TIFFDirectory {
    private let bytes: Data
    private let isBigEndian: Bool
    private let entries: Int
    private let count: Int

    /// Reads the first directory of a TIFF file or of an EXIF block (without its `Exif\0\0`).
    init?(_ bytes: Data) {
        guard bytes.count >= 8 else { return nil }
        let mark = bytes.prefix(2)
        guard mark.elementsEqual("II".utf8) || mark.elementsEqual("MM".utf8) else { return nil }
        self.init(bytes, isBigEndian: mark.first == UInt8(ascii: "M"), pointerAt: 4)
    }

    private init?(_ bytes: Data, isBigEndian: Bool, pointerAt pointer: Int) {
        guard let offset = Self.integer(bytes, at: pointer, size: 4, isBigEndian),
            let count = Self.integer(bytes, at: offset, size: 2, isBigEndian),
            offset + 2 + count * 12 <= bytes.count
        else { return nil }
        self.bytes = bytes
        self.isBigEndian = isBigEndian
        self.entries = offset + 2
        self.count = count
    }

    /// Returns the directory that a tag points to.
    func directory(_ tag: Int) -> TIFFDirectory? {
        guard let entry = entry(tag) else { return nil }
        return TIFFDirectory(bytes, isBigEndian: isBigEndian, pointerAt: entry + 8)
    }

    func contains(_ tag: Int) -> Bool { entry(tag) != nil }

    /// Returns the first value of a tag of type BYTE, SHORT or LONG.
    func integer(_ tag: Int) -> Int? { integers(tag, upTo: 1)?.first }

    /// Returns the first values of a tag of type BYTE, SHORT or LONG; nil when it has none.
    ///
    /// - Parameter limit: the most values that are read; a tag may have millions.
    func integers(_ tag: Int, upTo limit: Int) -> [Int]? {
        guard let value = value(tag), let size = [1: 1, 3: 2, 4: 4][value.type], value.count > 0 else {
            return nil
        }
        return (0..<min(value.count, limit)).compactMap {
            Self.integer(bytes, at: value.offset + $0 * size, size: size, isBigEndian)
        }
    }

    /// The most bytes of a text that are read. The texts of cameras are shorter.
    private static let longestText = 200

    /// Returns the text of a tag of type ASCII up to its end mark, without spaces around it; nil when empty.
    func text(_ tag: Int) -> String? {
        guard let value = value(tag), value.type == 2 else { return nil }
        let start = bytes.startIndex + value.offset
        let end = start + min(value.count, Self.longestText)
        let text = String(decoding: bytes[start..<end].prefix { $0 != 0 }, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        return text.isEmpty ? nil : text
    }

    /// Returns the values of a tag of type RATIONAL; nil when a denominator is zero, or for more values than a place
    /// has (degrees, minutes and seconds).
    func rationals(_ tag: Int) -> [Double]? {
        guard let value = value(tag), value.type == 5, value.count <= 3 else { return nil }
        var numbers: [Double] = []
        for index in 0..<value.count {
            let offset = value.offset + index * 8
            guard let over = Self.integer(bytes, at: offset, size: 4, isBigEndian),
                let under = Self.integer(bytes, at: offset + 4, size: 4, isBigEndian), under != 0
            else { return nil }
            numbers.append(Double(over) / Double(under))
        }
        return numbers
    }

    private func entry(_ tag: Int) -> Int? {
        (0..<count).lazy.map { entries + $0 * 12 }
            .first { Self.integer(bytes, at: $0, size: 2, isBigEndian) == tag }
    }

    /// Returns the place of a tag's values: in the entry itself up to four bytes, elsewhere when they are more.
    private func value(_ tag: Int) -> (type: Int, count: Int, offset: Int)? {
        let sizes = [1: 1, 2: 1, 3: 2, 4: 4, 5: 8]
        guard let entry = entry(tag),
            let type = Self.integer(bytes, at: entry + 2, size: 2, isBigEndian),
            let count = Self.integer(bytes, at: entry + 4, size: 4, isBigEndian),
            let size = sizes[type]
        else { return nil }
        let length = count * size
        let offset = length <= 4 ? entry + 8 : Self.integer(bytes, at: entry + 8, size: 4, isBigEndian)
        guard let offset, offset + length <= bytes.count else { return nil }
        return (type, count, offset)
    }

    private static func integer(_ bytes: Data, at offset: Int, size: Int, _ isBigEndian: Bool) -> Int? {
        guard offset >= 0, offset + size <= bytes.count else { return nil }
        let start = bytes.startIndex + offset
        let field = bytes[start..<start + size]
        return isBigEndian
            ? field.reduce(0) { $0 << 8 | Int($1) }
            : field.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
