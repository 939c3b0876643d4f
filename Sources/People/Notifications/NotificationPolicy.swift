import Core
import Foundation
import Serving

/// What a person wants done with notifications of people whom they hardly know, as in Mastodon's notification policy.
struct NotificationPolicy: Sendable, Equatable {
    /// What is done with a notification, from the mildest to the strictest.
    enum Treatment: String, Sendable, CaseIterable {
        /// It is shown and announced.
        case accept
        /// It waits in a list of its own, and is neither counted nor announced.
        case putAside = "filter"
        /// It isn't kept.
        case drop
    }

    /// Notifications of people whom the person doesn't follow.
    var notFollowing = Treatment.accept
    /// Notifications of people who don't follow the person.
    var notFollowers = Treatment.accept
    /// Notifications of people who joined a short while ago (``newFor``).
    var newAccounts = Treatment.accept

    /// How long an account counts as new, in seconds: 30 days, as in Mastodon.
    static let newFor: TimeInterval = 30 * 86_400

    /// Returns the strictest treatment that somebody's notifications get.
    ///
    /// - Parameter age: the age of their account, in seconds.
    func treatment(of actor: Relationship, age: TimeInterval) -> Treatment {
        let all: [(Bool, Treatment)] = [
            (!actor.follows, notFollowing), (!actor.isFollowedBy, notFollowers),
            (age < Self.newFor, newAccounts),
        ]
        let found = all.filter(\.0).map(\.1)
        return Treatment.allCases.last(where: found.contains) ?? .accept
    }
}

/// The notifications of one person that a policy has put aside.
struct NotificationRequest: Sendable {
    let actor: Account
    /// The number of notifications.
    let count: Int
    let oldest: Notification.ID
    let newest: Notification.ID
    /// The newest notification about a post or comment; nil if there is none.
    let newestWithStatus: Notification.ID?
}

/// What a policy has put aside, in numbers.
struct NotificationRequestSummary: Sendable {
    var people = 0
    var notifications = 0
}

/// The choices of a policy in a form or call, as they were sent; nil for what stays.
struct NotificationPolicyChange: Sendable {
    typealias Treatment = NotificationPolicy.Treatment
    var notFollowing: Treatment?
    var notFollowers: Treatment?
    var newAccounts: Treatment?

    /// The names of the choices in forms and calls.
    static let names = (
        notFollowing: "for_not_following", notFollowers: "for_not_followers", newAccounts: "for_new_accounts"
    )
    /// What the server always does with two kinds that Mastodon lets people choose, and why.
    static let fixed: [(name: String, treatment: Treatment, reason: String)] = [
        (
            "for_private_mentions", .putAside,
            "Messages of people whom you don’t know always wait under Requests."
        ),
        ("for_limited_accounts", .drop, "A suspended person can’t do anything here."),
    ]

    /// What a policy says.
    init(_ policy: NotificationPolicy) {
        notFollowing = policy.notFollowing
        notFollowers = policy.notFollowers
        newAccounts = policy.newAccounts
    }

    /// Reads a form or a call.
    ///
    /// - Throws: ``Refusal`` (422) for a treatment that doesn't exist, and for one that can't be changed.
    init(_ input: Input) throws {
        var problems = Problems()
        func treatment(_ name: String) -> Treatment? {
            guard let text = input.string(name), !text.isEmpty else { return nil }
            let found = Treatment(rawValue: text)
            if found == nil { problems.add(name, "ERR_INVALID", "Choose accept, filter or drop.") }
            return found
        }
        notFollowing = treatment(Self.names.notFollowing)
        notFollowers = treatment(Self.names.notFollowers)
        newAccounts = treatment(Self.names.newAccounts)
        for (name, fixed, reason) in Self.fixed {
            if let wanted = treatment(name), wanted != fixed { problems.add(name, "ERR_INVALID", reason) }
        }
        try problems.throwIfAny()
    }

    func applied(to policy: NotificationPolicy) -> NotificationPolicy {
        NotificationPolicy(
            notFollowing: notFollowing ?? policy.notFollowing,
            notFollowers: notFollowers ?? policy.notFollowers,
            newAccounts: newAccounts ?? policy.newAccounts)
    }
}
