import Core
import Foundation
import Serving
import Storage

// What a person's policy does with notifications, and what it has put aside.
extension NotificationService {
    /// Returns the treatment of what a person does, by the policy of the account.
    func treatment(
        of actor: Account.ID, by account: Account.ID, _ kind: Notification.Kind, _ transaction: Transaction
    ) throws -> NotificationPolicy.Treatment {
        let store = NotificationPolicyStore(transaction)
        guard kinds[kind]?.isAlwaysHeard != true, let policy = try store.policy(of: account),
            policy != NotificationPolicy(), try !store.accepts(account, actor)
        else { return .accept }
        return policy.treatment(
            of: try RelationshipRecords(transaction).relationship(of: account, to: actor),
            age: transaction.now.timeIntervalSince(actor.createdAt))
    }

    /// A person's policy, with what it has put aside.
    struct Policy: Sendable {
        var policy: NotificationPolicy
        var putAside: NotificationRequestSummary
    }

    /// Returns the viewer's policy.
    func policy(of viewer: Account) async throws -> Policy {
        try await database.read { [self] in try policy(of: viewer, $0) }
    }

    private func policy(of viewer: Account, _ transaction: Transaction) throws -> Policy {
        Policy(
            policy: try NotificationPolicyStore(transaction).policy(of: viewer.id) ?? NotificationPolicy(),
            putAside: try putAside(of: viewer.id, transaction))
    }

    /// Changes the viewer's policy. It counts for what comes from now on.
    func change(_ change: NotificationPolicyChange, by viewer: Account) async throws -> Policy {
        try await database.write { [self] transaction in
            try NotificationPolicyStore(transaction).apply(change, to: viewer.id)
            return try self.policy(of: viewer, transaction)
        }
    }

    /// Returns how much was put aside for an account.
    func putAside(of account: Account.ID, _ transaction: Transaction) throws -> NotificationRequestSummary {
        try NotificationPolicyStore(transaction).summary(of: account, visible: everything)
    }

    // MARK: Requests

    /// A request with the newest notification of it; nil when its subject is gone.
    typealias Request = (request: NotificationRequest, newest: Notification?)

    /// Returns one page of what was put aside, person by person.
    func requests(
        for viewer: Account, by order: NotificationPolicyStore.Order, page: PageRequest
    ) async throws -> [Request] {
        try await database.read { [self] transaction in
            let found = try NotificationPolicyStore(transaction).requests(
                of: viewer.id, by: order, visible: everything, page: page)
            return try complete(found, for: viewer, transaction)
        }
    }

    /// Returns what was put aside of one person.
    ///
    /// - Throws: ``Refusal`` (404) if it is nothing, or if the viewer can't see the person any more.
    func request(from actor: Account.ID, for viewer: Account) async throws -> Request {
        try await database.read { [self] in try request(from: actor, for: viewer, $0) }
    }

    private func request(
        from actor: Account.ID, for viewer: Account, _ transaction: Transaction
    ) throws -> Request {
        let found = try NotificationPolicyStore(transaction).request(
            of: viewer.id, from: actor, visible: everything)
        guard let found, let request = try complete([found], for: viewer, transaction).first else {
            throw Refusal.notFound
        }
        return request
    }

    private func complete(
        _ found: [NotificationPolicyStore.Entry], for viewer: Account, _ transaction: Transaction
    ) throws -> [Request] {
        let people = try AccountRecords(transaction).unchecked(found.map(\.actor))
        let entries = try NotificationStore(transaction).entries(found.map(\.newest.rawValue), of: viewer.id)
        let newest = Dictionary(
            uniqueKeysWithValues: try notifications(entries, for: viewer, transaction).map { ($0.id, $0) })
        return found.compactMap { actor, count, oldest, last in
            people[actor].map {
                (.init(actor: $0, count: count, oldest: oldest, newest: last), newest[last])
            }
        }
    }

    /// Returns one page of the notifications that were put aside of one person.
    ///
    /// - Throws: ``Refusal`` (404) if there are none.
    func putAside(
        from actor: Account.ID, for viewer: Account, olderThan: Int64?, limit: Int
    ) async throws -> (request: NotificationRequest, page: GroupPage) {
        try await database.read { [self] transaction in
            let request = try request(from: actor, for: viewer, transaction).request
            var page = try groups(
                for: viewer, kinds.putAside(from: actor), olderThan: olderThan, limit: limit, transaction)
            // Nothing of it counts as unread.
            for place in page.groups.indices { page.groups[place].isUnread = false }
            return (request, page)
        }
    }

    /// What a person does with requests.
    enum Answer: Sendable { case accept, dismiss }

    /// Accepts the people of some requests, whose notifications are shown from then on, or dismisses what they did.
    ///
    /// - Throws: ``Refusal`` (404) if one of them has no request.
    func answer(_ answer: Answer, _ people: [Account.ID], by viewer: Account) async throws {
        try await database.write { [self] transaction in
            let store = NotificationPolicyStore(transaction)
            for person in people {
                _ = try request(from: person, for: viewer, transaction)
                switch answer {
                case .accept: try store.accept(person, by: viewer.id)
                case .dismiss: try store.dismiss(person, by: viewer.id)
                }
            }
            try changed(for: [viewer.id], transaction)
        }
    }
}
