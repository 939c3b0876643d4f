import Foundation
import Logging
import Storage

/// Making collages: beginning, inviting friends, filling and arranging cells, taking them away.
/// `CollageRendering.swift` has what makes pictures of them.
final class CollageService: Sendable {
    let database: Database
    let photos: PhotoService
    let intake: PictureIntake
    let blobs: BlobFolder
    let copies: PhotoCopies
    let jobs: JobRunner
    let logger: Logger
    let notifications: NotificationService
    private let chats: ChatService
    private let messages: MessageService
    private let events: CollageEvents
    private let publicURL: String

    /// The most people of one collage beside its owner.
    static let mostPeople = 9
    /// The most collages that someone may have begun and not finished.
    static let mostUnfinished = 20

    init(_ app: AppParts, events: CollageEvents) throws {
        database = app.database
        photos = try app.features.get(PhotosFeature.self).photos
        intake = app.intake
        blobs = app.blobs
        jobs = app.jobs
        logger = app.logger
        publicURL = app.configuration.publicURL
        copies = PhotoCopies(
            database: app.database, blobs: app.blobs, intake: app.intake, allowance: app.intake.allowance)
        notifications = try app.features.get(NotificationsFeature.self).notifications
        let chatting: ChatsFeature = try app.features.get()
        (chats, messages) = (chatting.chats, chatting.messages)
        self.events = events
    }

    // MARK: Looking

    /// Returns a collage in which the viewer takes part.
    ///
    /// - Throws: ``Refusal`` (404) for all others.
    func collage(_ id: Collage.ID, for viewer: Account) async throws -> Collage {
        try await database.read { try Self.collage(id, for: viewer, $0) }
    }

    /// Returns a collage in which the viewer takes part, inside a transaction.
    static func collage(_ id: Collage.ID, for viewer: Account, _ transaction: Transaction) throws -> Collage {
        guard let head = try CollageStore(transaction).head(id, of: viewer.id) else { throw Refusal.notFound }
        if head.owner != viewer.id { _ = try AccountService.account(head.owner, for: viewer, transaction) }
        return try load(head, for: viewer.id, transaction)
    }

    /// Returns a page of the viewer's unfinished collages, their own and those of friends, newest first.
    func unfinished(of viewer: Account, page: PageRequest) async throws -> [Collage] {
        try await database.read { transaction in
            try CollageStore(transaction).unfinished(of: viewer.id, page: page).compactMap { head in
                do {
                    return try Self.collage(head.id, for: viewer, transaction)
                } catch let refusal as Refusal where refusal == .notFound {
                    return nil
                }
            }
        }
    }

    /// Returns the collage that one of the viewer's photos was rendered from.
    ///
    /// - Throws: ``Refusal`` (404) for anyone else's photo, and for one that isn't a collage of the viewer's own.
    func collage(of photo: Photo.ID, for viewer: Account) async throws -> Collage {
        try await database.read { try Self.collage(of: photo, for: viewer, $0) }
    }

    static func collage(of photo: Photo.ID, for viewer: Account, _ transaction: Transaction) throws -> Collage
    {
        guard let head = try CollageStore(transaction).head(renderedTo: photo), head.owner == viewer.id else {
            throw Refusal.notFound
        }
        return try load(head, for: viewer.id, transaction)
    }

    /// Puts a collage together, as one of its people sees it.
    static func load(
        _ head: CollageStore.Head, for viewer: Account.ID, _ transaction: Transaction
    ) throws -> Collage {
        let store = CollageStore(transaction)
        var known: [Account.ID: Account] = [:]
        func account(_ id: Account.ID?) throws -> Account? {
            guard let id else { return nil }
            if let account = known[id] { return account }
            known[id] = try AccountService.unchecked(id, transaction)
            return known[id]
        }
        guard let owner = try account(head.owner) else { throw Refusal.notFound }
        let photo = head.owner == viewer ? head.photo : try store.copy(of: head.id, for: viewer)
        return Collage(
            id: head.id, owner: owner, people: try store.people(of: head.id).compactMap(account),
            chat: head.chat, style: head.style, revision: head.revision,
            renderedRevision: head.renderedRevision,
            photo: try photo.flatMap { try PhotoService.unchecked($0, transaction) },
            isFinished: head.isFinished,
            cells: try store.cells(of: head.id).map { cell in
                CollageCell(
                    assignee: try account(cell.assignee), giver: try account(cell.giver), photo: cell.photo,
                    view: cell.view)
            })
    }

    // MARK: Beginning

    /// With whom a collage is filled.
    enum Company: Sendable {
        case alone
        case friends([Account.ID])
        /// The other person of a conversation, where the collage appears as a card.
        case chat(Chat.ID)
    }

