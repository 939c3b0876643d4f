import Foundation
import Logging
import ServiceLifecycle
import Serving
import Storage
import Synchronization

/// Carries news between the nodes that use one PostgreSQL database, and makes the events of what other nodes have changed.
package final class EventRelay: Sendable {
    private let channel: NodeChannel
    private let arrivals: AsyncStream<[NodeChannel.Arrival]>
    /// How often more has arrived than may wait.
    private let dropped: Counter
    private let database: Database
    private let logger: Logger
    private let handlers = Mutex<[String: NewsKind.Handler]>([:])

    /// How often something may arrive while the events of an earlier arrival are made.
    private static let capacity = 1_000

    init(_ address: PostgresAddress, database: Database, logger: Logger) {
        let (arrivals, arrival) = AsyncStream.makeStream(
            of: [NodeChannel.Arrival].self, bufferingPolicy: .bufferingOldest(Self.capacity))
        let dropped = Counter()
        channel = NodeChannel(address, node: database.node, logger: logger) {
            if case .dropped = arrival.yield($0) { _ = dropped.increment(upTo: .max) }
        }
        self.arrivals = arrivals
        self.dropped = dropped
        self.database = database
        self.logger = logger
    }

    /// Sets the handlers of some kinds of news. Called while the application is built.
    package func handle(_ handlers: [NewsKind: NewsKind.Handler]) {
        self.handlers.withLock { known in
            for (kind, handler) in handlers { known[kind.name] = handler }
        }
    }

    /// Releases the handlers, and everything that they hold.
    package func removeHandlers() { handlers.withLock { $0 = [:] } }

    /// Sends news to all other nodes, within milliseconds.
    func send(_ news: NodeNews) {
        do {
            channel.send(String(decoding: try JSONEncoder().encode(news), as: UTF8.self))
        } catch {
            logger.error("news for other nodes can’t be written", metadata: ["error": "\(error)"])
        }
    }

    /// Receives the news of other nodes until the server stops. News are sent until ``stop()``, since requests that are
    /// under way still change something.
    package func run(for events: EventBus) async {
        channel.start()
        await cancelWhenGracefulShutdown { [self] in
            var droppedBefore = 0
            for await some in arrivals {
                await receive(some, events.here)
                let dropped = dropped.value
                if dropped != droppedBefore {
                    logger.error("news of other nodes were dropped: too much waited")
                    events.here.resetAll()
                }
                droppedBefore = dropped
            }
        }
    }

    /// Sends what waits, and blocks the calling thread until that is done.
    package func stop() {
        channel.stop()
        channel.wait()
    }

    private func receive(_ arrivals: [NodeChannel.Arrival], _ here: EventBus.Here) async {
        var news: [NodeNews] = []
        var isComplete = true
        for arrival in arrivals {
            switch arrival {
            case .gap: isComplete = false
            case .message(let text):
                do {
                    news.append(try JSONDecoder().decode(NodeNews.self, from: Data(text.utf8)))
                } catch {
                    // A node of another version: what it knows more of is loaded again.
                    logger.notice("news of another node aren’t understood", metadata: ["error": "\(error)"])
                    isComplete = false
                }
            }
        }
        if await !apply(news, here) || !isComplete { here.resetAll() }
    }

    /// Makes the events of some news, in their order. Returns whether they are being made; after an error in
    /// one of them, all streams are reset.
    private func apply(_ news: [NodeNews], _ here: EventBus.Here) async -> Bool {
        let hasChanges = news.contains { if case .changed = $0 { true } else { false } }
        guard hasChanges else {
            for item in news { here.apply(item) }
            return true
        }
        let handlers = handlers.withLock { $0 }
        do {
            // A transaction that writes nothing. What follows it takes its turn among what follows this node's own writes, so that
            // the last number sent is the newest, and reads after all of these changes were committed.
            try await database.write { [logger] transaction in
                transaction.afterCommit { transaction in
                    var isComplete = true
                    for item in news {
                        here.apply(item)
                        guard case .changed(let kind, let ids) = item else { continue }
                        do {
                            guard let handler = handlers[kind] else { throw UnknownKind() }
                            try handler(ids, transaction)
                        } catch {
                            isComplete = false
                            logger.error(
                                "events of another node’s change weren’t made",
                                metadata: ["kind": "\(kind)", "error": "\(error)"])
                        }
                    }
                    if !isComplete { here.resetAll() }
                }
            }
            return true
        } catch {
            logger.error("events of other nodes’ changes weren’t made", metadata: ["error": "\(error)"])
            for item in news { here.apply(item) }
            return false
        }
    }

    private struct UnknownKind: Error {}
}

/// The service that makes the events of other nodes' changes.
package struct EventArrivals: Service {
    private let relay: EventRelay
    private let events: EventBus

    package init(relay: EventRelay, events: EventBus) {
        (self.relay, self.events) = (relay, events)
    }

    package func run() async { await relay.run(for: events) }
}
