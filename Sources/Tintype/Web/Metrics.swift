import HTTPTypes
import Synchronization

/// What an operator graphs, in Prometheus' text format 0.0.4.
///
/// Bounded: one series for each route, method and status, and routes are known from the program.
final class Metrics: Sendable {
    private struct Series: Hashable {
        var route: String
        var method: String
        var status: Int
    }

    private struct State {
        var requests: [Series: Int] = [:]
        var buckets = [Int](repeating: 0, count: Metrics.bounds.count + 1)
        var seconds = 0.0
    }

    /// Upper bounds of the latency histogram in seconds.
    private static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    private let state = Mutex(State())

    /// Counts a finished request.
    func record(route: String, method: HTTPRequest.Method, status: Int, seconds: Double) {
        let bucket = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
        state.withLock { state in
            state.requests[Series(route: route, method: method.rawValue, status: status), default: 0] += 1
            state.buckets[bucket] += 1
            state.seconds += seconds
        }
    }

    /// The text for Prometheus.
    ///
    /// - Parameter gauges: further values as they are now, by name.
    func text(gauges: [(name: String, help: String, value: Int)]) -> String {
        let state = state.withLock { $0 }
        var text = "# HELP tintype_requests_total Requests answered.\n# TYPE tintype_requests_total counter\n"
        for (series, count) in state.requests.sorted(by: { ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status) }) {
            text += "tintype_requests_total{route=\"\(series.route)\",method=\"\(series.method)\","
            text += "status=\"\(series.status)\"} \(count)\n"
        }
        text += "# HELP tintype_request_seconds Time to answer.\n# TYPE tintype_request_seconds histogram\n"
        var total = 0
        for (index, count) in state.buckets.enumerated() {
            total += count
            let bound = index < Self.bounds.count ? String(Self.bounds[index]) : "+Inf"
            text += "tintype_request_seconds_bucket{le=\"\(bound)\"} \(total)\n"
        }
        text += "tintype_request_seconds_sum \(state.seconds)\ntintype_request_seconds_count \(total)\n"
        for gauge in gauges {
            text += "# HELP \(gauge.name) \(gauge.help)\n# TYPE \(gauge.name) gauge\n\(gauge.name) \(gauge.value)\n"
        }
        return text
    }
}