    /// Begins a collage.
    ///
    /// - Parameters:
    ///   - photos: photos of the viewer's library for its first cells; the layout then has room for them.
    ///   - key: the same key by the same person within 24 hours returns the collage begun first.
    /// - Throws: ``Refusal``: 404 for photos and conversations of others, 422 for people who aren't friends, and for the
    ///   twenty-first unfinished collage.
    func begin(
        _ change: CollageStyleChange = CollageStyleChange(), photos: [Photo.ID] = [],
        with company: Company = .alone, by viewer: Account, key: IdempotencyKey? = nil
    ) async throws -> Collage {
        var style = CollageStyle()
        if !photos.isEmpty { style.layout = .holding(photos.count) }
        style = try change.applied(to: style)
        let begun = style
        let collage = try await database.write { [self] transaction in
            if let id = try key?.result(viewer.id, transaction) {
                return try Self.collage(ID(rawValue: id), for: viewer, transaction)
            }
            let collage = try begin(begun, photos, with: company, by: viewer, transaction)
            try key?.record(collage.id.rawValue, transaction, viewer.id)
            return collage
        }
        try await sendCards(of: collage, to: collage.people.map(\.id), by: viewer)
        return collage
    }

    /// Writes to people whom the viewer has invited: their conversation shows the collage as a card. The message's key
    /// makes it one message each, also when the same request comes a second time.
    private func sendCards(of collage: Collage, to people: [Account.ID], by viewer: Account) async throws {
        let card = MessageService.Draft(
            text: SharedKind.collage.text(sharing: collage.id.rawValue, at: publicURL))
        try await messages.send(card, toEach: people, by: viewer, key: "collage \(collage.id)", chats)
    }

    private func begin(
        _ style: CollageStyle, _ photos: [Photo.ID], with company: Company, by viewer: Account,
        _ transaction: Transaction
    ) throws -> Collage {
        let store = CollageStore(transaction)
        guard try store.unfinishedCount(ownedBy: viewer.id) < Self.mostUnfinished else {
            throw Refusal.invalid(
                "collage", "ERR_TOO_MANY",
                "You have \(Self.mostUnfinished) unfinished collages. Finish or delete one of them first.")
        }
        let chat: Chat.ID? = if case .chat(let chat) = company { chat } else { nil }
        let id = try store.insert(style, of: viewer.id, chat: chat)
        for (position, photo) in photos.prefix(CollageLayout.mostCells).enumerated() {
            let photo = try PhotoService.own(photo, of: viewer, transaction)
            try store.set(CollageCell(giver: viewer, photo: photo), at: position, of: id)
        }
        switch company {
        case .alone: break
        case .friends(let people): try Self.invite(people, to: id, by: viewer, transaction)
        case .chat(let chat):
            let peer = try ChatService.peer(in: chat, of: viewer, transaction)
            _ = try store.add(peer.id, to: id)
        }
        return try Self.collage(id, for: viewer, transaction)
    }

    /// Returns the viewer's own unfinished collage of one that was begun last, or begins one.
    func current(of viewer: Account) async throws -> Collage {
        let known = try await database.read { transaction in
            try CollageStore(transaction).newestAlone(of: viewer.id).map {
                try Self.collage($0, for: viewer, transaction)
            }
        }
        if let known { return known }
        return try await begin(by: viewer)
    }

    /// Where the page of a collage is.
    static func path(_ id: Collage.ID) -> String { "/collage/\(id)" }

    // MARK: Inviting and leaving

    /// Invites friends to fill a collage.
    ///
    /// - Throws: ``Refusal``: 404 for collages of others, 409 for a finished one, 422 for people who aren't friends, and
    ///   for more than nine.
    func invite(_ people: [Account.ID], to id: Collage.ID, by viewer: Account) async throws -> Collage {
        let collage = try await change(id, by: viewer) { collage, transaction in
            try Self.checkOwner(collage, viewer)
            try Self.invite(people, to: id, by: viewer, transaction)
            collage.people = try CollageStore(transaction).people(of: id).compactMap {
                try AccountService.unchecked($0, transaction)
            }
        }
        try await sendCards(of: collage, to: people.filter { $0 != viewer.id }, by: viewer)
        return collage
    }

    private static func invite(
        _ people: [Account.ID], to id: Collage.ID, by viewer: Account, _ transaction: Transaction
    ) throws {
        let store = CollageStore(transaction)
        for account in Set(people).sorted() where account != viewer.id {
            guard try ChatService.areFriends(viewer.id, account, transaction) else {
                throw Refusal.invalid(
                    "account_ids", "ERR_INVALID", "You can invite people who follow you and whom you follow.")
            }
            _ = try store.add(account, to: id)
        }
        guard try store.people(of: id).count <= Self.mostPeople else {
            throw Refusal.invalid("account_ids", "ERR_TOO_MANY", "Invite up to nine friends.")
        }
    }

