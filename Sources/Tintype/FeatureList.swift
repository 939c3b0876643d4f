import HTML
import Storage
import Synchronization

/// The features that are built, in the order of Application's list. Each may use those before it.
///
/// It is filled while the application is built, and only read from then on, so that the first service can already hold
/// it and ask the last feature later.
final class FeatureList: Sendable {
    private let features = Mutex<[any Feature]>([])
    private let known = Mutex<NotificationKinds?>(nil)

    /// All of them.
    var all: [any Feature] { features.withLock { $0 } }

    /// Adds a feature behind those that are built.
    func add(_ feature: any Feature) {
        features.withLock { $0.append(feature) }
    }

    /// Lets go of all features.
    func removeAll() {
        features.withLock { $0 = [] }
        known.withLock { $0 = nil }
    }

    /// Returns a feature that is built.
    ///
    /// - Throws: ``MissingFeature`` when it comes later in Application's list, or isn't in it.
    func get<F: Feature>(_ type: F.Type = F.self) throws -> F {
        for feature in all { if let feature = feature as? F { return feature } }
        throw MissingFeature(name: "\(type)")
    }

    // MARK: What all of them say

    /// The kinds of notification of all features, collected at the first use.
    var notificationKinds: NotificationKinds {
        known.withLock { known in
            if let known { return known }
            let kinds = NotificationKinds(all.flatMap(\.notificationKinds))
            known = kinds
            return kinds
        }
    }

    /// What of each can be reported.
    var reportKinds: [any ReportKind] { all.flatMap(\.reportKinds) }

    /// What each keeps of a person, those first that use what others keep.
    var accountData: [any AccountData] { all.reversed().compactMap(\.accountData) }

    /// What each shows photos for.
    var photoUses: [any PhotoUse] { all.compactMap(\.photoUse) }

    /// The chips of all features above the list of conversations, each with what it counts for a person.
    func chatChips(
        for viewer: Account, _ transaction: Transaction
    ) throws -> [(chip: ChatChip, count: Int)] {
        try all.compactMap(\.chatChip).map { ($0, try $0.badge?.count(viewer, transaction) ?? 0) }
    }

    /// What all features show above the messages of two people's conversation.
    func aboveConversation(
        of viewer: Account, with peer: Account, _ transaction: Transaction
    ) throws -> [Drawing] {
        try all.compactMap { try $0.aboveConversation(of: viewer, with: peer, transaction) }
    }

    /// Tells every feature of a change between two people (``Feature/relationshipChanged(_:_:_:_:)``).
    func relationshipChanged(
        _ change: RelationshipChange, _ follower: Account.ID, _ followee: Account.ID,
        _ transaction: Transaction
    ) throws {
        for feature in all { try feature.relationshipChanged(change, follower, followee, transaction) }
    }

    /// Returns what every feature names when one of two friends is about to unfollow the other
    /// (``Feature/waiting(for:with:_:)``).
    func waiting(
        for viewer: Account.ID, with friend: Account.ID, _ transaction: Transaction
    ) throws -> [String] {
        try all.flatMap { try $0.waiting(for: viewer, with: friend, transaction) }
    }

    /// Tells every feature of a change of a profile (``Feature/profileChanged(_:from:_:)``).
    func profileChanged(_ account: Account, from old: Account, _ transaction: Transaction) throws {
        for feature in all { try feature.profileChanged(account, from: old, transaction) }
    }

    /// Tells every feature of a change of a cross-post (``Feature/crossPostChanged(_:_:)``).
    func crossPostChanged(_ post: CrossPost, _ transaction: Transaction) throws {
        for feature in all { try feature.crossPostChanged(post, transaction) }
    }

    /// Ends what a person's log-ins have begun (``Feature/loggedOut(_:_:)``).
    func loggedOut(_ account: Account.ID, _ transaction: Transaction) throws {
        for feature in all { try feature.loggedOut(account, transaction) }
    }

    /// Takes what an account shares out of sight (``Feature/leave(_:_:)``).
    func leave(_ account: Account.ID, _ transaction: Transaction) throws {
        for feature in all { try feature.leave(account, transaction) }
    }

    /// Resumes what paused during a suspension (``Feature/comeBack(_:_:)``).
    func comeBack(_ account: Account.ID, _ transaction: Transaction) throws {
        for feature in all { try feature.comeBack(account, transaction) }
    }
}

/// A feature asked for another that comes after it in Application's list, or isn't in the list.
struct MissingFeature: Error {
    /// The type of the one that is missing.
    var name: String
}
