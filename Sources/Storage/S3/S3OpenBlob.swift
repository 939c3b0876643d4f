import Synchronization

/// A blob in an S3 store that is being read: its first bytes are in a local file that has no name, so that a slow
/// reader keeps no connection to the store. Only what is larger than such a file is fetched piece after piece.
final class S3OpenBlob: OpenBlob {
    /// The most bytes that are fetched at once. A picture to be seen once is smaller: it may be erased while it is read.
    static let pieceBytes = 16 << 20

    let byteCount: Int

    /// A fetched piece, and where it begins.
    struct Piece: Sendable {
        let start: Int
        let file: FetchedFile
    }

    private let piece: Mutex<Piece?>
    private let fetch: @Sendable (Range<Int>) async throws -> FetchedFile

    /// - Parameters:
    ///   - first: the beginning of the blob; nil if it was handed out already.
    ///   - fetch: fetches a piece.
    init(
        byteCount: Int, first: FetchedFile?,
        fetch: @escaping @Sendable (Range<Int>) async throws -> FetchedFile
    ) {
        self.byteCount = byteCount
        piece = Mutex(first.map { Piece(start: 0, file: $0) })
        self.fetch = fetch
    }

    func read(_ range: Range<Int>) async throws -> [UInt8] {
        let part = range.clamped(to: 0..<byteCount)
        guard !part.isEmpty else { return [] }
        let known = piece.withLock { $0 }
        if let known, (known.start..<known.start + known.file.byteCount).contains(part.lowerBound) {
            return try await known.file.read(part.lowerBound - known.start..<part.upperBound - known.start)
        }
        let length = min(Self.pieceBytes, byteCount - part.lowerBound)
        let file = try await fetch(part.lowerBound..<part.lowerBound + length)
        piece.withLock { $0 = Piece(start: part.lowerBound, file: file) }
        return try await file.read(0..<part.count)
    }
}

/// A fetched part of a blob in a file without a name, counted among all that are held at the moment.
final class FetchedFile: Sendable {
    /// The bytes of all files that are held.
    final class Held: Sendable {
        /// The most bytes; what would be more is refused with `BlobError.busy`, so that slow readers don't fill the disk.
        private static let most = 1 << 30
        private let bytes = Atomic(0)

        /// Counts bytes that are about to be fetched.
        func add(_ count: Int) throws {
            guard bytes.add(count, ordering: .relaxed).newValue <= Self.most else {
                remove(count)
                throw BlobError.busy
            }
        }

        func remove(_ count: Int) { bytes.subtract(count, ordering: .relaxed) }
    }

    private let file: OpenBlobFile
    private let held: Held

    /// Takes over what was counted for the file.
    init(_ file: OpenBlobFile, held: Held) {
        self.file = file
        self.held = held
    }

    deinit { held.remove(file.byteCount) }

    var byteCount: Int { file.byteCount }

    func read(_ range: Range<Int>) async throws -> [UInt8] { try await file.read(range) }
}
