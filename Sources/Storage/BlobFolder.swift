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

    /// The folder `incoming`, with the files that aren't blobs yet. It is on the disk of the blobs, so that a file
    /// becomes a blob by a new name.
    public let work: WorkFolder

    private let folder: String
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
            work = try WorkFolder(in: path + "/incoming", threads: threads, waiting: waiting)
            readingThreads = FileThreads(count: threads, capacity: waitingReads)
        } catch {
            throw BlobError(error)
        }
    }

    /// The threads that write files.
    private var threads: FileThreads { work.threads }

    /// The number of operations that wait for a thread, for the metrics.
    public var waiting: Int { threads.waiting + readingThreads.waiting }

    /// Starts receiving a blob, as a file in `incoming`.
    /// - Parameter maximumBytes: the most bytes that the blob may have; the folder's own limit applies too.
    public func receive(maximumBytes: Int) throws -> IncomingBlob {
        work.receive(maximumBytes: min(maximumBytes, self.maximumBytes))
    }

    /// Stores a received blob: syncs its file, renames the file to its key, and syncs the folder.
    /// - Throws: `BlobError`; the blob is then not in the folder.
    public func commit(_ incoming: IncomingBlob) async throws -> StoredBlob {
        try await threads.run {
            let (byteCount, sha256) = try incoming.finishNow()
            return try self.take(incoming.path, byteCount: byteCount, sha256: sha256)
        }
    }

    /// Stores complete files of the same disk by renaming them, one after the other. See `work`.
    /// - Throws: `BlobError`; the folder then keeps none of them.
    public func store(filesAt paths: [String]) async throws -> [StoredBlob] {
        var stored: [StoredBlob] = []
        do {
            for path in paths {
                stored.append(
                    try await threads.run {
                        let (byteCount, sha256) = try OpenFile(path, O_RDONLY).hash()
                        return try self.take(path, byteCount: byteCount, sha256: sha256)
                    })
            }
            return stored
        } catch {
            // Ignores errors: the markers of what isn't erased now stay until the next start.
            for blob in stored { try? await erase(blob.key) }
            throw error
        }
    }

    /// Stores a complete file of the same disk under the key that it has in another store.
    /// - Throws: `BlobError`; the file is then still at its path.
    public func put(fileAt path: String, as key: BlobKey) async throws -> StoredBlob {
        try await threads.run {
            let (byteCount, sha256) = try OpenFile(path, O_RDONLY).hash()
            try self.place(path, as: key)
            return StoredBlob(key: key, byteCount: byteCount, sha256: sha256)
        }
    }

    /// Stores bytes.
    /// - Throws: `BlobError`.
    public func store(_ bytes: [UInt8]) async throws -> StoredBlob {
        guard bytes.count <= maximumBytes else { throw BlobError.tooLarge(maximumBytes: maximumBytes) }
        return try await threads.run {
            let path = self.work.newPath()
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
        let (source, path) = (file(key), work.newPath())
        return try await threads.run {
            guard link(source, path) == 0 else { throw SystemError.last(source) }
            do {
                let (byteCount, sha256) = try OpenFile(path, O_RDONLY).hash()
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

    /// Calls a function with the paths of the blobs' own files. The function must not change the files.
    /// - Throws: what the function throws; a file may be missing.
    public func withLocalFiles<Value: Sendable>(
        of keys: [BlobKey], _ body: ([String]) async throws -> Value
    ) async throws -> Value {
        try await body(keys.map(file))
    }

    /// Gives a blob's file another name, which stays when the blob is erased. Does nothing if the name exists.
    ///
    /// - Parameter path: the new name, on the disk of the blobs; see `work`.
    /// - Throws: `BlobError.notFound` if there is no such blob.
    public func export(_ key: BlobKey, to path: String) async throws {
        let source = file(key)
        try await threads.run {
            guard link(source, path) == 0 || errno == EEXIST else { throw SystemError.last(source) }
        }
    }

    /// Opens a blob for reading in parts.
    ///
    /// - Parameter small: a blob of at most this many bytes is read immediately, which saves a second wait
    ///   for a thread.
    /// - Returns: the open blob, and all bytes of a small one.
    /// - Throws: `BlobError.notFound` if there is no such blob.
    public func open(_ key: BlobKey, small: Int = 0) async throws -> (blob: any OpenBlob, bytes: [UInt8]?) {
        let path = file(key)
        return try await readingThreads.run { [readingThreads] in
            let blob = try OpenBlobFile(path, threads: readingThreads)
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
        return try await threads.run { try OpenFile(path, O_RDONLY).hash().sha256 }
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
            unlink(self.work.mark(key))
        }
    }

    /// Erases a blob: the folder keeps no parts of what wasn't stored.
    /// - Throws: `BlobError`.
    public func settle(_ key: BlobKey) async throws {
        try await erase(key)
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

    /// Records that a committed row names these blobs. Blobs that are not recorded count as left over if the
    /// process is killed.
    public func keep(_ keys: [BlobKey]) async {
        for key in keys { unlink(work.mark(key)) }
    }

    /// Erases the blobs that killed processes stored, but that no row names.
    ///
    /// - Parameter isKnown: returns whether a row names the blob.
    /// - Throws: `BlobError`, and what `isKnown` throws.
    public func recover(isKnown: (BlobKey) async throws -> Bool) async throws {
        try await work.settleAbandoned { key in
            if try await !isKnown(key) { try await erase(key) }
        }
    }

    /// Returns the blobs that running processes have stored but not yet passed to `keep`.
    /// - Throws: `BlobError`.
    public func unkeptKeys() async throws -> Set<BlobKey> {
        try await threads.run { try self.work.marks() }
    }

    private func shard(_ key: BlobKey) -> String { "\(folder)/\(key.rawValue.prefix(2))" }

    private func file(_ key: BlobKey) -> String { "\(shard(key))/\(key.rawValue)" }

    /// Moves a complete file to a new key.
    private func take(_ path: String, byteCount: Int, sha256: [UInt8]) throws -> StoredBlob {
        let key = BlobKey.random()
        // Makes the marker before the name: if the process is killed in between, the next start finds the
        // file.
        guard link(path, work.mark(key)) == 0 else { throw SystemError.last(path) }
        do {
            try place(path, as: key)
        } catch {
            // Removes both names: nobody learns the key, and either name would keep the bytes on a disk that
            // may be full.
            for name in [file(key), work.mark(key)] { unlink(name) }
            throw error
        }
        return StoredBlob(key: key, byteCount: byteCount, sha256: sha256)
    }

    /// Gives a complete file the name of a key, durably.
    private func place(_ path: String, as key: BlobKey) throws {
        let shard = shard(key)
        try OpenFile(path, O_RDONLY).synchronize()
        if try Folder.create(shard) { try OpenFile.synchronizeFolder(folder) }
        guard chmod(path, 0o600) == 0, rename(path, file(key)) == 0 else { throw SystemError.last(path) }
        try OpenFile.synchronizeFolder(shard)
    }
}
