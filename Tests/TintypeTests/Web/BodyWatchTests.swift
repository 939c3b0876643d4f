import Foundation
import NIOCore
import Testing

@testable import Core
@testable import Serving

@Suite("Bodies that come slowly or not at all", .timeLimit(.minutes(15)))
struct BodyWatchTests {
    @Test("A kilobyte a second keeps the server's patience, less uses it up, and much is not saved for later")
    func patience() {
        var patience = BodyPatience(seconds: 10)
        for _ in 1...1_000 { patience.note(bytes: 1_000, after: 1) }
        #expect(patience.seconds == 10)
        for _ in 1...18 { patience.note(bytes: 500, after: 1) }
        #expect(patience.seconds == 1)
        patience.note(bytes: 0, after: 3)
        #expect(patience.seconds == 0)
        patience.note(bytes: 50_000_000, after: 0)
        #expect(patience.seconds == 10)
        patience.note(bytes: 1, after: 9.9)
        #expect(patience.seconds < 0.2)
    }

    private static let head = """
        POST /login HTTP/1.1\r
        Host: localhost\r
        Sec-Fetch-Site: same-origin\r
        Content-Type: application/x-www-form-urlencoded\r
        Content-Length: 100\r\n\r\n
        """

    @Test("A body that stops coming is cut off with a sentence, and its connection ends")
    func slow() async throws {
        let world = try await World { $0.limits.bodyPatience = 0.05 }
        let answer = try await world.live { server in
            try await server.connect { connection in
                try await connection.write(Self.head + "username=ana")
                return try await connection.read(until: "what never comes")
            }
        }
        #expect(answer.hasPrefix("HTTP/1.1 408") && answer.contains("arrived too slowly or was interrupted"))
        #expect(answer.lowercased().contains("connection: close"))
    }

    /// How often a route has been answered with a status.
    private func count(_ path: String, _ status: Int, in world: World) async throws -> Int {
        let text = try await world.stranger.get("/metrics").text
        let line = text.split(separator: "\n").first {
            $0.hasPrefix("tintype_requests_total{route=\"\(path)\"") && $0.contains("status=\"\(status)\"")
        }
        return line?.split(separator: " ").last.flatMap { Int($0) } ?? 0
    }

    @Test(
        "What a client breaks off is its own failure and not the server's, and nothing of it stays",
        arguments: ["/api/v2/media", "/posts"])
    func brokenOff(path: String) async throws {
        let world = try await World { $0.metricsReaders = MetricsReaders("all") }
        let ana = try await world.account("ana")
        let head = """
            POST \(path) HTTP/1.1\r
            Host: localhost\r
            \(ana.credentialLines.joined(separator: "\r\n"))\r
            Content-Type: \(FormPart.contentType)\r
            Content-Length: 50000000\r\n\r\n
            """
        let body = FormPart.body([.file("file", [UInt8](repeating: 7, count: 400_000))])
        let part = Array(body.readableBytesView.dropLast(1_000))
        let isCounted = try await world.live { server in
            try await server.connect { connection in
                try await connection.write(head)
                try await connection.write(part)
            }
            while try await count(path, 408, in: world) == 0 {}
            return try await count(path, 500, in: world) == 0
        }
        #expect(isCounted)
        let incoming = try FileManager.default.subpathsOfDirectory(atPath: world.folder + "/blobs/incoming")
        #expect(incoming.count == 1, "the folder of this process alone: \(incoming)")
    }

    @Test(
        "A small body that no route reads keeps the connection if it comes in time; after any other it is closed",
        arguments: [(10, 10, false), (10, 0, true), (64_000, 63_999, true), (1_000_000, 0, true)])
    func unread(length: Int, sent: Int, isClosed: Bool) async throws {
        let world = try await World { if isClosed { $0.limits.bodyPatience = 0.05 } }
        let ana = try await world.account("ana")
        let head = """
            POST /api/v1/statuses/1/favourite HTTP/1.1\r
            Host: localhost\r
            \(ana.credentialLines.joined(separator: "\r\n"))\r
            Content-Length: \(length)\r\n\r\n
            """
        let answer = try await world.live { server in
            try await server.connect { connection in
                try await connection.write(head + String(repeating: "a", count: sent))
                guard !isClosed else { return try await connection.read(until: "what never comes") }
                return try await connection.read(
                    until: "\"error\"", then: { try await connection.get("/healthz", as: ana) },
                    until: "\r\n\r\n")
            }
        }
        // If it is closed, the route has still answered, and not the time limit.
        #expect(answer.contains(isClosed ? "HTTP/1.1 404" : "HTTP/1.1 200"), "\(answer)")
        #expect(answer.lowercased().contains("connection: close") == isClosed)
    }
}
