import CDeflate
import Hummingbird
import NIOCore

/// Compression of answers with gzip (RFC 1952).
package enum Compression {
    /// How hard to try, as a level of libdeflate.
    enum Effort: CInt {
        /// For one answer. A page of Home takes 60 µs; half as much again in time would make it 2 % smaller.
        case once = 1
        /// For what is compressed once and sent for as long as the server runs.
        case forGood = 12
    }

    /// Returns whether the client accepts gzip.
    package static func isAccepted(_ request: Request) -> Bool {
        request.headers[.acceptEncoding]?.contains("gzip") ?? false
    }

    /// Returns the compressed bytes; nil when they would not be smaller.
    static func gzip(_ bytes: [UInt8], _ effort: Effort) -> ByteBuffer? {
        guard !bytes.isEmpty, let compressor = libdeflate_alloc_compressor(effort.rawValue) else {
            return nil
        }
        defer { libdeflate_free_compressor(compressor) }
        // The buffer has no room for a result that isn't smaller, so such a result is given up.
        var output = ByteBuffer()
        let count = output.writeWithUnsafeMutableBytes(minimumWritableBytes: bytes.count) { room in
            libdeflate_gzip_compress(compressor, bytes, bytes.count, room.baseAddress, bytes.count)
        }
        return count == 0 ? nil : output
    }
}
