import Core
import Feeds
import Foundation
import Imaging
import Logging
import People
import Serving
import Storage
import Synchronization

/// The service of old photos near a place: searching, and showing the results.
package final class PastPhotoService: Sendable {
    /// The sources, in the order in which people see their names.
    package let sources: [any PastPhotoSource]

    private let database: Database
    private let pictures: PastPhotoPictures
    private let library: PhotoService
    private let limiter: RateLimiter
    private let patience: Double
    private let waitingPatience: Double
    private let logger: Logger
    /// The searches that are running in this process, so that an earlier search of the same person ends at once. The
    /// database decides which one counts.
    private let running = Mutex<[Account.ID: Running]>([:])

    private struct Running {
        var turn: Int64
        var work: Task<[Outcome], Never>
    }

    /// The outcome of asking one source.
    private struct Outcome: Sendable {
        var name: String
        var title: String
        var result: Result<Findings, SourceFailure>
    }

    /// How long a repeated search is answered from kept results, in seconds.
    static let keptSeconds: TimeInterval = 600
    /// The time without a look after which a search is erased, in seconds: 30 days.
    private static let unusedSeconds: TimeInterval = 30 * 86_400
    /// The most searches of one person in five minutes, without those answered from kept results.
    private static let searchesPerFiveMinutes = 20

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - app: the shared parts.
    ///   - library: where a photo goes that somebody takes over.
    ///   - sources: where photos are looked for.
    ///   - pictures: what fetches the pictures.
    init(
        _ app: AppParts, library: PhotoService, sources: [any PastPhotoSource], pictures: PastPhotoPictures
    ) {
        self.sources = sources
        self.pictures = pictures
        patience = app.configuration.pastPhotos.patience
        waitingPatience = app.configuration.pastPhotos.waitingPatience
        database = app.database
        self.library = library
        logger = app.logger
        limiter = RateLimiter(limit: Self.searchesPerFiveMinutes, per: 300, capacity: 50_000, now: app.now)
    }

    // MARK: Searching

    /// Asks all sources of a query, and keeps their results as the viewer's last search. A repeated search within ten
    /// minutes is answered from kept results, unless a source failed.
    ///
    /// A source that fails or takes too long is reported in its answer, and the others are not held up. When a source
    /// failed and the others found nothing, the last search stays.
    ///
    /// - Throws: ``Refusal``: 409 when the viewer has begun a later search meanwhile, 429 after too many.
    func search(_ query: PastPhotoQuery, by viewer: Account) async throws -> PastSearch.Result {
        let (turn, kept) = try await begin(query, by: viewer)
        let earlier = running.withLock { $0[viewer.id] }
        earlier?.work.cancel()
        if let kept { return .saved(kept) }
        let work = Task { [self] in await ask(query, for: viewer) }
        running.withLock { running in
            guard running[viewer.id].map({ $0.turn < turn }) ?? true else { return }
            running[viewer.id] = Running(turn: turn, work: work)
        }
        defer {
            running.withLock { if $0[viewer.id]?.turn == turn { $0[viewer.id] = nil } }
        }
        let outcomes = await work.value
        guard !work.isCancelled else { throw Self.overtaken }
        return try await keep(outcomes, query, turn, of: viewer)
    }

    private static let overtaken = Refusal.conflict("You have started another search since.")

    /// Begins the viewer's next search, and returns the kept search when it is the same.
    private func begin(
        _ query: PastPhotoQuery, by viewer: Account
    ) async throws -> (turn: Int64, kept: PastSearch?) {
        let isKept = try await database.read { try PastPhotoRecords($0).fresh(query, of: viewer.id) != nil }
        if !isKept {
            let taken = limiter.take("\(viewer.id)")
            guard taken.isAllowed else {
                let seconds = max(1, Int(taken.untilNext.rounded(.up)))
                throw Refusal(
                    .tooOften(retryAfter: seconds), "You have searched very often. Try again in a moment.")
            }
        }
        return try await database.write { [self] transaction in
            let turn = try PastPhotoStore(transaction).beginTurn(of: viewer.id)
            guard isKept, var search = try PastPhotoRecords(transaction).fresh(query, of: viewer.id) else {
                return (turn, nil)
            }
            search.photos = try photos(of: search.id, for: viewer, transaction)
            search.isKept = true
            return (turn, search)
        }
    }

    /// Asks all sources at once.
    private func ask(_ query: PastPhotoQuery, for viewer: Account) async -> [Outcome] {
        let asked = sources.filter { query.sources.contains($0.name) }
        return await withTaskGroup(of: (Int, Outcome).self) { group in
            for (place, source) in asked.enumerated() {
                group.addTask { [self] in
                    let result = await ask(source, query, for: viewer)
                    return (place, Outcome(name: source.name, title: source.title, result: result))
                }
            }
            var outcomes: [(Int, Outcome)] = []
            for await outcome in group { outcomes.append(outcome) }
            return outcomes.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private func ask(
        _ source: any PastPhotoSource, _ query: PastPhotoQuery, for viewer: Account
    ) async -> Result<Findings, SourceFailure> {
        // The time ends a moment earlier for the source, so that a source with several answers can return the ones that
        // it has.
        let deadline = ContinuousClock.now + .seconds(patience * 0.95)
        do {
            return .success(
                try await withTimeLimit(seconds: patience) {
                    try await source.find(query, for: viewer, until: deadline)
                })
        } catch let failure as SourceFailure {
            return .failure(failure)
        } catch let error as OutgoingError {
            return .failure(SourceFailure(error, of: source.title))
        } catch is CancellationError {
            return .failure(SourceFailure(.stopped, of: source.title))
        } catch {
            logger.error(
                "a source of past photos failed", metadata: ["source": "\(source.name)", "error": "\(error)"])
            return .failure(SourceFailure("\(source.title) couldn’t be searched. Try again later."))
        }
    }

    /// Replaces the viewer's last search, in one transaction, so that the earlier search is complete until then.
    private func keep(
        _ outcomes: [Outcome], _ query: PastPhotoQuery, _ turn: Int64, of viewer: Account
    ) async throws -> PastSearch.Result {
        let found = outcomes.flatMap { (try? $0.result.get().photos) ?? [] }
        let list = PastPhotoMerge.list(found, query, limit: PastPhotoQuery.mostPhotos)
        let answers = outcomes.map { Self.answer($0, list) }
        if list.isEmpty, answers.contains(where: { $0.state == .failed }) {
            let isNewest = try await database.read { try PastPhotoStore($0).turn(of: viewer.id) == turn }
            guard isNewest else { throw Self.overtaken }
            return .failed(answers)
        }
        let search = try await database.write { [self] transaction in
            let store = PastPhotoStore(transaction)
            guard try store.turn(of: viewer.id) == turn else { throw Self.overtaken }
            // One job for each account that has a search. The job looks at the search that exists by then.
            if try !store.erase(of: viewer.id) {
                try transaction.schedule(
                    .eraseUnusedPastSearch, payload: viewer.id.description,
                    at: transaction.now.addingTimeInterval(Self.unusedSeconds))
            }
            try store.insert(query, answers, list, of: viewer.id)
            return try last(of: viewer, transaction)?.search
        }
        guard let search else { throw Self.overtaken }
        pictures.fetch(search.photos.filter { $0.picture == .waiting }.map(\.id))
        return .saved(search)
    }

    private static func answer(_ outcome: Outcome, _ list: [PastPhotoMerge.Placed]) -> PastSearch.Answer {
        var answer = PastSearch.Answer(
            name: outcome.name, title: outcome.title, state: .ok,
            count: list.count { $0.photo.source == outcome.name })
        switch outcome.result {
        case .success(let findings):
            answer.message = findings.narrowed
            if findings.narrowed != nil { answer.state = .narrowed }
        case .failure(let failure): (answer.state, answer.message) = (.failed, failure.sentence)
        }
        return answer
    }

    // MARK: Looking

    /// Returns the viewer's last search with its results; nil before the first search.
    func last(of viewer: Account) async throws -> PastSearch? {
        let found = try await database.read { [self] transaction -> (search: PastSearch, isStale: Bool)? in
            guard let (search, usedAt) = try last(of: viewer, transaction) else { return nil }
            return (search, transaction.now.timeIntervalSince(usedAt) > 86_400)
        }
        if let found, found.isStale {
            try await database.write { try PastPhotoStore($0).touch(found.search.id) }
        }
        return found?.search
    }

    private func last(
        of viewer: Account, _ transaction: Transaction
    ) throws -> (search: PastSearch, usedAt: Date)? {
        guard let head = try PastPhotoStore(transaction).head(of: viewer.id) else { return nil }
        var search = head.search
        search.photos = try photos(of: search.id, for: viewer, transaction)
        return (search, head.usedAt)
    }

    private func photos(
        of search: PastSearch.ID, for viewer: Account, _ transaction: Transaction
    ) throws -> [PastPhoto] {
        try PastPhotoStore(transaction).photos(of: search)
            .filter { try PastPhotoRecords(transaction).maySee($0, viewer.id) }
    }

    /// Returns a photo of the viewer's last search.
    ///
    /// - Throws: ``Refusal`` (404) for any other, and for one of this server that may no longer be found.
    func photo(_ id: PastPhoto.ID, for viewer: Account) async throws -> PastPhoto {
        try await database.read { try PastPhotoRecords($0).photo(id, for: viewer.id) }
    }

    /// Returns the file of a picture, for a viewer who may see it now. Waits until it was fetched.
    ///
    /// - Throws: ``Refusal``: 404 if there is none, if they may not see it, if it can't be fetched, or if the URL's
    ///   signature is no longer valid; 503 when it takes too long.
    func rendition(
        _ id: PastPhoto.ID, _ size: Photo.Size, _ format: RenditionFormat, for asker: PhotoService.Asker
    ) async throws -> BlobKey {
        guard PastPhoto.sizes.contains(size) else { throw Refusal.notFound }
        for isLast in [false, true] {
            let key = try await database.read { [library] transaction -> BlobKey? in
                let viewer = try library.viewer(asker, of: id, transaction)
                let photo = try PastPhotoRecords(transaction).photo(id, for: viewer)
                if photo.picture == .waiting { return nil }
                return try PastPhotoRecords(transaction).file(of: photo, size, format)
            }
            if let key { return key }
            if !isLast { try await pictures.wait(for: id, seconds: waitingPatience) }
        }
        throw PastPhotoPictures.later
    }

    // MARK: Making something of a photo

    /// Returns the files of a found photo: `large` and `square` in both formats, and `full.jpeg`, of at most 4,096 px,
    /// when the source has it in that size and there is room for it. Waits until they were fetched.
    ///
    /// A photo of this server is given in the sizes in which others see it.
    ///
    /// - Throws: ``Refusal``: 404 when the viewer may not see it, 422 with the reason when it can't be fetched, 503
    ///   when it takes too long.
    func files(of id: PastPhoto.ID, for viewer: Account) async throws -> [KeptFile] {
        var photo = try await photo(id, for: viewer)
        if let own = photo.found.photo {
            // Never the original: its owner agreed that others find the post, not the camera's metadata.
            let files = try await database.read { try PhotoRecords($0).uncheckedFiles(own) }
            return files.filter { $0.variant != "original" }
        }
        if photo.picture == .waiting {
            try await pictures.wait(for: id, seconds: waitingPatience)
            photo = try await self.photo(id, for: viewer)
        }
        switch photo.picture {
        case .waiting: throw PastPhotoPictures.later
        case .failed(let sentence): throw Refusal.invalid("past_photo_id", "ERR_INVALID", sentence)
        case .ready: break
        }
        let files = try await database.read { try PastPhotoStore($0).files(of: id) }
        guard !files.contains(where: { $0.variant == "full.jpeg" }) else { return files }
        try await pictures.fetchFull(photo)
        return try await database.read { try PastPhotoStore($0).files(of: id) }
    }

    // MARK: Erasing

    /// Performs ``JobKind/eraseUnusedPastSearch``: erases a search that wasn't looked at for 30 days, or checks again
    /// later.
    static func eraseUnused(_ job: Job, in database: Database) async throws {
        guard let account = Account.ID(job.payload) else { return }
        try await database.write { transaction in
            let store = PastPhotoStore(transaction)
            guard let usedAt = try store.head(of: account)?.usedAt else { return }
            let end = usedAt.addingTimeInterval(unusedSeconds)
            if end <= transaction.now {
                try store.erase(of: account)
            } else {
                try transaction.schedule(.eraseUnusedPastSearch, payload: job.payload, at: end)
            }
        }
    }
}