    /// Ends a collage for everyone, if it is the viewer's; otherwise the viewer leaves it, and takes their photos out.
    /// A rendered picture stays in the library.
    ///
    /// - Throws: ``Refusal`` (404) for collages in which the viewer takes no part.
    func leave(_ id: Collage.ID, by viewer: Account) async throws {
        try await database.write { [self] transaction in
            let collage = try Self.collage(id, for: viewer, transaction)
            if let head = try CollageStore(transaction).head(id), head.owner == viewer.id {
                try end(head, transaction)
            } else {
                try remove(viewer.id, from: collage, transaction)
            }
        }
    }

    /// Ends a collage for everyone.
    func end(_ head: CollageStore.Head, _ transaction: Transaction) throws {
        let store = CollageStore(transaction)
        let everyone = try [head.owner] + store.people(of: head.id)
        try store.delete(head.id)
        try NotificationService.takeBack(about: head.id.rawValue, transaction)
        events.gone(head.id, for: everyone, transaction)
    }

    private func remove(_ account: Account.ID, from collage: Collage, _ transaction: Transaction) throws {
        let store = CollageStore(transaction)
        try store.remove(account, from: collage.id)
        try store.empty(collage.id, of: account)
        try store.touch(collage.id)
        try NotificationService.takeBack(about: collage.id.rawValue, to: account, transaction)
        events.gone(collage.id, for: [account], transaction)
        try publish(collage.id, transaction)
    }

    /// Takes two people apart of whom one blocks the other: in a collage of one of them, the other leaves; in that of
    /// somebody else, the one who blocks does.
    func part(_ blocker: Account.ID, from blocked: Account.ID, _ transaction: Transaction) throws {
        for head in try CollageStore(transaction).shared(by: blocker) {
            let collage = try Self.load(head, for: blocker, transaction)
            guard collage.includes(blocked) else { continue }
            try remove(head.owner == blocker ? blocked : blocker, from: collage, transaction)
        }
    }

    /// Takes an account that goes out of everyone's sight out of the collages of others, and others out of its own.
    func leave(_ account: Account.ID, _ transaction: Transaction) throws {
        for head in try CollageStore(transaction).shared(by: account) {
            let collage = try Self.load(head, for: account, transaction)
            let leaving = head.owner == account ? collage.people.map(\.id) : [account]
            for person in leaving { try remove(person, from: collage, transaction) }
        }
    }

    // MARK: Changing

    /// Changes the look of a collage, or who is to fill its cells.
    ///
    /// - Parameter assignments: for each cell of the layout, from the first on, the person who is to fill it; nil inside
    ///   for anyone.
    /// - Throws: ``Refusal``: 404, 409, 422 with every wrong field.
    func set(
        _ style: CollageStyleChange, assignments: [Account.ID?]? = nil, of id: Collage.ID, by viewer: Account
    ) async throws -> Collage {
        try await change(id, by: viewer) { collage, _ in
            try Self.checkOwner(collage, viewer)
            let count = collage.style.layout.cells.count
            collage.style = try style.applied(to: collage.style)
            if collage.style.layout.cells.count != count {
                collage.cells = collage.cells.arranged(for: collage.style.layout.cells.count)
            }
            guard let assignments else { return }
            let everyone = [collage.owner] + collage.people
            guard assignments.count <= collage.shownCells.count else {
                throw Refusal.invalid("assignments", "ERR_INVALID", "There are fewer cells than that.")
            }
            for (index, assignee) in assignments.enumerated() {
                let person = everyone.first { $0.id == assignee }
                guard assignee == nil || person != nil else {
                    throw Refusal.invalid(
                        "assignments", "ERR_INVALID", "Only people of this collage can fill its cells.")
                }
                collage.cells[index].assignee = person
            }
        }
    }

    /// Puts a photo into a cell, or shows another part of the photo that is there.
    ///
    /// - Parameters:
    ///   - photo: a photo of the viewer's library; nil for the one that is there.
    ///   - view: returns the new part from the old one. A new photo begins with its middle.
    /// - Throws: ``Refusal``: 404 for a cell or photo that isn't there, 422 for numbers out of range;
    ///   ``CollageTaken`` when somebody else was faster, or is to fill the cell.
    func fill(
        _ index: Int, of id: Collage.ID, with photo: Photo.ID?, by viewer: Account,
        view: @escaping @Sendable (CollageView) -> CollageView
    ) async throws -> Collage {
        try await change(id, by: viewer) { collage, transaction in
            guard collage.shownCells.indices.contains(index) else { throw Refusal.notFound }
            var cell = collage.cells[index]
            try Self.checkMine(cell, collage, viewer, isReplacing: photo != nil)
            if let photo {
                cell = CollageCell(
                    assignee: cell.assignee, giver: viewer,
                    photo: try PhotoService.own(photo, of: viewer, transaction))
            }
            guard cell.photo != nil else {
                throw Refusal.invalid("photo_id", "ERR_BLANK", "Choose a photo for this cell first.")
            }
            var problems = Problems()
            cell.view = view(cell.view)
            cell.view.check(into: &problems)
            try problems.throwIfAny()
            collage.cells[index] = cell
        }
    }

