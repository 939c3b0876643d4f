import Core
import Foundation
import Serving
import Storage

/// The way in which one person mutes another.
package struct Mute: Sendable, Equatable {
    /// Whether notifications of what the muted person does are hidden, too, and not only posts and comments.
    var hidesNotifications = true
    /// The time at which the mute ends; nil for never.
    package var endsAt: Date?

    /// The most people whom one person can mute.
    static let most = 2_000
    /// The longest time after which a mute can end, in seconds: a year.
    private static let longest = 366 * 86_400
    /// The seconds that a mute may last; 0 for no end.
    package static let durations = 0...longest

    /// Returns the time at which a mute ends that begins now; nil for a mute without an end.
    ///
    /// - Parameter seconds: the seconds after which it ends; 0 for never.
    /// - Throws: ``Refusal`` (422) for a time in the past or beyond a year.
    package static func end(after seconds: Int, from now: Date) throws -> Date? {
        guard durations.contains(seconds) else {
            throw Refusal.invalid("duration", "ERR_INVALID", "A mute lasts at most a year, or has no end.")
        }
        return seconds == 0 ? nil : now.addingTimeInterval(Double(seconds))
    }

    /// Reads the parameter `duration`, in seconds. Returns 0 when it is absent.
    ///
    /// - Throws: ``Refusal`` (422) for a text that isn't a number.
    package static func duration(_ input: Input) throws -> Int {
        let text = input.text("duration")
        guard let seconds = text.isEmpty ? 0 : Int(text) else {
            throw Refusal.invalid("duration", "ERR_INVALID", "The duration is a number of seconds.")
        }
        return seconds
    }
}

extension JobKind {
    /// Ends a mute at its time.
    static let endMute = JobKind("end-mute", .short)
}

// Muting: hiding someone's posts, comments and notifications, without their learning of it.
extension RelationshipService {
    /// Mutes someone: their posts, comments and notifications are no longer shown to the viewer. The muted person
    /// doesn't learn of it, and follows stay as they are. Muting again replaces the choices made before.
    ///
    /// - Parameter seconds: the seconds after which the mute ends; 0 for never.
    /// - Throws: ``Refusal``: 404 for someone whom the viewer can't see, 422 for the viewer's own account, a time
    ///   beyond a year, and beyond ``Mute/most`` people.
    package func mute(
        _ id: Account.ID, hidesNotifications: Bool = true, for seconds: Int = 0, by viewer: Account
    ) async throws -> Relationship {
        try await database.write { [self] transaction in
            _ = try AccountRecords(transaction).account(id, for: viewer)
            guard id != viewer.id else {
                throw Refusal.invalid("id", "ERR_INVALID", "You can’t mute yourself.")
            }
            let end = try Mute.end(after: seconds, from: transaction.now)
            let store = MuteStore(transaction)
            let old = try store.mute(id, by: viewer.id)
            guard try old != nil || store.count(by: viewer.id) < Mute.most else {
                throw Refusal.invalid(
                    "id", "ERR_TOO_MANY", "You already mute \(Mute.most.grouped) people, which is the limit.")
            }
            try store.insert(Mute(hidesNotifications: hidesNotifications, endsAt: end), of: id, by: viewer.id)
            try reschedule(from: old?.endsAt, to: end, of: id, by: viewer.id, transaction)
            try muteChanged(.muted, of: id, by: viewer.id, transaction)
            return try FollowStore(transaction).relationship(of: viewer.id, to: id)
        }
    }

    /// Ends a mute. Has no effect when there is none.
    ///
    /// - Throws: ``Refusal`` (404) for someone whom the viewer can't see.
    package func unmute(_ id: Account.ID, by viewer: Account) async throws -> Relationship {
        try await database.write { [self] transaction in
            _ = try AccountRecords(transaction).account(id, for: viewer)
            let store = MuteStore(transaction)
            let end = try store.mute(id, by: viewer.id)?.endsAt
            if try store.delete(id, by: viewer.id) {
                try reschedule(from: end, to: nil, of: id, by: viewer.id, transaction)
                try muteChanged(.unmuted, of: id, by: viewer.id, transaction)
            }
            return try FollowStore(transaction).relationship(of: viewer.id, to: id)
        }
    }

