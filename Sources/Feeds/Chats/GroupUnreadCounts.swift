import Core
import Foundation
import Storage
import Synchronization

/// How many messages are unread in the groups of the people who have a page open on this node, so that a message in a group
/// looks up that group for each of them, and not all their groups, of which there may be ``GroupRules/mostGroups``.
///
/// Of a group it keeps two numbers that only grow: that of the newest message, and how many messages aren't unread. So it
/// doesn't matter in which order transactions bring them. Whatever else changes, such as joining, leaving and muting, makes it
/// count a person again, as does a minute: what this node never learns is wrong for no longer.
final class GroupUnreadCounts: Sendable {
    /// What has changed about some people's chats.
    enum Change {
        /// Nothing in groups.
        case noGroup
        /// The messages of one group, or how far they were read.
        case messages(of: Chat.ID)
        /// Anything.
        case anything
    }

    private struct Known {
        /// The groups whose messages count, each with its newest message and the number of messages that aren't unread.
        var places: [Chat.ID: (last: Int, counted: Int)] = [:]
        /// The number of unread messages.
        var sum = 0
        var ends: Date

        mutating func take(_ place: GroupStore.Place) {
            let before = places.removeValue(forKey: place.chat)
            sum -= before.map { max(0, $0.last - $0.counted) } ?? 0
            guard place.isHeard else { return }
            let last = max(place.last, before?.last ?? 0)
            let counted = max(place.counted, before?.counted ?? .min)
            places[place.chat] = (last, counted)
            sum += max(0, last - counted)
        }
    }

    private struct State {
        var known: [Account.ID: Known] = [:]
        /// The newest look-up of all groups of a person that isn't known.
        var lookUps: [Account.ID: Int] = [:]
        var number = 0
    }

    private let state = Mutex(State())

    /// The most people whose numbers are kept.
    private static let mostKnown = 1_000
    /// How long numbers are kept, in seconds.
    private static let lifetime: TimeInterval = 60

    /// Forgets people who have no page open here, and of whom something has changed.
    func forget(_ accounts: [Account.ID]) {
        state.withLock { state in
            for account in accounts {
                state.known[account] = nil
                state.lookUps[account] = nil
            }
        }
    }

    /// Returns how many messages are unread in groups, after a change that `transaction` can see. Leaves out a person of whom
    /// something later is being looked up elsewhere.
    func counts(
        of accounts: [Account.ID], after change: Change, _ transaction: Transaction
    ) throws -> [Account.ID: Int] {
        let known = state.withLock { state in
            accounts.filter { account in
                if case .anything = change { return false }
                return state.known[account].map { $0.ends > transaction.now } ?? false
            }
        }
        var found = try lookUpAll(Set(accounts).subtracting(known), transaction)
        var places: [GroupStore.Place] = []
        if case .messages(let chat) = change {
            places = try GroupStore(transaction).places(of: known, in: chat)
        }
        state.withLock { state in
            for place in places { state.known[place.account]?.take(place) }
            for account in known { found[account] = state.known[account]?.sum }
        }
        return found
    }

    /// Looks up all groups of some people. A look-up that began later, and so may know of a later change, comes first.
    private func lookUpAll(
        _ accounts: Set<Account.ID>, _ transaction: Transaction
    ) throws -> [Account.ID: Int] {
        guard !accounts.isEmpty else { return [:] }
        let number = state.withLock { state in
            state.number += 1
            for account in accounts {
                state.known[account] = nil
                state.lookUps[account] = state.number
            }
            return state.number
        }
        let places = Dictionary(
            grouping: try GroupStore(transaction).places(of: accounts), by: \.account)
        let end = transaction.now + Self.lifetime
        return state.withLock { state in
            var found: [Account.ID: Int] = [:]
            for account in accounts where state.lookUps[account] == number {
                var known = Known(ends: end)
                for place in places[account] ?? [] {
                    known.take(place)
                    if let muteEnd = place.muteEnd { known.ends = min(known.ends, muteEnd) }
                }
                found[account] = known.sum
                state.lookUps[account] = nil
                if state.known.count >= Self.mostKnown, let other = state.known.keys.first {
                    state.known[other] = nil
                }
                state.known[account] = known
            }
            return found
        }
    }
}
