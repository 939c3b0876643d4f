import Core
import Crypto
import Foundation
import Logging
import Serving
import Storage

/// Sends announcements to devices, through the push services of their browsers and apps (RFC 8030).
final class PushDelivery: Sendable {
    private let database: Database
    private let notifications: NotificationService
    private let secrets: SecretsKey
    private let identity: PushIdentity
    private let outgoing: OutgoingHTTP
    private let gate: PushGate
    /// The limits of a request: the answer of a push service has no body that matters.
    private let limits: OutgoingLimits
    private let publicURL: String
    /// The path of this server's icon.
    private let ownIcon: String
    private let now: @Sendable () -> Date
    private let logger: Logger
    let counts = PushCounts()

    /// The longest pause that a push service can ask for, in seconds.
    private static let longestPause: TimeInterval = 3600
    /// The seconds until the second attempt, which double with each further one.
    private static let firstPause: TimeInterval = 5
    /// The seconds without a push for a device whose push service wants a pause and doesn't say how long.
    private static let pauseOfDevice: TimeInterval = 60

    init(_ app: AppParts, identity: PushIdentity, notifications: NotificationService) {
        database = app.database
        self.notifications = notifications
        secrets = app.secrets
        self.identity = identity
        outgoing = app.outgoing
        gate = PushGate(now: app.now)
        limits = OutgoingLimits(bytes: 65_536, seconds: app.configuration.outgoingPace.idle)
        publicURL = app.configuration.publicURL
        ownIcon = app.frame.files.path("icons/icon-192.png")
        now = app.now
        logger = app.logger
    }

    /// A message that is about to be sent, in its newest version.
    private struct Work: Sendable {
        let subscription: PushSubscription
        let message: PushMessage
        let text: [UInt8]
        /// Whether a person waits for what is announced, such as a message.
        let isUrgent: Bool

        /// Whether the device shows the message afterwards, so that it may have to be taken back from there.
        var canBeShown: Bool {
            message.state == .waiting && subscription.canClose && message.kind != PushMessage.test
        }
    }

    /// The payload of a job.
    private struct Turn: Sendable {
        private let subscription: PushSubscription.ID
        private let number: Int
        private let tag: String

        init?(_ payload: String) {
            let parts = payload.split(separator: " ", maxSplits: 2).map(String.init)
            guard parts.count == 3, let id = PushSubscription.ID(parts[0]), let number = Int(parts[1]) else {
                return nil
            }
            (subscription, self.number, tag) = (id, number, parts[2])
        }

        /// Returns the message of the job, in its newest version; nil when there is nothing to send any more, and when
        /// it is the turn of another job.
        func found(_ transaction: Transaction) throws -> (PushSubscription, PushMessage)? {
            guard let message = try PushMessageStore(transaction).message(subscription, tag),
                message.state.hasJob, message.turn == number,
                let subscription = try PushStore(transaction).subscription(subscription)
            else { return nil }
            return (subscription, message)
        }
    }

    /// What to do about a message.
    private enum Step: Sendable {
        case nothing
        case send(Work)
        /// It isn't announced any more, or never was to be.
        case drop(PushMessage)
        /// It is announced at another time, such as after the quiet hours.
        case wait(PushMessage, until: Date)
        /// The log-in of the subscription has ended by its age.
        case end(PushSubscription)
    }

    /// Performs ``JobKind/push``: sends the newest version of a message, or notes when to try again.
    func deliver(_ job: Job) async throws {
        guard let turn = Turn(job.payload),
            let (subscription, message) = try await database.read({ try turn.found($0) })
        else { return }
        let person = subscription.account.rawValue
        switch await gate.enter(subscription.host, person) {
        case .later(let date):
            try await database.write { try PushRecords($0).schedule(message, at: date) }
        case .admitted:
            var experience = PushGate.Experience.answered
            defer { gate.leave(subscription.host, person, experience) }
            // While this job waited for its place, the notification may have been read, or may have got news.
            switch try await database.read({ try self.step(turn, $0) }) {
            case .nothing: return
            case .drop(let message):
                try await database.write { try PushRecords($0).drop(message) }
            case .wait(let message, let date):
                try await database.write { try PushRecords($0).schedule(message, at: date) }
            case .end(let subscription):
                try await database.write { try PushStore($0).delete(subscription.id) }
            case .send(let work):
                let outcome = try await send(work)
                experience = outcome.experience(at: now())
                counts.count(outcome)
                try await database.write { [self] in try note(outcome, of: work, $0) }
            }
        }
    }

