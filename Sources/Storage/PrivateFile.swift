import Foundation

/// Small files, such as one with a key, and folders that nobody but their owner may use.
public enum PrivateFile {
    /// Others than the owner may read, change or run the file.
    public struct IsOpenToOthers: Error {}

    /// Returns the contents of a file. If there is no file, creates it for its owner alone (mode 0600).
    ///
    /// Processes that do this at the same time all get what the first of them has written.
    /// - Parameters:
    ///   - path: where the file is.
    ///   - fresh: the contents of a new file.
    /// - Throws: ``IsOpenToOthers``; the operating system's error when the file can't be read or created.
    public static func contents(of path: String, orCreate fresh: [UInt8]) throws -> [UInt8] {
        if access(path, F_OK) != 0 { try create(path, fresh) }
        return try contents(of: path)
    }

    /// Returns the contents of a file.
    /// - Throws: ``IsOpenToOthers``; the operating system's error when the file can't be read.
    public static func contents(of path: String) throws -> [UInt8] {
        let file = try OpenFile(path, O_RDONLY)
        guard try !file.mayOthersUse() else { throw IsOpenToOthers() }
        return try file.read(at: 0, count: file.byteCount())
    }

    /// Creates a folder for its owner alone (mode 0700), durably, unless it is there.
    /// - Throws: the operating system's error.
    public static func makeFolder(at path: String) throws {
        guard try Folder.create(path) else { return }
        try OpenFile.synchronizeFolder(URL(filePath: path).deletingLastPathComponent().path)
    }

    /// Writes a file beside its place, whole and durable, and then gives it its name, unless another process has.
    private static func create(_ path: String, _ bytes: [UInt8]) throws {
        let unfinished = "\(path).\(UUID().uuidString)"
        let file = try OpenFile(unfinished, O_CREAT | O_EXCL | O_WRONLY)
        defer { unlink(unfinished) }
        try file.append(bytes)
        try file.synchronize()
        guard link(unfinished, path) == 0 || errno == EEXIST else { throw SystemError.last(path) }
        try OpenFile.synchronizeFolder(URL(filePath: path).deletingLastPathComponent().path)
    }
}
