import Core
import Serving
import Storage

extension EventName {
    /// A collage changed, or is gone.
    static let collage = EventName("tintype.collage")
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
    ///   - view: loads the collage as one of them sees it.
    func changed(
        _ id: Collage.ID, of everyone: [Account.ID], _ transaction: Transaction,
        view: (Account.ID) throws -> Collage
    ) throws {
        let subjects = [EventSubject.thing(id)] + everyone.map(EventSubject.person)
        for account in everyone where events.reaches(account) {
            let seen = try view(account)
            let content = EventContent.written(for: account) { [entities] reader, json in
                entities.draft(seen, viewer: reader, into: &json)
            }
            transaction.afterCommit { [events] _ in
                events.publish(
                    .collage, to: [account], content, about: subjects, replacing: .thing(id))
            }
        }
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
