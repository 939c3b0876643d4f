import CArchive
import Foundation
import Serving

/// A tar archive that is written with libarchive: ustar as GNU writes it, with sizes from 8 GiB on in base 256.
final class TarWriter {
    private let file: FileHandle
    private let archive: OpaquePointer

    /// Creates the archive's file.
    ///
    /// - Parameter path: the new file, its owner's alone.
    init(path: String) throws {
        file = try FileHandle.ofNewFile(path)
        guard let archive = archive_write_new() else { throw Refusal(.conflict, "libarchive has no memory.") }
        self.archive = archive
        // Without blocks of its own, libarchive writes what it gets at once.
        guard archive_write_set_format_gnutar(archive) == ARCHIVE_OK,
            archive_write_set_bytes_per_block(archive, 0) == ARCHIVE_OK,
            archive_write_open_fd(archive, file.fileDescriptor) == ARCHIVE_OK
        else { throw failure }
    }

    deinit {
        // An archive that wasn't finished gets no further bytes.
        archive_write_fail(archive)
        archive_write_free(archive)
    }

    /// Appends a file.
    ///
    /// - Parameters:
    ///   - name: its path in the archive.
    ///   - path: where its contents are.
    /// - Returns: how many bytes it has.
    @discardableResult
    func add(_ name: String, fileAt path: String) throws -> Int {
        guard let source = FileHandle(forReadingAtPath: path), let entry = archive_entry_new() else {
            throw Refusal(.notFound, "\(path) can't be read.")
        }
        defer {
            archive_entry_free(entry)
            try? source.close()
        }
        let size = Int(try source.seekToEnd())
        try source.seek(toOffset: 0)
        archive_entry_set_pathname(entry, name)
        archive_entry_set_filetype(entry, plainFile)
        archive_entry_set_perm(entry, 0o600)
        archive_entry_set_size(entry, la_int64_t(size))
        guard archive_write_header(archive, entry) == ARCHIVE_OK else { throw failure }
        var copied = 0
        while let chunk = try source.read(upToCount: 256 * 1024), !chunk.isEmpty {
            let written = chunk.withUnsafeBytes { archive_write_data(archive, $0.baseAddress, $0.count) }
            guard written >= 0 else { throw failure }
            // libarchive takes no more bytes than the announced size.
            copied += chunk.count
        }
        guard copied == size else { throw Refusal(.conflict, "\(path) changed while it was read.") }
        return size
    }

    /// Ends the archive and waits until it is on the disk. After that, no file can be added.
    func finish() throws {
        guard archive_write_close(archive) == ARCHIVE_OK else { throw failure }
        try file.synchronize()
        try file.close()
    }

    private var failure: Refusal {
        Refusal(.conflict, "The archive can't be written\(reason(of: archive)).")
    }
}

/// A tar archive that is read with libarchive. No other format is accepted.
final class TarReader {
    /// A file of the archive.
    struct Entry {
        let name: String
        /// The size in bytes.
        let size: Int
    }

    private let file: FileHandle
    /// The size of the archive in bytes.
    private let byteCount: Int
    private let archive: OpaquePointer

    /// The two blocks of zeros that end an archive (POSIX, pax). libarchive accepts an archive without them, but such
    /// an archive may have been cut off between two files.
    private static let end = Data(count: 1024)

    /// Opens an archive.
    ///
    /// - Throws: ``Refusal`` when the file can't be read, or isn't a whole archive.
    init(path: String) throws {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw Refusal(.notFound, "\(path) can't be read.")
        }
        byteCount = Int(try file.seekToEnd())
        try file.seek(toOffset: UInt64(max(0, byteCount - Self.end.count)))
        guard try file.readToEnd() == Self.end else {
            throw Refusal.malformed("This isn't a whole tar archive: it doesn't end as one.")
        }
        try file.seek(toOffset: 0)
        self.file = file
        guard let archive = archive_read_new() else { throw Refusal(.conflict, "libarchive has no memory.") }
        self.archive = archive
        guard archive_read_support_format_tar(archive) == ARCHIVE_OK,
            archive_read_open_fd(archive, file.fileDescriptor, 256 * 1024) == ARCHIVE_OK
        else { throw damaged }
    }

    deinit { archive_read_free(archive) }

    /// Returns the next file's name and size; nil at the end of the archive.
    ///
    /// - Throws: ``Refusal`` when the archive is damaged or cut off, or has anything but plain files.
    func next() throws -> Entry? {
        var entry: OpaquePointer?
        let code = archive_read_next_header(archive, &entry)
        guard code != ARCHIVE_EOF else { return nil }
        guard code == ARCHIVE_OK, let name = archive_entry_pathname(entry),
            let size = Int(exactly: archive_entry_size(entry)), 0...byteCount ~= size
        else { throw damaged }
        guard archive_entry_filetype(entry) == plainFile, archive_entry_hardlink(entry) == nil,
            archive_entry_sparse_count(entry) == 0
        else { throw Refusal.malformed("The archive has a link, or something else that isn't a plain file.") }
        return Entry(name: String(cString: name), size: size)
    }

    /// Writes the file that `next` found to a path, and waits until it is on the disk.
    func extract(to path: String) throws {
        let target = try FileHandle.ofNewFile(path)
        defer { try? target.close() }
        guard archive_read_data_into_fd(archive, target.fileDescriptor) == ARCHIVE_OK else { throw damaged }
        try target.synchronize()
    }

    private var damaged: Refusal {
        .malformed("This isn't a whole tar archive\(reason(of: archive)).")
    }
}

/// AE_IFREG, the type of a plain file, which the compiler can't import from C.
private let plainFile: mode_t = 0o100000

/// Returns libarchive's description of the last failure, after a colon; empty if there is none.
private func reason(of archive: OpaquePointer) -> String {
    archive_error_string(archive).map { ": \(String(cString: $0))" } ?? ""
}

extension FileHandle {
    /// Creates an empty file that only its owner can read.
    fileprivate static func ofNewFile(_ path: String) throws -> FileHandle {
        guard
            FileManager.default.createFile(
                atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
            let file = FileHandle(forWritingAtPath: path)
        else { throw Refusal(.conflict, "\(path) can't be written.") }
        return file
    }
}
