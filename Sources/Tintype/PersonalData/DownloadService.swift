import Core
import Foundation
import People
import Serving
import Storage

/// The service of downloads of a person's data: asking for one, and fetching it.
final class DownloadService: Sendable {
    private let database: Database
    private let requests: RateLimiter

    /// The most downloads that a person may ask for in a day.
    private static let dailyLimit = 5

    init(database: Database, now: @escaping @Sendable () -> Date) {
        self.database = database
        requests = RateLimiter(limit: Self.dailyLimit, per: 86_400, capacity: 10_000, now: now)
    }

    /// Asks for a download. Returns the download that is already being prepared, if there is one; a download
    /// that is ready is replaced.
    ///
    /// - Throws: ``Refusal`` (429) after five in a day.
    func ask(by viewer: Account) async throws -> Download {
        if let known = try await download(of: viewer), known.state == .waiting || known.state == .packing {
            return known
        }
        let key = viewer.id.description
        guard requests.take(key).isAllowed else {
            throw Refusal(
                .tooOften(retryAfter: requests.secondsUntilReset(key)),
                "That was your fifth download today. Try again later.")
        }
        let download = try await database.write { transaction in
            let store = DownloadStore(transaction)
            if let known = try store.download(of: viewer.id) {
                if known.state == .waiting || known.state == .packing { return known }
                try store.delete(known.id)
                try NotificationRecords(transaction).removeAll(.download, to: viewer.id)
            }
            let photos = try PhotoRecords(transaction).originals(of: viewer.id).count
            let download = try store.insert(of: viewer.id, photosCount: photos)
            try transaction.schedule(.packDownload, payload: download.id.description)
            return download
        }
        return download
    }

    /// Returns a person's download, nil if there is none.
    func download(of viewer: Account) async throws -> Download? {
        try await database.read { try DownloadStore($0).download(of: viewer.id) }
    }

    /// Returns the file of the viewer's download.
    ///
    /// - Throws: ``Refusal`` (404) if the download isn't ready, has expired or belongs to somebody else.
    func file(_ id: Download.ID, of viewer: Account) async throws -> BlobKey {
        let blob = try await database.read { transaction -> BlobKey? in
            guard let download = try DownloadStore(transaction).download(id), download.account == viewer.id,
                let expiresAt = download.expiresAt, expiresAt > transaction.now
            else { return nil }
            return download.blob
        }
        guard let blob else { throw Refusal.notFound }
        return blob
    }
}
