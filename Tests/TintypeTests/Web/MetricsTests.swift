import Foundation
import HTTPTypes
import Hummingbird
import Testing

@testable import Core
@testable import Serving
@testable import Tintype

@Suite("Metrics")
struct MetricsTests {
    @Test("Failures of the last 24 hours are counted, by the hour")
    func failures() {
        let metrics = Metrics()
        let start = Date(timeIntervalSince1970: 1_790_000_000)
        for hour in 0..<100 {
            for status in [200, 404, 500, 503] {
                metrics.record(
                    route: "/", method: .get, status: status, seconds: 0,
                    at: start + Double(hour) * 3600)
            }
        }
        #expect(metrics.failures(before: start + 99 * 3600) == 48)
        #expect(metrics.failures(before: start + 110 * 3600) == 26)
        #expect(metrics.failures(before: start + 200 * 3600) == 0)
    }

    @Test("Requests, queues, files and sizes are in Prometheus' format")
    func text() async throws {
        let world = try await World { $0.metricsReaders = MetricsReaders("all") }
        let ana = try await world.account("ana")
        _ = try await ana.photo()
        _ = try await ana.get("/api/v1/accounts/1")
        _ = try await ana.submit("/settings/data")
        let text = try await world.stranger.get("/metrics").text
        let lines = Set(text.split(separator: "\n").map(String.init))
        #expect(
            lines.contains(
                #"tintype_requests_total{route="/api/v1/accounts/{id}",method="GET",status="404"} 1"#))
        #expect(lines.contains(#"tintype_jobs_waiting{kind="pack-download"} 1"#))
        #expect(lines.contains("tintype_blobs 7"))
        #expect(lines.contains("# TYPE tintype_picture_workers_lost_total counter"))
        #expect(lines.contains("tintype_picture_workers_lost_total 0"))
        let bytes = try await world.number("SELECT CAST(sum(byte_count) AS BIGINT) FROM blobs")
        #expect(lines.contains("tintype_blob_bytes \(bytes)"))
        for name in ["tintype_database_bytes", "tintype_disk_free_bytes", "process_resident_memory_bytes"] {
            let line = try #require(lines.first { $0.hasPrefix(name + " ") })
            #expect((Int(line.dropFirst(name.count + 1)) ?? 0) > 0)
        }
        // Each line is a comment or a name with labels and a number.
        for line in lines where !line.hasPrefix("# ") {
            #expect(
                line.wholeMatch(of: #/[a-z_]+(\{[^}]*(\{[a-z_]+\}[^}]*)*\})? -?[0-9.e+-]+/#) != nil, "\(line)"
            )
        }
    }

    @Test("Methods that a client invents are one series")
    func methods() async throws {
        let world = try await World { $0.metricsReaders = MetricsReaders("all") }
        for name in ["BREW", "WHEN", "TRACE"] {
            _ = try await world.send(try #require(.init(rawValue: name)), "/home")
        }
        let text = try await world.stranger.get("/metrics").text
        #expect(text.contains(#"method="OTHER",status="404"} 3"#))
        #expect(!text.contains("BREW") && !text.contains("TRACE"))
    }

    @Test("They are for the server's own computer, and not for who comes through a proxy on it")
    func readers() async throws {
        let world = try await World()
        let statuses = try await world.live { server -> [String] in
            var statuses: [String] = []
            for headers in [[], ["X-Forwarded-For: 192.0.2.7"]] {
                statuses.append(
                    try await server.connect { connection in
                        try await connection.get("/metrics", as: world.stranger, headers: headers)
                        return String(try await connection.read(until: "\r\n").prefix(12))
                    })
            }
            return statuses
        }
        #expect(statuses == ["HTTP/1.1 200", "HTTP/1.1 404"])
    }

    @Test(
        "An address is the same however it is written: of the reader, of the proxy and of its client",
        arguments: [
            ("192.0.2.7", "::ffff:192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"),
            ("::FFFF:C000:0207", "192.0.2.7"), ("2001:DB8:0:0::1", "2001:db8::1"),
        ])
    func spellings(setting: String, client: String) async throws {
        let world = try await World {
            $0.metricsReaders = MetricsReaders(setting)
            // Both spellings of one computer are one proxy; a request that came over no socket is from "unknown".
            $0.trustedProxies = ["unknown", "::ffff:127.0.0.1", "0:0:0:0:0:0:0:1"]
        }
        #expect(try await world.stranger.get("/metrics", headers: [.forwardedFor: client]).status == 200)
        #expect(try await world.stranger.get("/metrics", headers: [.forwardedFor: "192.0.2.8"]).status == 404)
        let status = try await world.live { server in
            try await server.connect { connection in
                try await connection.get(
                    "/metrics", as: world.stranger, headers: ["X-Forwarded-For: \(client)"])
                return String(try await connection.read(until: "\r\n").prefix(12))
            }
        }
        #expect(status == "HTTP/1.1 200")
    }

    @Test("The setting names addresses, or all", arguments: ["10.0.0.2", "10.0.0.1, 10.0.0.2", "all"])
    func setting(list: String) async throws {
        let configuration = try await ServerConfiguration.load(
            flags: ["metrics-readers": list], environment: [:], file: nil)
        #expect(configuration.metricsReaders.include("10.0.0.2", way: []))
        #expect(configuration.metricsReaders.include("::ffff:10.0.0.2", way: []))
        #expect(configuration.metricsReaders.include("127.0.0.1", way: []) == (list == "all"))
        #expect(configuration.metricsReaders.include("10.0.0.2", way: ["127.0.0.1"]) == (list == "all"))
    }
}
