import AsyncHTTPClient
import Foundation
import Logging
import NIOCore
import Storage
import Synchronization
import Testing

@testable import Core
@testable import Serving

@Suite("Requests to other servers", .timeLimit(.minutes(15)))
struct OutgoingTests {
    private static let limits = OutgoingLimits(bytes: 100_000, seconds: 240)

    private static func client(
        mayAsk: @escaping @Sendable (NetworkAddress) -> Bool = { _ in true }
    ) -> OutgoingHTTP {
        OutgoingHTTP(
            publicURL: "https://photos.example.org", mayAsk: mayAsk,
            pace: OutgoingPace(connect: 240, idle: 240), logger: Logger(label: "test"),
            now: { Date() })
    }

    /// Asks once and returns what failed.
    private static func failure(
        _ url: String, _ limits: OutgoingLimits = limits, of client: OutgoingHTTP = client()
    ) async -> OutgoingError? {
        do {
            _ = try await client.get(url, limits: limits)
            return nil
        } catch {
            return error as? OutgoingError
        }
    }

    @Test("Bring the body, and say who asks")
    func body() async throws {
        try await SourceServer.with { call in
            .text("Hello \(call.parameters["a"] ?? "")")
        } _: { server in
            let answer = try await Self.client().get(
                "\(server.url)/x?a=b", headers: ["X-Own": "yes"], limits: Self.limits)
            #expect(String(decoding: answer.bytes, as: UTF8.self) == "Hello b")
            #expect(answer.mediaType == "application/json")
            let headers = try #require(server.calls.first).headers
            #expect(headers["user-agent"] == "Tintype/\(tintypeVersion) (+https://photos.example.org)")
            #expect(headers["x-own"] == "yes")
            #expect(headers["host"] == "127.0.0.1:\(server.port)")
        }
    }

    // MARK: Addresses

    @Test(
        "Never go to this computer, however it is written",
        arguments: [
            "127.0.0.1", "localhost", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "[::1]",
            "[::ffff:127.0.0.1]", "0.0.0.0", "127.0.0.2", "LOCALHOST",
        ])
    func loopback(host: String) async throws {
        try await SourceServer.with { _ in
            .text("secret")
        } _: { server in
            let failure = await Self.failure(
                "http://\(host):\(server.port)/", of: Self.client { $0.isPublic })
            // What this system can't resolve isn't reached either.
            #expect(failure == .forbiddenAddress || failure == .unreachable)
            #expect(server.calls.isEmpty)
        }
    }

    @Test("A redirect is followed only where a request may go")
    func redirectInward() async throws {
        try await SourceServer.with({ _ in .text("secret") }, host: "127.0.0.2") { inner in
            try await SourceServer.with { _ in
                .redirect("http://127.0.0.2:\(inner.port)/")
            } _: { outer in
                let outside = NetworkAddress("127.0.0.1")
                let client = Self.client { $0 == outside }
                #expect(await Self.failure(outer.url, of: client) == .forbiddenAddress)
                #expect(inner.calls.isEmpty && outer.calls.count == 1)
                #expect(await Self.failure(outer.url) == nil)
                #expect(inner.calls.count == 1)
            }
        }
    }

