import CArchive
import Foundation
import Synchronization

/// A zip file of any size that is written from front to back by libarchive (PKWARE APPNOTE.TXT 6.3, Zip64).
///
/// All calls block. A file ends where the next one begins.
final class ZipFile: Sendable {
    /// The failure to write a file.
    struct Failure: Error, CustomStringConvertible {
        /// The description by libarchive.
        let description: String
    }

    /// The way in which an entry is stored.
    enum Compression: Sendable {
        /// Without compression, for files that are compressed already.
        case none
        /// DEFLATE (RFC 1951).
        case deflate
    }

    private struct State: ~Copyable {
        /// libarchive's writer; nil when there was no memory for it.
        var archive: OpaquePointer?
        let descriptor: CInt

        deinit {
            if let archive { archive_write_free(archive) }
            Foundation.close(descriptor)
        }
    }

    private let state: Mutex<State>

    /// Creates a file that only its owner can read.
    ///
    /// - Throws: ``Failure``, also when there is such a file.
    init(path: String) throws {
        let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw Failure(description: "\(path): \(String(cString: strerror(errno)))")
        }
        let state = State(archive: archive_write_new(), descriptor: descriptor)
        guard let archive = state.archive else { throw Failure(description: "libarchive has no memory") }
        try Self.check(archive_write_set_format_zip(archive), archive)
        try Self.check(archive_write_open_fd(archive, descriptor), archive)
        self.state = Mutex(state)
    }

    /// Begins the next file of the archive.
    ///
    /// - Parameters:
    ///   - name: its path, ASCII, with slashes.
    ///   - byteCount: how many bytes will come; nil when that isn't known.
    ///   - date: when it was last changed.
    func begin(_ name: String, byteCount: Int?, date: Date = Date(), compression: Compression) throws {
        try withArchive { archive in
            switch compression {
            case .none: try Self.check(archive_write_zip_set_compression_store(archive), archive)
            case .deflate: try Self.check(archive_write_zip_set_compression_deflate(archive), archive)
            }
            guard let entry = archive_entry_new() else {
                throw Failure(description: "libarchive has no memory")
            }
            defer { archive_entry_free(entry) }
            archive_entry_set_pathname(entry, name)
            // AE_IFREG, the type of a plain file, which the compiler can't import from C.
            archive_entry_set_filetype(entry, 0o100000)
            archive_entry_set_perm(entry, 0o600)
            archive_entry_set_mtime(entry, time_t(date.timeIntervalSince1970), 0)
            if let byteCount { archive_entry_set_size(entry, la_int64_t(byteCount)) }
            try Self.check(archive_write_header(archive, entry), archive)
        }
    }

    /// Writes bytes of the file that was begun last.
    func write(_ bytes: [UInt8]) throws {
        try withArchive { archive in
            let written = bytes.withUnsafeBytes { archive_write_data(archive, $0.baseAddress, $0.count) }
            guard written == bytes.count else { throw Self.failure(archive) }
        }
    }

    /// Writes the archive's directory. After that, no file can be added.
    func close() throws {
        try withArchive { try Self.check(archive_write_close($0), $0) }
    }

    private func withArchive(_ body: (OpaquePointer) throws -> Void) throws {
        try state.withLock { state in
            guard let archive = state.archive else { throw Failure(description: "libarchive has no memory") }
            try body(archive)
        }
    }

    private static func check(_ result: CInt, _ archive: OpaquePointer) throws {
        guard result == ARCHIVE_OK else { throw failure(archive) }
    }

    private static func failure(_ archive: OpaquePointer) -> Failure {
        Failure(description: archive_error_string(archive).map { String(cString: $0) } ?? "libarchive failed")
    }
}
