import Core
import Foundation
import Storage
import Synchronization

/// How many messages are unread in the groups of the people who have a page open on this node, so that a message in a group
/// looks up that group for each of them, and not all their groups, of which there may be ``GroupRules/mostGroups``.
///
/// It is asked only in what follows commits, also those of other nodes: one after the other, each knowing of all commits before
/// it. So what it reads last is the newest. It forgets people whose pages are closed when something changes for them, and everyone
/// after a minute or two: what this node never learns, such as news that got lost, is wrong for no longer.
final class GroupUnreadCounts: Sendable {
    /// What has changed about some people's chats.
    enum Change {
        /// Nothing in groups.
        case noGroup
        /// The messages of one group, or how far they were read.
        case messages(of: Chat.ID)
        /// Anything.
        case anything

        /// Reads what another node tells.
        init(_ number: Int64) {
            self =
                switch number {
                case 0: .noGroup
                case 1...: .messages(of: ID(rawValue: number))
                default: .anything
                }
        }

        /// The change for another node.
        var number: Int64 {
            switch self {
            case .noGroup: 0
            case .messages(let group): group.rawValue
            case .anything: -1
            }
        }
    }

    private struct Known {
        /// The numbers of the groups in which something is unread.
        private var groups: [Chat.ID: Int] = [:]
        private(set) var sum = 0
        let end: Date

        init(end: Date) { self.end = end }

        mutating func set(_ group: Chat.ID, to count: Int) {
            sum += count - (groups[group] ?? 0)
            groups[group] = count == 0 ? nil : count
        }
    }

    private let known = Mutex<[Account.ID: Known]>([:])

    /// The most people whose numbers are kept.
    private static let mostKnown = 2_000
    /// How long numbers are kept, in seconds. Different people are looked up again at different times.
    private static let lifetime: ClosedRange<TimeInterval> = 60...120

    /// Forgets people who have no page open here, and of whom something has changed.
    func forget(_ accounts: [Account.ID]) {
        known.withLock { known in for account in accounts { known[account] = nil } }
    }

    /// Returns how many messages are unread in groups, after a change that `transaction` can see.
    func counts(
        of accounts: [Account.ID], after change: Change, _ transaction: Transaction
    ) throws -> [Account.ID: Int] {
        let store = GroupStore(transaction)
        var found: [Account.ID: Known] = [:]
        known.withLock { known in
            for account in accounts {
                if let one = known[account], one.end > transaction.now { found[account] = one }
            }
        }
        switch change {
        case .noGroup: break
        case .messages(let group):
            let counts = Dictionary(
                try store.unreadCounts(of: found.keys, in: group).map { ($0.account, $0.count) },
                uniquingKeysWith: +)
            for account in found.keys { found[account]?.set(group, to: counts[account] ?? 0) }
        case .anything: found = [:]
        }
        let others = accounts.filter { found[$0] == nil }
        for account in others {
            found[account] = Known(end: transaction.now + .random(in: Self.lifetime))
        }
        for unread in try store.unreadCounts(of: others) {
            found[unread.account]?.set(unread.group, to: unread.count)
        }
        keep(found, transaction.now)
        return found.mapValues(\.sum)
    }

    private func keep(_ found: [Account.ID: Known], _ now: Date) {
        known.withLock { known in
            if known.count + found.count > Self.mostKnown { known = known.filter { $0.value.end > now } }
            if known.count + found.count > Self.mostKnown { known = [:] }
            known.merge(found) { $1 }
        }
    }
}
