import Core
import Serving
import Storage

extension EventName {
    /// A collage changed, or is gone.
    static let collage = EventName("tintype.collage")
}

extension NewsKind {
    /// A collage has changed: its id, and those of the people who take part.
    static let collage = NewsKind("collage")
}

/// Tells everyone who fills a collage what a transaction changed in it, once that is committed
/// (Documentation/Interface.md, "Events").
struct CollageEvents: Sendable {
    let events: EventBus
    let entities: CollageEntities

    /// Sends a collage as each of its people sees it. Only the last such event is kept.
    ///
    /// - Parameters:
    ///   - everyone: the people who take part.
    ///   - views: loads the collage as each of some of them sees it.
    func changed(
        _ id: Collage.ID, of everyone: [Account.ID], _ transaction: Transaction,
        views: ([Account.ID]) throws -> [Account.ID: Collage]
    ) throws {
        let reached = everyone.filter(events.here.reaches)
        if !reached.isEmpty {
            let views = try views(reached)
            transaction.afterCommit { _ in
                for (account, seen) in views { publish(seen, to: account, of: everyone) }
            }
        }
        transaction.afterCommit { [events] _ in
            events.tell(.collage, [id.rawValue] + everyone.map(\.rawValue))
        }
    }

    /// Makes the event of a collage on this node.
    private func publish(_ seen: Collage, to account: Account.ID, of everyone: [Account.ID]) {
        let content = EventContent.written(for: account) { [entities] reader, json in
            entities.draft(seen, viewer: reader, into: &json)
        }
        events.here.publish(
            .collage, to: [account], content,
            about: [.thing(seen.id)] + everyone.map(EventSubject.person), replacing: .thing(seen.id))
    }

    /// Makes the events of what other nodes have changed.
    var news: [NewsKind: NewsKind.Handler] {
        [
            .collage: { ids, transaction in
                guard let id = ids.first, let head = try CollageStore(transaction).head(ID(rawValue: id))
                else { return }
                let everyone = ids.dropFirst().map { Account.ID(rawValue: $0) }
                let reached = everyone.filter(events.here.reaches)
                guard !reached.isEmpty else { return }
                for (account, seen) in try CollageRecords(transaction).load(head, for: reached) {
                    publish(seen, to: account, of: everyone)
                }
            }
        ]
    }

    /// Sends to some people that a collage is gone for them: it was deleted, or they left.
    func gone(_ id: Collage.ID, for accounts: [Account.ID], _ transaction: Transaction) {
        var json = JSONWriter(capacity: 64)
        json.object { json in
            json.member("id", id)
            json.member("state", "deleted")
        }
        let data = json.bytes
        for account in accounts {
            transaction.afterCommit { [events] _ in
                events.forget([.thing(id)], of: account)
                events.publish(.collage, to: account, data: data)
            }
        }
    }
}
