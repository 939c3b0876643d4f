/// Makes HEIF files (ISO/IEC 23008-12) that name coded pictures, true or not, and hold no pixels.
struct HEIFWriter {
    /// Each item's number, kind and bytes, in `idat`.
    var items: [(id: Int, kind: String, bytes: [UInt8])] = []
    /// Boxes in `ipco`.
    var properties: [UInt8] = []
    /// Items that all have the bytes of the first one, beside it.
    var copies = 0
    /// Bytes of each offset in `iloc`.
    var offsetSize: UInt8 = 4

    /// The file, with boxes beside the only `meta` of a real one.
    func file(besideMeta boxes: [UInt8] = [], besideProperties: [UInt8] = []) -> [UInt8] {
        Self.box("ftyp", Array("heic".utf8) + zeros(4) + Array("heicmif1".utf8)) + boxes
            + meta(besideProperties)
    }

    func meta(_ besideProperties: [UInt8] = []) -> [UInt8] {
        var all = items.map { (id: $0.id, kind: $0.kind, length: $0.bytes.count, offset: 0) }
        for index in all.indices.dropFirst() {
            all[index].offset = all[index - 1].offset + all[index - 1].length
        }
        if let first = all.first {
            all += (0..<copies).map { (id: 1000 + $0, kind: first.kind, length: first.length, offset: 0) }
        }
        var entries: [UInt8] = []
        var places: [UInt8] = []
        for item in all {
            let kind = Array(item.kind.utf8) + [0]
            entries += Self.box("infe", [2, 0, 0, 0] + Self.short(item.id) + [0, 0] + kind)
            places += Self.short(item.id) + [0, 1, 0, 0] + Self.short(1)
            places += PNGWriter.bigEndian(item.offset).suffix(Int(offsetSize))
            places += PNGWriter.bigEndian(item.length)
        }
        let count = Self.short(all.count)
        let sizes: [UInt8] = [1, 0, 0, 0, offsetSize << 4 | 4, 0]
        let content: [[UInt8]] = [
            Self.box("hdlr", zeros(8) + Array("pict".utf8) + zeros(13)),
            Self.box("pitm", zeros(4) + Self.short(1)),
            Self.box("iloc", sizes + count + places),
            Self.box("iinf", zeros(4) + count + entries),
            Self.box("iprp", besideProperties + Self.box("ipco", properties)),
            Self.box("idat", items.flatMap { $0.bytes }),
        ]
        return Self.box("meta", zeros(4) + content.joined())
    }

    static func box(_ kind: String, _ content: [UInt8]) -> [UInt8] {
        PNGWriter.bigEndian(8 + content.count) + Array(kind.utf8) + content
    }

    /// A canvas of tiles that are never named (6.6.2.3.2).
    static func grid(width: UInt32, height: UInt32) -> [UInt8] {
        [0, 1, 0, 0] + PNGWriter.bigEndian(Int(width)) + PNGWriter.bigEndian(Int(height))
    }

    /// A sequence parameter set up to the sides (ITU-T H.265, 7.3.2.2).
    ///
    /// - Parameter profile: eleven bytes of profile and compatibility, and one of the level.
    static func parameterSet(width: Int, height: Int, profile: [UInt8] = zeros(12)) -> [UInt8] {
        var bits = "00000001" + profile.map { byte in binary(Int(byte), 8) }.joined()
        for value in [0, 1, width, height] {
            let digits = String(value + 1, radix: 2)
            bits += String(repeating: "0", count: digits.count - 1) + digits
        }
        bits += String(repeating: "0", count: (8 - bits.count % 8) % 8)
        var bytes: [UInt8] = []
        var zeros = 0
        for start in stride(from: 0, to: bits.count, by: 8) {
            let byte = UInt8(bits.dropFirst(start).prefix(8), radix: 2) ?? 0
            if zeros == 2 && byte < 4 {
                bytes.append(3)
                zeros = 0
            }
            zeros = byte == 0 ? zeros + 1 : 0
            bytes.append(byte)
        }
        return [0x42, 1] + bytes
    }

    /// A decoder configuration of parameter sets (ISO/IEC 14496-15, 8.3.3).
    static func configuration(_ units: [UInt8]...) -> [UInt8] {
        var arrays: [UInt8] = []
        for unit in units { arrays += [0x21, 0, 1] + short(unit.count) + unit }
        return box("hvcC", zeros(22) + [UInt8(units.count)] + arrays)
    }

    /// Units as they lie in an item.
    static func units(_ units: [[UInt8]]) -> [UInt8] {
        Array(units.map { PNGWriter.bigEndian($0.count) + $0 }.joined())
    }

    private static func binary(_ value: Int, _ count: Int) -> String {
        let digits = String(value, radix: 2)
        return String(repeating: "0", count: count - digits.count) + digits
    }

    private static func short(_ value: Int) -> [UInt8] { Array(PNGWriter.bigEndian(value).suffix(2)) }
}

/// As many bytes of zero.
func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
