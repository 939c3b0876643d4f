import Foundation
import NIOCore
import Testing

@testable import Core
@testable import Serving
@testable import Tintype

@Suite("A reader that doesn’t read", .timeLimit(.minutes(15)))
struct SlowReaderTests {
    private static let eventBytes = 128 * 1024
    /// More than the kernel keeps for a connection.
    private static let eventsCount = 300

    @Test("costs no memory, is cut off after a minute, and keeps nothing from those who do")
    func stuck() async throws {
        // The bus has to find it, by the clock of the test; on a busy machine a minute is soon over.
        let world = try await World { $0.readingPace.window = .hours(1) }
        let ana = try await world.account("ana")
        let events = world.tintype.events
        let data = Array(repeating: UInt8(ascii: "x"), count: Self.eventBytes)
        let all = Self.eventBytes * Self.eventsCount
        try await world.live { server in
            try await server.connect { stuck in
                try await stuck.get("/api/v1/events", as: ana)
                // What comes first is taken, and nothing more for as long as others read.
                var rest = stuck.inbound.makeAsyncIterator()
                let greeting = String(buffer: try #require(try await rest.next()))
                #expect(greeting.contains("200 OK"))
                let position = events.position(of: ana.id)
                try await server.connect { reader in
                    try await reader.get("/api/v1/events", as: ana)
                    var (published, received) = (0, 0)
                    for try await buffer in reader.inbound {
                        received += buffer.readableBytes
                        // One after the other, as fast as the one who reads takes them.
                        guard received > published * Self.eventBytes else { continue }
                        if published == Self.eventsCount { break }
                        events.publish("tintype.test", to: ana.id, data: data)
                        published += 1
                    }
                    #expect(received > all)
                    #expect(events.streamsCount == 2)
                    world.clock.advance(seconds: EventBus.patience + 1)
                    for second in 0..<EventBus.heartbeatSeconds { events.beat(second) }
                    #expect(events.streamsCount == 1, "only the one that reads is left")
                }
                // The connection has ended, with what the kernel had of it and no more.
                var late = 0
                while let buffer = try await rest.next() { late += buffer.readableBytes }
                #expect(late < all / 2)
                let again = try await server.connect { stream in
                    try await stream.get(
                        "/api/v1/events", as: ana, headers: ["Last-Event-ID: \(position)"])
                    return try await stream.read(until: "event: reset")
                }
                #expect(again.contains("event: reset") && !again.contains("tintype.test"))
            }
        }
    }
}
