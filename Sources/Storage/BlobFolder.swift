import Crypto
import Foundation

/// A blob store that keeps each blob as a file of a folder: `ab/abcdef…`, named by its key.
///
/// A new blob is written to the folder `incoming`, synced, and then renamed, so that the file under a key is
/// always complete. Only the owner can read the files and folders. File operations run on a few threads of
/// their own.
public final class BlobFolder: BlobStore {
    /// The most bytes that one blob may have.
    public let maximumBytes: Int

    private let folder: String
    private let incoming: IncomingFolder
    private let threads: FileThreads
    /// The threads that read files. Writes wait for the disk, so they have threads of their own.
    private let readingThreads: FileThreads

    /// Opens or creates the folder, and removes from `incoming` what killed processes left behind.
    ///
    /// - Parameters:
    ///   - path: the folder.
    ///   - maximumBytes: the most bytes that one blob may have.
    ///   - threads: the number of threads that write files, and the number of threads that read files.
    ///   - waiting: how many operations may wait for a thread; more are refused with `BlobError.busy`.
    ///   - waitingReads: how many reads of open blobs may wait. Each reader asks for one part at a time.
    /// - Throws: `BlobError`.
    public init(
        path: String, maximumBytes: Int = 256 << 20, threads: Int = 4, waiting: Int = 1024,
        waitingReads: Int = 65_536
    ) throws {
        do {
            folder = path
            self.maximumBytes = maximumBytes
            try Folder.create(path)
            incoming = try IncomingFolder(in: path + "/incoming")
            self.threads = FileThreads(count: threads, capacity: waiting)
            readingThreads = FileThreads(count: threads, capacity: waitingReads)
        } catch {
            throw BlobError(error)
        }
    }

    /// The number of operations that wait for a thread, for the metrics.
    public var waiting: Int { threads.waiting + readingThreads.waiting }

    /// Returns a path for a file that will be given to `store(fileAt:)`. The path is on the same disk, so
    /// that the file only needs to be renamed. The file is removed if the process is killed.
    public func temporaryPath() -> String { incoming.newPath() }

    /// Starts receiving a blob, as a file in `incoming`.
    /// - Parameter maximumBytes: the most bytes that the blob may have; the folder's own limit applies too.
    public func receive(maximumBytes: Int) throws -> IncomingBlob {
        IncomingBlob(
            path: incoming.newPath(), maximumBytes: min(maximumBytes, self.maximumBytes), threads: threads)
    }

    /// Stores a received blob: syncs its file, renames the file to its key, and syncs the folder.
    /// - Throws: `BlobError`; the blob is then not in the folder.
    public func commit(_ incoming: IncomingBlob) async throws -> StoredBlob {
        try await threads.run {
            let (byteCount, sha256) = try incoming.finishNow()
            return try self.take(incoming.path, byteCount: byteCount, sha256: sha256)
        }
    }

    /// Stores a complete file of the same disk by renaming it. See `temporaryPath()`.
    /// - Throws: `BlobError`; the file is then still at its path, or removed.
    public func store(fileAt path: String) async throws -> StoredBlob {
        try await threads.run {
            let (byteCount, sha256) = try self.hash(path)
            return try self.take(path, byteCount: byteCount, sha256: sha256)
        }
    }

    /// Stores bytes.
    /// - Throws: `BlobError`.
    public func store(_ bytes: [UInt8]) async throws -> StoredBlob {
        guard bytes.count <= maximumBytes else { throw BlobError.tooLarge(maximumBytes: maximumBytes) }
        return try await threads.run {
            let path = self.incoming.newPath()
            do {
                try OpenFile(path, O_CREAT | O_EXCL | O_WRONLY).append(bytes)
                return try self.take(path, byteCount: bytes.count, sha256: Array(SHA256.hash(data: bytes)))
            } catch {
                unlink(path)
                throw error
            }
        }
    }

    /// Stores a blob with the content of another. Both share their place on the disk, since their content never changes;
    /// erasing one leaves the other.
    /// - Throws: `BlobError.notFound` if there is no such blob.
    public func copy(_ key: BlobKey) async throws -> StoredBlob {
        let (source, path) = (file(key), incoming.newPath())
        return try await threads.run {
            guard link(source, path) == 0 else { throw SystemError.last(source) }
            do {
                let (byteCount, sha256) = try self.hash(path)
                return try self.take(path, byteCount: byteCount, sha256: sha256)
            } catch {
                unlink(path)
                throw error
            }
        }
    }

    /// Removes the file of a blob that was not committed.
    public func discard(_ incoming: IncomingBlob) async {
        // Runs on this thread, because the file threads may refuse work, and this hardly blocks.
        incoming.abandon()
    }

    /// Returns the path of the blob's file, whether the file exists or not.
    public func path(of key: BlobKey) -> String? {
        "\(shard(key))/\(key.rawValue)"
    }

    /// Opens a blob for reading in parts.
    ///
    /// - Parameter small: a blob of at most this many bytes is read immediately, which saves a second wait
    ///   for a thread.
    /// - Returns: the open blob, and all bytes of a small one.
    /// - Throws: `BlobError.notFound` if there is no such blob.
    public func open(_ key: BlobKey, small: Int = 0) async throws -> (blob: OpenBlob, bytes: [UInt8]?) {
        let path = file(key)
        return try await readingThreads.run { [readingThreads] in
            let blob = try OpenBlob(path, threads: readingThreads)
            return (blob, blob.byteCount <= small ? try blob.readNow(0..<small) : nil)
        }
    }

