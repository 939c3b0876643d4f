import Foundation
import Imaging

/// The true sizes of the pictures in a HEIF file (ISO/IEC 23008-12).
///
/// libheif reports the size that the container claims (`ispe`), but decodes what is coded: an AVIF file of 3 kB that
/// claims 1,000 × 1,000 px takes 1.8 GB when 16,384 × 16,384 are coded in it. So every coded size is read before any
/// pixel is decoded.
struct HEIFHeader {
    /// The sizes of all coded pictures and of all canvases that are composed of them.
    let sizes: [CodedSize]

    /// Reads the sizes in a file.
    ///
    /// - Throws: ``ImageError/broken`` for a structure that no camera writes.
    init(_ file: Data) throws(ImageError) {
        guard let box = try ISOBox.content("meta", in: file), box.count > 4 else { throw .broken }
        // The first four bytes are version and flags.
        let meta = box.dropFirst(4)
        var sizes = try Self.configuredSizes(meta)
        let types = try Self.itemTypes(meta)
        let places = try Self.places(meta, file: file)
        // Items that name the same bytes again and again would take far longer to read than to send.
        var unread = file.count
        for (id, type) in types {
            guard let item = places[id] else { continue }
            switch type {
            case "hvc1", "av01":
                unread -= item.count
                guard unread >= 0 else { throw .broken }
                sizes += try type == "hvc1" ? CodedSize.ofHEVC(units: item) : CodedSize.ofAV1(units: item)
            case "grid": sizes.append(try Self.canvas(ofGrid: item))
            case "iovl": sizes.append(try Self.canvas(ofOverlay: item))
            default: break
            }
        }
        self.sizes = sizes
    }

    /// The most items and parts of a file; a picture of 100 megapixels in tiles of 512 px has about 400.
    private static let mostItems = 4096
    private static let mostTiles = 1024

    /// Returns the sizes in decoder configurations.
    private static func configuredSizes(_ meta: Data) throws(ImageError) -> [CodedSize] {
        guard let all = try ISOBox.content("iprp", in: meta),
            let properties = try ISOBox.content("ipco", in: all)
        else { return [] }
        var sizes: [CodedSize] = []
        for property in try ISOBox.all(in: properties) {
            switch property.type {
            case "hvcC": sizes += try CodedSize.ofHEVC(configuration: property.content)
            case "av1C": sizes += try CodedSize.ofAV1(units: property.content.dropFirst(4))
            default: break
            }
        }
        return sizes
    }

    /// Returns the types of the items by their number: `infe` in `iinf` (ISO/IEC 14496-12, 8.11.6).
    private static func itemTypes(_ meta: Data) throws(ImageError) -> [Int: String] {
        guard let list = try ISOBox.content("iinf", in: meta), let version = list.first else { throw .broken }
        var types: [Int: String] = [:]
        for entry in try ISOBox.all(in: list.dropFirst(version == 0 ? 6 : 8)) where entry.type == "infe" {
            var reader = ByteReader(entry.content)
            guard let version = reader.integer(1), reader.bytes(3) != nil,
                let id = reader.integer(version < 3 ? 2 : 4), reader.bytes(2) != nil,
                let type = reader.bytes(4), types[id] == nil
            else { throw .broken }
            types[id] = String(decoding: type, as: UTF8.self)
        }
        guard types.count <= mostItems else { throw .broken }
        return types
    }

    /// Returns the items' bytes: `iloc` (ISO/IEC 14496-12, 8.11.3). An item in several pieces, which the standard
    /// allows and no camera writes, is refused, and so is a number that occurs twice: a decoder might use the other
    /// item.
    private static func places(_ meta: Data, file: Data) throws(ImageError) -> [Int: Data] {
        guard let box = try ISOBox.content("iloc", in: meta) else { throw .broken }
        let inside = try ISOBox.content("idat", in: meta) ?? Data()
        var reader = ByteReader(box)
        guard let version = reader.integer(1), version <= 2, reader.bytes(3) != nil,
            let sizes = reader.integer(2),
            let count = reader.integer(version < 2 ? 2 : 4), count <= mostItems,
            [12, 8, 4, 0].allSatisfy({ [0, 4, 8].contains(sizes >> $0 & 0xF) || version == 0 && $0 == 0 })
        else { throw .broken }
        var places: [Int: Data] = [:]
        for _ in 0..<count {
            guard let id = reader.integer(version < 2 ? 2 : 4),
                let method = version == 0 ? 0 : reader.integer(2), reader.bytes(2) != nil,
                let base = reader.integer(sizes >> 4 & 0xF), let extents = reader.integer(2), extents == 1,
                reader.bytes(version == 0 ? 0 : sizes & 0xF) != nil,
                let offset = reader.integer(sizes >> 12), let length = reader.integer(sizes >> 8 & 0xF),
                places[id] == nil, method & 0xF <= 1
            else { throw .broken }
            let source = method & 0xF == 1 ? inside : file
            let (start, overflow) = base.addingReportingOverflow(offset)
            guard !overflow, start <= source.count, length <= source.count - start else { throw .broken }
            places[id] = source.dropFirst(start).prefix(length == 0 ? source.count : length)
        }
        return places
    }

    /// Returns the size of a grid's canvas (ISO/IEC 23008-12, 6.6.2.3.2).
    private static func canvas(ofGrid item: Data) throws(ImageError) -> CodedSize {
        var reader = ByteReader(item)
        guard reader.bytes(1) != nil, let flags = reader.integer(1), let lastRow = reader.integer(1),
            let lastColumn = reader.integer(1), (lastRow + 1) * (lastColumn + 1) <= mostTiles,
            let width = reader.integer(flags & 1 == 0 ? 2 : 4),
            let height = reader.integer(flags & 1 == 0 ? 2 : 4)
        else { throw .broken }
        return CodedSize(width: width, height: height)
    }

    /// Returns the size of an overlay's canvas (ISO/IEC 23008-12, 6.6.2.2.2).
    private static func canvas(ofOverlay item: Data) throws(ImageError) -> CodedSize {
        var reader = ByteReader(item)
        guard reader.bytes(1) != nil, let flags = reader.integer(1), reader.bytes(8) != nil,
            let width = reader.integer(flags & 1 == 0 ? 2 : 4),
            let height = reader.integer(flags & 1 == 0 ? 2 : 4)
        else { throw .broken }
        return CodedSize(width: width, height: height)
    }
}
