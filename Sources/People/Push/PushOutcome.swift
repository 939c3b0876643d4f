import Core
import Foundation

/// What a push service did with an announcement.
enum PushOutcome: Sendable, Equatable {
    case accepted
    /// There is no such subscription any more, or no such push service on the internet.
    case gone(why: String)
    case tooLarge
    /// It wants nothing for this device for so many seconds, or for a time of our own choice (429; RFC 8030, 8.4).
    case paused(seconds: TimeInterval?)
    /// It can't serve anyone for so many seconds, or for a time of our own choice.
    case busy(seconds: TimeInterval?)
    /// It doesn't accept the identity of this server, or the request.
    case refused(status: Int)
    case silent(why: String)

    init(_ reply: OutgoingReply) {
        let seconds = reply.retryAfter.map { max(1, TimeInterval($0)) }
        switch reply.status {
        case 200..<300: self = .accepted
        case 404, 410: self = .gone(why: "\(reply.status)")
        case 413: self = .tooLarge
        case 429: self = .paused(seconds: seconds)
        case 500...: self = .busy(seconds: seconds)
        default: self = .refused(status: reply.status)
        }
    }

    /// The most seconds for which one answer holds up what is sent to other devices at the host. A device chooses its
    /// address, and may share the host of a push service with everybody.
    private static let longestPauseOfHost: TimeInterval = 60

    /// Returns what the request has shown of the push service.
    func experience(at now: Date) -> PushGate.Experience {
        switch self {
        case .silent: .silent
        case .busy(let seconds?):
            .paused(until: now.addingTimeInterval(min(seconds, Self.longestPauseOfHost)))
        default: .answered
        }
    }
}