    /// Takes the photo out of a cell. An empty cell stays as it is.
    ///
    /// - Throws: ``Refusal`` (404); ``CollageTaken`` for somebody else's photo, which its owner and the collage's owner
    ///   may take out.
    func empty(_ index: Int, of id: Collage.ID, by viewer: Account) async throws -> Collage {
        try await change(id, by: viewer) { collage, _ in
            guard collage.shownCells.indices.contains(index) else { throw Refusal.notFound }
            try Self.checkMine(collage.cells[index], collage, viewer, isReplacing: false)
            collage.cells[index] = CollageCell(assignee: collage.cells[index].assignee)
        }
    }

    /// Exchanges two cells.
    ///
    /// - Parameter key: the same key by the same person within 24 hours changes nothing more: browsers repeat a request
    ///   whose connection broke, and swapping twice would undo it.
    /// - Throws: ``Refusal`` (404) for a cell that isn't there; ``CollageTaken`` for someone who isn't the owner.
    func swap(
        _ one: Int, _ other: Int, of id: Collage.ID, by viewer: Account, key: IdempotencyKey? = nil
    ) async throws -> Collage {
        try await change(id, by: viewer) { collage, transaction in
            if try key?.result(viewer.id, transaction) != nil { return }
            try Self.checkOwner(collage, viewer)
            let cells = collage.shownCells.indices
            guard cells.contains(one), cells.contains(other) else { throw Refusal.notFound }
            collage.cells.swapAt(one, other)
            try key?.record(id.rawValue, transaction, viewer.id)
        }
    }

    private static func checkOwner(_ collage: Collage, _ viewer: Account) throws {
        guard collage.owner.id != viewer.id else { return }
        throw CollageTaken(collage, "Only \(collage.owner.displayName) can change that in this collage.")
    }

    /// Checks that the viewer may put a photo into a cell, or change what its photo shows.
    private static func checkMine(
        _ cell: CollageCell, _ collage: Collage, _ viewer: Account, isReplacing: Bool
    ) throws {
        if let giver = cell.giver, cell.photo != nil {
            guard giver.id == viewer.id || collage.owner.id == viewer.id && !isReplacing else {
                throw CollageTaken(collage, "\(giver.displayName) has filled this cell.")
            }
        } else if let assignee = cell.assignee, assignee.id != viewer.id {
            throw CollageTaken(collage, "\(assignee.displayName) is to fill this cell.")
        }
    }

    /// Takes a photo out of a collage, in a transaction of the administration.
    func takeOut(_ photo: Photo.ID, of id: Collage.ID, _ transaction: Transaction) throws {
        let store = CollageStore(transaction)
        try store.empty(id, of: photo)
        try store.touch(id)
        try publish(id, transaction)
    }

    /// Changes a collage that isn't finished, and tells everyone who fills it.
    ///
    /// - Returns: the collage as it is then.
    func change(
        _ id: Collage.ID, by viewer: Account,
        _ body: @escaping @Sendable (inout Collage, Transaction) throws -> Void
    ) async throws -> Collage {
        try await database.write { [self] transaction in
            let before = try Self.collage(id, for: viewer, transaction)
            guard !before.isFinished else { throw CollageTaken(before, "This collage is finished.") }
            var after = before
            try body(&after, transaction)
            let store = CollageStore(transaction)
            let changed = after.cells.indices.filter { after.cells[$0] != before.cells[$0] }
            guard
                !changed.isEmpty || after.style != before.style
                    || after.people.map(\.id) != before.people.map(\.id)
            else { return before }
            if after.style != before.style { try store.set(after.style, of: id) }
            for index in changed { try store.set(after.cells[index], at: index, of: id) }
            try store.touch(id)
            try publish(id, transaction)
            return try Self.collage(id, for: viewer, transaction)
        }
    }

    /// Sends a collage to everyone who fills it, each as they see it.
    func publish(_ id: Collage.ID, _ transaction: Transaction) throws {
        guard let head = try CollageStore(transaction).head(id) else { return }
        try events.changed(try Self.load(head, for: head.owner, transaction), transaction) {
            try Self.load(head, for: $0, transaction)
        }
    }
}

/// Somebody else was faster, or may do what the viewer may not: 409, with the collage as it is.
struct CollageTaken: Error {
    let collage: Collage
    let sentence: String

    init(_ collage: Collage, _ sentence: String) {
        (self.collage, self.sentence) = (collage, sentence)
    }
}
