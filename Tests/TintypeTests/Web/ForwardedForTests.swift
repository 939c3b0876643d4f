import HTTPTypes
import Testing

@testable import Core
@testable import Serving
@testable import Tintype

@Suite("Who is behind proxies")
struct ForwardedForTests {
    private func client(
        _ lines: String..., from peer: String = "127.0.0.1",
        trusting: Set<String> = ["127.0.0.1", "10.0.0.2"]
    ) -> String {
        var headers = HTTPFields()
        for line in lines { headers.append(HTTPField(name: .forwardedFor, value: line)) }
        return ForwardedFor(headers).client(behind: peer, trusting: trusting)
    }

    @Test("Trusted proxies are skipped from the right, and what the client wrote itself is not believed")
    func chains() {
        #expect(client("203.0.113.5") == "203.0.113.5")
        #expect(client("203.0.113.5, 127.0.0.1") == "203.0.113.5")
        #expect(client("203.0.113.5, 10.0.0.2, 127.0.0.1") == "203.0.113.5")
        #expect(client("127.0.0.1, 203.0.113.5") == "203.0.113.5")
        #expect(client("127.0.0.1, 203.0.113.5, 10.0.0.2") == "203.0.113.5")
        #expect(client("198.51.100.9, 203.0.113.5") == "203.0.113.5")
        // The proxy's own computer asks.
        #expect(client("10.0.0.2, 127.0.0.1") == "10.0.0.2")
        #expect(client() == "127.0.0.1")
    }

    @Test("Nobody is believed who isn't a trusted proxy")
    func untrusted() {
        #expect(client("127.0.0.1", from: "203.0.113.5") == "203.0.113.5")
        #expect(client("198.51.100.9, 192.0.2.1") == "192.0.2.1")
    }

    @Test("Several headers are one list, in their order")
    func lines() {
        #expect(client("198.51.100.9", "203.0.113.5", "127.0.0.1") == "203.0.113.5")
        #expect(client("203.0.113.5", "") == ForwardedFor.unreadable)
    }

    @Test("Ports, brackets, quotation marks and spellings of IPv6 make no difference")
    func spellings() {
        #expect(client("203.0.113.5:4711, 10.0.0.2:80") == "203.0.113.5")
        #expect(client("\"[2001:DB8:0::5]:4711\", ::ffff:10.0.0.2") == "2001:db8::5")
        #expect(client("2001:db8:0:0::5") == "2001:db8::5")
        #expect(client("[2001:db8::5]") == "2001:db8::5")
        #expect(client("203.0.113.5,fe80::2%eth0", trusting: ["127.0.0.1", "fe80::2"]) == "203.0.113.5")
    }

    @Test(
        "What is no address is nobody's, and ends the search",
        arguments: [
            "unknown", "", "localhost", "127.0.0.1.example", "[", "\"", "1.2.3", "_hidden", "127.0.0.1:80:90",
        ])
    func garbage(entry: String) {
        #expect(client("127.0.0.1, \(entry)") == ForwardedFor.unreadable)
        #expect(client("127.0.0.1, \(entry), 10.0.0.2") == ForwardedFor.unreadable)
    }

    @Test(
        "The metrics open to nobody who comes through proxies, whether these are trusted or not",
        arguments: [[], ["127.0.0.1"], ["127.0.0.1", "10.0.0.2"]])
    func metrics(proxies: [String]) async throws {
        let world = try await World { $0.trustedProxies = proxies }
        let statuses = try await world.live { server -> [String] in
            var statuses: [String] = []
            for header in [
                "203.0.113.5, 127.0.0.1", "127.0.0.1, 203.0.113.5", "203.0.113.5, 10.0.0.2, 127.0.0.1",
                "nobody, 127.0.0.1", "127.0.0.1",
            ] {
                statuses.append(
                    try await server.connect { connection in
                        try await connection.get(
                            "/metrics", as: world.stranger, headers: ["X-Forwarded-For: \(header)"])
                        return String(try await connection.read(until: "\r\n").prefix(12))
                    })
            }
            return statuses
        }
        let closed = [String](repeating: "HTTP/1.1 404", count: 4)
        // Alone the computer asks itself.
        #expect(statuses == closed + ["HTTP/1.1 200"])
    }

    @Test("A reader whom the setting names is one through two trusted proxies too")
    func reader() async throws {
        let world = try await World {
            $0.metricsReaders = MetricsReaders("198.51.100.7")
            $0.trustedProxies = ["unknown", "10.0.0.2"]
        }
        for (header, status) in [
            ("198.51.100.7, 10.0.0.2", 200), ("198.51.100.7, 10.0.0.3", 404), ("198.51.100.8, 10.0.0.2", 404),
        ] {
            #expect(
                try await world.stranger.get("/metrics", headers: [.forwardedFor: header]).status == status)
        }
    }
}
