import Core
import Foundation
import Serving
import Storage

/// The moving of all files that a database names from one store to another, which keeps their keys. What an earlier attempt
/// has moved isn't moved again.
struct PictureMove: Sendable {
    let database: Database
    let source: any BlobStore
    let target: any BlobStore
    /// The folder of the process for files in work, on the disk of the store that is a folder.
    let work: WorkFolder
    /// What to do about files in the target that the database doesn't name.
    let advice: String

    /// The most files that are moved at the same time.
    private static let atOnce = 8
    private static let page = 500

    /// Copies the files, each checked by its SHA-256. No server may run.
    /// - Throws: ``Refusal`` (409) when the target has files that the database doesn't name, or when a file is missing or
    ///   damaged; `BlobError`.
    func run() async throws -> BackupSummary {
        try await checkTarget()
        var (summary, last) = (BackupSummary(files: 0, bytes: 0), "")
        while true {
            let page = try await database.read { [last] in
                try FileRecords($0).page(after: last, limit: Self.page)
            }
            guard let end = page.last else { return summary }
            last = end.key.rawValue
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, file) in page.enumerated() {
                    if index >= Self.atOnce { try await group.next() }
                    group.addTask { try await move(file) }
                }
                try await group.waitForAll()
            }
            summary.files += page.count
            summary.bytes += page.map(\.byteCount).reduce(0, +)
        }
    }

    private func move(_ file: StoredBlob) async throws {
        if try await target.byteCount(of: file.key) == file.byteCount,
            try await target.sha256(of: file.key) == file.sha256
        {
            return
        }
        let path = work.newPath()
        defer { unlink(path) }
        do {
            try await source.export(file.key, to: path)
        } catch BlobError.notFound {
            throw Refusal(.conflict, "The file \(file.key.rawValue) is missing. See `tintype check`.")
        }
        guard try await target.put(fileAt: path, as: file.key).sha256 == file.sha256 else {
            try await target.erase(file.key)
            throw Refusal(.conflict, "The file \(file.key.rawValue) has changed. See `tintype check`.")
        }
    }

    /// Refuses a target that another server uses.
    private func checkTarget() async throws {
        var last: BlobKey?
        while true {
            let page = try await target.keys(after: last, limit: Self.page)
            guard let end = page.last else { return }
            last = end
            let unknown = try await database.read { transaction in
                try page.first { try !FileRecords(transaction).exists($0) }
            }
            if let unknown {
                throw Refusal(
                    .conflict,
                    """
                    The target isn’t empty: it has the file \(unknown.rawValue), which this server doesn’t know. \(advice)
                    """)
            }
        }
    }
}
