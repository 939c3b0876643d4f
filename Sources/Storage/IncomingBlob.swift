import Crypto
import Foundation
import Synchronization

/// A blob that comes in: hashed while it is written to a local file, never whole in memory.
///
/// One task writes it, one chunk after the other. The file goes away with the last reference to it, unless
/// it was committed.
public final class IncomingBlob: Sendable {
    /// Bytes gathered in memory before they are written to the file.
    private static let bufferBytes = 256 * 1024

    private struct State: ~Copyable {
        var buffer: [UInt8] = []
        var received = 0
        var hasher = SHA256()
        var file: OpenFile?
        var digest: [UInt8]?
    }

    /// The local file, for a decoder to read after `finish()`.
    public let path: String

    /// The most bytes that may come.
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

    /// The bytes received so far.
    public var byteCount: Int { state.withLock { $0.received } }

    /// The SHA-256 of all bytes, 32 bytes; nil before `finish()`.
    public var sha256: [UInt8]? { state.withLock { $0.digest } }

    /// Takes the next bytes.
    /// - Throws: `BlobError.tooLarge` when they are too many, `.full` when the disk is full.
    public func write(_ bytes: some Collection<UInt8> & Sendable) async throws {
        if try append(bytes) { try await threads.run { try self.writeOut() } }
    }

    /// Ends the blob: the file is complete and can be read. Doing it again does nothing.
    /// - Returns: the size in bytes and the SHA-256.
    /// - Throws: `BlobError`.
    @discardableResult
    public func finish() async throws -> (byteCount: Int, sha256: [UInt8]) {
        if let sha256 { return (byteCount, sha256) }
        return try await threads.run { try self.finishNow() }
    }

    /// Ends the blob, on this thread.
    func finishNow() throws -> (byteCount: Int, sha256: [UInt8]) {
        try writeOut()
        return try state.withLock { state in
            if let digest = state.digest { return (state.received, digest) }
            let digest = Array(state.hasher.finalize())
            // A blob without bytes has a file, too.
            if state.file == nil { _ = try create() }
            state.file = nil
            state.digest = digest
            return (state.received, digest)
        }
    }

    /// Gives the blob up: its file goes away, and no more bytes are taken.
    func abandon() {
        state.withLock { state in
            state.buffer = []
            state.file = nil
            state.digest = state.digest ?? []
            unlink(path)
        }
    }

    /// Takes the next bytes into memory.
    /// - Returns: whether the buffer should be written out.
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

    /// Writes what is in memory to the file.
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
