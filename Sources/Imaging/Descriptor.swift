import CLinux
import Foundation

/// An open file, which closes when it is no longer used.
package final class Descriptor: Sendable {
    /// The descriptor's number in this process.
    package let number: Int32

    /// Takes ownership of an open descriptor.
    package init(_ number: Int32) {
        self.number = number
    }

    /// Opens a file for reading.
    ///
    /// - Throws: ``ImageError/inputOutput(errno:)``.
    package convenience init(reading path: String) throws(ImageError) {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw .inputOutput(errno: errno) }
        self.init(number)
    }

    /// Opens an empty file in memory.
    ///
    /// - Throws: ``ImageError/inputOutput(errno:)``.
    static func memory() throws(ImageError) -> Descriptor {
        let number = tintype_memory_file()
        guard number >= 0 else { throw .inputOutput(errno: errno) }
        return Descriptor(number)
    }

    deinit {
        close(number)
    }

    /// Returns the length of the file in bytes.
    ///
    /// - Throws: ``ImageError/inputOutput(errno:)``.
    package func byteCount() throws(ImageError) -> Int {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .inputOutput(errno: errno) }
        return Int(status.st_size)
    }

    /// Reads `count` bytes from the beginning of the file, or all of its bytes if it has fewer.
    ///
    /// - Throws: ``ImageError/inputOutput(errno:)``.
    func read(_ count: Int) throws(ImageError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let part = pread(
                    number, buffer.baseAddress.map { $0 + filled }, count - filled, off_t(filled))
                if part < 0 && errno == EINTR { continue }
                if part < 0 { failure = errno }
                if part <= 0 { return }
                filled += part
            }
        }
        guard failure == 0 else { throw .inputOutput(errno: failure) }
        return bytes
    }

    /// Writes all bytes.
    ///
    /// - Throws: ``ImageError/outOfSpace`` or ``ImageError/inputOutput(errno:)``.
    package func write(_ bytes: [UInt8]) throws(ImageError) {
        try Self.write(bytes, to: number)
    }

    /// Writes all bytes to an open file.
    ///
    /// - Throws: ``ImageError/outOfSpace`` or ``ImageError/inputOutput(errno:)``.
    static func write(_ bytes: [UInt8], to number: Int32) throws(ImageError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(number, $0.baseAddress, $0.count) }
            if written < 0 {
                if errno == EINTR { continue }
                throw ImageError(errno: errno)
            }
            rest = rest.dropFirst(written)
        }
    }
}

extension ImageError {
    /// Converts an `errno`: a full disk or quota, or another failure.
    init(errno: Int32) {
        self = [ENOSPC, EDQUOT].contains(errno) ? .outOfSpace : .inputOutput(errno: errno)
    }
}
