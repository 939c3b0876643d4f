import Foundation

/// Sides in pixels as a coded picture itself tells them, whatever the container around it says.
struct CodedSize: Hashable {
    let width: Int
    let height: Int

    var pixels: Int { width * height }
}

extension CodedSize {
    /// The sizes in all sequence parameter sets among HEVC units with four bytes of length before each, as they
    /// lie in HEIF items.
    static func ofHEVC(units: Data) -> [CodedSize] {
        var sizes: [CodedSize] = []
        var reader = ByteReader(units)
        while let length = reader.integer(4), let unit = reader.bytes(length) {
            if let size = CodedSize(hevcUnit: unit) { sizes.append(size) }
        }
        return sizes
    }

    /// The sizes in an HEVC decoder configuration (ISO/IEC 14496-15, 8.3.3).
    static func ofHEVC(configuration: Data) -> [CodedSize] {
        var sizes: [CodedSize] = []
        var reader = ByteReader(configuration)
        guard reader.bytes(22) != nil, let arrays = reader.integer(1) else { return [] }
        for _ in 0..<arrays {
            guard reader.bytes(1) != nil, let count = reader.integer(2) else { break }
            for _ in 0..<count {
                guard let length = reader.integer(2), let unit = reader.bytes(length) else { return sizes }
                if let size = CodedSize(hevcUnit: unit) { sizes.append(size) }
            }
        }
        return sizes
    }

    /// A sequence parameter set (ITU-T H.265, 7.3.2.2); nothing for other units.
    private init?(hevcUnit unit: Data) {
        let sequenceParameterSet: UInt8 = 33
        guard let first = unit.first, first >> 1 & 0x3F == sequenceParameterSet else { return nil }
        // The size stands within the first hundred bytes. 00 00 03 stands for 00 00.
        var bytes: [UInt8] = []
        for byte in unit.dropFirst(2).prefix(256) {
            if byte == 3 && bytes.suffix(2) == [0, 0] { continue }
            bytes.append(byte)
        }
        var reader = BitReader(bytes)
        guard reader.bits(4) != nil, let layers = reader.bits(3), reader.bits(1) != nil,
            Self.skipProfile(&reader, layers: layers), reader.exponentialGolomb() != nil,
            let chroma = reader.exponentialGolomb(), chroma != 3 || reader.bits(1) != nil,
            let width = reader.exponentialGolomb(), let height = reader.exponentialGolomb()
        else { return nil }
        self.init(width: width, height: height)
    }

    /// Profile, tier and level, also of each layer below the highest (7.3.3).
    private static func skipProfile(_ reader: inout BitReader, layers: Int) -> Bool {
        func skip(_ bits: Int) -> Bool {
            for start in stride(from: 0, to: bits, by: 32) where reader.bits(min(32, bits - start)) == nil {
                return false
            }
            return true
        }
        guard skip(88 + 8) else { return false }
        guard layers > 0 else { return true }
        var bits = 0
        for _ in 0..<layers {
            guard let profile = reader.bits(1), let level = reader.bits(1) else { return false }
            bits += profile * 88 + level * 8
        }
        return skip((8 - layers) * 2) && skip(bits)
    }
}

extension CodedSize {
    /// The sizes in all sequence headers among AV1 units (AV1 Bitstream & Decoding Process, 5.3).
    static func ofAV1(units: Data) -> [CodedSize] {
        let sequenceHeader = 1
        var sizes: [CodedSize] = []
        var reader = ByteReader(units)
        while let head = reader.integer(1) {
            let (type, isExtended, hasLength) = (head >> 3 & 0xF, head & 4 != 0, head & 2 != 0)
            if isExtended { guard reader.bytes(1) != nil else { break } }
            let length = hasLength ? Self.leb128(&reader) : reader.left
            guard let length, let unit = reader.bytes(length) else { break }
            if type == sequenceHeader, let size = CodedSize(av1SequenceHeader: unit) { sizes.append(size) }
        }
        return sizes
    }

    private static func leb128(_ reader: inout ByteReader) -> Int? {
        var value = 0
        for index in 0..<8 {
            guard let byte = reader.integer(1) else { return nil }
            value |= (byte & 0x7F) << (7 * index)
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }

    /// AV1, 5.5.
    private init?(av1SequenceHeader unit: Data) {
        var reader = BitReader([UInt8](unit.prefix(512)))
        guard reader.bits(3) != nil, reader.bits(1) != nil, let isReduced = reader.bits(1) else { return nil }
        if isReduced == 1 {
            guard reader.bits(5) != nil else { return nil }
        } else {
            guard Self.skipOperatingPoints(&reader) else { return nil }
        }
        guard let widthBits = reader.bits(4), let heightBits = reader.bits(4),
            let width = reader.bits(widthBits + 1), let height = reader.bits(heightBits + 1)
        else { return nil }
        self.init(width: width + 1, height: height + 1)
    }

    private static func skipOperatingPoints(_ reader: inout BitReader) -> Bool {
        var delayBits: Int?
        guard let hasTiming = reader.bits(1) else { return false }
        if hasTiming == 1 {
            guard reader.bits(32) != nil, reader.bits(32) != nil, let isEqual = reader.bits(1),
                isEqual == 0 || reader.exponentialGolomb() != nil, let hasModel = reader.bits(1)
            else { return false }
            if hasModel == 1 {
                guard let bits = reader.bits(5), reader.bits(32) != nil, reader.bits(10) != nil else {
                    return false
                }
                delayBits = bits + 1
            }
        }
        guard let hasDisplayDelay = reader.bits(1), let lastPoint = reader.bits(5) else { return false }
        for _ in 0...lastPoint {
            guard reader.bits(12) != nil, let level = reader.bits(5), level <= 7 || reader.bits(1) != nil
            else {
                return false
            }
            if let delayBits {
                guard let hasModel = reader.bits(1) else { return false }
                if hasModel == 1 {
                    guard reader.bits(delayBits) != nil, reader.bits(delayBits) != nil, reader.bits(1) != nil
                    else {
                        return false
                    }
                }
            }
            if hasDisplayDelay == 1 {
                guard let has = reader.bits(1), has == 0 || reader.bits(4) != nil else { return false }
            }
        }
        return true
    }
}
