import Core
import Serving

/// The limit on new accounts from one network, which the sign-up page and apps share.
struct SignUpLimit: Sendable {
    private let attempts: AttemptLimit

    init(_ limits: RateLimits, in counts: AttemptCounts) {
        attempts = AttemptLimit("sign-up", limit: limits.signUps, per: 3600, in: counts)
    }

    /// Checks that another account may be created from a network, a key of ``ClientNetwork``.
    ///
    /// - Throws: ``Refusal`` (429).
    func check(_ network: String) async throws {
        try Self.refuse(for: try await attempts.wait(network))
    }

    /// Counts an attempt to create an account.
    ///
    /// - Throws: ``Refusal`` (429) when there were too many.
    func take(_ network: String) async throws {
        try Self.refuse(for: try await attempts.take(network))
    }

    private static func refuse(for seconds: Int?) throws {
        guard let seconds else { return }
        throw Refusal(
            .tooOften(retryAfter: seconds),
            "Too many new accounts were created from your network. Try again later.")
    }
}
