import Imaging

/// The container of WebP files (RFC 9649, section 2).
enum WebPContainer {
    /// Returns a still picture without metadata: the simple file format around the coded picture alone.
    ///
    /// libvips 8.14 writes an EXIF block with orientation and resolution even when asked to write no metadata.
    ///
    /// - Throws: ``ImageError/broken`` when the file contains no coded picture.
    static func withoutMetadata(_ file: [UInt8]) throws(ImageError) -> [UInt8] {
        riff([try codedPicture(in: file)])
    }

    /// Returns an animation that repeats endlessly.
    ///
    /// - Parameters:
    ///   - frames: still pictures of the given sides without alpha, and how long each is shown.
    ///   - width: the width in pixels.
    ///   - height: the height in pixels.
    /// - Throws: ``ImageError/broken`` when a frame contains no coded picture.
    static func animation(
        _ frames: [(file: [UInt8], milliseconds: Int)], width: Int, height: Int
    ) throws(ImageError) -> [UInt8] {
        let sides = integer(width - 1, 3) + integer(height - 1, 3)
        // The flag of animations and 24 reserved bits; then a white background, and endless repetition.
        var chunks = [
            chunk("VP8X", [0x02, 0, 0, 0] + sides)[...],
            chunk("ANIM", [0xFF, 0xFF, 0xFF, 0xFF] + integer(0, 2))[...],
        ]
        for frame in frames {
            // At the upper left corner; not blended with the frame before, which it covers.
            let place = integer(0, 6) + sides + integer(frame.milliseconds, 3) + [0x02]
            chunks.append(chunk("ANMF", place + (try codedPicture(in: frame.file)))[...])
        }
        return riff(chunks)
    }

    /// Returns the chunk of a still picture that contains its pixels.
    private static func codedPicture(in file: [UInt8]) throws(ImageError) -> ArraySlice<UInt8> {
        var start = 12
        while start + 8 <= file.count {
            let length = 8 + file[start + 4..<start + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
            // Chunks are padded to an even length.
            let end = start + length + length % 2
            guard end <= file.count else { break }
            if file[start..<start + 4].elementsEqual("VP8 ".utf8)
                || file[start..<start + 4].elementsEqual("VP8L".utf8)
            {
                return file[start..<end]
            }
            start = end
        }
        throw .broken
    }

    /// Returns a file of chunks.
    private static func riff(_ chunks: [ArraySlice<UInt8>]) -> [UInt8] {
        let length = chunks.reduce(4) { $0 + $1.count }
        var file = Array("RIFF".utf8) + integer(length, 4) + Array("WEBP".utf8)
        file.reserveCapacity(8 + length)
        for chunk in chunks { file += chunk }
        return file
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + integer(content.count, 4) + content + (content.count % 2 == 0 ? [] : [0])
    }

    /// Returns bytes, the lowest first.
    private static func integer(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
