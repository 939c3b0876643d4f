import Foundation

/// Writes a rendition.
package enum NewFile {
    /// Writes all bytes to a file, replacing one that is there. It isn't synced: the caller moves it to its place
    /// and syncs it there.
    ///
    /// - Throws: ``ImageError/outOfSpace`` or ``ImageError/inputOutput(errno:)``.
    package static func write(_ bytes: [UInt8], to path: String) throws(ImageError) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw ImageError(errno: errno) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
            if written < 0 {
                if errno == EINTR { continue }
                let reason = errno
                close(file)
                throw ImageError(errno: reason)
            }
            rest = rest.dropFirst(written)
        }
        // Some file systems tell only here that there was no room.
        guard close(file) == 0 else { throw ImageError(errno: errno) }
    }
}

extension ImageError {
    /// A full disk or quota, or another failure.
    init(errno: Int32) {
        self = [ENOSPC, EDQUOT].contains(errno) ? .outOfSpace : .inputOutput(errno: errno)
    }

    /// What Foundation says when a file can't be read.
    init(reading error: any Error) {
        let reason = (error as NSError).userInfo[NSUnderlyingErrorKey] as? POSIXError
        self = .inputOutput(errno: reason?.code.rawValue ?? EIO)
    }
}
