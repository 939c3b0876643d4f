import Foundation

/// This process's own folder on the node's disk, for files in work: uploads that arrive, pictures that are being made,
/// downloads that are being packed.
///
/// Nothing in the folder outlives the process. Each process holds the lock of its folder. So a command that runs beside
/// a server doesn't remove the server's uploads, and a free lock shows that the process of a folder has ended; the
/// next process removes its files.
public final class WorkFolder: Sendable {
    /// The threads that write files.
    let threads: FileThreads

    private let parent: String
    private let path: String
    private let lock: FolderLock

    /// The beginning of the names of markers. A marker is a hard link to a blob that was not yet passed to
    /// `keep`.
    private static let markPrefix = "unkept-"

    /// Creates a folder for this process, and removes the folders of processes that have ended.
    ///
    /// - Parameters:
    ///   - parent: the folder of the folders of all processes; it is created if there is none.
    ///   - threads: the number of threads that write files.
    ///   - waiting: how many operations may wait for a thread; more are refused with `BlobError.busy`.
    /// - Throws: `BlobError`.
    public init(in parent: String, threads: Int = 4, waiting: Int = 1024) throws {
        do {
            try Folder.create(parent)
            // Held until the new folder has its own lock, so that no other process takes the folder for
            // abandoned.
            let parentLock = try FolderLock(waitingFor: parent)
            defer { withExtendedLifetime(parentLock) {} }
            self.parent = parent
            for name in try Folder.entries(parent) { try Self.clearIfAbandoned("\(parent)/\(name)") }
            path = "\(parent)/\(BlobKey.random().rawValue)"
            try Folder.create(path)
            lock = try FolderLock(waitingFor: path)
            self.threads = FileThreads(count: threads, capacity: waiting)
        } catch {
            throw BlobError(error)
        }
    }

    deinit {
        // Fails if the folder isn't empty; the next process then clears it.
        rmdir(path)
    }

    /// Returns a path for a new file. The file is removed if the process is killed.
    public func newPath() -> String { "\(path)/\(BlobKey.random().rawValue)" }

    /// Creates a folder for files that belong together. The folder is removed if the process is killed.
    /// - Throws: `BlobError`.
    public func makeFolder() async throws -> String {
        try await threads.run {
            let folder = self.newPath()
            try Folder.create(folder)
            return folder
        }
    }

    /// Removes a folder made by `makeFolder()`, with the files that are left in it.
    public func removeFolder(_ path: String) {
        Folder.remove(path)
    }

    /// Returns the bytes that are free on the disk of the folder.
    /// - Throws: `BlobError`.
    public func freeBytes() async throws -> Int {
        try await threads.run { try FileManager.default.freeBytes(at: self.path) }
    }

    /// Starts receiving a blob, as a file of this folder.
    /// - Parameter maximumBytes: the most bytes that the blob may have.
    func receive(maximumBytes: Int) -> IncomingBlob {
        IncomingBlob(path: newPath(), maximumBytes: maximumBytes, threads: threads)
    }

    /// Returns the marker of a blob that is stored but not kept yet.
    func mark(_ key: BlobKey) -> String { "\(path)/\(Self.markPrefix)\(key.rawValue)" }

    /// Returns the blobs that the markers of all processes name.
    func marks() throws -> Set<BlobKey> {
        var keys: Set<BlobKey> = []
        for name in try Folder.entries(parent) {
            do {
                keys.formUnion(try Self.marks(in: "\(parent)/\(name)"))
            } catch let error as SystemError where error.code == ENOENT {
                // The process of this folder has ended and removed the folder.
                continue
            }
        }
        return keys
    }

    /// Passes the blobs that killed processes marked to `settle`, and then removes the folders of these
    /// processes.
    func settleAbandoned(_ settle: (BlobKey) async throws -> Void) async throws {
        for name in try Folder.entries(parent) {
            let abandoned = "\(parent)/\(name)"
            guard abandoned != path, let lock = try Self.lockIfAbandoned(abandoned, in: parent) else {
                continue
            }
            for key in try Self.marks(in: abandoned) { try await settle(key) }
            withExtendedLifetime(lock) { Folder.remove(abandoned) }
        }
    }

    /// Locks the folder of a process that has ended. Returns nil if the process is running, or if the folder
    /// no longer exists.
    private static func lockIfAbandoned(_ path: String, in parent: String) throws -> FolderLock? {
        // A starting process holds this lock until its new folder has its own.
        let parentLock = try FolderLock(waitingFor: parent)
        return try withExtendedLifetime(parentLock) { try lockIfThere(path) }
    }

    /// Locks a folder. Returns nil if a process uses the folder, or has ended and removed it.
    private static func lockIfThere(_ path: String) throws -> FolderLock? {
        do {
            return try FolderLock(ifFree: path)
        } catch let error as SystemError where error.code == ENOENT {
            return nil
        }
    }

    /// Removes a killed process's folder, unless it has markers: only the database can decide about their
    /// blobs.
    private static func clearIfAbandoned(_ path: String) throws {
        guard let lock = try lockIfThere(path), try marks(in: path).isEmpty else { return }
        withExtendedLifetime(lock) { Folder.remove(path) }
    }

    private static func marks(in path: String) throws -> [BlobKey] {
        try Folder.entries(path).compactMap { name in
            name.hasPrefix(markPrefix) ? BlobKey(rawValue: String(name.dropFirst(markPrefix.count))) : nil
        }
    }
}

/// Operations on folders.
enum Folder {
    /// Creates a folder that only its owner can use.
    /// - Returns: false if the folder already exists.
    @discardableResult
    static func create(_ path: String) throws(SystemError) -> Bool {
        if mkdir(path, 0o700) == 0 { return true }
        guard errno == EEXIST else { throw SystemError.last(path) }
        return false
    }

    /// Removes a folder with its files and the files of its subfolders. Ignores what can't be removed.
    static func remove(_ path: String) {
        for name in (try? entries(path)) ?? [] {
            let entry = "\(path)/\(name)"
            if unlink(entry) != 0 { remove(entry) }
        }
        rmdir(path)
    }

    /// Returns the names in a folder, in no particular order.
    static func entries(_ path: String) throws(SystemError) -> [String] {
        guard let stream = opendir(path) else { throw SystemError.last(path) }
        defer { closedir(stream) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        guard errno == 0 else { throw SystemError.last(path) }
        return names
    }
}