    @Test("Go to the address that was checked, whatever the name means by then")
    func changedName() async throws {
        try await SourceServer.with({ _ in .text("checked") }, host: "127.0.0.2") { server in
            let clients = PinnedClients(pace: OutgoingPace(connect: 240, idle: 240))
            let address = try #require(NetworkAddress("127.0.0.2"))
            func ask(_ host: String, for pinned: String) async throws {
                let request = HTTPClientRequest(url: "http://\(host):\(server.port)/")
                try await clients.with(.init(host: pinned, address: address)) { client in
                    _ = try await client.execute(request, timeout: .seconds(240))
                }
            }
            // The system says 127.0.0.1 for this name, where nobody listens on this port.
            try await ask("localhost", for: "localhost")
            #expect(server.calls.count == 1)
            // A host that the client doesn't find in its list would be looked up; nothing is sent to what comes of it.
            try await SourceServer.with { _ in
                .text("inner")
            } _: { inner in
                let request = HTTPClientRequest(url: inner.url)
                await #expect(throws: OutgoingError.forbiddenAddress) {
                    try await clients.with(.init(host: "other", address: address)) { client in
                        _ = try await client.execute(request, timeout: .seconds(240))
                    }
                }
                #expect(inner.calls.isEmpty)
            }
        }
    }

    @Test("Follow three redirects and no more")
    func redirects() async throws {
        try await SourceServer.with { call in
            let left = Int(call.path.dropFirst()) ?? 0
            return left == 0 ? .text("there") : .redirect("/\(left - 1)")
        } _: { server in
            #expect(await Self.failure("\(server.url)/3") == nil)
            #expect(await Self.failure("\(server.url)/4") == .badRedirect)
        }
    }

    @Test("Know no other protocol, also after a redirect")
    func protocols() async throws {
        #expect(await Self.failure("file:///etc/passwd") == .badURL)
        try await SourceServer.with { _ in
            .redirect("file:///etc/passwd")
        } _: { server in
            #expect(await Self.failure(server.url) == .badURL)
        }
    }

    // MARK: Limits

    @Test("Take no more bytes than allowed, with or without a length in the header")
    func tooLarge() async throws {
        try await SourceServer.with { call in
            switch call.path {
            case "/length": SourceServer.Reply(length: 1_000_000, ending: .silence)
            case "/endless": SourceServer.Reply(body: [1, 2, 3], ending: .endless)
            default: SourceServer.Reply(body: [UInt8](repeating: 7, count: 100_000))
            }
        } _: { server in
            #expect(await Self.failure("\(server.url)/length") == .tooLarge(limit: 100_000))
            #expect(await Self.failure("\(server.url)/endless") == .tooLarge(limit: 100_000))
            #expect(await Self.failure("\(server.url)/just") == nil)
        }
    }

    @Test("End when the time is up, and when an answer breaks off")
    func time() async throws {
        try await SourceServer.with { call in
            switch call.path {
            case "/silent": return SourceServer.Reply(body: [1], ending: .silence)
            case "/cut": return SourceServer.Reply(body: [1], ending: .cutOff)
            default:
                try await Task.sleep(for: .seconds(600))
                return .text("late")
            }
        } _: { server in
            let short = OutgoingLimits(bytes: 1_000_000, seconds: 0.5)
            #expect(await Self.failure("\(server.url)/slow", short) == .timedOut)
            #expect(await Self.failure("\(server.url)/silent", short) == .timedOut)
            let long = OutgoingLimits(bytes: 1_000_000, seconds: 240)
            #expect(await Self.failure("\(server.url)/cut", long) == .cutOff)
        }
    }

    @Test("Take only the media types that were asked for")
    func types() async throws {
        try await SourceServer.with { _ in
            .picture([1, 2, 3], type: "Image/PNG; q=1")
        } _: { server in
            var limits = Self.limits
            limits.mediaTypes = ["image/"]
            #expect(await Self.failure(server.url, limits) == nil)
            limits.mediaTypes = ["text/"]
            #expect(await Self.failure(server.url, limits) == .wrongType("image/png"))
        }
    }

    @Test("A file gets the bytes, and an error doesn't leave them")
    func download() async throws {
        let folder = NSTemporaryDirectory() + "outgoing-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let blobs = try BlobFolder(path: folder)
        let bytes = [UInt8](repeating: 9, count: 90_000)
        try await SourceServer.with { _ in
            .picture(bytes)
        } _: { server in
            let file = try blobs.receive()
            _ = try await Self.client().download(server.url, into: file, limits: Self.limits)
            let blob = try await blobs.commit(file)
            #expect(blob.byteCount == 90_000)
            let small = OutgoingLimits(bytes: 1_000, seconds: 240)
            let other = try blobs.receive()
            await #expect(throws: OutgoingError.tooLarge(limit: 1_000)) {
                try await Self.client().download(server.url, into: other, limits: small)
            }
            await blobs.discard(other)
        }
    }

    // MARK: Second tries

    @Test(
        "Are tried a second time when a server may have got better, as soon as it likes",
        arguments: [429, 500, 502, 503])
    func again(status: Int) async throws {
        try await SourceServer.with { call in
            call.number == 0 ? .error(status, retryAfter: "0") : .text("now")
        } _: { server in
            #expect(await Self.failure(server.url) == nil)
            #expect(server.calls.count == 2)
        }
        try await SourceServer.with { _ in
            .error(status)
        } _: { server in
            #expect(await Self.failure(server.url) == .status(status, retryAfter: nil))
            #expect(server.calls.count == 2)
        }
    }

    @Test("Fail at once when a server wants to be left alone for long, and for what doesn't get better")
    func notAgain() async throws {
        try await SourceServer.with { call in
            call.path == "/busy" ? .error(429, retryAfter: "120") : .error(404)
        } _: { server in
            #expect(await Self.failure("\(server.url)/busy") == .status(429, retryAfter: 120))
            #expect(await Self.failure("\(server.url)/none") == .status(404, retryAfter: nil))
            #expect(server.calls.count == 2)
        }
    }

    @Test("Say so when nobody is there")
    func unreachable() async throws {
        let port = try await SourceServer.with { _ in
            .text("")
        } _: {
            $0.port
        }
        #expect(await Self.failure("http://127.0.0.1:\(port)/") == .unreachable)
        #expect(await Self.failure("http://nowhere.invalid/") == .unreachable)
    }

    @Test("Retry-After is a number of seconds or a date")
    func retryAfter() {
        let now = Date(timeIntervalSince1970: 784_111_777)  // Sun, 06 Nov 1994 08:49:37 GMT
        for (value, seconds) in [
            ("120", 120), (" 0 ", 0), ("Sun, 06 Nov 1994 08:49:47 GMT", 10),
            ("Sun, 06 Nov 1994 08:00:00 GMT", 0), ("99999999999", Int.max),
        ] { #expect(RetryAfter.seconds(value, now: now) == seconds, "\(value)") }
        for value in ["", "-1", "1.5", "soon", "Sun, 06 Nov 1994", "Sunday, 06-Nov-94 08:49:37 GMT"] {
            #expect(RetryAfter.seconds(value, now: now) == nil, "\(value)")
        }
        #expect(RetryAfter.seconds(nil, now: now) == nil)
    }

    // MARK: One connection for each request

    @Test(
        "An answer that comes twice is never the answer to another request", arguments: [1, 5, 30])
    func twice(milliseconds: Int) async throws {
        try await SourceServer.with { call in
            // The server takes longer to answer than to repeat itself, so the next request meets the copy first.
            try await Task.sleep(for: .milliseconds(milliseconds + 20))
            return SourceServer.Reply(
                body: Array(call.path.utf8), ending: .again(milliseconds: milliseconds))
        } _: { server in
            let client = Self.client()
            for number in 1...4 {
                let answer = try await client.get("\(server.url)/get/\(number)", limits: Self.limits)
                #expect(String(decoding: answer.bytes, as: UTF8.self) == "/get/\(number)")
                let message = OutgoingMessage(method: .get, url: "\(server.url)/send/\(number)")
                let reply = try await client.send(message, limits: Self.limits)
                #expect(String(decoding: reply.bytes, as: UTF8.self) == "/send/\(number)")
            }
            #expect(server.calls.allSatisfy { $0.headers["connection"] == "close" })
        }
    }

    // MARK: Many at once

    @Test("Four at once to one server, the others in turn")
    func places() async throws {
        try await SourceServer.with { _ in
            try await Task.sleep(for: .milliseconds(30))
            return .text("")
        } _: { server in
            let client = Self.client()
            let failures = await withTaskGroup(of: OutgoingError?.self) { group in
                for _ in 1...20 { group.addTask { await Self.failure(server.url, of: client) } }
                var failures: [OutgoingError] = []
                for await failure in group { if let failure { failures.append(failure) } }
                return failures
            }
            #expect(failures.isEmpty)
            #expect(server.calls.count == 20)
            #expect((2...4).contains(server.mostOpen))
        }
    }

    @Test("A place is given back by those who fail, go or wait in vain")
    func placesGivenBack() async throws {
        let full = OutgoingPlaces(most: 1, perHost: 1, mostWaiting: 0)
        struct Failure: Error {}
        await #expect(throws: Failure.self) { try await full.with("a") { throw Failure() } }
        try await full.with("a") {
            _ = await #expect(throws: OutgoingError.busy) { try await full.with("b") {} }
        }
        let places = OutgoingPlaces(most: 1, perHost: 1, mostWaiting: 4)
        try await places.with("a") {
            let waiting = Task { try await places.with("b") {} }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
            await #expect(throws: OutgoingError.timedOut) {
                try await withTimeLimit(seconds: 0.05) { try await places.with("c") {} }
            }
        }
        try await places.with("b") {}
    }

    @Test("End when the application stops, and begin no more")
    func stop() async throws {
        try await SourceServer.with { _ in
            try await Task.sleep(for: .seconds(600))
            return .text("late")
        } _: { server in
            let client = Self.client()
            let failure = Task { await Self.failure(server.url, of: client) }
            await server.isAsked()
            client.stop()
            #expect(await failure.value == .stopped)
            #expect(await Self.failure(server.url, of: client) == .stopped)
        }
    }
}
