import Foundation
import Logging
import Storage
import Synchronization
import TestPostgres
import Testing

@Suite("Messages between processes", .enabled(if: TestPostgres.server != nil), .timeLimit(.minutes(5)))
struct NodeChannelTests {
    private let fresh: PostgresTests.Fresh
    private let database: Database

    init() throws {
        fresh = try PostgresTests.Fresh()
        database = try fresh.open()
    }

    /// A channel, and what arrives on it.
    private struct Node {
        let channel: NodeChannel
        let arrivals: AsyncStream<NodeChannel.Arrival>

        init(_ number: Int, _ address: PostgresAddress) {
            let (arrivals, arrival) = AsyncStream.makeStream(of: NodeChannel.Arrival.self)
            self.arrivals = arrivals
            channel = NodeChannel(address, node: number, logger: quiet) { some in
                for one in some { arrival.yield(one) }
            }
            channel.start()
        }

        /// Takes arrivals until one is expected.
        func take(until last: NodeChannel.Arrival) async -> [NodeChannel.Arrival] {
            var taken: [NodeChannel.Arrival] = []
            for await arrival in arrivals {
                taken.append(arrival)
                if arrival == last { break }
            }
            return taken
        }

        func end() {
            channel.stop()
            channel.wait()
        }
    }

    @Test("They arrive at all others once and in order, however long they are, and not at their sender")
    func order() async throws {
        let nodes = try (0...2).map { Node($0, try fresh.address) }
        for node in nodes { #expect(await node.take(until: .gap) == [.gap]) }
        let long = "{" + String(repeating: "e\u{301}'\\\"🦊 ", count: 20_000) + "}"
        let messages = (0..<2_000).map { "{\($0)}" } + [long, "{last}"]
        for message in messages { nodes[0].channel.send(message) }
        for node in nodes.dropFirst() {
            #expect(await node.take(until: .message("{last}")) == messages.map { .message($0) })
        }
        nodes[1].channel.send("{answer}")
        #expect(await nodes[0].take(until: .message("{answer}")) == [.message("{answer}")])
        for node in nodes { node.end() }
    }

    @Test("What is sent right before the end is sent")
    func end() async throws {
        let (one, two) = (Node(0, try fresh.address), Node(1, try fresh.address))
        #expect(await one.take(until: .gap) == [.gap])
        #expect(await two.take(until: .gap) == [.gap])
        one.channel.send("{last}")
        one.end()
        #expect(await two.take(until: .message("{last}")) == [.message("{last}")])
        two.end()
    }

    /// Two nodes that are connected, the second through a proxy.
    private func apart() async throws -> (proxy: PostgresProxy, near: Node, far: Node) {
        let proxy = try PostgresProxy(before: fresh.server.folder)
        let address = try proxy.address(of: fresh.name)
        let (near, far) = (Node(0, try fresh.address), Node(1, address))
        #expect(await near.take(until: .gap) == [.gap])
        #expect(await far.take(until: .gap) == [.gap])
        return (proxy, near, far)
    }

    @Test("After a lost connection there is a gap, and what was sent meanwhile arrives")
    func cut() async throws {
        let (proxy, near, far) = try await apart()
        proxy.mode = .closed
        far.channel.send("{from afar}")
        near.channel.send("{missed}")
        proxy.mode = .open
        #expect(await near.take(until: .message("{from afar}")) == [.message("{from afar}")])
        #expect(await far.take(until: .gap).last == .gap)
        near.channel.send("{after}")
        #expect(await far.take(until: .message("{after}")).last == .message("{after}"))
        for node in [near, far] { node.end() }
    }

    @Test("When the lease of a killed process has ended, there is a gap; not when one ended by itself")
    func killed() async throws {
        let near = Node(0, try fresh.address)
        #expect(await near.take(until: .gap) == [.gap])
        try await database.write { transaction in
            try transaction.execute(
                """
                INSERT INTO storage_nodes (node, holder, expires_at, last_id)
                SELECT o.node, 'other ' || o.node, CASE o.node WHEN 7 THEN 0 ELSE n.expires_at - 20000 END, 0
                FROM storage_nodes n, generate_series(7, 8) AS o (node) WHERE n.node = 0
                """)
        }
        let start = ContinuousClock.now
        #expect(await near.take(until: .gap) == [.gap])
        #expect(ContinuousClock.now - start > .seconds(5))
        near.end()
    }

    @Test("A process with the number of one that has not said its end means a gap")
    func sameNumber() async throws {
        let near = Node(0, try fresh.address)
        #expect(await near.take(until: .gap) == [.gap])
        let far = try (0...2).map { _ in Node(1, try fresh.address) }
        for (index, arrivals) in [[], [], [NodeChannel.Arrival.gap]].enumerated() {
            #expect(await far[index].take(until: .gap) == [.gap])
            far[index].channel.send("{\(index)}")
            let message = NodeChannel.Arrival.message("{\(index)}")
            #expect(await near.take(until: message) == arrivals + [message])
            if index == 0 { far[0].end() }
        }
        for node in far[1...] + [near] { node.end() }
    }

    @Test("When too much waits to be sent, it is dropped, and the others receive a gap")
    func tooMuch() async throws {
        let (proxy, near, far) = try await apart()
        proxy.mode = .closed
        let message = "{" + String(repeating: "x", count: 1_000_000) + "}"
        for _ in 0..<5 { far.channel.send(message) }
        proxy.mode = .open
        far.channel.send("{after}")
        let taken = await near.take(until: .message("{after}"))
        #expect(taken.contains(.gap) && taken.last == .message("{after}"))
        for node in [near, far] { node.end() }
    }
}
