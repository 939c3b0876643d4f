import Foundation

/// Copies of a database that is in use.
enum Backup {
    /// Copies a database into a file that appears when it is complete and on the disk.
    static func copy(_ source: String, to path: String, busyTimeout: Double) throws {
        let unfinished = path + ".unfinished"
        remove(unfinished)
        do {
            // Creates the file first, so that only its owner can read it.
            _ = try OpenFile(unfinished, O_CREAT | O_EXCL | O_RDWR)
            let from = try SQLiteHandle(path: source, for: .reading, busyTimeout: busyTimeout)
            let to = try SQLiteHandle(path: unfinished, for: .filling, busyTimeout: busyTimeout)
            try from.copy(into: to)
            try to.close()
            try from.close()
            try OpenFile(unfinished, O_RDWR).synchronize()
            guard rename(unfinished, path) == 0 else { throw SystemError.last(path) }
            try OpenFile.synchronizeFolder(path.parentFolder)
        } catch {
            remove(unfinished)
            throw error
        }
    }

    /// Removes an unfinished copy. If that fails, the next copy reports it, because the file must not exist
    /// yet.
    static func remove(_ path: String) {
        for name in [path, path + "-journal", path + "-wal", path + "-shm"] { unlink(name) }
    }
}

extension String {
    /// The folder that contains the file with this path.
    var parentFolder: String {
        let folder = (self as NSString).deletingLastPathComponent
        return folder.isEmpty ? "." : folder
    }
}
