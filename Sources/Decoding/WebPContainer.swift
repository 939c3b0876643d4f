import Imaging

/// The container of WebP files (RFC 9649, section 2).
enum WebPContainer {
    /// A still picture without anything beside it: the simple file format around the coded picture alone.
    ///
    /// libvips 8.14 writes an EXIF block with orientation and resolution even when told to write no metadata.
    ///
    /// - Throws: ``ImageError/broken`` when there is no coded picture inside.
    static func withoutMetadata(_ file: [UInt8]) throws(ImageError) -> [UInt8] {
        var start = 12
        while start + 8 <= file.count {
            let length = 8 + file[start + 4..<start + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
            // Chunks are filled up to an even length.
            let end = start + length + length % 2
            guard end <= file.count else { break }
            if file[start..<start + 4].elementsEqual("VP8 ".utf8)
                || file[start..<start + 4].elementsEqual("VP8L".utf8)
            {
                let size = UInt32(4 + end - start)
                return Array("RIFF".utf8) + withUnsafeBytes(of: size.littleEndian) { Array($0) }
                    + Array("WEBP".utf8) + file[start..<end]
            }
            start = end
        }
        throw .broken
    }
}
