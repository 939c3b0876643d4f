import Foundation

/// The number of times that a JPEG file encodes its pixels.
enum JPEGScans {
    /// Counts SOS markers (ITU-T T.81, B.1.1.2). Inside coded data 0xFF is always followed by 0x00 or a restart
    /// marker, so markers can be found without decoding.
    ///
    /// - Parameter limit: the number at which counting stops.
    static func count(in file: Data, upTo limit: Int) -> Int {
        file.withUnsafeBytes { bytes in
            var count = 0
            var position = 0
            while count < limit, position + 1 < bytes.count, let start = bytes.baseAddress,
                let found = memchr(start + position, 0xFF, bytes.count - 1 - position)
            {
                position = UnsafeRawPointer(found) - start + 1
                let marker = bytes[position]
                // Cameras append further pictures and videos after the end of the first.
                if marker == 0xD9 { break }
                if marker == 0xDA { count += 1 }
                let hasLength = marker >= 0xC0 && marker < 0xFF && !(0xD0...0xD9).contains(marker)
                if hasLength, position + 2 < bytes.count {
                    // Segments may contain anything, for instance a small picture with scans of its own.
                    position += 1 + (Int(bytes[position + 1]) << 8 | Int(bytes[position + 2]))
                }
            }
            return count
        }
    }
}
