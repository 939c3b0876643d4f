import Foundation

/// A rendition's file.
package enum NewFile {
    private static let bytesAtOnce = 256 * 1024

    /// Writes the content of another file, and replaces an existing file. Doesn't sync the file: the caller moves it to
    /// its place and syncs it there.
    ///
    /// - Parameters:
    ///   - source: the other file.
    ///   - count: how many bytes to copy from its beginning; as many as it has.
    ///   - path: where to write.
    /// - Throws: ``ImageError/outOfSpace`` or ``ImageError/inputOutput(errno:)``.
    package static func copy(_ source: Descriptor, _ count: Int, to path: String) throws(ImageError) {
        let number = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw ImageError(errno: errno) }
        do throws(ImageError) {
            var copied = 0
            while copied < count {
                let bytes = try source.read(min(count - copied, bytesAtOnce), from: copied)
                guard !bytes.isEmpty else { throw ImageError.inputOutput(errno: EIO) }
                try Descriptor.write(bytes, to: number)
                copied += bytes.count
            }
        } catch {
            close(number)
            throw error
        }
        // Some file systems report only here that there was no room.
        guard close(number) == 0 else { throw ImageError(errno: errno) }
    }
}
