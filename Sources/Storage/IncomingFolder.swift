import Foundation

/// The folder of this process within `incoming`, for files that are not complete.
///
/// Each process has its own, and holds its lock: a command beside a running server must not clear away
/// the server's uploads, and what a killed process left is known by its free lock.
final class IncomingFolder: Sendable {
    private let parent: String
    private let path: String
    private let lock: FolderLock

    /// How the names of marks begin: hard links to blobs that no one has said to keep yet.
    private static let markPrefix = "unkept-"

    /// Makes a folder for this process, and removes those of processes that are gone.
    init(in parent: String) throws {
        try Folder.create(parent)
        // Held until the new folder has its own lock, so that no other process takes it for abandoned.
        let parentLock = try FolderLock(waitingFor: parent)
        defer { withExtendedLifetime(parentLock) {} }
        self.parent = parent
        for name in try Folder.entries(parent) { try Self.clearIfAbandoned("\(parent)/\(name)") }
        path = "\(parent)/\(BlobKey.random().rawValue)"
        try Folder.create(path)
        lock = try FolderLock(waitingFor: path)
    }

    deinit {
        // It stays if it isn't empty, for the next process to clear.
        rmdir(path)
    }

    /// A path for a new file.
    func newPath() -> String { "\(path)/\(BlobKey.random().rawValue)" }

    /// The mark of a blob that is stored but not kept yet.
    func mark(_ key: BlobKey) -> String { "\(path)/\(Self.markPrefix)\(key.rawValue)" }

    /// A new folder for files that are only renamed from here.
    func makeFolder() throws -> String {
        let folder = newPath()
        try Folder.create(folder)
        return folder
    }

    /// The marks of all processes.
    func marks() throws -> Set<BlobKey> {
        var keys: Set<BlobKey> = []
        for name in try Folder.entries(parent) {
            do {
                keys.formUnion(try Self.marks(in: "\(parent)/\(name)"))
            } catch let error as SystemError where error.code == ENOENT {
                // Its process ended and took the folder with it.
                continue
            }
        }
        return keys
    }

    /// Gives the marks that killed processes left to `settle`, and then removes what they left.
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

    /// Locks the folder of a process that is gone; nil when the process is at work, or the folder is gone too.
    private static func lockIfAbandoned(_ path: String, in parent: String) throws -> FolderLock? {
        // A process that starts holds this lock until its new folder has its own.
        let parentLock = try FolderLock(waitingFor: parent)
        return try withExtendedLifetime(parentLock) { try lockIfThere(path) }
    }

    /// Locks a folder; nil when a process is at work in it, or has ended and took it with it.
    private static func lockIfThere(_ path: String) throws -> FolderLock? {
        do {
            return try FolderLock(ifFree: path)
        } catch let error as SystemError where error.code == ENOENT {
            return nil
        }
    }

    /// Removes a killed process's folder, unless it has marks, which only the database can settle.
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

/// What is done with folders.
enum Folder {
    /// Creates a folder for its owner alone.
    /// - Returns: false when it is there already.
    @discardableResult
    static func create(_ path: String) throws(SystemError) -> Bool {
        if mkdir(path, 0o700) == 0 { return true }
        guard errno == EEXIST else { throw SystemError.last(path) }
        return false
    }

    /// Removes a folder with the files in it, and the files of folders in it, as far as that goes.
    static func remove(_ path: String) {
        for name in (try? entries(path)) ?? [] {
            let entry = "\(path)/\(name)"
            if unlink(entry) != 0 { remove(entry) }
        }
        rmdir(path)
    }

    /// The names in a folder, in no order.
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
