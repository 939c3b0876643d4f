import CArchive
import Foundation
import Storage
import Synchronization
import Testing

@testable import Core
@testable import Tintype

/// An archive of another service in a temporary file, which goes with the value.
final class TestArchive: Sendable {
    enum Format {
        case zip, tarGzip
    }

    let path = NSTemporaryDirectory() + "tintype-archive-" + UUID().uuidString

    /// Packs files in their order.
    ///
    /// - Parameter links: symbolic links, by their names and targets.
    init(
        files: [(String, [UInt8])], as format: Format = .zip, links: KeyValuePairs<String, String> = [:]
    ) throws {
        let archive = try #require(archive_write_new())
        defer { archive_write_free(archive) }
        switch format {
        case .zip: try #require(archive_write_set_format_zip(archive) == ARCHIVE_OK)
        case .tarGzip:
            try #require(archive_write_set_format_gnutar(archive) == ARCHIVE_OK)
            try #require(archive_write_add_filter_gzip(archive) == ARCHIVE_OK)
        }
        try #require(archive_write_open_filename(archive, path) == ARCHIVE_OK)
        for (name, target) in links {
            let entry = try #require(archive_entry_new())
            defer { archive_entry_free(entry) }
            archive_entry_set_pathname(entry, name)
            archive_entry_set_filetype(entry, 0o120000)
            archive_entry_set_symlink(entry, target)
            try #require(archive_write_header(archive, entry) == ARCHIVE_OK)
        }
        for (name, bytes) in files {
            let entry = try #require(archive_entry_new())
            defer { archive_entry_free(entry) }
            archive_entry_set_pathname(entry, name)
            archive_entry_set_filetype(entry, 0o100000)
            archive_entry_set_perm(entry, 0o600)
            archive_entry_set_size(entry, la_int64_t(bytes.count))
            try #require(archive_write_header(archive, entry) == ARCHIVE_OK)
            let written = bytes.withUnsafeBytes { archive_write_data(archive, $0.baseAddress, $0.count) }
            try #require(written == bytes.count)
        }
        try #require(archive_write_close(archive) == ARCHIVE_OK)
    }

    /// Packs files, written as `["name": bytes]`.
    convenience init(
        _ files: KeyValuePairs<String, [UInt8]>, as format: Format = .zip,
        links: KeyValuePairs<String, String> = [:]
    ) throws {
        try self.init(files: files.map { ($0.key, $0.value) }, as: format, links: links)
    }

    /// A file that may be no archive.
    init(bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(filePath: path))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

extension Person {
    /// Imports an archive into the person's library, as the command does.
    ///
    /// - Parameter stopping: after how many photos and posts somebody presses Ctrl-C; nil for never.
    @discardableResult
    func bring(
        _ archive: TestArchive, from service: ForeignService, posts: Bool = true,
        audience: ImportOptions.Audience? = nil, stopping: Int? = nil,
        limits: ForeignArchive.Limits = .init()
    ) async throws -> ImportReport {
        let owner = try await world.tintype.database.read { try AccountRecords($0).called(username) }
        var importer = world.tintype.features.importing.importer
        importer.limits = limits
        let done = Mutex(0)
        return try await importer.run(
            archive.path, from: service, of: owner, .init(makesPosts: posts, audience: audience),
            shouldStop: { done.withLock { done in stopping.map { done >= $0 } ?? false } },
            progress: { _ in done.withLock { $0 += 1 } })
    }

    /// The person's own posts as apps see them, newest first.
    func ownPosts() async throws -> [JSON] {
        try await get("/api/v1/accounts/\(id)/statuses?limit=40").json.list
    }

    /// The person's library as apps see it, newest first.
    func library() async throws -> [JSON] { try await get("/api/v1/photos?limit=40").json.list }
}

extension ImportReport {
    /// The reasons for what wasn't imported.
    var reasons: Set<LeftOut.Reason> { Set(leftOut.groups.keys) }
}
