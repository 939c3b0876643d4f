import Foundation
import Imaging
import Logging
import Serving
import Storage

/// A picture whose renditions are in the blob store.
package struct StoredPicture: Sendable {
    /// One file of the picture.
    package struct File: Sendable {
        /// The variant: `original`, or the rendition's name and format, such as `large.webp`.
        package var variant: String
        package var blob: StoredBlob
        package var width: Int
        package var height: Int
    }

    package var facts: ProcessedImage
    package var files: [File]
}

/// The service that turns uploads into clean renditions in the blob store.
///
/// The files belong to no row at first. The caller names them in its transaction and then calls ``keep(_:)``, or
/// ``discard(_:after:)`` if the transaction failed. After a crash in between, the next start erases them, since the
/// blob store remembers which files are not kept.
///
/// Work within a request is done before other work, and ended when the request's client has left (``RequestClient``);
/// then nothing was stored. Every function that processes a picture throws ``Refusal``: 429 if the owner has too much
/// work waiting, 503 if the server has, or if it stops.
package final class PictureIntake: Sendable {
    private let processor: ImageProcessor
    private let blobs: any BlobStore
    private let work: WorkFolder
    private let logger: Logger
    /// How much each person may store.
    package let allowance: StorageAllowance

    init(
        processor: ImageProcessor, blobs: any BlobStore, work: WorkFolder, allowance: StorageAllowance,
        logger: Logger
    ) {
        self.processor = processor
        self.blobs = blobs
        self.work = work
        self.allowance = allowance
        self.logger = logger
    }

    /// Makes the renditions of an upload, decoding it once. The upload is consumed, also after an error.
    ///
    /// - Parameters:
    ///   - upload: the received file.
    ///   - owner: the owner who is charged for the work.
    ///   - crop: a square of the picture; nil for the whole picture.
    ///   - keepsOriginal: whether the unchanged file is stored, too.
    ///   - urgency: the urgency of the work; nil for that of the current request or background work.
    /// - Throws: `ImageError` for a file that isn't accepted, `BlobError` when the disk is full.
    package func take(
        _ upload: IncomingBlob, for owner: PictureOwner, renditions: [RenditionSpec],
        crop: CropSquare? = nil, keepsOriginal: Bool, urgency: PictureTurn.Urgency? = nil
    ) async throws -> StoredPicture {
        let folder: String
        do {
            folder = try await work.makeFolder()
        } catch {
            await blobs.discard(upload)
            throw error
        }
        var files: [StoredPicture.File] = []
        do {
            try await upload.finish()
            let facts = try await inTurn(of: owner, urgency) { [processor] turn in
                try await processor.process(
                    fileAt: upload.path, crop: crop, renditions: renditions, into: folder, for: turn)
            }
            try await store(facts.renditions, into: &files)
            if keepsOriginal {
                let blob = try await blobs.commit(upload)
                files.append(.init(variant: "original", blob: blob, width: facts.width, height: facts.height))
            } else {
                await blobs.discard(upload)
            }
            work.removeFolder(folder)
            return StoredPicture(facts: facts, files: files)
        } catch {
            await blobs.discard(upload)
            await discard(files.map(\.blob))
            work.removeFolder(folder)
            throw error
        }
    }

    /// Makes the renditions of an upload and names them in one transaction. After an error, the upload and everything
    /// made of it are erased.
    ///
    /// - Parameters:
    ///   - owner: the account to whose storage the files count.
    ///   - urgency: the urgency of the work; nil for that of the current request or background work.
    ///   - database: the database with the rows.
    ///   - admit: called before the work, and again in the transaction. Returns what an earlier request with the same
    ///     key made, which is then the answer; throws to refuse.
    ///   - insert: names the files in rows.
    /// - Throws: ``Refusal``: 415 not a picture, 413 too large, 422 when the owner's storage is full, 429 too many
    ///   pictures of the owner at once, 503 too many of everyone or no room on the disk; what the closures throw.
    package func take<Row: Sendable>(
        _ upload: IncomingBlob, of owner: Account.ID, renditions: [RenditionSpec], keepsOriginal: Bool,
        urgency: PictureTurn.Urgency? = nil, into database: Database,
        unless admit: @escaping @Sendable (Transaction) throws -> Row?,
        insert: @escaping @Sendable (Transaction, StoredPicture) throws -> Row
    ) async throws -> Row {
        do {
            let bytes = keepsOriginal ? upload.byteCount : 0
            let known = try await database.read { [allowance] transaction in
                let known = try admit(transaction)
                if known == nil { try allowance.check(owner, adding: bytes, transaction) }
                return known
            }
            if let known {
                await blobs.discard(upload)
                return known
            }
        } catch {
            await blobs.discard(upload)
            throw error
        }
        let picture: StoredPicture
        do {
            picture = try await take(
                upload, for: .account(owner), renditions: renditions, keepsOriginal: keepsOriginal,
                urgency: urgency)
        } catch let error as ImageError {
            throw Refusal(imageError: error, field: "file")
        }
        return try await name(picture, of: owner, in: database) { transaction in
            if let known = try admit(transaction) { return (known, isNew: false) }
            return (try insert(transaction, picture), isNew: true)
        }
    }

    /// Names the files of a picture in one transaction. The files are erased when the transaction fails, and when they
    /// aren't needed.
    ///
    /// - Parameters:
    ///   - owner: the account to whose storage the files count.
    ///   - insert: returns the thing for which the files were named, or an existing thing in its place, with `isNew`
    ///     false.
    /// - Throws: ``Refusal`` (422) when the owner's storage is full; what the closure throws.
    package func name<Row: Sendable>(
        _ picture: StoredPicture, of owner: Account.ID, in database: Database,
        insert: @escaping @Sendable (Transaction) throws -> (row: Row, isNew: Bool)
    ) async throws -> Row {
        try await name(picture.files, of: owner, in: database, insert: insert)
    }

    /// Names files in one transaction, as ``name(_:of:in:insert:)`` names those of a picture.
    ///
    /// - Parameter owner: nil if nobody's storage is checked.
    package func name<Row: Sendable>(
        _ files: [StoredPicture.File], of owner: Account.ID?, in database: Database,
        insert: @escaping @Sendable (Transaction) throws -> (row: Row, isNew: Bool)
    ) async throws -> Row {
        do {
            let (row, isNew) = try await database.write { [allowance] transaction in
                let made = try insert(transaction)
                // Checked after the rows were inserted: of two uploads at once the later one sees the other's bytes.
                if made.isNew, let owner { try allowance.check(owner, transaction) }
                return made
            }
            if isNew { await blobs.keep(files.map(\.blob.key)) } else { await discard(files.map(\.blob)) }
            return row
        } catch {
            await discard(files.map(\.blob), after: error)
            throw error
        }
    }

    /// Puts files in the place of others of the same picture in one transaction. Nobody's storage is checked: the new
    /// files take about as much as the old ones, which the closure erases.
    ///
    /// - Parameter replace: names the files, and returns whether it did. Otherwise they are erased, as after an error.
    /// - Throws: what the closure throws.
    package func replace(
        _ files: [StoredPicture.File], in database: Database,
        replace: @escaping @Sendable (Transaction) throws -> Bool
    ) async throws {
        try await name(files, of: nil, in: database) { ((), isNew: try replace($0)) }
    }

    /// Copies files of the blob store, for a caller that names the copies. After an error all copies are erased.
    ///
    /// - Throws: ``Refusal`` (404) when a file is gone, `BlobError` when the disk is full.
    package func copies(of files: [KeptFile]) async throws -> [StoredPicture.File] {
        var copies: [StoredPicture.File] = []
        do {
            for file in files {
                copies.append(
                    .init(
                        variant: file.variant, blob: try await blobs.copy(file.key), width: file.width,
                        height: file.height))
            }
            return copies
        } catch {
            await discard(copies.map(\.blob))
            throw error as? BlobError == .notFound ? Refusal.notFound : error
        }
    }

    // MARK: From pictures in the blob store

    /// Makes a picture of several pictures in the blob store, with its renditions.
    ///
    /// - Parameters:
    ///   - pictures: the file for each cell; a file may be in several cells.
    ///   - owner: the owner who is charged for the work.
    /// - Throws: `ImageError` for a file that can't be read, or that has been erased since; `BlobError` when the disk
    ///   is full.
    package func compose(
        _ spec: CollageSpec, of pictures: [KeptFile], for owner: Account.ID
    ) async throws -> StoredPicture {
        try await stored(of: pictures, for: owner) { [processor] paths, folder, turn in
            try await processor.compose(
                spec, picturesAt: paths, pixels: pictures.map(\.pixels), renditions: RenditionSpec.photo,
                into: folder, for: turn)
        }
    }

    /// Makes renditions of a picture again. Errors are those of ``compose(_:of:for:)``.
    package func renditions(
        _ specs: [RenditionSpec], of picture: KeptFile, for owner: Account.ID
    ) async throws -> [StoredPicture.File] {
        try await files(of: [picture], for: owner) { [processor] paths, folder, turn in
            try await processor.process(fileAt: paths[0], renditions: specs, into: folder, for: turn)
        } store: { made, files in
            try await self.store(made.renditions, into: &files)
        }.files
    }

    /// Makes a picture of a past photo and its match. Errors are those of ``compose(_:of:for:)``.
    package func pair(
        _ spec: PairSpec, then: KeptFile, now: KeptFile, renditions: [RenditionSpec], for owner: Account.ID
    ) async throws -> StoredPicture {
        try await stored(of: [then, now], for: owner) { [processor] paths, folder, turn in
            try await processor.pair(
                spec, then: paths[0], now: paths[1], pixels: [then.pixels, now.pixels],
                renditions: renditions,
                into: folder, for: turn)
        }
    }

    /// Makes an animation that fades between a past photo and its match. Errors are those of ``compose(_:of:for:)``.
    package func fade(
        _ spec: PairSpec, then: KeptFile, now: KeptFile, for owner: Account.ID
    ) async throws -> StoredPicture {
        try await stored(of: [then, now], for: owner) { [processor] paths, folder, turn in
            try await processor.fade(
                spec, then: paths[0], now: paths[1], pixels: [then.pixels, now.pixels], into: folder,
                for: turn)
        }
    }

    /// Finds the position of a match over a past photo. Errors are those of ``compose(_:of:for:)``.
    package func align(
        _ frame: PairFrame, then: KeptFile, now: KeptFile, for owner: Account.ID
    ) async throws -> PairAlignment {
        try await withLocalFiles(of: [then, now]) { [self] paths in
            try await inTurn(of: .account(owner)) { [processor] turn in
                try await processor.align(
                    frame, then: paths[0], now: paths[1], pixels: [then.pixels, now.pixels], for: turn)
            }
        }
    }

    /// Calls a function with a local file of each picture.
    ///
    /// - Throws: `ImageError` for a file that has been erased, and what the function throws.
    private func withLocalFiles<Value: Sendable>(
        of pictures: [KeptFile], _ body: ([String]) async throws -> Value
    ) async throws -> Value {
        do {
            return try await blobs.withLocalFiles(of: pictures.map(\.key), body)
        } catch BlobError.notFound {
            throw ImageError.broken
        }
    }

    /// Runs work when it is its owner's turn. Work of a request is cancelled when the request's client leaves.
    ///
    /// - Throws: ``Refusal`` if the work isn't accepted, and what the work throws.
    private func inTurn<Value: Sendable>(
        of owner: PictureOwner, _ urgency: PictureTurn.Urgency? = nil,
        _ work: @escaping @Sendable (PictureTurn) async throws -> Value
    ) async throws -> Value {
        let turn = PictureTurn(owner, urgency ?? (RequestClient.current == nil ? .background : .awaited))
        do {
            guard let client = RequestClient.current else { return try await work(turn) }
            return try await client.whileItWaits { try await work(turn) }
        } catch let refusal as QueueRefusal {
            throw Refusal(refusal)
        }
    }

    /// Stores a picture made of others: in full size as the original, and its renditions.
    private func stored(
        of pictures: [KeptFile], for owner: Account.ID,
        _ make:
            @escaping @Sendable (_ paths: [String], _ folder: String, PictureTurn) async throws
            -> ComposedImage
    ) async throws -> StoredPicture {
        let (composed, files) = try await files(of: pictures, for: owner, make) { composed, files in
            try await self.store(composed.image.renditions, into: &files)
            let blob = try await self.blobs.store(fileAt: composed.path)
            let facts = composed.image
            files.append(.init(variant: "original", blob: blob, width: facts.width, height: facts.height))
        }
        return StoredPicture(facts: composed.image, files: files)
    }

    /// Makes something of pictures in a work folder when it is the owner's turn, and stores files of it. After an error no
    /// file is left.
    private func files<Made: Sendable>(
        of pictures: [KeptFile], for owner: Account.ID,
        _ make:
            @escaping @Sendable (_ paths: [String], _ folder: String, PictureTurn) async throws -> Made,
        store: (Made, inout [StoredPicture.File]) async throws -> Void
    ) async throws -> (made: Made, files: [StoredPicture.File]) {
        let folder = try await work.makeFolder()
        var files: [StoredPicture.File] = []
        do {
            let made = try await withLocalFiles(of: pictures) { [self] paths in
                try await inTurn(of: .account(owner)) { try await make(paths, folder, $0) }
            }
            try await store(made, &files)
            work.removeFolder(folder)
            return (made, files)
        } catch {
            await discard(files.map(\.blob))
            work.removeFolder(folder)
            throw error
        }
    }

    private func store(_ renditions: [Rendition], into files: inout [StoredPicture.File]) async throws {
        let stored = try await blobs.store(filesAt: renditions.map(\.path))
        for (rendition, blob) in zip(renditions, stored) {
            files.append(
                .init(
                    variant: "\(rendition.spec.name).\(rendition.format.rawValue)", blob: blob,
                    width: rendition.width, height: rendition.height))
        }
    }

    /// Notes that a committed row names the picture's files.
    func keep(_ picture: StoredPicture) async {
        await blobs.keep(picture.files.map(\.blob.key))
    }

    /// Erases files whose transaction failed, unless it may have been committed: then the next start decides, since the
    /// blob store remembers which files are not kept (Documentation/Decisions/0001-blobs.md).
    package func discard(_ files: [StoredBlob], after error: any Error) async {
        guard error as? DatabaseError != .unsettled else { return }
        await discard(files)
    }

    /// Erases files that no row names.
    package func discard(_ files: [StoredBlob]) async {
        for file in files {
            do {
                try await blobs.erase(file.key)
            } catch {
                // The blob store still lists the file as not kept, so the next start erases it.
                logger.error("erasing an unkept file failed", metadata: ["error": "\(error)"])
            }
        }
    }
}

