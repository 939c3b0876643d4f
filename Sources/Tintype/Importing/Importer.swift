import Core
import Crypto
import Feeds
import Foundation
import People
import Serving
import Storage
import Synchronization
import UnixSignals

/// Imports archives of other services: pictures into the library and, if asked to, posts with their dates.
///
/// An archive is read twice: first its texts, which may be at its end, then its pictures one after the other, each of
/// which is taken like an upload. Posts are made after all pictures, of those that are in the library. Each photo and each
/// post is one transaction together with the row that says so, so an import goes on where another one has ended, however
/// that was.
struct Importer: Sendable {
    private let database: Database
    private let blobs: any BlobStore
    private let photos: PhotoService
    private let posts: PostService
    var limits = ForeignArchive.Limits()

    /// How often a picture is tried while too many others are waiting.
    private static let tries = 20
    /// The most seconds to wait before a picture is tried again.
    private static let longestWait = 60

    init(database: Database, blobs: any BlobStore, photos: PhotoService, posts: PostService) {
        (self.database, self.blobs, self.photos, self.posts) = (database, blobs, photos, posts)
    }

    /// Imports an archive.
    ///
    /// - Parameters:
    ///   - shouldStop: asked before each photo and post.
    ///   - progress: told what was done, after each photo and post.
    /// - Throws: ``Refusal`` when the archive can't be read, or when the owner's storage is full.
    func run(
        _ path: String, from service: ForeignService, of owner: Account, _ options: ImportOptions,
        shouldStop: @Sendable () -> Bool, progress: @Sendable (String) -> Void
    ) async throws -> ImportReport {
        let collection = try read(path, service)
        var report = ImportReport()
        report.leftOut = collection.leftOut
        var pictures = Pictures(of: collection.posts)
        try await addPhotos(path, service, owner, &pictures, &report, shouldStop, progress)
        guard !report.isStopped else { return report }
        for place in pictures.missing { report.leftOut.add(.missing, place) }
        guard options.makesPosts else { return report }
        report.posts = 0
        let wanted = collection.posts.filter { !$0.isLibraryOnly }.sorted { $0.postedAt < $1.postedAt }
        for (index, post) in wanted.enumerated() {
            guard !shouldStop() else {
                report.isStopped = true
                return report
            }
            try await add(post, from: service, of: owner, options, pictures, &report)
            progress("\(index + 1) of \(wanted.count.of("post"))")
        }
        return report
    }

    // MARK: Reading

    /// Returns what an archive's texts say.
    private func read(_ path: String, _ service: ForeignService) throws -> ForeignCollection {
        let archive = try ForeignArchive(path: path, limits: limits)
        var texts: [String: Data] = [:]
        var others: [String] = []
        var left = limits.textBytes
        while let entry = try archive.next() {
            if service.isText(entry.name) {
                let text = try archive.contents(atMost: left, called: entry.name)
                left -= text.count
                texts[entry.name] = text
            } else if others.count < 1_000 {
                others.append(entry.name)
            }
        }
        return try service.read(texts, others: others)
    }

    /// The pictures of an archive by their places.
    private struct Pictures {
        private var wanted: [String: (description: String, madeAt: Date)] = [:]
        /// The photos that the pictures have become; nil for one that was deleted since.
        private(set) var found: [String: Photo.ID?] = [:]
        private(set) var order: [String] = []

        init(of posts: [ForeignPost]) {
            for post in posts {
                for (index, picture) in post.pictures.enumerated() where wanted[picture.place] == nil {
                    // Like photos that were uploaded one after the other just before the post.
                    let before = TimeInterval(post.pictures.count - index)
                    wanted[picture.place] = (picture.description, post.postedAt.addingTimeInterval(-before))
                    order.append(picture.place)
                }
            }
        }

        var count: Int { order.count }

        /// Returns what is known of a picture that is still wanted.
        func wanted(_ place: String) -> (description: String, madeAt: Date)? {
            found[place] == nil ? wanted[place] : nil
        }

