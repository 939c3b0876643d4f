import Core
import Foundation
import Serving

/// Where a log-in gets announcements: a browser on one device, or an app.
struct PushSubscription: Sendable {
    typealias ID = Core.ID<PushSubscription>

    /// The kinds of notification about which Mastodon's apps can ask for alerts (docs.joinmastodon.org/entities,
    /// "WebPushSubscription"). Most of them never happen here.
    static let alertNames = [
        "mention", "status", "reblog", "follow", "follow_request", "favourite", "poll", "update", "quote",
        "quoted_update", "admin.sign_up", "admin.report",
    ]

    /// The people whose notifications are announced.
    enum Policy: String, Sendable, CaseIterable {
        case all
        /// People whom the subscriber follows.
        case followed
        /// People who follow the subscriber.
        case follower
        case none
    }

    /// The form of an announcement.
    enum Form: Sendable, Equatable {
        /// That of this server's pages, with what a browser shows.
        case browser
        /// Mastodon's, with the app's sealed access token.
        case app(SealedText)
    }

    let id: ID
    let session: Session.ID
    let account: Account.ID
    let endpoint: String
    /// The host of the endpoint.
    let host: String
    let receiver: PushReceiver
    let coding: PushEncryption.Coding
    let form: Form
    var choice: PushChoice
    /// When the push service last accepted an announcement; nil before the first.
    let workedAt: Date?
    /// Since when the push service has refused every announcement; nil when the last one was accepted.
    let failingSince: Date?
    /// Until when the push service wants nothing for the device; nil when it never said so.
    let pausedUntil: Date?

    /// The most subscriptions of one account. Beyond that, those go that have worked least recently.
    static let mostPerAccount = 10
    /// How long a push service may refuse every announcement until the subscription ends, in seconds: 14 days.
    static let failingLifetime: TimeInterval = 14 * 86_400
    static let mostEndpointBytes = 2_000

    /// Whether an announcement may be removed from the device again. An app removes its own. Apple's push service ends
    /// subscriptions of pages that get a push and show no notification ("Sending web push notifications in web apps
    /// and browsers", developer.apple.com/documentation/usernotifications), so nothing is removed there.
    var canClose: Bool { form == .browser && host != "push.apple.com" && !host.hasSuffix(".push.apple.com") }

    /// Returns whether the device announces notifications of a kind. A browser announces all kinds: its person has
    /// switches for them in Settings.
    func announces(_ kind: NotificationKind) -> Bool {
        switch form {
        case .browser: true
        case .app: kind.isMastodons && choice.alerts.contains(kind.mastodonType)
        }
    }
}

/// What a subscriber wants to have announced.
struct PushChoice: Sendable, Equatable {
    /// The alerts that are on, some of ``PushSubscription/alertNames``.
    var alerts: Set<String>
    var policy: PushSubscription.Policy

    /// Reads the choice of a request. An alert that the request doesn't name is off, as in Mastodon.
    init(_ input: Input) throws {
        let policy = input.string("data[policy]") ?? input.string("policy") ?? ""
        guard let known = PushSubscription.Policy(rawValue: policy.isEmpty ? "all" : policy) else {
            throw Refusal.invalid(
                "data[policy]", "ERR_INVALID", "The policy is all, followed, follower or none.")
        }
        self.init(
            alerts: Set(PushSubscription.alertNames.filter { input.bool("data[alerts][\($0)]") == true }),
            policy: known)
    }

    init(alerts: Set<String>, policy: PushSubscription.Policy) {
        self.alerts = alerts
        self.policy = policy
    }
}

/// The address and keys that a device sends when it subscribes.
struct PushDevice: Sendable {
    let endpoint: OutgoingURL
    let receiver: PushReceiver
    let coding: PushEncryption.Coding

    /// Checks what a device sent.
    ///
    /// - Parameter allowsPrivate: whether the push service may be on a private network, and without encryption.
    /// - Throws: ``Refusal`` (422) with everything that is wrong.
    init(_ input: Input, allowsPrivate: Bool) throws {
        var problems = Problems()
        let endpoint = Self.endpoint(
            input.string("subscription[endpoint]") ?? "", allowsPrivate: allowsPrivate, &problems)
        let key = PushReceiver.key(input.string("subscription[keys][p256dh]") ?? "")
        if key == nil {
            problems.add(
                "subscription[keys][p256dh]", "ERR_INVALID",
                "The key p256dh must be a point of the curve P-256, in base64url.")
        }
        let secret = PushReceiver.secret(input.string("subscription[keys][auth]") ?? "")
        if secret == nil {
            problems.add(
                "subscription[keys][auth]", "ERR_INVALID", "The key auth must be 16 bytes, in base64url.")
        }
        try problems.throwIfAny()
        guard let endpoint, let key, let secret else { throw Refusal.notFound }
        self.endpoint = endpoint
        receiver = PushReceiver(publicKey: key, secret: secret)
        coding = input.bool("subscription[standard]") == true ? .aes128gcm : .aesgcm
    }

    private static func endpoint(
        _ text: String, allowsPrivate: Bool, _ problems: inout Problems
    ) -> OutgoingURL? {
        let field = "subscription[endpoint]"
        guard !text.isEmpty else {
            problems.add(field, "ERR_BLANK", "The endpoint is missing.")
            return nil
        }
        guard text.utf8.count <= PushSubscription.mostEndpointBytes else {
            problems.add(field, "ERR_TOO_LONG", "The endpoint has more than 2,000 characters.")
            return nil
        }
        // A name may lead inward, too; its addresses are checked whenever something is sent.
        let url = try? OutgoingURL(text)
        guard let url, allowsPrivate || url.isSecure && isOnInternet(url.host) else {
            problems.add(
                field, "ERR_INVALID",
                "The endpoint must be an https address of a push service on the internet.")
            return nil
        }
        return url
    }

    /// Returns whether a host may be on the internet: a public address, or a name with a dot whose last part isn't a
    /// number. Names such as `127.1` and `0x7f000001` are addresses to some resolvers (WHATWG URL, "ends in a number").
    private static func isOnInternet(_ host: String) -> Bool {
        if let address = NetworkAddress(host) { return address.isPublic }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1, let last = labels.last, let first = last.utf8.first else { return false }
        return !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
    }
}
