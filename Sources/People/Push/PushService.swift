import Core
import Foundation
import Serving
import Storage

extension JobKind {
    /// Sends an announcement to a device, or removes it from there; the payload is the subscription's id and the tag.
    static let push = JobKind("push", .announcing)
}

/// A device to which a person's notifications are announced.
package struct AnnouncingDevice: Sendable {
    /// The log-in on the device.
    package let session: Session.ID
    /// The host of the push service.
    package let service: String
    package let subscribedAt: Date
    /// When the push service last accepted an announcement; nil before the first.
    package let workedAt: Date?
    /// Since when the push service has refused every announcement; nil when the last one was accepted.
    package let failingSince: Date?
}

/// The service of subscriptions to announcements, and of the queue of what is announced.
package final class PushService: Sendable {
    /// The public key with which browsers and apps subscribe (``PushIdentity/publicKey``).
    package let publicKey: String
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
                noted: { [self] in try note($0, $1) }, changed: { [self] in try check($0, $1) }))
    }

    // MARK: Subscriptions

    /// Subscribes a log-in to announcements, in place of its earlier subscription. If another log-in has subscribed with
    /// the address, that subscription ends, since one device has only one person at a time.
    ///
    /// - Parameter token: the app's access token, which Mastodon's apps get with each announcement; nil for a browser.
    /// - Throws: ``Refusal`` (422) with everything that is wrong.
    func subscribe(_ session: Session, token: String?, _ input: Input) async throws -> PushSubscription {
        let device = try PushDevice(input, allowsPrivate: allowsPrivateAddresses)
        let choice = try PushChoice(input)
        return try await database.write { [secrets] transaction in
            let id = PushSubscription.ID(rawValue: transaction.newID())
            let subscription = PushSubscription(
                id: id, session: session.id, account: session.account.id, endpoint: device.endpoint.text,
                host: device.endpoint.host, receiver: device.receiver, coding: device.coding,
                form: try token.map { .app(try secrets.seal($0, as: .pushToken(id))) } ?? .browser,
                choice: choice, workedAt: nil, failingSince: nil)
            try PushStore(transaction).insert(subscription)
            return subscription
        }
    }

    /// Returns the subscription of a log-in.
    ///
    /// - Throws: ``Refusal`` (404) when there is none.
    func subscription(of session: Session) async throws -> PushSubscription {
        try await database.read { try Self.subscription(of: session, $0) }
    }

    /// Returns the devices to which a person's notifications are announced, the newest first.
    package static func devices(of account: Account.ID, _ transaction: Transaction) throws -> [AnnouncingDevice] {
        try PushStore(transaction).subscriptions(of: account).reversed().map {
            AnnouncingDevice(
                session: $0.session, service: $0.host, subscribedAt: $0.id.createdAt,
                workedAt: $0.workedAt, failingSince: $0.failingSince)
        }
    }

    /// Changes what a log-in gets announced.
    ///
    /// - Throws: ``Refusal`` (404) when there is no subscription.
    func choose(_ choice: PushChoice, in session: Session) async throws -> PushSubscription {
        try await database.write { transaction in
            var subscription = try Self.subscription(of: session, transaction)
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
        let subscription = try await subscription(of: session)
        let key = session.id.description
        guard tests.take(key).isAllowed else {
            throw Refusal(
                .tooOften(retryAfter: tests.secondsUntilReset(key)),
                "You have sent several tests. Wait a moment before the next one.")
        }
        try await database.write { transaction in
            let place = transaction.newID()
            try Self.put(
                PushMessage(
                    subscription: subscription.id, tag: PushMessage.test.name, account: subscription.account,
                    kind: PushMessage.test, group: 0, place: place, notedAt: transaction.now,
                    state: .waiting, isShown: false, attempts: 0), transaction)
        }
    }

    private static func subscription(
        of session: Session, _ transaction: Transaction
    ) throws -> PushSubscription {
        guard let found = try PushStore(transaction).subscription(of: session.id) else {
            throw Refusal.notFound
        }
        return found
    }

    // MARK: The queue

    /// Puts a new notification into the queue of each device that announces it, in the transaction of the notification:
    /// what is noted is announced, also when the process is killed right after.
    private func note(_ note: NotificationNote, _ transaction: Transaction) throws {
        guard let kind = notifications.kinds[note.kind] else { return }
        for subscription in try PushStore(transaction).subscriptions(of: note.account) {
            guard subscription.announces(kind),
                try Self.follows(subscription.choice.policy, note.account, note.actor, transaction)
            else { continue }
            try Self.put(
                PushMessage(
                    subscription: subscription.id, tag: note.tag, account: note.account, kind: note.kind,
                    group: note.group, place: note.place, notedAt: transaction.now, state: .waiting,
                    isShown: false, attempts: 0), transaction)
        }
    }

    /// Returns whether a policy allows announcements about somebody.
    private static func follows(
        _ policy: PushSubscription.Policy, _ account: Account.ID, _ actor: Account.ID,
        _ transaction: Transaction
    ) throws -> Bool {
        switch policy {
        case .all: true
        case .none: false
        case .followed:
            try account == actor
                || RelationshipService.relationship(of: account, to: actor, transaction).follows
        case .follower:
            try account == actor
                || RelationshipService.relationship(of: account, to: actor, transaction).isFollowedBy
        }
    }

    /// Puts a message into the queue, and schedules the job that sends it, unless one is under way: that one sends the
    /// newest state.
    private static func put(_ message: PushMessage, _ transaction: Transaction) throws {
        let store = PushMessageStore(transaction)
        let known = try store.message(message.subscription, message.tag)
        try store.put(message)
        if known?.state.hasJob != true { try schedule(message, transaction) }
    }

    /// Schedules the job that sends a message.
    static func schedule(
        _ message: PushMessage, at date: Date? = nil, _ transaction: Transaction
    ) throws {
        try transaction.schedule(.push, payload: "\(message.subscription) \(message.tag)", at: date)
    }

    /// Takes back what was read or removed: from the queue what waits there, and from a device what is shown on it.
    private func check(_ account: Account.ID, _ transaction: Transaction) throws {
        let store = PushMessageStore(transaction)
        var isUnread: [String: Bool] = [:]
        for message in try store.messages(of: account) where message.kind != PushMessage.test {
            let known = try isUnread[message.tag]
                ?? NotificationService.isUnread(
                    message.kind, message.group, at: message.place, of: account, transaction)
            isUnread[message.tag] = known
            guard !known else { continue }
            guard message.isShown else {
                // The job that was to send it finds nothing.
                try store.delete(message)
                continue
            }
            guard message.state != .closing else { continue }
            try store.set(.closing, of: message)
            if !message.state.hasJob { try Self.schedule(message, transaction) }
        }
    }
}
