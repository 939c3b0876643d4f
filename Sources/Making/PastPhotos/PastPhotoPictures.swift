import Core
import Foundation
import Imaging
import Logging
import Serving
import Storage
import Synchronization

extension RenditionSpec {
    /// The sizes in which a found photo is shown.
    static let pastPhoto = [
        RenditionSpec(name: "large", shape: .fit(longestSide: 1440)),
        RenditionSpec(name: "square", shape: .square(side: 240)),
    ]

    /// The full size of a found photo, for making a picture with it.
    static let pastPhotoFull = RenditionSpec(
        name: "full", shape: .fit(longestSide: 4096), formats: [.jpeg])
}

/// The fetching of found photos' pictures: a few at once, and in the order in which people look at them.
///
/// The queue is in memory only: after a restart, a picture that wasn't fetched yet is fetched when it is requested.
final class PastPhotoPictures: Sendable {
    /// The most bytes that the files of all photos found by one person have together.
    static let mostBytesOfAccount = 60_000_000
    /// The most bytes of a picture that is fetched to be looked at: about a thousand pixels.
    private static let mostBytes = 12_000_000
    private static let mostAtOnce = 3
    private static let mostQueued = 3_000
    private static let mostWaiters = 128

    private struct Waiter {
        var number: Int
        var answer: CheckedContinuation<Bool, Never>
        var timer: Task<Void, Never>
    }

    private struct State {
        var queue: [PastPhoto.ID] = []
        var running: Set<PastPhoto.ID> = []
        var waiters: [PastPhoto.ID: [Waiter]] = [:]
        var waitersCount = 0
        var nextWaiter = 0
    }

    private let database: Database
    private let blobs: any BlobStore
    private let intake: PictureIntake
    private let http: OutgoingHTTP
    private let logger: Logger
    private let mostFullBytes: Int
    private let patience: Double
    private let state = Mutex(State())

    /// Creates an empty queue.
    ///
    /// - Parameter patience: how long fetching a picture may take, in seconds.
    init(_ app: AppParts, patience: Double) {
        self.patience = patience
        database = app.database
        blobs = app.blobs
        intake = app.intake
        http = app.outgoing
        mostFullBytes = app.configuration.pictureBytes
        logger = app.logger
    }

    // MARK: The queue

    /// Fetches pictures in the background, those that already wait first. Pictures beyond the length of the queue are
    /// fetched when they are requested.
    func fetch(_ photos: [PastPhoto.ID]) {
        let begun = state.withLock { state in
            let known = state.running.union(state.queue)
            let new = photos.filter { !known.contains($0) }
            state.queue += new.prefix(max(0, Self.mostQueued - state.queue.count))
            return Self.begin(&state)
        }
        work(on: begun)
    }

    /// Fetches a picture before all others that wait. Returns when it is ready, when it can't be fetched, or after some
    /// seconds.
    ///
    /// - Throws: ``Refusal`` (503) when too many wait already.
    func wait(for photo: PastPhoto.ID, seconds: Double) async throws {
        let number = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        let isAdmitted = await withTaskCancellationHandler {
            await withCheckedContinuation { (answer: CheckedContinuation<Bool, Never>) in
                let timer = Task { [weak self] in
                    try? await Task.sleep(for: .seconds(seconds))
                    self?.release(number, of: photo)
                }
                let (isAdmitted, begun) = state.withLock { state in
                    guard state.waitersCount < Self.mostWaiters else { return (false, [PastPhoto.ID]()) }
                    state.waitersCount += 1
                    state.waiters[photo, default: []].append(
                        Waiter(number: number, answer: answer, timer: timer))
                    if !state.running.contains(photo) {
                        state.queue.removeAll { $0 == photo }
                        state.queue.insert(photo, at: 0)
                    }
                    return (true, Self.begin(&state))
                }
                work(on: begun)
                if !isAdmitted {
                    timer.cancel()
                    answer.resume(returning: false)
                }
                // The handler below may have run before the waiter was in the list.
                if Task.isCancelled { release(number, of: photo) }
            }
        } onCancel: {
            release(number, of: photo)
        }
        guard isAdmitted else { throw Self.later }
    }

    static let later = Refusal(
        .unavailable(retryAfter: 5), "This picture is still being loaded. Try again in a moment.")

    /// Takes the next pictures from the queue, as many as may be fetched at once.
    private static func begin(_ state: inout State) -> [PastPhoto.ID] {
        let next = Array(state.queue.prefix(max(0, mostAtOnce - state.running.count)))
        state.queue.removeFirst(next.count)
        state.running.formUnion(next)
        return next
    }

    private func work(on photos: [PastPhoto.ID]) {
        for photo in photos {
            // The task belongs to no request: several may wait for the picture, and it is kept for later ones.
            Task.detached { [self] in
                await fetch(photo)
                finish(photo)
            }
        }
    }

