import Foundation
import Imaging

/// The sides in pixels that a coded picture itself states, whatever the container around it says.
struct CodedSize: Hashable {
    let width: Int
    let height: Int

    /// Width times height; `Int.max` when the product is larger than that, since both come from a file.
    var pixels: Int {
        let (product, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? Int.max : product
    }

    /// The most units that one item or configuration may contain. Encoders write less than a hundred.
    private static let mostUnits = 1000
}

extension CodedSize {
    /// Returns the sizes in all sequence parameter sets among HEVC units with four bytes of length before each, as in
    /// HEIF items.
    ///
    /// - Throws: ``ImageError/broken`` for an unreadable set, since a decoder might read it all the same.
    static func ofHEVC(units: Data) throws(ImageError) -> [CodedSize] {
        var sizes: [CodedSize] = []
        var count = 0
        var reader = ByteReader(units)
        while let length = reader.integer(4), let unit = reader.bytes(length) {
            count += 1
            guard count <= mostUnits else { throw .broken }
            if let size = try CodedSize(hevcUnit: unit) { sizes.append(size) }
        }
        return sizes
    }

    /// Returns the sizes in an HEVC decoder configuration (ISO/IEC 14496-15, 8.3.3).
    ///
    /// - Throws: ``ImageError/broken`` for an unreadable parameter set.
    static func ofHEVC(configuration: Data) throws(ImageError) -> [CodedSize] {
        var sizes: [CodedSize] = []
        var units = 0
        var reader = ByteReader(configuration)
        guard reader.bytes(22) != nil, let arrays = reader.integer(1) else { return [] }
        for _ in 0..<arrays {
            guard reader.bytes(1) != nil, let count = reader.integer(2) else { break }
            units += count
            guard units <= mostUnits else { throw .broken }
            for _ in 0..<count {
                guard let length = reader.integer(2), let unit = reader.bytes(length) else { return sizes }
                if let size = try CodedSize(hevcUnit: unit) { sizes.append(size) }
            }
        }
        return sizes
    }

    /// Reads a sequence parameter set of the base layer (ITU-T H.265, 7.3.2.2). Returns nil for other units, which
    /// decoders of still pictures ignore, too.
    private init?(hevcUnit unit: Data) throws(ImageError) {
        let sequenceParameterSet = 33
        var header = ByteReader(unit)
        guard let head = header.integer(2), head >> 9 & 0x3F == sequenceParameterSet, head >> 3 & 0x3F == 0
        else { return nil }
        // The size is within the first hundred bytes. A 3 after two zeros only separates them from what follows.
        var bytes: [UInt8] = []
        var zeros = 0
        for byte in unit.dropFirst(2).prefix(256) {
            if byte == 3 && zeros >= 2 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            bytes.append(byte)
        }
        var reader = BitReader(bytes)
        guard reader.bits(4) != nil, let layers = reader.bits(3), reader.bits(1) != nil,
            Self.skipProfile(&reader, layers: layers), reader.exponentialGolomb() != nil,
            let chroma = reader.exponentialGolomb(), chroma != 3 || reader.bits(1) != nil,
            let width = reader.exponentialGolomb(), let height = reader.exponentialGolomb()
        else { throw .broken }
        self.init(width: width, height: height)
    }

    /// Skips profile, tier and level, also of each layer below the highest (7.3.3).
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
    /// Returns the sizes in all sequence headers among AV1 units (AV1 Bitstream & Decoding Process, 5.3).
    ///
    /// - Throws: ``ImageError/broken`` for an unreadable header, since a decoder might read it all the same.
    static func ofAV1(units: Data) throws(ImageError) -> [CodedSize] {
        let sequenceHeader = 1
        var sizes: [CodedSize] = []
        var count = 0
        var reader = ByteReader(units)
        while let head = reader.integer(1) {
            count += 1
            guard count <= mostUnits else { throw .broken }
            let (type, isExtended, hasLength) = (head >> 3 & 0xF, head & 4 != 0, head & 2 != 0)
            if isExtended { guard reader.bytes(1) != nil else { break } }
            let length = hasLength ? Self.leb128(&reader) : reader.left
            guard let length, let unit = reader.bytes(length) else { break }
            if type == sequenceHeader { sizes.append(try CodedSize(av1SequenceHeader: unit)) }
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

    /// Reads a sequence header (AV1, 5.5).
    private init(av1SequenceHeader unit: Data) throws(ImageError) {
        var reader = BitReader([UInt8](unit.prefix(512)))
        guard reader.bits(3) != nil, reader.bits(1) != nil, let isReduced = reader.bits(1) else {
            throw .broken
        }
        if isReduced == 1 {
            guard reader.bits(5) != nil else { throw .broken }
        } else {
            guard Self.skipOperatingPoints(&reader) else { throw .broken }
        }
        guard let widthBits = reader.bits(4), let heightBits = reader.bits(4),
            let width = reader.bits(widthBits + 1), let height = reader.bits(heightBits + 1)
        else { throw .broken }
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
