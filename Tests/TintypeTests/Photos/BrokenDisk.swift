import CSQLite
import Synchronization

/// A disk that confirms nothing: SQLite's fsync fails, once or for good, though what was written is there.
///
/// It stays with the process, so it is used in exit tests alone.
enum BrokenDisk {
    /// How many more confirmations fail.
    private static let failures = Atomic(0)

    // What SQLite itself would have called. The table lives as long as the process, and is changed before any other
    // thread can read it; the function is the same one each time that it is set.
    private nonisolated(unsafe) static let files = sqlite3_vfs_find(nil)
    private static let open = files?.pointee.xOpen
    private nonisolated(unsafe) static var synchronize:
        (@convention(c) (UnsafeMutablePointer<sqlite3_file>?, CInt) -> CInt)?

    /// Puts itself between SQLite and the files that it opens from now on.
    static func install() {
        guard open != nil else { return }
        files?.pointee.xOpen = { files, name, file, flags, outFlags in
            guard let open = BrokenDisk.open, let file else { return SQLITE_MISUSE }
            let code = open(files, name, file, flags, outFlags)
            guard code == SQLITE_OK, let methods = file.pointee.pMethods else { return code }
            let changed = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
            changed.initialize(to: methods.pointee)
            BrokenDisk.synchronize = methods.pointee.xSync
            changed.pointee.xSync = { file, flags in
                guard !BrokenDisk.takeFailure() else { return SQLITE_IOERR | (4 << 8) }
                return BrokenDisk.synchronize?(file, flags) ?? SQLITE_MISUSE
            }
            file.pointee.pMethods = UnsafePointer(changed)
            return code
        }
    }

    /// Lets the next `count` confirmations fail, and none after them.
    static func fail(_ count: Int) { failures.store(count, ordering: .sequentiallyConsistent) }

    private static func takeFailure() -> Bool {
        guard failures.load(ordering: .sequentiallyConsistent) > 0 else { return false }
        failures.wrappingSubtract(1, ordering: .sequentiallyConsistent)
        return true
    }
}
