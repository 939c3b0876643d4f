import Core
import Foundation
import Imaging
import Logging
import Storage

extension JobKind {
    /// Copies the picture of a cross-post; the payload is its id.
    static let copyCrossPostPicture = JobKind("copy-cross-post-picture", .short)
    /// Does the next step of a cross-post; the payload is its id and the turn.
    static let crossPost = JobKind("cross-post", .outward)
}

/// The jobs of cross-posts. Each step is recorded before the next one begins.
final class CrossPostJobs: Sendable {
    private let database: Database
    private let blobs: any BlobStore
    private let intake: PictureIntake
    private let listeners: CrossPostListeners
    private let secrets: SecretsKey
    private let calls: CrossPostCalls
    private let now: @Sendable () -> Date
    private let logger: Logger

    /// The largest picture that is uploaded, in bytes. The picture is held in memory.
    private static let mostBytes = 16 << 20

    init(_ app: AppParts, listeners: CrossPostListeners) {
        database = app.database
        blobs = app.blobs
        intake = app.intake
        self.listeners = listeners
        secrets = app.secrets
        calls = CrossPostCalls(http: app.outgoing)
        now = app.now
        logger = app.logger
    }

    // MARK: The picture

    /// Performs ``JobKind/copyCrossPostPicture``: until it succeeds, or for as long as publishing may take.
    func copyPicture(_ job: Job) async throws {
        guard let id = CrossPost.ID(job.payload),
            let found = try await database.read({ try CrossPostRecords($0).waiting(id) }),
            let source = found.source
        else { return }
        do {
            try await copy(source, for: id)
        } catch BlobError.notFound {
            try await fail(id, "The picture was erased before it could be published.")
        } catch let error where found.post.progress.hasNoTime(at: now()) {
            logger.error(
                "a picture couldn't be copied for a cross-post",
                metadata: ["id": "\(id)", "error": "\(error)"])
            try await fail(
                id, "The picture couldn’t be copied for three days. The server’s disk may be full.")
        }
    }

    private func copy(_ source: BlobKey, for id: CrossPost.ID) async throws {
        let copy = try await blobs.copy(source)
        do {
            let isKept = try await database.write { [listeners] transaction in
                guard var found = try CrossPostRecords(transaction).waiting(id), found.source != nil else {
                    return false
                }
                // The copy counts to nobody's storage, since it is deleted after publishing.
                try transaction.insertFile(copy, of: nil)
                (found.source, found.picture) = (nil, copy.key)
                try CrossPostRecords(transaction).save(found, found.post.progress, listeners)
                return true
            }
            if isKept { await blobs.keep([copy.key]) } else { await intake.discard([copy]) }
        } catch {
            await intake.discard([copy], after: error)
            throw error
        }
    }

    private func fail(_ id: CrossPost.ID, _ reason: String) async throws {
        try await database.write { [listeners] transaction in
            guard let found = try CrossPostRecords(transaction).waiting(id) else { return }
            var progress = found.post.progress
            progress.note(.refused(why: reason), at: transaction.now)
            try CrossPostRecords(transaction).save(found, progress, listeners)
        }
    }

    // MARK: Steps

    /// A step that is about to be done.
    private struct Work: Sendable {
        var found: CrossPostStore.Found
        var step: CrossPostProgress.Step
        var place: CrossPostCalls.Place
    }

    /// Performs ``JobKind/crossPost``: does the step of this turn.
    func advance(_ job: Job) async throws {
        let parts = job.payload.split(separator: " ").map(String.init)
        guard parts.count == 2, let id = CrossPost.ID(parts[0]), let turn = Int(parts[1]) else { return }
        let work = try await database.write { [self] in try begin(id, turn, $0) }
        guard let work else { return }
        let outcome = try await perform(work)
        try await database.write { [self] in try note(outcome, of: work, $0) }
    }

    /// Begins a turn. Before the request that creates a post, this is recorded.
    private func begin(_ id: CrossPost.ID, _ turn: Int, _ transaction: Transaction) throws -> Work? {
        let store = CrossPostStore(transaction)
        // After a crash, a job may be left beside its successor; it isn't its turn any more.
        guard var found = try store.post(id), found.turn == turn else { return nil }
        var progress = found.post.progress
        if progress.ending == .uncertain {
            progress.expire()
            try CrossPostRecords(transaction).save(found, progress, listeners)
            return nil
        }
        guard progress.ending == nil else { return nil }
        let connected = try found.connected.flatMap { try ConnectedAccountStore(transaction).account($0) }
        guard let connected,
            let token = secrets.unseal(connected.sealedToken, as: .token(connected.account.id))
        else {
            progress.disconnect()
            try CrossPostRecords(transaction).save(found, progress, listeners)
            return nil
        }
        guard let step = progress.begin(at: transaction.now) else {
            try CrossPostRecords(transaction).save(found, progress, listeners)
            return nil
        }
        found.post.progress = progress
        if step == .post { try store.save(found) }
        let place = CrossPostCalls.Place(
            origin: connected.server.origin, remoteID: connected.remoteID,
            username: connected.account.username, token: token)
        return Work(found: found, step: step, place: place)
    }

    private func perform(_ work: Work) async throws -> CrossPostProgress.Outcome {
        let (post, place) = (work.found.post, work.place)
        switch (work.step, post.progress.mediaID) {
        case (.upload, _): return try await upload(work)
        case (.check, let media?): return try await calls.check(media, at: place)
        case (.mark, _): return try await calls.mark(place)
        case (.post, _):
            guard let picture = CrossPostCalls.Upload(post.progress) else { return .missing }
            return try await calls.post(
                post.text, picture: picture, key: work.found.idempotencyKey, at: place)
        case (.search, _): return try await calls.search(for: post.progress, text: post.text, at: place)
        case (.check, nil): return .missing
        }
    }

    private func upload(_ work: Work) async throws -> CrossPostProgress.Outcome {
        guard let key = work.found.picture, let count = try await blobs.byteCount(of: key) else {
            return .refused(why: "The picture isn’t on this server any more.")
        }
        guard count <= Self.mostBytes else {
            return .refused(why: "The picture is too large to be published.")
        }
        let picture = try await blobs.read(key, 0..<count)
        return try await calls.upload(picture, description: work.found.post.description, to: work.place)
    }

    /// Records the outcome of a step.
    private func note(
        _ outcome: CrossPostProgress.Outcome, of work: Work, _ transaction: Transaction
    ) throws {
        guard let found = try CrossPostStore(transaction).post(work.found.post.id) else { return }
        // A published post stays published, whatever has happened here meanwhile.
        if found.turn != work.found.turn {
            guard case .posted = outcome else { return }
        }
        var progress = found.post.progress
        progress.note(outcome, at: transaction.now)
        guard progress != found.post.progress else { return }
        if outcome == .unauthorized, let connected = found.connected {
            try ConnectedAccountStore(transaction).dropToken(of: connected)
        }
        if progress.ending != nil || progress.attempts > found.post.progress.attempts {
            logger.notice(
                "a cross-post",
                metadata: [
                    "id": "\(found.post.id)", "server": "\(found.post.server)", "step": "\(work.step)",
                    "ending": "\(progress.ending?.rawValue ?? "none")", "attempts": "\(progress.attempts)",
                ])
        }
        try CrossPostRecords(transaction).save(found, progress, listeners)
    }
}
