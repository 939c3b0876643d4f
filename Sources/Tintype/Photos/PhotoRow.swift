import Storage

/// A photo in the statements of any feature, always as the table `ph`. Nothing outside this folder names the table.
enum PhotoRow {
    static let table = "photos"

    static let columns = """
        ph.id, ph.owner_id, ph.kind, ph.description, ph.width, ph.height, ph.blurhash, ph.colour,
        ph.captured_at, ph.latitude, ph.longitude
        """

    static func photo(from row: Row, at offset: Int = 0) throws -> Photo {
        Photo(
            id: ID(rawValue: try row.int64(offset)),
            owner: ID(rawValue: try row.int64(offset + 1)),
            kind: Photo.Kind(rawValue: try row.string(offset + 2)) ?? .upload,
            description: try row.string(offset + 3),
            width: try row.int(offset + 4),
            height: try row.int(offset + 5),
            blurhash: try row.string(offset + 6),
            colour: try row.string(offset + 7),
            capture: .init(
                date: try row.optionalDate(offset + 8),
                latitude: try row.get(offset + 9, as: Double?.self),
                longitude: try row.get(offset + 10, as: Double?.self)))
    }
}
