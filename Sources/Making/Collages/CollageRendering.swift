import Core
import Foundation
import Imaging
import Logging
import People
import Serving
import Storage

// Rendering the pictures of collages, from the photos in full size.
extension CollageService {
    /// A whole collage in one value, for clients that make one in a single request.
    struct Recipe: Sendable {
        var style = CollageStyleChange()
        /// A photo for each cell of the layout.
        var cells: [(photo: Photo.ID, view: CollageView)] = []
    }

    /// A rendered collage.
    package struct Rendered: Sendable {
        var collage: Collage
        var photo: Photo
    }

    /// How often the picture is rendered again because the collage has changed in the meantime.
    private static let mostTries = 3

    // MARK: Rendering

    /// Renders a collage into its owner's library. A collage that hasn't changed since it was rendered returns its
    /// picture, unless `output` asks for another size or format.
    ///
    /// The picture of an earlier revision is replaced, unless something uses that picture: then a new photo is made. A
    /// collage made together is finished by rendering, and everyone who gave a photo gets the picture.
    ///
    /// - Throws: ``Refusal``: 404, 422 with the empty cells, 503 for too many pictures at once or no room on the disk;
    ///   ``CollageTaken`` for someone who isn't the owner, and when it changes all the time.
    package func finish(
        _ id: Collage.ID, _ output: CollageOutput? = nil, by viewer: Account
    ) async throws -> Rendered {
        for _ in 0..<Self.mostTries {
            let collage = try await self.collage(id, for: viewer)
            guard collage.owner.id == viewer.id else {
                throw CollageTaken(collage, "\(collage.owner.displayName) finishes this collage.")
            }
            if let photo = collage.photo, collage.isFinished || collage.isRendered && output == nil {
                return Rendered(collage: collage, photo: photo)
            }
            try Self.checkFull(collage)
            let picture = try await render(
                collage.style, collage.shownCells.compactMap { Piece($0, of: collage) },
                output ?? CollageOutput(), for: viewer.id)
            let rendered = try await intake.name(picture, of: viewer.id, in: database) {
                [self] transaction -> (row: Rendered?, isNew: Bool) in
                let now = try CollageRecords(transaction).collage(id, for: viewer)
                // A person may have removed their photo in the meantime, which must not be shown then.
                guard now.revision == collage.revision, now.photos == collage.photos, !now.isFinished else {
                    return (nil, false)
                }
                return (try finish(now, with: picture, by: viewer, transaction), true)
            }
            if let rendered { return rendered }
        }
        throw CollageTaken(
            try await collage(id, for: viewer), "This collage is changing right now. Try again in a moment.")
    }

    private static func checkFull(_ collage: Collage) throws {
        let empty = collage.emptyCells.map { String($0 + 1) }
        guard let last = empty.last else { return }
        let words =
            empty.count == 1
            ? "Cell \(last) is empty. Add a photo to it first."
            : "Cells \(empty.dropLast().joined(separator: ", ")) and \(last) are empty. Add photos to them first."
        throw Refusal.invalid("cells", "ERR_BLANK", words)
    }

    private func finish(
        _ collage: Collage, with picture: StoredPicture, by viewer: Account, _ transaction: Transaction
    ) throws -> Rendered {
        let photo = try place(picture, over: collage.photo, of: viewer, transaction)
        let store = CollageStore(transaction)
        try store.setRendered(
            collage.id, photo: photo.id, revision: collage.revision, isFinished: collage.isShared)
        if collage.isShared {
            let givers = Set(collage.shownCells.compactMap { $0.giver?.id }).subtracting([viewer.id])
            for giver in givers.sorted() {
                try transaction.schedule(.deliverCollage, payload: "\(collage.id) \(giver)")
            }
            // Photos that wait outside the layout aren't in the picture, and are returned to the people who gave them.
            try store.emptyOthers(collage.id, owner: viewer.id, from: collage.shownCells.count)
            try store.unexchangeUnseen(collage.id)
            try NotificationRecords(transaction).remove(about: collage.id.rawValue)
        }
        try publish(collage.id, transaction)
        return Rendered(
            collage: try CollageRecords(transaction).collage(collage.id, for: viewer), photo: photo)
    }

    /// Stores the picture as a photo of the library: in place of an earlier picture that nothing uses, or as a new
    /// photo.
    private func place(
        _ picture: StoredPicture, over earlier: Photo?, of viewer: Account, _ transaction: Transaction
    ) throws -> Photo {
        if let earlier, try photos.uses(of: earlier.id, transaction).isEmpty {
            return try photos.replace(earlier, by: picture, transaction)
        }
        return try PhotoRecords(transaction).insert(picture, of: viewer.id, kind: .collage)
    }

