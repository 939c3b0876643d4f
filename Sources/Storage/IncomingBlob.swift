import Crypto
import Foundation
import Synchronization

/// A blob that is being received. It is hashed while it is written to a local file, and is never in memory as
/// a whole.
///
/// One task writes the blob, one chunk after the other. The file is removed with the last reference to the
/// blob, unless the blob was committed.
public final class IncomingBlob: Sendable {
    /// The number of bytes to collect in memory before they are written to the file.
    private static let bufferBytes = 256 * 1024

    private struct State: ~Copyable {
        var buffer: [UInt8] = []
        var received = 0
        var hasher = SHA256()
        var file: OpenFile?
        var digest: [UInt8]?
    }

    /// The local file, which a decoder can read after `finish()`.
    public let path: String

    /// The most bytes that the blob may have.
    public let maximumBytes: Int

    private let state = Mutex(State())
    private let threads: FileThreads

    init(path: String, maximumBytes: Int, threads: FileThreads) {
        self.path = path
        self.maximumBytes = maximumBytes
        self.threads = threads
    }

    deinit {
        unlink(path)
    }

    /// The number of bytes received so far.
    public var byteCount: Int { state.withLock { $0.received } }

    /// The SHA-256 of all bytes, 32 bytes; nil before `finish()`.
    public var sha256: [UInt8]? { state.withLock { $0.digest } }

    /// Appends the next bytes.
    /// - Throws: `BlobError.tooLarge` if the blob gets too large, `.full` if the disk is full.
    public func write(_ bytes: some Collection<UInt8> & Sendable) async throws {
        if try append(bytes) { try await threads.run { try self.writeOut() } }
    }

    /// Completes the file, so that it can be read. Does nothing when called again.
    /// - Returns: the size in bytes and the SHA-256.
    /// - Throws: `BlobError`.
    @discardableResult
    public func finish() async throws -> (byteCount: Int, sha256: [UInt8]) {
        if let sha256 { return (byteCount, sha256) }
        return try await threads.run { try self.finishNow() }
    }

    /// Completes the file, on this thread.
    func finishNow() throws -> (byteCount: Int, sha256: [UInt8]) {
        try writeOut()
        return try state.withLock { state in
            if let digest = state.digest { return (state.received, digest) }
            let digest = Array(state.hasher.finalize())
            // Creates the file of a blob without bytes.
            if state.file == nil { _ = try create() }
            state.file = nil
            state.digest = digest
            return (state.received, digest)
        }
    }

    /// Removes the file, and accepts no more bytes.
    func abandon() {
        state.withLock { state in
            state.buffer = []
            state.file = nil
            state.digest = state.digest ?? []
            unlink(path)
        }
    }

    /// Appends bytes to the buffer in memory.
    /// - Returns: whether the buffer should be written to the file.
    private func append(_ bytes: some Collection<UInt8>) throws -> Bool {
        try state.withLock { state in
            guard state.digest == nil else { throw BlobError.other(message: "the blob is finished") }
            guard bytes.count <= maximumBytes - state.received else {
                throw BlobError.tooLarge(maximumBytes: maximumBytes)
            }
            state.received += bytes.count
            state.buffer.append(contentsOf: bytes)
            return state.buffer.count >= Self.bufferBytes
        }
    }

    /// Writes the buffer to the file.
    private func writeOut() throws {
        try state.withLock { state in
            guard !state.buffer.isEmpty else { return }
            if state.file == nil { state.file = try create() }
            try state.file?.append(state.buffer)
            state.hasher.update(data: state.buffer)
            state.buffer.removeAll(keepingCapacity: state.buffer.count < 2 * Self.bufferBytes)
        }
    }

    private func create() throws -> OpenFile {
        try OpenFile(path, O_CREAT | O_EXCL | O_WRONLY)
    }
}
