import Foundation

/// Makes EXIF blocks and puts them into pictures.
struct EXIFWriter {
    var isBigEndian = true
    var orientation: Int?
    var make: String?
    var model: String?
    var taken: String?
    var offset: String?
    /// Degrees, minutes, seconds as rationals.
    var latitude: (half: String, parts: [(UInt32, UInt32)])?
    var longitude: (half: String, parts: [(UInt32, UInt32)])?

    private struct Entry {
        let tag: UInt16
        let type: UInt16
        let count: Int
        let value: [UInt8]
    }

    /// `Exif\0\0` and a TIFF structure of up to three directories.
    var block: [UInt8] {
        var main: [Entry] = []
        if let make { main.append(text(0x010F, make)) }
        if let model { main.append(text(0x0110, model)) }
        if let orientation {
            main.append(Entry(tag: 0x0112, type: 3, count: 1, value: number(UInt16(orientation))))
        }
        var shot: [Entry] = []
        if let taken { shot.append(text(0x9003, taken)) }
        if let offset { shot.append(text(0x9011, offset)) }
        var place: [Entry] = []
        if let latitude { place += [text(1, latitude.half), rationals(2, latitude.parts)] }
        if let longitude { place += [text(3, longitude.half), rationals(4, longitude.parts)] }

        let links = (shot.isEmpty ? 0 : 1) + (place.isEmpty ? 0 : 1)
        var next = 8 + size(main) + links * 12
        if !shot.isEmpty {
            main.append(Entry(tag: 0x8769, type: 4, count: 1, value: number(UInt32(next))))
            next += size(shot)
        }
        if !place.isEmpty {
            main.append(Entry(tag: 0x8825, type: 4, count: 1, value: number(UInt32(next))))
        }
        var bytes = Array((isBigEndian ? "MM" : "II").utf8) + number(UInt16(42)) + number(UInt32(8))
        for directory in [main, shot, place] where !directory.isEmpty {
            bytes += written(directory, at: bytes.count)
        }
        return Array("Exif\0\0".utf8) + bytes
    }

    /// A JPEG file with this block as its first segment.
    func inserted(intoJPEG file: [UInt8]) -> [UInt8] {
        let block = block
        let length = UInt16(block.count + 2)
        return file[..<2] + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + block + file[2...]
    }

    /// A PNG file with this block as an `eXIf` chunk behind its header.
    func inserted(intoPNG file: [UInt8]) -> [UInt8] {
        file[..<33] + PNGWriter.chunk("eXIf", Array(block.dropFirst(6))) + file[33...]
    }

    private func size(_ entries: [Entry]) -> Int {
        6 + entries.count * 12 + entries.filter { $0.value.count > 4 }.reduce(0) { $0 + $1.value.count }
    }

    private func written(_ entries: [Entry], at start: Int) -> [UInt8] {
        var table = number(UInt16(entries.count))
        var data: [UInt8] = []
        let dataStart = start + 6 + entries.count * 12
        for entry in entries {
            table += number(entry.tag) + number(entry.type) + number(UInt32(entry.count))
            if entry.value.count > 4 {
                table += number(UInt32(dataStart + data.count))
                data += entry.value
            } else {
                table += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
            }
        }
        return table + number(UInt32(0)) + data
    }

    private func text(_ tag: UInt16, _ text: String) -> Entry {
        let value = Array(text.utf8) + [0]
        return Entry(tag: tag, type: 2, count: value.count, value: value)
    }

    private func rationals(_ tag: UInt16, _ parts: [(UInt32, UInt32)]) -> Entry {
        Entry(tag: tag, type: 5, count: parts.count, value: parts.flatMap { number($0.0) + number($0.1) })
    }

    private func number<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
        withUnsafeBytes(of: isBigEndian ? value.bigEndian : value.littleEndian) { Array($0) }
    }
}

/// Parts of PNG files.
enum PNGWriter {
    /// A chunk with its length and checksum (PNG 1.2, section 3).
    static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        return bigEndian(data.count) + body + bigEndian(Int(checksum(body)))
    }

    /// The signature and a header.
    static func head(width: Int, height: Int, depth: UInt8 = 8, colour: UInt8 = 2, interlaced: Bool = false)
        -> [UInt8]
    {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", bigEndian(width) + bigEndian(height) + [depth, colour, 0, 0, interlaced ? 1 : 0])
    }

    static func bigEndian(_ value: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(value).bigEndian) { Array($0) }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { sum, byte in
            sum >> 8 ^ remainders[Int(UInt8(truncatingIfNeeded: sum) ^ byte)]
        }
    }

    private static let remainders = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
}
