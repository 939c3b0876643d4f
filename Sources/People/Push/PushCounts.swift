import Serving
import Synchronization

/// The numbers of announcements since the start, for the operator's graphs.
final class PushCounts: Sendable {
    private let accepted = Atomic<Int>(0)
    private let failed = Atomic<Int>(0)
    private let ended = Atomic<Int>(0)

    func count(_ outcome: PushOutcome) {
        switch outcome {
        case .accepted: accepted.wrappingAdd(1, ordering: .relaxed)
        case .gone: ended.wrappingAdd(1, ordering: .relaxed)
        case .tooLarge, .paused, .busy, .refused, .silent: failed.wrappingAdd(1, ordering: .relaxed)
        }
    }

    var gauges: [Metrics.Gauge] {
        [
            .init(
                "tintype_push_accepted_total", "Announcements that push services accepted.",
                accepted.load(ordering: .relaxed)),
            .init(
                "tintype_push_failed_total", "Attempts to send an announcement that failed.",
                failed.load(ordering: .relaxed)),
            .init(
                "tintype_push_ended_total", "Subscriptions that their push service has ended.",
                ended.load(ordering: .relaxed)),
        ]
    }
}