        mutating func note(_ photo: Photo.ID?, at place: String) { found[place] = .some(photo) }

        /// The places of pictures that no file of the archive had.
        var missing: [String] { order.filter { found[$0] == nil } }

        /// Returns the photo at a place; nil when there is none.
        subscript(place: String) -> Photo.ID? { found[place] ?? nil }
    }

    // MARK: Photos

    private func addPhotos(
        _ path: String, _ service: ForeignService, _ owner: Account, _ pictures: inout Pictures,
        _ report: inout ImportReport, _ shouldStop: @Sendable () -> Bool,
        _ progress: @Sendable (String) -> Void
    ) async throws {
        let archive = try ForeignArchive(path: path, limits: limits)
        var done = 0
        while let entry = try archive.next() {
            let place = service.place(ofFile: entry.name)
            guard let (description, date) = pictures.wanted(place) else { continue }
            guard !shouldStop() else {
                report.isStopped = true
                return
            }
            let picture = Picture(name: entry.name, description: description, madeAt: date)
            let photo = try await add(picture, in: archive, service, owner, &report, shouldStop)
            guard !report.isStopped else { return }
            pictures.note(photo, at: place)
            done += 1
            progress("\(done) of \(pictures.count.of("photo"))")
        }
    }

    /// A picture of an archive that is being added.
    private struct Picture {
        let name: String
        let description: String
        let madeAt: Date
    }

    private enum Added: Sendable {
        case new(Photo.ID)
        case known(Photo.ID?)
        /// Somebody has stopped the import while the picture waited.
        case not
    }

    /// Adds the file that an archive is at to the library, unless it has been there already. Returns its photo; nil for a
    /// picture that isn't accepted, and for one that was deleted since.
    private func add(
        _ picture: Picture, in archive: ForeignArchive, _ service: ForeignService, _ owner: Account,
        _ report: inout ImportReport, _ shouldStop: @Sendable () -> Bool
    ) async throws -> Photo.ID? {
        let most = blobs.maximumBytes
        // In memory, since the archive can't go back, and a picture is tried again when too many others wait.
        var bytes: [UInt8] = []
        do {
            while case let chunk = try archive.chunk(), !chunk.isEmpty {
                guard chunk.count <= most - bytes.count else {
                    report.leftOut.add(
                        .refused("Pictures of more than \(ByteSize.words(most))"), picture.name)
                    return nil
                }
                bytes += chunk
            }
        } catch is ForeignArchive.Damaged {
            report.leftOut.add(.damaged, picture.name)
            return nil
        }
        do {
            switch try await added(picture, bytes, service, owner, shouldStop) {
            case .new(let id):
                report.photos += 1
                return id
            case .known(let id):
                report.knownPhotos += 1
                return id
            case .not:
                report.isStopped = true
                return nil
            }
        } catch let refusal as Refusal {
            switch refusal.kind {
            case .unsupported, .tooLarge: report.leftOut.add(.refused(refusal.message), picture.name)
            // No further picture would fit.
            default: throw refusal
            }
            return nil
        }
    }

    /// Adds a picture that isn't known yet, as often as it takes until it is the owner's turn.
    private func added(
        _ picture: Picture, _ bytes: [UInt8], _ service: ForeignService, _ owner: Account,
        _ shouldStop: @Sendable () -> Bool
    ) async throws -> Added {
        let key = ImportKey.file(Array(SHA256.hash(data: bytes)), of: owner.id, from: service)
        if let known = try await database.read({ try ImportStore($0).photo(key) }) { return .known(known) }
        var tries = 0
        while true {
            tries += 1
            let file = try blobs.receive()
            do {
                try await file.write(bytes)
            } catch {
                await blobs.discard(file)
                throw error
            }
            do {
                return try await photos.add(
                    .init(file: file, description: picture.description, madeAt: picture.madeAt),
                    to: owner.id
                ) { transaction in
                    try ImportStore(transaction).photo(key).map(Added.known)
                } note: { id, transaction in
                    try ImportStore(transaction).insert(key, photo: id)
                    return Added.new(id)
                }
            } catch let refusal as Refusal where tries < Self.tries {
                let wait: Int
                switch refusal.kind {
                case .tooOften(let seconds), .unavailable(let seconds):
                    wait = min(max(1, seconds), Self.longestWait)
                default: throw refusal
                }
                for _ in 0..<wait where !shouldStop() { try await Task.sleep(for: .seconds(1)) }
                if shouldStop() { return .not }
            }
        }
    }

