import Crypto
import Foundation

/// Blobs as files of a folder: `ab/abcdef…`, named by their keys.
///
/// What comes in is written to `incoming` first, synced, and renamed, so that under a key there is the whole blob
/// or nothing. Files and folders are their owner's alone. File operations run on a few threads of their own.
public final class BlobFolder: BlobStore {
    /// The most bytes that one blob may have.
    public let maximumBytes: Int

    private let folder: String
    private let incoming: IncomingFolder
    private let threads: FileThreads
    /// Apart from those that write, since a write waits for the disk.
    private let readingThreads: FileThreads

    /// Opens the folder, or creates it, and clears what others left in `incoming` when they were killed.
    ///
    /// - Parameters:
    ///   - path: the folder.
    ///   - maximumBytes: the most bytes that one blob may have.
    ///   - threads: how many threads write files, and how many read them.
    ///   - waiting: how many operations may wait for them; more are refused with `BlobError.busy`.
    ///   - waitingReads: how many parts of open blobs may wait to be read. Each reader asks for one at a time.
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

    /// How many operations wait for a thread, for the metrics.
    public var waiting: Int { threads.waiting + readingThreads.waiting }

    /// A path for a file that is about to be given to `store(fileAt:)`: on the same disk, so that it is only
    /// renamed, and cleared away if the process is killed.
    public func temporaryPath() -> String { incoming.newPath() }

    /// Begins to receive a blob, as a file of `incoming`.
    /// - Parameter maximumBytes: the most bytes that it may have; the folder's own limit holds, too.
    public func receive(maximumBytes: Int) throws -> IncomingBlob {
        IncomingBlob(
            path: incoming.newPath(), maximumBytes: min(maximumBytes, self.maximumBytes), threads: threads)
    }

    /// Keeps a received blob: syncs its file, renames it to its key, and syncs the folder.
    /// - Throws: `BlobError`; the incoming blob is then not in the folder.
    public func commit(_ incoming: IncomingBlob) async throws -> StoredBlob {
        try await threads.run {
            let (byteCount, sha256) = try incoming.finishNow()
            return try self.take(incoming.path, byteCount: byteCount, sha256: sha256)
        }
    }

    /// Keeps a complete file of the same disk, by renaming it. See `temporaryPath()`.
    /// - Throws: `BlobError`; the file is then where it was, or gone.
    public func store(fileAt path: String) async throws -> StoredBlob {
        try await threads.run {
            let (byteCount, sha256) = try self.hash(path)
            return try self.take(path, byteCount: byteCount, sha256: sha256)
        }
    }

    /// Keeps bytes.
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

    /// Removes the file of a blob that was not committed.
    public func discard(_ incoming: IncomingBlob) async {
        // Not on the threads, which may refuse work: this hardly blocks.
        incoming.abandon()
    }

    /// The path of the blob's file, whether it is there or not.
    public func path(of key: BlobKey) -> String? {
        "\(shard(key))/\(key.rawValue)"
    }

    /// Opens a blob to be read part by part.
    ///
    /// - Parameter small: a blob of at most so many bytes is read at once, which saves a second wait for a thread.
    /// - Returns: the open blob, and all bytes of a small one.
    /// - Throws: `BlobError.notFound` when there is no such blob.
    public func open(_ key: BlobKey, small: Int = 0) async throws -> (blob: OpenBlob, bytes: [UInt8]?) {
        let path = file(key)
        return try await readingThreads.run { [readingThreads] in
            let blob = try OpenBlob(path, threads: readingThreads)
            return (blob, blob.byteCount <= small ? try blob.readNow(0..<small) : nil)
        }
    }

    /// A part of a blob; the bytes behind its end are left out.
    /// - Throws: `BlobError.notFound` when there is no such blob, also when it was erased meanwhile.
    public func read(_ key: BlobKey, _ range: Range<Int>) async throws -> [UInt8] {
        let path = file(key)
        return try await threads.run {
            let file = try OpenFile(path, O_RDONLY)
            // The range may be a stranger's, the memory is ours.
            let end = min(range.upperBound, try file.byteCount())
            guard range.lowerBound < end else { return [] }
            return try file.read(at: range.lowerBound, count: end - range.lowerBound)
        }
    }

    /// The size of a blob in bytes, or nil when there is none.
    /// - Throws: `BlobError`.
    public func byteCount(of key: BlobKey) async throws -> Int? {
        let path = file(key)
        do {
            return try await threads.run { try OpenFile(path, O_RDONLY).byteCount() }
        } catch BlobError.notFound {
            return nil
        }
    }

    /// The SHA-256 of what is in the file now, 32 bytes.
    /// - Throws: `BlobError.notFound` when there is no such blob.
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
            // The mark last: when this fails or is cut off, the next start finds the rest.
            unlink(self.incoming.mark(key))
        }
    }

    /// The next keys in ascending order. One call reads as many of the 256 folders as it needs.
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

    /// Makes a folder on the same disk for files that are about to be given to `store(fileAt:)`. It is cleared
    /// away if the process is killed.
    /// - Throws: `BlobError`.
    public func makeWorkFolder() async throws -> String {
        try await threads.run { try self.incoming.makeFolder() }
    }

    /// Removes such a folder with what is left in it.
    public func removeWorkFolder(_ path: String) async {
        Folder.remove(path)
    }

    /// Says that a committed row names these blobs. Until then they count as left over if the process is killed.
    public func keep(_ keys: [BlobKey]) async {
        for key in keys { unlink(incoming.mark(key)) }
    }

    /// Settles what killed processes left: blobs that were stored but that no row names are erased.
    ///
    /// - Parameter isKnown: whether a row names the blob.
    /// - Throws: `BlobError`, and what `isKnown` throws.
    public func recover(isKnown: (BlobKey) async throws -> Bool) async throws {
        try await incoming.settleAbandoned { key in
            if try await !isKnown(key) { try await erase(key) }
        }
    }

    /// Blobs that running processes have stored but not said to keep yet.
    /// - Throws: `BlobError`.
    public func unkeptKeys() async throws -> Set<BlobKey> {
        try await threads.run { try self.incoming.marks() }
    }

    private func shard(_ key: BlobKey) -> String { "\(folder)/\(key.rawValue.prefix(2))" }

    private func file(_ key: BlobKey) -> String { "\(shard(key))/\(key.rawValue)" }

    /// Moves a complete file under a new key.
    private func take(_ path: String, byteCount: Int, sha256: [UInt8]) throws -> StoredBlob {
        let key = BlobKey.random()
        let (shard, destination) = (shard(key), file(key))
        try OpenFile(path, O_RDONLY).synchronize()
        if try Folder.create(shard) { try OpenFile.synchronizeFolder(folder) }
        guard chmod(path, 0o600) == 0 else { throw SystemError.last(path) }
        // A mark before the name: a process killed in between leaves nothing that no one knows of.
        guard link(path, incoming.mark(key)) == 0 else { throw SystemError.last(path) }
        do {
            guard rename(path, destination) == 0 else { throw SystemError.last(path) }
            try OpenFile.synchronizeFolder(shard)
        } catch {
            // Nobody learns the key, and both names keep the bytes on what may be a full disk.
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