    // MARK: What to send

    private func step(_ turn: Turn, _ transaction: Transaction) throws -> Step {
        guard let (subscription, message) = try turn.found(transaction),
            let reader = try AccountRecords(transaction).unchecked(subscription.account)
        else { return .nothing }
        guard try PushStore(transaction).isLoggedIn(subscription) else { return .end(subscription) }
        if let end = subscription.pausedUntil, end > transaction.now {
            // Not all at the same moment after the pause.
            return .wait(message, until: end.addingTimeInterval(.random(in: 0...2)))
        }
        guard transaction.now.timeIntervalSince(message.notedAt) < PushMessage.lifetime else {
            return .drop(message)
        }
        let badge = try notifications.unreadCount(of: reader.id, transaction)
        if message.state == .closing {
            guard subscription.canClose else { return .drop(message) }
            return .send(
                Work(
                    subscription: subscription, message: message,
                    text: PushPayload.closing(message.tag, badge: badge), isUrgent: false))
        }
        if message.kind == PushMessage.test {
            return .send(work(test(message, badge: badge), message, subscription, isUrgent: true))
        }
        guard
            try notifications.isUnread(
                message.kind, message.group, at: message.place, of: reader.id, transaction),
            let announcement = try notifications.announcement(
                of: message.kind, message.group, for: reader, transaction)
        else { return .drop(message) }
        let preferences = try notifications.preferences(of: reader.id, transaction)
        let newest = announcement.newest
        guard let moment = preferences.moment(for: newest.kind.topic, at: transaction.now) else {
            return .drop(message)
        }
        guard moment <= transaction.now else { return .wait(message, until: moment) }
        let content = PushPayload.Content(
            id: newest.id.description, tag: message.tag,
            text: preferences.showsPreviews ? announcement.text : newest.kind.topic.preview,
            path: announcement.path,
            icon: preferences.showsPreviews
                ? newest.actor.portrait.map { Portrait.path($0, .small) } : nil,
            type: newest.kind.mastodonType, badge: badge, at: message.notedAt)
        return .send(work(content, message, subscription, isUrgent: newest.kind.topic.isUrgent))
    }

    private func test(_ message: PushMessage, badge: Int) -> PushPayload.Content {
        PushPayload.Content(
            id: String(message.place), tag: message.tag,
            text: .init(title: "Tintype", body: "Notifications reach this device."),
            path: NotificationPaths.settings, icon: nil, type: "tintype.test", badge: badge,
            at: message.notedAt)
    }

    private func work(
        _ content: PushPayload.Content, _ message: PushMessage, _ subscription: PushSubscription,
        isUrgent: Bool
    ) -> Work {
        let text: [UInt8]
        switch subscription.form {
        case .browser: text = PushPayload.browser(content)
        case .app(let sealed):
            // Without its token, which was sealed with another key, an app asks for the notification itself.
            let token = secrets.unseal(sealed, as: .pushToken(subscription.id)) ?? ""
            text = PushPayload.app(content, token: token, icon: publicURL + (content.icon ?? ownIcon))
        }
        return Work(subscription: subscription, message: message, text: text, isUrgent: isUrgent)
    }

    // MARK: Sending

    private func send(_ work: Work) async throws -> PushOutcome {
        let (subscription, message) = (work.subscription, work.message)
        do {
            let endpoint = try OutgoingURL(subscription.endpoint)
            let sealed = try PushEncryption.seal(
                work.text, for: subscription.receiver, as: subscription.coding)
            let age = now().timeIntervalSince(message.notedAt)
            let headers = try identity.headers(for: endpoint, sealed, as: subscription.coding, at: now())
            let reply = try await outgoing.send(
                OutgoingMessage(
                    method: .post, url: subscription.endpoint,
                    headers: headers + [
                        ("TTL", String(Int(max(60, PushMessage.lifetime - age)))),
                        ("Urgency", work.isUrgent ? "high" : "normal"),
                        ("Topic", Self.topic(message.tag, subscription)),
                    ],
                    body: .bytes(sealed.body, mediaType: "application/octet-stream"),
                    line: .announcements),
                limits: limits)
            return PushOutcome(reply)
        } catch let error as OutgoingError {
            switch error {
            case .badURL, .forbiddenAddress: return .gone(why: "\(error)")
            case .unreachable, .timedOut, .noAnswer, .cutOff: return .silent(why: "\(error)")
            // Nobody knows what an answer of this length means.
            case .tooLarge: return .busy(seconds: nil)
            case .stopped, .busy, .badRedirect, .wrongType, .status: throw error
            }
        }
    }