    /// Schedules the end of a mute in place of its earlier end, so that at most one job waits for each mute.
    private func reschedule(
        from old: Date?, to end: Date?, of id: Account.ID, by viewer: Account.ID, _ transaction: Transaction
    ) throws {
        let payload = "\(viewer)-\(id)"
        if let old { try JobOutbox(transaction).cancel(.endMute, payload: payload, runAt: old) }
        if let end { try transaction.schedule(.endMute, payload: payload, at: end) }
    }

    /// Ends a mute whose time is over. A mute that was renewed meanwhile and ends later stays.
    func endMute(_ job: Job) async throws {
        let ids = job.payload.split(separator: "-").compactMap { Account.ID(String($0)) }
        guard ids.count == 2 else { return }
        try await database.write { [self] transaction in
            let store = MuteStore(transaction)
            guard let end = try store.mute(ids[1], by: ids[0])?.endsAt, end <= transaction.now,
                try store.delete(ids[1], by: ids[0])
            else { return }
            try muteChanged(.unmuted, of: ids[1], by: ids[0], transaction)
        }
    }

    /// Makes the viewer's pages load again: earlier events no longer fit what the viewer may see.
    private func muteChanged(
        _ change: RelationshipChange, of id: Account.ID, by viewer: Account.ID, _ transaction: Transaction
    ) throws {
        try changed(change, viewer, id, transaction)
        transaction.afterCommit { [events] _ in events.reset(viewer) }
    }

    /// Returns one page of the people whom the viewer mutes, newest first, with the id by which each row is paged.
    package func muted(by viewer: Account, page: PageRequest) async throws -> [(Int64, Account, Mute)] {
        try await database.read { try MuteStore($0).muted(by: viewer.id, page: page) }
    }

    /// Returns the number of people whom the viewer mutes and may see, which is the length of the list.
    func mutedCount(by viewer: Account, _ transaction: Transaction) throws -> Int {
        try MuteStore(transaction).visibleCount(by: viewer.id)
    }

    // MARK: Suggestions

    /// Returns people whom the viewer may want to follow: people followed by those whom the viewer follows.
    package func suggestions(for viewer: Account, limit: Int) async throws -> [Account] {
        try await database.read {
            try SuggestionStore($0).suggestions(for: viewer.id, limit: min(max(limit, 1), 80))
        }
    }

    /// Removes someone from the viewer's suggestions for good. Doing it twice has no further effect.
    ///
    /// - Throws: ``Refusal`` (404) for someone whom the viewer can't see.
    package func dismissSuggestion(of id: Account.ID, by viewer: Account) async throws {
        try await database.write { transaction in
            _ = try AccountRecords(transaction).account(id, for: viewer)
            try SuggestionStore(transaction).dismiss(id, by: viewer.id)
        }
    }
}

extension RelationshipRecords {
    /// Returns those of some people who mute an account.
    package func muting(_ account: Account.ID, among others: Set<Account.ID>) throws -> Set<Account.ID> {
        guard !others.isEmpty else { return [] }
        return try MuteStore(transaction).muting(account, among: others)
    }

    /// Returns those of some people, at most a page, whose notifications an account hides.
    func hidden(from account: Account.ID, among people: Set<Account.ID>) throws -> Set<Account.ID> {
        try MuteStore(transaction).hidden(from: account, among: people)
    }

    /// Returns whether an account gets notifications of what another account does.
    func allowsNotifications(_ account: Account.ID, of other: Account.ID) throws -> Bool {
        try MuteStore(transaction).mute(other, by: account)?.hidesNotifications != true
    }
}
