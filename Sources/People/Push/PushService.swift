import Core
import Foundation
import Serving
import Storage

/// The service of subscriptions to announcements, and of the queue of what is announced.
package final class PushService: Sendable {
    /// The public key with which browsers and apps subscribe (``PushIdentity/publicKey``).
    let publicKey: String
    private let database: Database
    private let notifications: NotificationService
    private let secrets: SecretsKey
    private let allowsPrivateAddresses: Bool
    private let tests: RateLimiter

    /// The number of test announcements that a log-in may send in a minute.
    private static let testsPerMinute = 5

    init(_ app: AppParts, identity: PushIdentity, notifications: NotificationService) {
        publicKey = identity.publicKey
        database = app.database
        self.notifications = notifications
        secrets = app.secrets
        allowsPrivateAddresses = app.configuration.allowsPrivateAddresses
        tests = RateLimiter(limit: Self.testsPerMinute, per: 60, capacity: 10_000, now: app.now)
        notifications.listeners.add(
            NotificationListener(
                noted: { [self] in try note($0, $1) },
                changed: { try PushRecords($1).check($0, notifications) },
                preferred: { try PushRecords($1).reconsider($0) }))
    }

    // MARK: Subscriptions

    /// Subscribes a log-in to announcements, or changes its subscription, which keeps what waits. If another log-in has subscribed with
    /// the address, that subscription ends, since one device has only one person at a time.
    ///
    /// - Parameter token: the app's access token, which Mastodon's apps get with each announcement; nil for a browser.
    /// - Throws: ``Refusal`` (422) with everything that is wrong.
    func subscribe(_ session: Session, token: String?, _ input: Input) async throws -> PushSubscription {
        let device = try PushDevice(input, allowsPrivate: allowsPrivateAddresses)
        let choice = try PushChoice(input)
        return try await database.write { [secrets] transaction in
            let store = PushStore(transaction)
            // What waits for the device, and what it shows, belongs to the id.
            let id =
                try store.subscription(of: session.id)?.id
                ?? PushSubscription.ID(rawValue: transaction.newID())
            let subscription = PushSubscription(
                id: id, session: session.id, account: session.account.id, endpoint: device.endpoint.text,
                host: device.endpoint.host, receiver: device.receiver, coding: device.coding,
                form: try token.map { .app(try secrets.seal($0, as: .pushToken(id))) } ?? .browser,
                choice: choice, workedAt: nil, failingSince: nil, pausedUntil: nil)
            try store.put(subscription)
            return subscription
        }
    }

    /// Returns the subscription of a log-in.
    ///
    /// - Throws: ``Refusal``: 410 when its device was removed, 404 when there is none for another reason.
    func subscription(of session: Session) async throws -> PushSubscription {
        try await database.read { try PushStore($0).own(of: session) }
    }

    /// Changes what a log-in gets announced.
    ///
    /// - Throws: ``Refusal`` (404) when there is no subscription.
    func choose(_ choice: PushChoice, in session: Session) async throws -> PushSubscription {
        try await database.write { transaction in
            var subscription = try PushStore(transaction).own(of: session)
            subscription.choice = choice
            try PushStore(transaction).set(choice, of: subscription.id)
            return subscription
        }
    }

    /// Ends the subscription of a log-in, if there is one.
    func unsubscribe(_ session: Session) async throws {
        try await database.write { try PushStore($0).delete(of: session.id) }
    }

    /// Sends an announcement to the device of a log-in, to try it.
    ///
    /// - Throws: ``Refusal``: 404 when there is no subscription, 429 after too many.
    func sendTest(to session: Session) async throws {
        _ = try await subscription(of: session)
        let key = session.id.description
        guard tests.take(key).isAllowed else {
            throw Refusal(
                .tooOften(retryAfter: tests.secondsUntilReset(key)),
                "You have sent several tests. Wait a moment before the next one.")
        }
        try await database.write { transaction in
            try PushRecords(transaction).put(
                PushMessage(
                    to: PushStore(transaction).own(of: session), PushMessage.test, group: 0,
                    tag: PushMessage.testTag,
                    place: transaction.newID(), at: transaction.now))
        }
    }

    /// Returns a person's subscriptions, the newest first, in a transaction of another service.
    func subscriptions(of viewer: Account, _ transaction: Transaction) throws -> [PushSubscription] {
        try PushStore(transaction).subscriptions(of: viewer.id).reversed()
    }

    /// Ends one of a person's subscriptions. Its device learns that it was removed, and doesn't subscribe again by itself.
    ///
    /// - Throws: ``Refusal`` (404) when it isn't theirs.
    func remove(_ id: PushSubscription.ID, by viewer: Account) async throws {
        try await database.write { transaction in
            let store = PushStore(transaction)
            guard let subscription = try store.subscription(id), subscription.account == viewer.id else {
                throw Refusal.notFound
            }
            try store.remove(subscription)
        }
    }

    // MARK: The queue

    /// Puts a new notification into the queue of each device that announces it, in the transaction of the notification:
    /// what is noted is announced, also when the process is killed right after.
    private func note(_ note: NotificationNote, _ transaction: Transaction) throws {
        guard let kind = notifications.kinds[note.kind] else { return }
        let store = PushStore(transaction)
        for subscription in try store.subscriptions(of: note.account)
        where try subscription.announces(kind) && allows(subscription, note, transaction) {
            guard try store.isLoggedIn(subscription) else {
                try store.delete(subscription.id)
                continue
            }
            try PushRecords(transaction).put(
                PushMessage(
                    to: subscription, note.kind, group: note.group, tag: note.tag, place: note.place,
                    at: transaction.now))
        }
    }

    /// Returns whether a subscription's policy allows to announce what somebody did.
    private func allows(
        _ subscription: PushSubscription, _ note: NotificationNote, _ transaction: Transaction
    ) throws -> Bool {
        // Something that the person asked for is ready.
        if note.actor == note.account { return subscription.choice.policy != .none }
        func relationship() throws -> Relationship {
            try RelationshipRecords(transaction).relationship(of: note.account, to: note.actor)
        }
        return switch subscription.choice.policy {
        case .all: true
        case .none: false
        case .followed: try relationship().follows
        case .follower: try relationship().isFollowedBy
        }
    }
}
