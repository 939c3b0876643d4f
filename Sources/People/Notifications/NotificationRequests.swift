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
        guard kinds[kind]?.isAlwaysHeard != true else { return .accept }
        let policy = try store.policy(of: account)
        guard policy != NotificationPolicy(), try !store.accepts(account, actor) else { return .accept }
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
            policy: try NotificationPolicyStore(transaction).policy(of: viewer.id),
            putAside: try putAside(of: viewer.id, transaction))
    }

    /// Changes the viewer's policy. It counts for what comes from now on.
    func change(_ change: NotificationPolicyChange, by viewer: Account) async throws -> Policy {
        try await database.write { [self] transaction in
            try NotificationPolicyStore(transaction).apply(change, to: viewer.id)
            return try self.policy(of: viewer, transaction)
        }
    }

    private var readable: NotificationPolicyStore.Readable {
        let kinds = kinds.all.filter { $0.member?.hasPrefix("status") == true }
        return .init(visible: everything, statusKinds: kinds.map(\.kind))
    }

    /// Returns how much was put aside for an account.
    func putAside(of account: Account.ID, _ transaction: Transaction) throws -> NotificationRequestSummary {
        try NotificationPolicyStore(transaction).summary(of: account, readable)
    }

    // MARK: Requests

    /// Returns one page of what was put aside, the person of the newest notification first.
    func requests(for viewer: Account, page: PageRequest) async throws -> [NotificationRequest] {
        try await database.read { [readable] in
            try NotificationPolicyStore($0).requests(of: viewer.id, by: .newest, readable, page: page)
        }
    }

    /// A request as apps get it, with its newest notification about a post or comment, if there is one.
    typealias AppRequest = (request: NotificationRequest, newestWithStatus: Notification?)

    /// Returns one page of what was put aside, by the ids of the people.
    func appRequests(for viewer: Account, page: PageRequest) async throws -> [AppRequest] {
        try await database.read { [self] transaction in
            let found = try NotificationPolicyStore(transaction).requests(
                of: viewer.id, by: .id, readable, page: page)
            return try withStatuses(found, for: viewer, transaction)
        }
    }

    /// Returns what was put aside of one person.
    ///
    /// - Throws: ``Refusal`` (404) if it is nothing, or if the viewer can't see the person any more.
    func appRequest(from actor: Account.ID, for viewer: Account) async throws -> AppRequest {
        try await database.read { [self] transaction in
            let found = try NotificationPolicyStore(transaction).request(of: viewer.id, from: actor, readable)
            guard let found, let request = try withStatuses([found], for: viewer, transaction).first else {
                throw Refusal.notFound
            }
            return request
        }
    }

    private func withStatuses(
        _ requests: [NotificationRequest], for viewer: Account, _ transaction: Transaction
    ) throws -> [AppRequest] {
        let entries = try NotificationStore(transaction).entries(
            requests.compactMap(\.newestWithStatus?.rawValue), of: viewer.id)
        let found = Dictionary(
            uniqueKeysWithValues: try notifications(entries, for: viewer, transaction).map { ($0.id, $0) })
        return requests.map { ($0, $0.newestWithStatus.flatMap { found[$0] }) }
    }

    /// What was put aside of one person, as its screen shows it.
    struct PutAside: Sendable {
        var actor: Account
        /// One page, each notification for itself.
        var groups: [NotificationGroup]
        var next: Int64?
        var relationships: [Relationship]
    }

    /// Returns one page of the notifications that were put aside of one person.
    ///
    /// - Throws: ``Refusal`` (404) if there are none.
    func putAside(
        from actor: Account.ID, for viewer: Account, page: PageRequest
    ) async throws -> PutAside {
        try await database.read { [self] transaction in
            let request = try NotificationPolicyStore(transaction).request(
                of: viewer.id, from: actor, readable)
            guard let request else { throw Refusal.notFound }
            let entries = try NotificationStore(transaction).entries(
                of: viewer.id, .init(kinds: kinds.all.map(\.kind), actor: actor, which: .putAside),
                page: page)
            let groups = try notifications(entries, for: viewer, transaction).map {
                NotificationGroup(newest: $0, second: nil, count: 1, peopleCount: 1, isUnread: false)
            }
            return PutAside(
                actor: request.actor, groups: groups,
                next: entries.count == page.limit ? entries.last?.id.rawValue : nil,
                relationships: try relationships(groups, of: viewer, transaction))
        }
    }

    /// What a person does with requests.
    enum Answer: Sendable { case accept, dismiss }

    /// Accepts the people of some requests, whose notifications are shown from then on, or dismisses what they did. A request
    /// that is gone meanwhile is left out.
    ///
    /// - Throws: ``Refusal`` (404) if all of them are gone.
    func answer(_ answer: Answer, _ people: [Account.ID], by viewer: Account) async throws {
        try await database.write { [self] transaction in
            let store = NotificationPolicyStore(transaction)
            let found = try people.filter { try store.request(of: viewer.id, from: $0, readable) != nil }
            guard !found.isEmpty else { throw Refusal.notFound }
            for person in found {
                switch answer {
                case .accept: try store.accept(person, by: viewer.id)
                case .dismiss: try store.dismiss(person, by: viewer.id)
                }
            }
            try changed(for: [viewer.id], transaction)
        }
    }
}
