import Core
import Feeds
import People
import Serving
import Storage

/// The collages inside a transaction, as their people see them.
struct CollageRecords {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// Returns the collages among `ids` in which the viewer takes part.
    func collages(_ ids: Set<Collage.ID>, for viewer: Account) throws -> [Collage.ID: Collage] {
        var found: [Collage.ID: Collage] = [:]
        for id in ids { found[id] = try ifVisible(id, to: viewer) }
        return found
    }

    /// Returns a collage, or nil when the viewer takes no part in it.
    func ifVisible(_ id: Collage.ID, to viewer: Account) throws -> Collage? {
        do {
            return try collage(id, for: viewer)
        } catch let refusal as Refusal where refusal == .notFound {
            return nil
        }
    }

    /// Returns a collage in which the viewer takes part.
    ///
    /// - Throws: ``Refusal`` (404) for anyone else's.
    func collage(_ id: Collage.ID, for viewer: Account) throws -> Collage {
        guard let head = try CollageStore(transaction).head(id, of: viewer.id) else { throw Refusal.notFound }
        if head.owner != viewer.id { _ = try AccountRecords(transaction).account(head.owner, for: viewer) }
        return try load(head, for: viewer.id)
    }

    /// Returns the collage whose picture is a photo of the viewer's library.
    ///
    /// - Throws: ``Refusal`` (404) for anyone else's photo, and for one that isn't a collage.
    func collage(of photo: Photo.ID, for viewer: Account) throws -> Collage {
        _ = try PhotoRecords(transaction).own(photo, of: viewer)
        let store = CollageStore(transaction)
        let head = try store.head(renderedTo: photo) ?? store.head(deliveredAs: photo, to: viewer.id)
        guard let head else { throw Refusal.notFound }
        return try collage(head.id, for: viewer)
    }

    /// Loads a collage as one of its people sees it.
    func load(_ head: CollageStore.Head, for viewer: Account.ID) throws -> Collage {
        guard let collage = try load(head, for: [viewer])[viewer] else { throw Refusal.notFound }
        return collage
    }

    /// Loads a collage once, and returns it as each of some accounts sees it. Who takes no part in it, such as somebody who
    /// has left before news of an earlier change arrive from another node, gets nothing.
    func load(
        _ head: CollageStore.Head, for viewers: [Account.ID]
    ) throws -> [Account.ID: Collage] {
        let store = CollageStore(transaction)
        let (company, cells) = (try store.company(of: head.id), try store.cells(of: head.id))
        let named = cells.flatMap { [$0.assignee, $0.giver] }.compactMap { $0 }
        let accounts = try AccountRecords(transaction).unchecked(
            Set([head.owner] + company.map(\.account) + named))
        guard let owner = accounts[head.owner] else { throw Refusal.notFound }
        let pictures = Dictionary(
            company.map { ($0.account, $0.copy) } + [(head.owner, head.photo)], uniquingKeysWith: { $1 })
        let whole = Collage(
            id: head.id, owner: owner, people: company.compactMap { accounts[$0.account] },
            groups: Set(company.compactMap(\.group)), chat: head.chat, copiedFrom: head.copiedFrom,
            style: head.style, revision: head.revision, renderedRevision: head.renderedRevision, photo: nil,
            isFinished: head.isFinished,
            cells: cells.map { cell in
                CollageCell(
                    assignee: cell.assignee.flatMap { accounts[$0] },
                    giver: cell.giver.flatMap { accounts[$0] },
                    photo: cell.photo, view: cell.view, exchange: cell.exchange)
            })
        var views: [Account.ID: Collage] = [:]
        for viewer in viewers where whole.includes(viewer) {
            var collage = whole
            collage.photo = try pictures[viewer]?.flatMap { try PhotoRecords(transaction).unchecked($0) }
            // In a finished collage, a person who was invited and gave no photo doesn't see the photos of others.
            if head.isFinished, head.owner != viewer, !cells.contains(where: { $0.giver == viewer }) {
                collage.cells = cells.map { _ in CollageCell() }
            }
            views[viewer] = collage
        }
        return views
    }
}