    /// Performs ``JobKind/deliverCollage``: adds the finished picture to the library of a person who gave a photo for
    /// it.
    func deliver(_ job: Job) async throws {
        let ids = job.payload.split(separator: " ")
        guard ids.count == 2, let id = Collage.ID(String(ids[0])), let account = Account.ID(String(ids[1]))
        else { return }
        let photo = try await database.read { transaction in
            try CollageStore(transaction).head(id)?.photo.flatMap {
                try PhotoRecords(transaction).unchecked($0)
            }
        }
        guard let photo else { return }
        do {
            _ = try await copies.copy(photo, to: account, kind: .collage) { transaction in
                let store = CollageStore(transaction)
                guard try store.people(of: id).contains(account) else { throw Refusal.notFound }
                return try store.copy(of: id, for: account).flatMap {
                    try PhotoRecords(transaction).unchecked($0)
                }
            } note: { [self] transaction, copy in
                try CollageStore(transaction).setCopy(copy.id, of: id, for: account)
                try notifications.note(
                    .finishedCollage, to: account, from: photo.owner, about: id.rawValue, once: true,
                    transaction)
                try publish(id, transaction)
            }
        } catch let refusal as Refusal {
            // The person left, the picture was deleted, or the person's storage is used up: trying again changes
            // nothing.
            logger.info("a finished collage wasn't delivered", metadata: ["reason": "\(refusal.message)"])
        }
    }

    // MARK: In a single request

    /// Renders a collage into the viewer's library.
    ///
    /// - Parameter key: the idempotency key. A second call with the key within 24 hours returns the collage of the
    ///   first.
    /// - Throws: ``Refusal``: 404 for photos of others, 422 with every wrong field, 503 as ``finish(_:_:by:)``.
    func make(
        _ recipe: Recipe, _ output: CollageOutput, by viewer: Account, key: IdempotencyKey? = nil
    ) async throws -> Rendered {
        let style = try Self.check(recipe, for: CollageStyle())
        return try await database.once {
            try CollageRecords($0).made(with: key, by: viewer)
        } make: {
            try await make(recipe, style, output, by: viewer, key)
        }
    }

    private func make(
        _ recipe: Recipe, _ style: CollageStyle, _ output: CollageOutput, by viewer: Account,
        _ key: IdempotencyKey?
    ) async throws -> Rendered {
        _ = try await database.read { try CollageRecords($0).filled(recipe, by: viewer) }
        let pieces = recipe.cells.map { Piece(photo: $0.photo, view: $0.view) }
        let picture = try await render(style, pieces, output, for: viewer.id)
        return try await intake.name(picture, of: viewer.id, in: database) { transaction in
            // The request may have arrived twice at one moment.
            if let known = try CollageRecords(transaction).made(with: key, by: viewer) {
                return (row: known, isNew: false)
            }
            let store = CollageStore(transaction)
            let id = try store.insert(style, of: viewer.id, chat: nil)
            let photo = try PhotoRecords(transaction).insert(picture, of: viewer.id, kind: .collage)
            let cells = try CollageRecords(transaction).filled(recipe, by: viewer)
            for (position, cell) in cells.enumerated() { try store.set(cell, at: position, of: id) }
            try store.setRendered(id, photo: photo.id, revision: 1, isFinished: false)
            try key?.record(photo.id.rawValue, transaction, viewer.id)
            let collage = try CollageRecords(transaction).collage(id, for: viewer)
            return (row: Rendered(collage: collage, photo: photo), isNew: true)
        }
    }

    /// Renders one of the viewer's collages again, from a changed recipe, in place of the earlier picture.
    ///
    /// - Parameter force: also when something uses the picture, which then shows the new one.
    /// - Throws: ``Refusal``: 404 for photos of others and photos that aren't collages, 409 with what uses the picture and
    ///   for a collage made together, 422 with every wrong field.
    func remake(
        _ photo: Photo.ID, _ recipe: Recipe, _ output: CollageOutput, by viewer: Account, force: Bool
    ) async throws -> Rendered {
        let (before, pieces) = try await database.read { [self] transaction in
            let before = try CollageRecords(transaction).collage(of: photo, for: viewer)
            try Self.checkAlone(before)
            let uses = try photos.uses(of: photo, transaction)
            guard uses.isEmpty || force else {
                throw Refusal.conflict(PhotoUses.sentences(uses) { "This collage is also in \($0)." })
            }
            let cells = try CollageRecords(transaction).filled(recipe, of: before, by: viewer)
            return (before, cells.compactMap { Piece($0, of: before) })
        }
        let style = try Self.check(recipe, for: before.style)
        let picture = try await render(style, pieces, output, for: viewer.id)
        return try await intake.name(picture, of: viewer.id, in: database) { [self] transaction in
            let now = try CollageRecords(transaction).collage(of: photo, for: viewer)
            try Self.checkAlone(now)
            guard let old = now.photo else { throw Refusal.notFound }
            let store = CollageStore(transaction)
            let cells = try CollageRecords(transaction).filled(recipe, of: now, by: viewer)
            for position in now.cells.indices {
                let cell = cells.indices.contains(position) ? cells[position] : CollageCell()
                try store.set(cell, at: position, of: now.id)
            }
            try store.set(style, of: now.id)
            try store.touch(now.id)
            let photo = try photos.replace(old, by: picture, transaction)
            try store.setRendered(
                now.id, photo: photo.id, revision: now.revision + 1, isFinished: now.isFinished)
            try publish(now.id, transaction)
            let collage = try CollageRecords(transaction).collage(now.id, for: viewer)
            return (row: Rendered(collage: collage, photo: photo), isNew: true)
        }
    }

