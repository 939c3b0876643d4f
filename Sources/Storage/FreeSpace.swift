import Foundation

extension FileManager {
    /// Returns how many bytes are free on the disk of a file or folder; the most there can be where the file system says that
    /// it has no limit, for which `attributesOfFileSystem(forPath:)` ends the process.
    ///
    /// - Throws: `BlobError`.
    public func freeBytes(at path: String) throws -> Int {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { throw SystemError.last(path) }
        let (bytes, overflow) = Int(clamping: status.f_bavail).multipliedReportingOverflow(
            by: Int(clamping: status.f_frsize))
        return overflow ? .max : bytes
    }
}