    // MARK: Posts

    /// Makes a post of the photos that its pictures have become, unless it was made before.
    private func add(
        _ post: ForeignPost, from service: ForeignService, of owner: Account, _ options: ImportOptions,
        _ pictures: Pictures, _ report: inout ImportReport
    ) async throws {
        let key = ImportKey.post(post.key, of: owner.id, from: service)
        let found = post.pictures.compactMap { pictures[$0.place] }.withoutRepeats()
        let shown = Array(found.prefix(PostRules.photosCount.upperBound))
        let draft = PostService.Draft(
            words: post.words, photos: shown, visibility: options.visibility(of: post))
        let isNew = try await database.write { [posts] transaction -> Bool? in
            if try ImportStore(transaction).has(key) { return false }
            guard !shown.isEmpty else { return nil }
            let id = try posts.add(draft, postedAt: post.postedAt, by: owner, transaction)
            try ImportStore(transaction).insert(key, post: id)
            return true
        }
        switch isNew {
        case true?:
            report.posts? += 1
            if found.count > shown.count { report.leftOut.add(.beyondTen, post.key) }
        case false?: report.knownPosts += 1
        case nil: report.leftOut.add(.photosGone, post.key)
        }
    }
}

extension ImportOptions {
    /// Returns who may see a post here: nobody who couldn't see it over there, and nobody beyond the audience.
    func visibility(of post: ForeignPost) -> Post.Visibility {
        let most: Post.Visibility? =
            switch audience {
            case .followers: .followers
            case .unlisted: .unlisted
            case .everyone: .server
            case nil: nil
            }
        let order = Post.Visibility.fromNarrowest
        let wanted = [post.visibility, most].compactMap { $0 }
        return order.first { wanted.contains($0) } ?? .followers
    }
}

extension Post.Visibility {
    /// All audiences, the smallest first.
    fileprivate static let fromNarrowest: [Post.Visibility] = [.followers, .unlisted, .server]
}

extension TintypeApplication {
    /// Imports the archive of another service into somebody's library, also beside a running server. SIGINT and SIGTERM
    /// stop it after the photo or post that it is at; running it again goes on.
    ///
    /// - Parameters:
    ///   - path: the archive's file.
    ///   - progress: told what was done, after each photo and post.
    /// - Throws: ``Refusal``: 404 when nobody is called so or the file can't be read, 400 when it isn't such an archive,
    ///   422 when the owner's storage is full.
    public func importArchive(
        at path: String, from service: ForeignService, of username: String, _ options: ImportOptions,
        progress: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws -> ImportReport {
        let owner = try await database.read { try AccountRecords($0).called(username) }
        let stop = StopMark()
        let importer = features.importing.importer
        return try await withThrowingTaskGroup(of: ImportReport?.self) { group in
            let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
            group.addTask {
                for await _ in signals { stop.isSet.store(true, ordering: .releasing) }
                return nil
            }
            group.addTask {
                try await importer.run(
                    path, from: service, of: owner, options,
                    shouldStop: { stop.isSet.load(ordering: .acquiring) }, progress: progress)
            }
            defer { group.cancelAll() }
            while let report = try await group.next() { if let report { return report } }
            throw CancellationError()
        }
    }
}

/// Whether somebody wants an import to end.
private final class StopMark: Sendable {
    let isSet = Atomic(false)
}
