import Core
import People
import Serving
import Storage

extension EventName {
    /// A contract changed, or is gone.
    static let contract = EventName("tintype.contract")
}

extension NewsKind {
    /// A contract has changed: its id, and those of its people.
    static let contract = NewsKind("contract")
}

/// Tells the people of a contract what a transaction changed in it, once that is committed: their open pages, and their
/// notifications.
struct ContractEvents: Sendable {
    let events: EventBus
    let entities: ContractEntities
    let notifications: NotificationService

    /// The name of the count of contracts that wait for a person's answer, in events.
    static let badge = "contracts"

    /// Sends a contract as each of some people sees it. Only the last such event is kept.
    func changed(
        _ id: Contract.ID, of accounts: [Account.ID], _ transaction: Transaction,
        view: (Account) throws -> ContractView?
    ) throws {
        let publications = try publications(of: id, to: accounts, transaction, view: view)
        transaction.afterCommit { [events] transaction in
            for publish in publications { publish() }
            try publishCounts(to: accounts, transaction)
            events.tell(.contract, [id.rawValue] + accounts.map(\.rawValue))
        }
    }

    /// Makes the events of a contract that another node has changed.
    func changedElsewhere(
        _ id: Contract.ID, of accounts: [Account.ID], _ transaction: Transaction,
        view: (Account) throws -> ContractView?
    ) throws {
        for publish in try publications(of: id, to: accounts, transaction, view: view) { publish() }
        try publishCounts(to: accounts, transaction)
    }

    /// Returns what makes the events of a contract on this node.
    private func publications(
        of id: Contract.ID, to accounts: [Account.ID], _ transaction: Transaction,
        view: (Account) throws -> ContractView?
    ) throws -> [@Sendable () -> Void] {
        try accounts.filter(events.here.reaches).compactMap { account in
            guard let reader = try AccountRecords(transaction).unchecked(account),
                let view = try view(reader)
            else { return nil }
            var json = JSONWriter(capacity: 8192)
            entities.contract(view, into: &json)
            let data = json.bytes
            // The subjects are the people whom the contract shows, so that the event is removed when one of them is
            // hidden.
            let people = (view.contract.parties.map(\.account) + [view.contract.witness]).compactMap {
                $0?.id
            }
            let subjects = [EventSubject.thing(id)] + people.map(EventSubject.person)
            return { [events] in
                events.here.publish(
                    .contract, to: [account], .bytes(data), about: subjects, replacing: .thing(id))
            }
        }
    }

    private func publishCounts(to accounts: [Account.ID], _ transaction: Transaction) throws {
        for account in accounts where events.here.isListening(account) {
            let count = try ContractStore(transaction).waitingCount(of: account)
            events.here.publishCount(count, of: Self.badge, to: account)
        }
    }

    /// Sends that a contract was deleted with the account that made it.
    func gone(_ id: Contract.ID, for accounts: [Account.ID], _ transaction: Transaction) {
        var json = JSONWriter(capacity: 64)
        json.object { json in
            json.member("id", id)
            json.member("state", "deleted")
        }
        let data = json.bytes
        transaction.afterCommit { [events] _ in
            events.forget([.thing(id)])
            for account in accounts { events.publish(.contract, to: account, data: data) }
        }
    }

    /// Removes the notifications that can't be answered any more: those of an offer or of a dispute.
    func removeNotifications(
        _ questions: Set<ContractEvent>, of id: Contract.ID, to reader: Account.ID, _ transaction: Transaction
    ) throws {
        for entry in try ContractStore(transaction).history(of: id) where questions.contains(entry.event) {
            try NotificationRecords(transaction).remove(about: entry.id.rawValue, to: reader)
        }
        try notifications.changed(for: [reader], transaction)
    }

    /// Adds a notification for the owner of a cross-post that can't be published, or of which nobody knows whether it
    /// was published. An earlier notification of the cross-post is removed.
    func addNotification(_ post: CrossPost, of contract: Contract.ID, _ transaction: Transaction) throws {
        let breaker = post.account
        let wasNotified = try NotificationRecords(transaction).remove(
            .contractPublication, to: breaker, from: breaker, about: contract.rawValue)
        switch post.state {
        // The breaker has just said that the uncertain post isn't there.
        case .revoked where wasNotified: try notifications.changed(for: [breaker], transaction)
        case .uncertain, .failed, .revoked:
            try notifications.note(
                .contractPublication, to: breaker, from: nil, about: contract.rawValue, transaction)
        case .pending, .retrying, .published:
            if wasNotified { try notifications.changed(for: [breaker], transaction) }
        }
    }

    /// Adds a notification of an entry of a contract's history.
    ///
    /// - Parameter actor: whose move it was; nil for the clock and the server.
    func addNotification(
        _ entry: Contract.Entry, of contract: Contract.ID, to reader: Account.ID, from actor: Account.ID?,
        _ transaction: Transaction
    ) throws {
        // A notification never names a person whom the reader may not see, but still says how the contract changed.
        let isSeen = try actor.map { try !AccountRecords(transaction).visible([$0], to: reader).isEmpty }
        // A notification that names people is about one move. Grouped, they would seem to have made the same move.
        try notifications.note(
            isSeen == true ? .contract : .contractNews, to: reader, from: isSeen == true ? actor : nil,
            about: entry.id.rawValue, group: isSeen == true ? nil : contract.rawValue, transaction)
    }
}
