import Foundation

/// A blob that is being read, part by part.
public protocol OpenBlob: Sendable {
    /// The size in bytes.
    var byteCount: Int { get }

    /// Reads a part of the blob. Bytes of the range that are past the end are left out.
    /// - Throws: `BlobError`; a blob that isn't a local file may be erased meanwhile.
    func read(_ range: Range<Int>) async throws -> [UInt8]
}

/// A blob whose file is open: all of it can be read, even if the blob is erased meanwhile.
///
/// An open blob holds one file descriptor and no bytes.
final class OpenBlobFile: OpenBlob {
    /// The size in bytes.
    let byteCount: Int

    private let file: OpenFile
    private let threads: FileThreads

    /// Opens the file. This blocks.
    init(_ path: String, threads: FileThreads) throws {
        let file = try OpenFile(path, O_RDONLY)
        byteCount = try file.byteCount()
        self.file = file
        self.threads = threads
    }

    /// Reads a part of the blob. Bytes of the range that are past the end are left out.
    /// - Throws: `BlobError`.
    func read(_ range: Range<Int>) async throws -> [UInt8] {
        try await threads.run { try self.readNow(range) }
    }

    /// Reads a part of the blob on the calling thread.
    func readNow(_ range: Range<Int>) throws -> [UInt8] {
        let part = range.clamped(to: 0..<byteCount)
        return part.isEmpty ? [] : try file.read(at: part.lowerBound, count: part.count)
    }
}
