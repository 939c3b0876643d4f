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

    /// Opens a new file in memory.
    ///
    /// - Parameter bytes: the length of the file, which it can't exceed. Only what is written to takes memory.
    /// - Throws: ``ImageError/inputOutput(errno:)``.
    static func memory(upTo bytes: Int) throws(ImageError) -> Descriptor {
        let number = tintype_memory_file(bytes)
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

    /// Reads `count` bytes from a place on, or all of the bytes that follow if they are fewer.
    ///
    /// - Throws: ``ImageError/inputOutput(errno:)``.
    func read(_ count: Int, from offset: Int = 0) throws(ImageError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let part = pread(
                    number, buffer.baseAddress.map { $0 + filled }, count - filled, off_t(offset + filled))
                if part < 0 && errno == EINTR { continue }
                if part < 0 { failure = errno }
                if part <= 0 { return }
                filled += part
            }
        }
        guard failure == 0 else { throw .inputOutput(errno: failure) }
        return bytes
    }

    /// Makes a file in memory unchangeable.
    ///
    /// - Returns: false if another process could still change it.
    func seal() -> Bool {
        tintype_seal(number) == 0
    }

    /// Writes all bytes to a file in memory, and cuts it behind them.
    ///
    /// - Throws: ``ImageError/outOfSpace`` or ``ImageError/inputOutput(errno:)``.
    package func write(_ bytes: [UInt8]) throws(ImageError) {
        try Self.write(bytes, to: number)
        guard ftruncate(number, off_t(bytes.count)) == 0 else { throw ImageError(errno: errno) }
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
