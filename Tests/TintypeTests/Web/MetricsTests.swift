import HTTPTypes
import Testing

@testable import Tintype

@Suite("Metrics")
struct MetricsTests {
    @Test("Requests, queues, files and sizes are told in Prometheus' format")
    func text() async throws {
        let world = try await World()
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
        let bytes = try await world.number("SELECT sum(byte_count) FROM blobs")
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
}
