import CArchive
import Foundation
import Serving

/// An archive that a person downloaded from another service: a zip, or tar with or without gzip, read from front to back
/// with libarchive. No other format is accepted.
///
/// The archive is a stranger's work, so everything is bounded: how many entries it has, how much it unpacks to, and how
/// much of an entry is read. The names of entries are compared and never used as paths, so nothing is written where a
/// name says, and links lead nowhere. All calls block, which a command may do.
final class ForeignArchive {
    /// A plain file of the archive.
    struct Entry {
        /// The path in the archive, without a slash or dot at the beginning.
        let name: String
    }

    /// The limits on archives. Tests have lower ones.
    struct Limits: Sendable {
        /// The most entries, of all kinds.
        var entries = 500_000
        /// The most bytes of all texts together, which are in memory.
        var textBytes = 100_000_000
        /// The bytes to which a small archive may unpack.
        var unpackedBytes = 1_000_000_000
        /// How many times its own size a larger archive may unpack to. Pictures don't get smaller in an archive.
        var unpackedRatio = 50
    }

    private let file: FileHandle
    private let archive: OpaquePointer
    private let limits: Limits
    /// The most bytes to which the archive may unpack.
    private let mostBytes: Int
    private var entries = 0
    /// The bytes of the entries so far, as they say themselves.
    private var announcedBytes = 0
    /// The bytes that were read.
    private var readBytes = 0

    /// AE_IFREG, the type of a plain file, which the compiler can't import from C.
    private static let plainFile: mode_t = 0o100000
    private static let chunkBytes = 256 * 1024
    private static let longestName = 1_000

    /// Opens an archive.
    ///
    /// - Throws: ``Refusal``: 404 when the file can't be read, 400 when it isn't an archive.
    init(path: String, limits: Limits = Limits()) throws {
        guard let file = FileHandle(forReadingAtPath: path), let byteCount = try? Int(file.seekToEnd()) else {
            throw Refusal(.notFound, "\(path) can’t be read.")
        }
        try file.seek(toOffset: 0)
        self.file = file
        self.limits = limits
        mostBytes = max(
            limits.unpackedBytes, byteCount.multipliedReportingOverflow(by: limits.unpackedRatio).partialValue
        )
        guard let archive = archive_read_new() else { throw Refusal(.conflict, "libarchive has no memory.") }
        self.archive = archive
        guard archive_read_support_format_zip(archive) == ARCHIVE_OK,
            archive_read_support_format_tar(archive) == ARCHIVE_OK,
            archive_read_support_filter_gzip(archive) == ARCHIVE_OK,
            archive_read_open_fd(archive, file.fileDescriptor, Self.chunkBytes) == ARCHIVE_OK
        else { throw noArchive }
    }

    deinit { archive_read_free(archive) }

    /// Returns the next plain file; nil at the end. Folders, links and files with strange names are skipped.
    ///
    /// - Throws: ``Refusal`` (400) when the archive is damaged, or larger than the limits.
    func next() throws -> Entry? {
        while true {
            var entry: OpaquePointer?
            let code = archive_read_next_header(archive, &entry)
            guard code != ARCHIVE_EOF else { return nil }
            guard code == ARCHIVE_OK || code == ARCHIVE_WARN else {
                throw entries == 0
                    ? noArchive : Refusal.malformed("The archive is damaged or cut off\(reason).")
            }
            entries += 1
            guard entries <= limits.entries else {
                throw Refusal.malformed("The archive has more than \(limits.entries.grouped) files.")
            }
            if archive_entry_size_is_set(entry) != 0 {
                try count(Int(clamping: archive_entry_size(entry)), in: &announcedBytes)
            }
            guard archive_entry_filetype(entry) == Self.plainFile, archive_entry_hardlink(entry) == nil,
                let name = (archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry))
                    .flatMap({ String(validatingCString: $0) }),
                let cleaned = Self.cleaned(name)
            else { continue }
            return Entry(name: cleaned)
        }
    }

    /// Returns the next bytes of the file that `next` found; empty at its end.
    ///
    /// - Throws: ``Damaged`` when the file is damaged or encrypted, ``Refusal`` (400) when the archive unpacks to too much.
    func chunk() throws -> [UInt8] {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.chunkBytes) { buffer, initialized in
            count = archive_read_data(archive, buffer.baseAddress, buffer.count)
            initialized = max(0, count)
        }
        guard count >= 0 else { throw Damaged(words: "A file of the archive can’t be read\(reason).") }
        try self.count(count, in: &readBytes)
        return bytes
    }

    /// Returns the whole file that `next` found.
    ///
    /// - Parameter most: the most bytes.
    /// - Throws: ``Refusal`` (400) when the file has more bytes, or is damaged.
    func contents(atMost most: Int, called name: String) throws -> Data {
        var data = Data()
        do {
            while case let bytes = try chunk(), !bytes.isEmpty {
                guard bytes.count <= most - data.count else {
                    throw Refusal.malformed(
                        "\(ImportedText.line(name)) is too large: the texts of an archive may have \(ByteSize.words(limits.textBytes)) together."
                    )
                }
                data.append(contentsOf: bytes)
            }
        } catch let error as Damaged {
            throw Refusal.malformed(error.words)
        }
        return data
    }

    /// The error of one file of an archive whose others may be read.
    struct Damaged: Error {
        let words: String
    }

    private func count(_ bytes: Int, in total: inout Int) throws {
        guard bytes >= 0, bytes <= mostBytes - total else {
            throw Refusal.malformed(
                "The archive would unpack to more than \(ByteSize.words(mostBytes)), far more than its own size."
            )
        }
        total += bytes
    }

    /// Returns a name without a slash or dot at its beginning; nil for one that leads out of the archive.
    private static func cleaned(_ name: String) -> String? {
        guard name.utf8.count <= longestName else { return nil }
        let parts = name.split(separator: "/").filter { $0 != "." }
        return parts.isEmpty || parts.contains("..") ? nil : parts.joined(separator: "/")
    }

    private var noArchive: Refusal { .malformed("This is neither a zip nor a tar archive\(reason).") }

    /// The description by libarchive of the last failure, after a colon; empty if there is none.
    private var reason: String {
        archive_error_string(archive).map { ": \(ImportedText.line(String(cString: $0)))" } ?? ""
    }
}
