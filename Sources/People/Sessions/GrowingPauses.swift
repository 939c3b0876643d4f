import Core
import Foundation

/// Pauses between attempts at a secret: none between the first few attempts, then each pause is twice as long as the one
/// before.
///
/// After each ``longest`` one attempt is forgiven, so that a place which never stops trying gets one attempt in that
/// time.
struct GrowingPauses: Sendable {
    /// The first pause, in seconds.
    let shortest: TimeInterval
    /// The longest pause, in seconds.
    let longest: TimeInterval

    /// Returns the kind of the attempts that these pauses are between.
    func kind(_ name: String) -> AttemptKind { AttemptKind(name, forgivenIn: longest) }

    /// Returns the seconds until the next attempt of a key; 0 when there may be one now.
    ///
    /// - Parameter free: the number of attempts without a pause.
    func pause(_ key: AttemptKey, after free: Int, in tally: AttemptTally) -> TimeInterval {
        guard let elapsed = tally.elapsed(key) else { return 0 }
        // A partly forgiven attempt counts as an attempt.
        let doublings = tally.number(key).rounded(.up) - Double(free)
        guard doublings >= 0 else { return 0 }
        return max(0, min(shortest * exp2(doublings), longest) - elapsed)
    }
}