    private func finish(_ photo: PastPhoto.ID) {
        let (waiters, begun) = state.withLock { state in
            state.running.remove(photo)
            let waiters = state.waiters.removeValue(forKey: photo) ?? []
            state.waitersCount -= waiters.count
            return (waiters, Self.begin(&state))
        }
        for waiter in waiters {
            waiter.timer.cancel()
            waiter.answer.resume(returning: true)
        }
        work(on: begun)
    }

    /// Returns whether a request waits for a picture.
    private func isAwaited(_ photo: PastPhoto.ID) -> Bool { state.withLock { $0.waiters[photo] != nil } }

    /// Ends the waiting of one request, because it has waited long enough or was closed.
    private func release(_ number: Int, of photo: PastPhoto.ID) {
        let waiter = state.withLock { state -> Waiter? in
            guard let index = state.waiters[photo]?.firstIndex(where: { $0.number == number }) else {
                return nil
            }
            state.waitersCount -= 1
            let waiter = state.waiters[photo]?.remove(at: index)
            if state.waiters[photo]?.isEmpty == true { state.waiters[photo] = nil }
            return waiter
        }
        waiter?.timer.cancel()
        waiter?.answer.resume(returning: true)
    }

    // MARK: A picture

    /// Fetches a picture for display, and records the result.
    private func fetch(_ id: PastPhoto.ID) async {
        do {
            let photo = try await database.read { try PastPhotoStore($0).photo(id) }
            guard let photo, photo.picture == .waiting, photo.found.photo == nil else { return }
            do {
                try await store(
                    photo, from: photo.found.pictureURL, atMost: Self.mostBytes,
                    RenditionSpec.pastPhoto)
            } catch {
                guard let sentence = Self.sentence(error) else { throw error }
                try await database.write { try PastPhotoStore($0).setFailed(id, sentence) }
            }
        } catch let refusal as Refusal where refusal == .notFound {
            // The search was replaced in the meantime.
            return
        } catch {
            // The picture stays in its state, and is fetched when it is requested.
            logger.info("a found picture didn’t come", metadata: ["error": "\(error)"])
        }
    }

    /// Fetches the picture of a photo in full size, if the source has one and there is room for it.
    ///
    /// - Throws: `CancellationError`; any other failure is logged, since the smaller picture is here.
    func fetchFull(_ photo: PastPhoto) async throws {
        guard let url = photo.found.fullURL else { return }
        do {
            try await store(photo, from: url, atMost: mostFullBytes, [.pastPhotoFull])
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            logger.info("a found picture didn’t come in full size", metadata: ["error": "\(error)"])
        }
    }

    private func store(
        _ photo: PastPhoto, from url: String, atMost bytes: Int, _ renditions: [RenditionSpec]
    ) async throws {
        let upload = try blobs.receive(maximumBytes: bytes)
        do {
            let limits = OutgoingLimits(bytes: bytes, seconds: patience, mediaTypes: ["image/"])
            _ = try await http.download(url, into: upload, limits: limits)
        } catch {
            await blobs.discard(upload)
            throw error
        }
        let isFull = renditions == [.pastPhotoFull]
        _ = try await intake.take(
            upload, of: photo.owner, renditions: renditions, keepsOriginal: false,
            urgency: isAwaited(photo.id) ? .awaited : nil, into: database
        ) { transaction -> Bool? in
            let store = PastPhotoStore(transaction)
            guard let now = try store.photo(photo.id) else { throw Refusal.notFound }
            let isHere =
                isFull
                ? try store.files(of: photo.id).contains { $0.variant == "full.jpeg" }
                : now.picture != .waiting
            return isHere ? true : nil
        } insert: { transaction, picture in
            let store = PastPhotoStore(transaction)
            let bytes = picture.files.reduce(0) { $0 + $1.blob.byteCount }
            guard try store.byteCount(of: photo.owner) + bytes <= Self.mostBytesOfAccount else {
                throw Refusal.conflict("There is no room for more pictures of this search.")
            }
            try store.insert(picture.files, of: photo)
            if !isFull {
                try store.setReady(photo.id, width: picture.facts.width, height: picture.facts.height)
            }
            return true
        }
    }

    /// Returns why a picture can't be fetched, for the person; nil for failures that may be temporary.
    private static func sentence(_ error: any Error) -> String? {
        switch error {
        case OutgoingError.busy, OutgoingError.stopped: nil
        case OutgoingError.tooLarge, BlobError.tooLarge: "This picture is too large for this server."
        case OutgoingError.wrongType: "The source sent something other than a picture."
        case OutgoingError.forbiddenAddress, OutgoingError.badURL, OutgoingError.badRedirect:
            "The source points to an address that this server doesn’t load from."
        case OutgoingError.status(404, _), OutgoingError.status(410, _):
            "The source no longer has this picture."
        case is OutgoingError: "This picture couldn’t be fetched. Search again to try once more."
        case let refusal as Refusal:
            switch refusal.kind {
            case .unsupported: "The source sent something that can’t be read as a picture."
            case .tooLarge: "This picture is too large for this server."
            // The person's storage is used up, or the space for found pictures.
            case .invalid, .conflict: refusal.message
            default: nil
            }
        default: nil
        }
    }
}
