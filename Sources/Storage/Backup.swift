import Foundation
import GRDB

/// A copy of the database while it is in use.
enum Backup {
    /// Copies a database into a file that appears when it is complete and on the disk.
    static func copy(_ source: String, to path: String, busyTimeout: Double) throws {
        let unfinished = path + ".unfinished"
        remove(unfinished)
        do {
            // The file is made first, so that it is its owner's alone.
            _ = try OpenFile(unfinished, O_CREAT | O_EXCL | O_RDWR)
            // All pages are copied in one step, so that none is changed between two of them.
            let from = try DatabaseQueue(
                path: source,
                configuration: Connection.configuration(readonly: true, busyTimeout: busyTimeout))
            let to = try DatabaseQueue(path: unfinished)
            try from.backup(to: to)
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

    /// Removes a copy that was cut off. What can't be removed is noticed by the next copy, which must not be
    /// there yet.
    private static func remove(_ path: String) {
        for name in [path, path + "-journal", path + "-wal", path + "-shm"] { unlink(name) }
    }
}

extension String {
    /// The folder in which the file of this path is.
    var parentFolder: String {
        let folder = (self as NSString).deletingLastPathComponent
        return folder.isEmpty ? "." : folder
    }
}