    /// Returns the name by which a push service replaces an announcement that hasn't reached the device yet (RFC 8030,
    /// 5.4: at most 32 characters of base64url). The service can't guess from it what is announced.
    private static func topic(_ tag: String, _ subscription: PushSubscription) -> String {
        let code = HMAC<SHA256>.authenticationCode(
            for: Data(tag.utf8), using: SymmetricKey(data: subscription.receiver.secret))
        return base64URL(Data(code.prefix(24)))
    }

    // MARK: Outcomes

    private func note(_ outcome: PushOutcome, of work: Work, _ transaction: Transaction) throws {
        let (subscriptions, messages) = (PushStore(transaction), PushMessageStore(transaction))
        let records = PushRecords(transaction)
        let id = work.subscription.id
        guard let subscription = try subscriptions.subscription(id) else { return }
        guard subscription.endpoint == work.subscription.endpoint else {
            // While it was sent, the device got another address: what the old one answered says nothing of that.
            guard let message = try messages.message(id, work.message.tag) else { return }
            return try records.schedule(message)
        }
        switch outcome {
        case .accepted: try subscriptions.setWorked(id)
        case .gone(let why):
            try subscriptions.delete(id)
            return log("a subscription to announcements has ended", work, why)
        case .tooLarge: break
        case .paused(let seconds):
            let pause = min(seconds ?? Self.pauseOfDevice, Self.longestPause)
            try subscriptions.setPaused(id, until: transaction.now.addingTimeInterval(pause))
        case .busy, .refused, .silent:
            try subscriptions.setFailing(id)
            if let since = subscription.failingSince,
                transaction.now.timeIntervalSince(since) > PushSubscription.failingLifetime
            {
                try subscriptions.delete(id)
                return log("a subscription has ended that didn't work for long", work, "\(since)")
            }
        }
        // While it was sent, the message may have got news, or may have been read.
        guard let message = try messages.message(id, work.message.tag) else {
            if outcome == .accepted, work.canBeShown { try records.close(work.message) }
            return
        }
        let isCurrent = message.place == work.message.place && message.state == work.message.state
        switch outcome {
        case .accepted:
            guard isCurrent else {
                if work.canBeShown { try messages.set(message.state, of: message, isShown: true) }
                return try records.schedule(message)
            }
            if work.canBeShown {
                try messages.set(.shown, of: message, isShown: true)
            } else {
                try messages.delete(message)
            }
        case .tooLarge:
            log("an announcement is too long for a push service", work, "413")
            if isCurrent { try messages.delete(message) } else { try records.schedule(message) }
        case .paused(let seconds), .busy(let seconds):
            try retry(message, after: seconds, messages, transaction)
        case .silent(let why):
            log("a push service doesn't answer", work, why)
            try retry(message, after: nil, messages, transaction)
        case .refused(let status):
            log("a push service refuses this server", work, "\(status)")
            try retry(message, after: Self.longestPause, messages, transaction)
        case .gone: break
        }
    }

    /// Schedules another attempt, after the seconds that the push service asks for or after a pause that grows.
    private func retry(
        _ message: PushMessage, after seconds: TimeInterval?, _ messages: PushMessageStore,
        _ transaction: Transaction
    ) throws {
        try messages.countAttempt(of: message)
        let pause = seconds ?? Self.firstPause * pow(2, Double(min(message.attempts, 12)))
        // Many that failed at once don't come back at once.
        let end = min(pause, Self.longestPause) + .random(in: 0...2)
        try PushRecords(transaction).schedule(message, at: transaction.now.addingTimeInterval(end))
    }

    private func log(_ event: Logger.Message, _ work: Work, _ why: String) {
        logger.notice(
            event, metadata: ["host": "\(work.subscription.host)", "why": "\(why)"])
    }
}
