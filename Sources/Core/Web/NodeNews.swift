import Storage

/// A kind of change of which nodes tell each other, so that each makes the events for its own streams. Each feature
/// declares its kinds in an extension, and provides their handlers (``Feature/news``).
package struct NewsKind: Hashable, Sendable {
    /// Makes the events of a change on a node, from the ids that ``EventBus/tell(_:_:)`` was given, in a transaction that
    /// sees the change.
    package typealias Handler = @Sendable (_ ids: [Int64], Transaction) throws -> Void

    /// The kind's name, the same on all nodes.
    let name: String

    package init(_ name: String) { self.name = name }
}

/// What a node tells the others.
enum NodeNews: Codable, Sendable {
    /// An event that is the same for every reader.
    struct Publication: Codable, Sendable {
        var name: String
        var isPassing: Bool
        /// nil for all accounts that are listening.
        var accounts: [Account.ID]?
        var data: String
        var subjects: [EventSubject]
        var replaces: EventSubject?
    }

    case publish(Publication)
    case forget([EventSubject], Account.ID?)
    case reset(Account.ID)
    case endSession(Session.ID)
    case endAccount(Account.ID, Session.ID?)
    /// Something of a kind (``NewsKind``) has changed.
    case changed(String, [Int64])
}

extension EventBus.Here {
    /// Does here what another node has done, except for changes, whose events their handlers make.
    func apply(_ news: NodeNews) {
        switch news {
        case .publish(let event):
            publish(
                event.isPassing ? EventName(passing: event.name) : EventName(event.name),
                to: event.accounts.map(Set.init) ?? audience, .bytes(Array(event.data.utf8)),
                about: event.subjects, replacing: event.replaces)
        case .forget(let subjects, let account): forget(Set(subjects), of: account)
        case .reset(let account): reset(account)
        case .endSession(let session): end(session)
        case .endAccount(let account, let kept): end(account, but: kept)
        case .changed: break
        }
    }
}
