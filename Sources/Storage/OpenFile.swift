import Crypto
import Foundation

/// A failed call to the operating system.
struct SystemError: Error, CustomStringConvertible {
    /// The `errno`.
    let code: CInt
    let path: String

    /// Returns the error of the call that has just failed.
    static func last(_ path: String) -> SystemError {
        SystemError(code: errno, path: path)
    }

    /// Whether the disk, or the user's quota on it, is full.
    var isFull: Bool { code == ENOSPC || code == EDQUOT }

    /// The operating system's message.
    var description: String { "\(path): \(String(cString: strerror(code)))" }
}

/// An open file or folder, which closes when it is no longer used. All calls block.
struct OpenFile: ~Copyable, Sendable {
    private let descriptor: CInt
    let path: String

    /// - Parameters:
    ///   - flags: the flags of open(2); `O_CLOEXEC` is added.
    ///   - mode: the permissions of a file that is created.
    init(_ path: String, _ flags: CInt, mode: mode_t = 0o600) throws(SystemError) {
        descriptor = open(path, flags | O_CLOEXEC, mode)
        self.path = path
        if descriptor < 0 { throw SystemError.last(path) }
    }

    deinit {
        close(descriptor)
    }

    /// Returns the length in bytes.
    func byteCount() throws(SystemError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemError.last(path) }
        return Int(status.st_size)
    }

    /// Returns whether others than the owner may read, change or run the file.
    func mayOthersUse() throws(SystemError) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemError.last(path) }
        return status.st_mode & 0o077 != 0
    }

    /// Writes bytes at the current end.
    func append(_ bytes: [UInt8]) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { throw SystemError.last(path) }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// Reads up to `count` bytes. Returns fewer only at the end of the file.
    func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
        var failure: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let free = UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
                let part = pread(descriptor, free.baseAddress, free.count, offset + filled)
                if part < 0 && errno == EINTR { continue }
                if part < 0 { failure = SystemError.last(path) }
                if part <= 0 { return }
                filled += part
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Returns the length in bytes and the SHA-256 of the contents, 32 bytes.
    func hash() throws(SystemError) -> (byteCount: Int, sha256: [UInt8]) {
        var hasher = SHA256()
        var byteCount = 0
        while true {
            let chunk = try read(at: byteCount, count: 256 * 1024)
            if chunk.isEmpty { return (byteCount, Array(hasher.finalize())) }
            hasher.update(data: chunk)
            byteCount += chunk.count
        }
    }

    /// Returns the SHA-256 of a part of the contents, 32 bytes.
    func hash(_ part: Range<Int>) throws(SystemError) -> [UInt8] {
        var hasher = SHA256()
        for start in stride(from: part.lowerBound, to: part.upperBound, by: 256 * 1024) {
            hasher.update(data: try read(at: start, count: min(256 * 1024, part.upperBound - start)))
        }
        return Array(hasher.finalize())
    }

    /// Waits until the file's contents, or a folder's entries, are durable.
    func synchronize() throws(SystemError) {
        guard fsync(descriptor) == 0 else { throw SystemError.last(path) }
    }

    /// Takes the lock of the file, which lasts until the file is closed, or until the process ends.
    /// - Returns: false if another open file, usually of another process, holds the lock.
    func lockIfFree() throws(SystemError) -> Bool {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK else { throw SystemError.last(path) }
        return false
    }

    /// Waits until the lock of the file is free, and takes it.
    func waitForLock() throws(SystemError) {
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw SystemError.last(path) }
        }
    }
}

extension OpenFile {
    /// Waits until the entries of a folder are durable.
    static func synchronizeFolder(_ path: String) throws(SystemError) {
        try OpenFile(path, O_RDONLY | O_DIRECTORY).synchronize()
    }
}
