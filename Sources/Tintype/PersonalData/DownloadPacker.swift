import Core
import Foundation
import Logging
import NIOPosix
import People
import Storage

extension EventName {
    /// A download is ready, or failed.
    static let download = EventName("tintype.download")
}

/// Makes the file of a download: piece by piece, so that neither a photo nor a list has to fit into memory.
final class DownloadPacker: Sendable {
    private let database: Database
    private let blobs: any BlobStore
    private let work: WorkFolder
    private let intake: PictureIntake
    private let features: Registry<any Feature>
    private let notifications: NotificationService
    private let events: EventBus
    private let logger: Logger
    // Packing blocks its thread, and database reads must go on in the meantime.
    private let thread = NIOThreadPool(numberOfThreads: 1)

    private static let pieceBytes = 1 << 20
    /// How often packing is tried before it counts as failed.
    private static let attempts = 4
    /// The number of bytes that have to stay free on the disk for everyone else.
    private static let reservedBytes = 200_000_000
    /// How often the progress is written and the job's lease extended after the first photo, in seconds.
    private static let progressSeconds: TimeInterval = 2

    /// Creates a packer.
    ///
    /// - Parameter features: the features, which hand over their data about a person.
    init(
        database: Database, blobs: any BlobStore, work: WorkFolder, intake: PictureIntake,
        features: Registry<any Feature>, notifications: NotificationService, events: EventBus, logger: Logger
    ) {
        self.database = database
        self.blobs = blobs
        self.work = work
        self.intake = intake
        self.features = features
        self.notifications = notifications
        self.events = events
        self.logger = logger
        thread.start()
    }

    deinit {
        thread.shutdownGracefully { _ in }
    }

    /// Makes a download ready. A repeated job starts from the beginning.
    func pack(_ job: Job) async throws {
        guard let id = Download.ID(job.payload), let download = try await begin(id) else { return }
        do {
            try await checkSpace(for: download.account)
            let path = work.newPath()
            defer { unlink(path) }
            try await write(download, job, to: path)
            let file = try await blobs.store(fileAt: path)
            try await finish(download, with: file)
        } catch let error as CancellationError {
            throw error
        } catch {
            guard job.attempts >= Self.attempts || (error as? BlobError) == .full else { throw error }
            logger.error("a download could not be made", metadata: ["error": "\(error)"])
            try await database.write { [self] transaction in
                try DownloadStore(transaction).setState(.failed, of: id)
                sendState(to: download.account, transaction)
            }
        }
    }

    /// Makes a packed download ready for its person, unless they don't want it any more.
    private func finish(_ download: Download, with file: StoredBlob) async throws {
        do {
            try await database.write { [self] transaction in
                let expiresAt = transaction.now.addingTimeInterval(Download.lifetime)
                guard try DownloadStore(transaction).finish(download.id, file: file, expiresAt: expiresAt)
                else { return }
                try transaction.schedule(
                    .expireDownload, payload: download.id.description, at: expiresAt)
                try NotificationRecords(transaction).removeAll(.download, to: download.account)
                sendState(to: download.account, transaction)
                try notifications.note(.download, to: download.account, from: nil, transaction)
            }
            await blobs.keep([file.key])
        } catch {
            await intake.discard([file], after: error)
            throw error
        }
    }

    /// Erases an expired download.
    func expire(_ job: Job) async throws {
        guard let id = Download.ID(job.payload) else { return }
        try await database.write { transaction in
            let store = DownloadStore(transaction)
            guard let download = try store.download(id) else { return }
            try store.delete(id)
            try NotificationRecords(transaction).removeAll(.download, to: download.account)
        }
    }

    private func begin(_ id: Download.ID) async throws -> Download? {
        try await database.write { transaction in
            let store = DownloadStore(transaction)
            guard let download = try store.download(id),
                download.state == .waiting || download.state == .packing
            else {
                return nil
            }
            try store.setState(.packing, of: id)
            return download
        }
    }