extension Refusal {
    /// Creates the refusal of a picture that isn't accepted.
    package init(imageError error: ImageError, field: String) {
        let kind: Kind =
            switch error {
            case .notAnImage, .unsupported, .broken, .decoderFailed: .unsupported
            case .tooManyBytes, .tooManyPixels, .tooCostly: .tooLarge
            case .decoderMissing, .outOfSpace, .inputOutput: .unavailable(retryAfter: 60)
            }
        self.init(
            kind, error.sentence, fields: [field: Problem(code: "ERR_INVALID", sentence: error.sentence)])
    }
}

extension Refusal {
    /// Creates the refusal of a picture that can't be processed now, although nothing is wrong with it.
    init(_ refusal: QueueRefusal) {
        switch refusal {
        case .full:
            self.init(
                .unavailable(retryAfter: 5),
                "Too many pictures are being prepared right now. Try again in a moment.")
        case .tooManyWaiting(let seconds):
            self.init(
                .tooOften(retryAfter: seconds),
                "Several of your pictures are still being prepared. Try again when they are done.")
        case .usedUp(let seconds):
            self.init(
                .tooOften(retryAfter: seconds),
                "Your pictures took a lot of the server’s time. Try again in a few minutes.")
        case .stopping:
            self.init(.unavailable(retryAfter: 10), "The server is restarting. Try again in a moment.")
        }
    }
}

extension PictureOwner {
    /// Returns the owner with an account.
    package static func account(_ id: Account.ID) -> PictureOwner { PictureOwner("account \(id)") }

    /// Returns the owner without an account.
    ///
    /// - Parameter key: a key of ``ClientNetwork``.
    static func network(_ key: String) -> PictureOwner { PictureOwner("network \(key)") }
}
