import Foundation
import HTTPTypes
import Synchronization

/// The figures that an operator graphs, in Prometheus' text format 0.0.4.
///
/// Bounded: there is one series for each route, method and status, and the program knows all routes.
package final class Metrics: Sendable {
    /// A current value, alone or one for each of a few labels.
    package struct Gauge: Sendable {
        let name: String
        let help: String
        let values: [(labels: [String: String], value: Double)]

        /// - Parameters:
        ///   - name: the name as Prometheus spells it, with the unit at its end.
        ///   - help: a sentence for the operator.
        package init(_ name: String, _ help: String, _ values: [(labels: [String: String], value: Double)]) {
            self.name = name
            self.help = help
            self.values = values
        }

        package init(_ name: String, _ help: String, _ value: Int) { self.init(name, help, Double(value)) }

        package init(_ name: String, _ help: String, _ value: Double) {
            self.init(name, help, [([:], value)])
        }
    }

    private struct Series: Hashable {
        var route: String
        var method: String
        var status: Int
    }

    private struct State {
        var requests: [Series: Int] = [:]
        var buckets = [Int](repeating: 0, count: Metrics.bounds.count + 1)
        var seconds = 0.0
        /// The answers with a status of 500 or more in each of the last 24 hours, by the hours since 1970.
        var failures: [Int: Int] = [:]
    }

    /// The upper bounds of the latency histogram, in seconds.
    private static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    private let state = Mutex(State())

    package init() {}

    /// The methods that have their own series. A client may invent methods: all others share one series.
    private static let methods: Set<HTTPRequest.Method> = [
        .get, .head, .post, .put, .patch, .delete, .options,
    ]

    /// Counts a finished request.
    ///
    /// - Parameter moment: when it was finished.
    package func record(
        route: String, method: HTTPRequest.Method, status: Int, seconds: Double, at moment: Date = Date()
    ) {
        let bucket = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
        let method = Self.methods.contains(method) ? method.rawValue : "OTHER"
        state.withLock { state in
            state.requests[Series(route: route, method: method, status: status), default: 0] += 1
            state.buckets[bucket] += 1
            state.seconds += seconds
            guard status >= 500 else { return }
            let hour = Self.hour(of: moment)
            state.failures[hour, default: 0] += 1
            if state.failures.count > 24 { state.failures = state.failures.filter { $0.key > hour - 24 } }
        }
    }

    /// Returns how many answers had a status of 500 or more in the last 24 hours, at most since the server started.
    package func failures(before moment: Date = Date()) -> Int {
        let hour = Self.hour(of: moment)
        return state.withLock { state in
            state.failures.reduce(0) { $1.key > hour - 24 ? $0 + $1.value : $0 }
        }
    }

    private static func hour(of moment: Date) -> Int { Int(moment.timeIntervalSince1970 / 3600) }

    /// Returns the text for Prometheus.
    ///
    /// - Parameter gauges: further current values, by name.
    package func text(gauges: [Gauge]) -> String {
        let state = state.withLock { $0 }
        var text = "# HELP tintype_requests_total Requests answered.\n# TYPE tintype_requests_total counter\n"
        for (series, count) in state.requests.sorted(by: {
            ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status)
        }) {
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
            // Prometheus' convention for values that only grow.
            let type = gauge.name.hasSuffix("_total") ? "counter" : "gauge"
            text += "# HELP \(gauge.name) \(gauge.help)\n# TYPE \(gauge.name) \(type)\n"
            for (labels, value) in gauge.values {
                let pairs = labels.sorted { $0.key < $1.key }.map { "\($0.key)=\"\($0.value)\"" }
                text +=
                    gauge.name + (pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}")
                    + " \(Self.number(value))\n"
            }
        }
        return text
    }

    /// Returns a number as text, whole numbers without a decimal point.
    private static func number(_ value: Double) -> String {
        Int(exactly: value).map(String.init) ?? String(value)
    }
}