    /// Sends that the state of the person's download has changed.
    private func sendState(to account: Account.ID, _ transaction: Transaction) {
        transaction.afterCommit { [events] _ in
            events.publish(.download, to: account, data: Array("{}".utf8))
        }
    }

    /// Checks that the disk has space for the file.
    ///
    /// - Throws: `BlobError.full` when the file wouldn't leave others room.
    private func checkSpace(for account: Account.ID) async throws {
        let files = features.accountData.flatMap(\.files)
        let needed = try await database.read { transaction in
            try files.map { try $0.byteCount(of: account, transaction) }.reduce(0, +)
        }
        guard try await work.freeBytes() - needed > Self.reservedBytes else { throw BlobError.full }
    }

    private func write(_ download: Download, _ job: Job, to path: String) async throws {
        let zip = try ZipFile(path: path)
        for list in features.accountData.reversed().flatMap(\.lists) {
            try await write(list, of: download.account, to: zip)
        }
        let pictures = try await database.read { try AccountRecords($0).pictureFiles(of: download.account) }
        for (name, blob) in pictures {
            try await write(blob, as: name, date: download.id.createdAt, to: zip)
        }
        try await writeFiles(download, job, to: zip)
        try await thread.runIfActive { try zip.close() }
    }

    private func write(_ list: AccountDataList, of account: Account.ID, to zip: ZipFile) async throws {
        try await thread.runIfActive {
            try zip.begin("\(list.name).json", byteCount: nil, compression: .deflate)
        }
        var last: Int64 = 0
        var separator = "[\n"
        while true {
            let place = last
            let page = try await database.read { try list.page(of: account, after: place, $0) }
            if page.rows.isEmpty { break }
            var bytes: [UInt8] = []
            for row in page.rows {
                bytes += Array(separator.utf8) + row
                separator = ",\n"
            }
            try await thread.runIfActive { [bytes] in try zip.write(bytes) }
            last = page.last
        }
        let end = separator == "[\n" ? "[]\n" : "\n]\n"
        try await thread.runIfActive { try zip.write(Array(end.utf8)) }
    }

    private func writeFiles(_ download: Download, _ job: Job, to zip: ZipFile) async throws {
        var packed = 0
        var savedAt: ContinuousClock.Instant?
        // Photos of the library come first, because the person sees their number.
        for files in features.accountData.reversed().flatMap(\.files) {
            var last: Int64 = 0
            while let next = try await database.read({ [last] transaction in
                try files.next(of: download.account, after: last, transaction)
            }) {
                last = next.place
                let date = ID<Photo>(rawValue: next.place).createdAt
                try await write(next.blob, as: next.name, date: date, to: zip)
                packed = min(packed + 1, download.photosCount)
                if let savedAt, savedAt.duration(to: .now) <= .seconds(Self.progressSeconds) { continue }
                savedAt = .now
                let count = packed
                let isWanted = try await database.write { transaction in
                    try JobOutbox(transaction).extendLease(
                        of: job, until: transaction.now.addingTimeInterval(JobRunner.leaseSeconds))
                    return try DownloadStore(transaction).setPacked(count, of: download.id)
                }
                guard isWanted else { return }
            }
        }
    }

    /// Writes a picture into the file without compressing it, because it is compressed already.
    private func write(_ blob: StoredBlob, as name: String, date: Date, to zip: ZipFile) async throws {
        var offset = 0
        while offset < blob.byteCount {
            let piece: [UInt8]
            do {
                piece = try await blobs.read(blob.key, offset..<min(offset + Self.pieceBytes, blob.byteCount))
            } catch BlobError.notFound where offset == 0 {
                // The photo was deleted a moment ago, so its owner doesn't want it.
                return
            }
            let isFirst = offset == 0
            try await thread.runIfActive {
                if isFirst { try zip.begin(name, byteCount: blob.byteCount, date: date, compression: .none) }
                try zip.write(piece)
            }
            offset += piece.count
            guard !piece.isEmpty else {
                throw BlobError.other(message: "\(blob.key.rawValue) is shorter than it was")
            }
        }
    }
}
