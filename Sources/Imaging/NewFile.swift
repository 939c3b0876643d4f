import Foundation

/// A rendition's file.
package enum NewFile {
    /// Writes bytes to a file and replaces an existing one. Doesn't sync the file: the caller moves it to its
    /// place and syncs it there.
    ///
    /// - Throws: ``ImageError/outOfSpace`` or ``ImageError/inputOutput(errno:)``.
    package static func write(_ bytes: [UInt8], to path: String) throws(ImageError) {
        let number = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw ImageError(errno: errno) }
        do {
            try Descriptor.write(bytes, to: number)
        } catch {
            close(number)
            throw error
        }
        // Some file systems report only here that there was no room.
        guard close(number) == 0 else { throw ImageError(errno: errno) }
    }
}
