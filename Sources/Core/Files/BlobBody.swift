import Hummingbird
import Logging
import NIOCore
import Storage

/// The bytes of a stored file as the body of an answer, read as fast as the client receives them.
package enum BlobBody {
    /// The most bytes of a file that is sent in one piece.
    package static let small = 64 * 1024
    /// The number of bytes of a larger file that are read at once. For a client that doesn't read, one chunk waits in
    /// the connection and one behind it (``BoundedConnection``).
    static let chunk = 16 * 1024

    /// Returns a body with a part of a file, which is read chunk by chunk.
    ///
    /// The file stays open, and its request under way (``OpenRequests``), until the body was sent or its connection has
    /// ended.
    package static func stream(
        _ blob: any OpenBlob, _ part: Range<Int>, for context: AppContext
    ) -> ResponseBody {
        let (place, logger) = (context.place, context.logger)
        return ResponseBody(contentLength: part.count) { writer in
            var rest = part
            while !rest.isEmpty {
                let buffer: ByteBuffer
                do {
                    buffer = try await read(blob, rest.prefix(chunk))
                } catch let error as BlobError {
                    logger.error("a file can't be read to its end", metadata: ["error": "\(error)"])
                    throw error
                }
                rest = rest.dropFirst(buffer.readableBytes)
                try await writer.write(buffer)
            }
            try await writer.finish(nil)
            withExtendedLifetime(place) {}
        }
    }

    private static func read(_ blob: any OpenBlob, _ part: Range<Int>) async throws -> ByteBuffer {
        let bytes = try await blob.read(part)
        guard !bytes.isEmpty else { throw BlobError.other(message: "it ends too early") }
        return ByteBuffer(bytes: bytes)
    }
}
