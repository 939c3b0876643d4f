import Testing

import struct Core.ServerConfiguration

@testable import Core
@testable import Tintype

extension World {
    /// Two servers on one PostgreSQL database, which exchange events while the closure runs.
    static func pair(
        configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: @Sendable (_ one: World, _ two: World) async throws -> Void
    ) async throws {
        let (one, two) = try await World.two(configure: configure)
        try await one.linked { try await two.linked { try await body(one, two) } }
    }

    /// Exchanges events with the other servers of the database while the closure runs.
    private func linked(_ body: () async throws -> Void) async throws {
        let (events, relay) = (tintype.events, try #require(tintype.parts.relay))
        let probe = events.subscribe(ID(rawValue: .max), session: ID(rawValue: 1), after: nil)
        let running = Task { await relay.run(for: events) }
        // A server that has connected asks all streams to load everything again.
        for await event in probe.stream where event.name == .reset { break }
        events.unsubscribe(probe)
        defer {
            running.cancel()
            relay.stop()
        }
        try await body()
    }
}
