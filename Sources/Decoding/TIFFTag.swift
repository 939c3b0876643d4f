import Imaging

/// Tags of TIFF 6.0 that say how much of a file is decoded at a time.
enum TIFFTag {
    static let dngVersion = 0xC612
    private static let rowsPerStrip = 0x0116
    private static let tileWidth = 0x0142
    private static let tileLength = 0x0143

    /// Bytes of one strip, or of a row of tiles and one tile more.
    ///
    /// - Throws: ``ImageError/broken`` for a tile that is larger than any picture.
    static func chunkBytes(in directory: TIFFDirectory?, of picture: Picture) throws(ImageError) -> Int {
        guard let directory else { throw .broken }
        let row = picture.width * picture.pixelSize
        guard directory.contains(tileWidth) || directory.contains(tileLength) else {
            return row * min(directory.integer(rowsPerStrip) ?? picture.height, picture.height)
        }
        let sides = 1...65_536
        guard let width = directory.integer(tileWidth), let height = directory.integer(tileLength),
            sides.contains(width), sides.contains(height)
        else { throw .broken }
        return row * height + width * height * picture.pixelSize
    }
}