    /// Checks that a collage is its owner's alone, so that a recipe replaces no photos of others.
    private static func checkAlone(_ collage: Collage) throws {
        guard !collage.isFinished else {
            throw Refusal.conflict("This collage is finished. Make a copy to change it.")
        }
        guard !collage.isShared else {
            throw Refusal.conflict("You fill this collage together with others. Open it to change it.")
        }
    }

    /// Returns the look of a recipe.
    ///
    /// - Throws: ``Refusal`` (422) with every wrong field.
    private static func check(_ recipe: Recipe, for style: CollageStyle) throws -> CollageStyle {
        let style = try recipe.style.applied(to: style)
        var problems = Problems()
        let count = style.layout.cells.count
        if recipe.cells.count != count {
            problems.add(
                "cells", "ERR_INVALID",
                "The layout “\(style.layout.name)” has \(count) cells, and you sent \(recipe.cells.count).")
        }
        for (index, cell) in recipe.cells.enumerated() {
            var view = cell.view
            view.check("cells[\(index)].", into: &problems)
        }
        try problems.throwIfAny()
        return style
    }

    // MARK: Pictures

    /// A photo with everything that is needed to render it into one cell.
    private struct Piece: Sendable {
        var photo: Photo.ID
        var view: CollageView
        /// Whether the photo is lent. For a lent photo, the large rendition is used, which its borrower sees anyway:
        /// the original, enlarged eight times, would show more than its owner has shown.
        var isLent = false

        init(photo: Photo.ID, view: CollageView) { (self.photo, self.view) = (photo, view) }

        /// Creates the piece of a cell.
        ///
        /// - Returns: nil for an empty cell.
        init?(_ cell: CollageCell, of collage: Collage) {
            guard let photo = cell.photo else { return nil }
            (self.photo, view, isLent) = (photo.id, cell.view, collage.isLent(cell))
        }
    }

    /// Renders the picture. Its files belong to no row yet.
    ///
    /// - Throws: ``Refusal``: 404 when a photo was deleted, 503 for too many pictures at once or no room on the disk.
    private func render(
        _ style: CollageStyle, _ cells: [Piece], _ output: CollageOutput, for owner: Account.ID
    ) async throws -> StoredPicture {
        let files = try await database.read { transaction in
            try cells.map { cell in
                let variant = cell.isLent ? "large.jpeg" : "original"
                let files = try PhotoRecords(transaction).uncheckedFiles(cell.photo)
                guard let file = files.first(where: { $0.variant == variant }) else {
                    throw Refusal.notFound
                }
                return file
            }
        }
        do {
            guard let spec = CollageSpec(style, cells.map(\.view), output) else { throw Refusal.notFound }
            return try await intake.compose(spec, of: files, for: owner)
        } catch let error as ImageError {
            throw Refusal(imageError: error, field: "cells")
        }
    }
}

extension CollageSpec {
    /// Creates the specification from which `Imaging` renders a collage; nil when the cells aren't those of the layout.
    init?(_ style: CollageStyle, _ views: [CollageView], _ output: CollageOutput) {
        guard views.count == style.layout.cells.count, let background = Colour(hex: style.background) else {
            return nil
        }
        self.init(
            side: output.size, format: output.format, background: background, spacing: style.spacing,
            cornerRadius: style.cornerRadius,
            cells: zip(style.layout.cells, views).map { frame, view in
                Cell(frame: frame, zoom: view.zoom, x: view.x, y: view.y)
            })
    }
}

extension CollageRecords {
    /// Returns the collage that was made with a key; nil if there is none.
    ///
    /// - Throws: ``Refusal`` (410) if the collage or its picture was deleted.
    fileprivate func made(with key: IdempotencyKey?, by viewer: Account) throws -> CollageService.Rendered? {
        try key?.made(by: viewer.id, gone: "This collage was made and then deleted.", transaction) {
            let collage = try collage(of: ID(rawValue: $0), for: viewer)
            return collage.photo.map { CollageService.Rendered(collage: collage, photo: $0) }
        }
    }

    /// Returns the cells of a recipe, with the viewer's own photos and those that are lent to the collage.
    fileprivate func filled(
        _ recipe: CollageService.Recipe, of collage: Collage? = nil, by viewer: Account
    ) throws -> [CollageCell] {
        try recipe.cells.map { cell in
            var (view, problems) = (cell.view, Problems())
            view.check(into: &problems)
            let lent = collage?.cells.first { collage?.isLent($0) == true && $0.photo?.id == cell.photo }
            if let lent { return CollageCell(giver: lent.giver, photo: lent.photo, view: view) }
            return CollageCell(
                giver: viewer, photo: try PhotoRecords(transaction).own(cell.photo, of: viewer), view: view)
        }
    }
}
