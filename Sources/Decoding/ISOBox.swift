import Foundation
import Imaging

/// A box of an ISO base media file (ISO/IEC 14496-12, 4.2): a length, four letters, and the content.
struct ISOBox {
    let type: String
    /// The content of the box, still in its place in the file.
    let content: Data

    /// The most boxes beside each other. Real files have less than a hundred, those in tiles some hundreds.
    private static let mostBoxes = 10_000

    /// Returns the boxes that follow each other in some bytes, up to the first that makes no sense.
    ///
    /// - Throws: ``ImageError/broken`` for more boxes than any camera writes.
    static func all(in bytes: Data) throws(ImageError) -> [ISOBox] {
        var boxes: [ISOBox] = []
        var reader = ByteReader(bytes)
        while let short = reader.integer(4), let type = reader.bytes(4) {
            guard boxes.count < mostBoxes else { throw .broken }
            var length = short
            var head = 8
            if short == 1 {
                guard let long = reader.integer(8) else { break }
                (length, head) = (long, 16)
            } else if short == 0 {
                length = head + reader.left
            }
            guard length >= head, let content = reader.bytes(length - head) else { break }
            boxes.append(ISOBox(type: String(decoding: type, as: UTF8.self), content: content))
        }
        return boxes
    }

    /// Returns the content of the box of a type; nil when there is none.
    ///
    /// - Throws: ``ImageError/broken`` when there are several: a decoder might use another one.
    static func content(_ type: String, in bytes: Data) throws(ImageError) -> Data? {
        let boxes = try all(in: bytes).filter { $0.type == type }
        guard boxes.count <= 1 else { throw .broken }
        return boxes.first?.content
    }
}

/// A reader of big-endian numbers, which never reads beyond the end.
struct ByteReader {
    private let bytes: Data
    private var position: Int

    init(_ bytes: Data) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    var left: Int { bytes.endIndex - position }

    /// Returns the next bytes, without copying them.
    mutating func bytes(_ count: Int) -> Data? {
        guard count >= 0, count <= left else { return nil }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// Returns a number of 0 to 8 bytes; nil when it is above `Int.max`.
    mutating func integer(_ size: Int) -> Int? {
        guard let field = bytes(size) else { return nil }
        return Int(exactly: field.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}

/// A reader of bits, the highest of each byte first.
struct BitReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns a number of 0 to 32 bits.
    mutating func bits(_ count: Int) -> Int? {
        guard position + count <= bytes.count * 8 else { return nil }
        var value = 0
        for _ in 0..<count {
            value = value << 1 | Int(bytes[position / 8] >> (7 - UInt8(position % 8)) & 1)
            position += 1
        }
        return value
    }

    /// Returns an Exp-Golomb number: as many zeros as further bits follow the first one (ITU-T H.265, 9.2).
    mutating func exponentialGolomb() -> Int? {
        var zeros = 0
        while let bit = bits(1) {
            if bit == 1 { return bits(zeros).map { (1 << zeros) - 1 + $0 } }
            zeros += 1
            if zeros > 31 { return nil }
        }
        return nil
    }
}