    /// Reads a part of a blob. Bytes of the range that are past the end are left out.
    /// - Throws: `BlobError.notFound` if there is no such blob, or if it was erased meanwhile.
    public func read(_ key: BlobKey, _ range: Range<Int>) async throws -> [UInt8] {
        let path = file(key)
        return try await threads.run {
            let file = try OpenFile(path, O_RDONLY)
            // A stranger may have chosen the range, so don't allocate more than the file has.
            let end = min(range.upperBound, try file.byteCount())
            guard range.lowerBound < end else { return [] }
            return try file.read(at: range.lowerBound, count: end - range.lowerBound)
        }
    }

    /// Returns the size of a blob in bytes, or nil if there is no such blob.
    /// - Throws: `BlobError`.
    public func byteCount(of key: BlobKey) async throws -> Int? {
        let path = file(key)
        do {
            return try await threads.run { try OpenFile(path, O_RDONLY).byteCount() }
        } catch BlobError.notFound {
            return nil
        }
    }

    /// Returns the SHA-256 of the file's current content, 32 bytes.
    /// - Throws: `BlobError.notFound` if there is no such blob.
    public func sha256(of key: BlobKey) async throws -> [UInt8] {
        let path = file(key)
        return try await threads.run { try self.hash(path).sha256 }
    }

    /// Removes a blob's file, if there is one, and syncs the folder.
    /// - Throws: `BlobError`.
    public func erase(_ key: BlobKey) async throws {
        let (path, shard) = (file(key), shard(key))
        try await threads.run {
            if unlink(path) == 0 {
                try OpenFile.synchronizeFolder(shard)
            } else if errno != ENOENT {
                throw SystemError.last(path)
            }
            // Removes the marker last: if this fails or is interrupted, the next start finds the rest.
            unlink(self.incoming.mark(key))
        }
    }

    /// Returns the next keys in ascending order. One call reads as many of the 256 folders as it needs.
    /// - Throws: `BlobError`.
    public func keys(after key: BlobKey?, limit: Int) async throws -> [BlobKey] {
        try await threads.run {
            var keys: [BlobKey] = []
            for shard in try Folder.entries(self.folder).filter({ $0.utf8.count == 2 }).sorted() {
                if keys.count >= limit { break }
                if let key, shard < key.rawValue.prefix(2) { continue }
                let found = try Folder.entries("\(self.folder)/\(shard)").compactMap(BlobKey.init(rawValue:))
                keys += found.filter { one in key.map { one > $0 } ?? true }.sorted()
            }
            return Array(keys.prefix(limit))
        }
    }

    // MARK: Blobs that no row names yet

    /// Creates a folder on the same disk for files that will be given to `store(fileAt:)`. The folder is
    /// removed if the process is killed.
    /// - Throws: `BlobError`.
    public func makeWorkFolder() async throws -> String {
        try await threads.run { try self.incoming.makeFolder() }
    }

    /// Removes a folder made by `makeWorkFolder()`, with the files that are left in it.
    public func removeWorkFolder(_ path: String) async {
        Folder.remove(path)
    }

    /// Records that a committed row names these blobs. Blobs that are not recorded count as left over if the
    /// process is killed.
    public func keep(_ keys: [BlobKey]) async {
        for key in keys { unlink(incoming.mark(key)) }
    }

    /// Erases the blobs that killed processes stored, but that no row names.
    ///
    /// - Parameter isKnown: returns whether a row names the blob.
    /// - Throws: `BlobError`, and what `isKnown` throws.
    public func recover(isKnown: (BlobKey) async throws -> Bool) async throws {
        try await incoming.settleAbandoned { key in
            if try await !isKnown(key) { try await erase(key) }
        }
    }

    /// Returns the blobs that running processes have stored but not yet passed to `keep`.
    /// - Throws: `BlobError`.
    public func unkeptKeys() async throws -> Set<BlobKey> {
        try await threads.run { try self.incoming.marks() }
    }

    private func shard(_ key: BlobKey) -> String { "\(folder)/\(key.rawValue.prefix(2))" }

    private func file(_ key: BlobKey) -> String { "\(shard(key))/\(key.rawValue)" }

    /// Moves a complete file to a new key.
    private func take(_ path: String, byteCount: Int, sha256: [UInt8]) throws -> StoredBlob {
        let key = BlobKey.random()
        let (shard, destination) = (shard(key), file(key))
        try OpenFile(path, O_RDONLY).synchronize()
        if try Folder.create(shard) { try OpenFile.synchronizeFolder(folder) }
        guard chmod(path, 0o600) == 0 else { throw SystemError.last(path) }
        // Makes the marker before the name: if the process is killed in between, the next start finds the
        // file.
        guard link(path, incoming.mark(key)) == 0 else { throw SystemError.last(path) }
        do {
            guard rename(path, destination) == 0 else { throw SystemError.last(path) }
            try OpenFile.synchronizeFolder(shard)
        } catch {
            // Removes both names: nobody learns the key, and either name would keep the bytes on a disk that
            // may be full.
            for name in [destination, incoming.mark(key)] { unlink(name) }
            throw error
        }
        return StoredBlob(key: key, byteCount: byteCount, sha256: sha256)
    }

    private func hash(_ path: String) throws -> (byteCount: Int, sha256: [UInt8]) {
        let file = try OpenFile(path, O_RDONLY)
        var hasher = SHA256()
        var byteCount = 0
        while true {
            let chunk = try file.read(at: byteCount, count: 256 * 1024)
            if chunk.isEmpty { return (byteCount, Array(hasher.finalize())) }
            hasher.update(data: chunk)
            byteCount += chunk.count
        }
    }
}
