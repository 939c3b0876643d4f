/// The events of one stream, taken one by one from the account's ring.
package struct EventStream: AsyncSequence, Sendable {
    let bus: EventBus
    let key: Int
    let signals: AsyncStream<Void>

    /// Takes the next event, and waits for a signal when there is none.
    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let bus: EventBus
        fileprivate let key: Int
        fileprivate var signals: AsyncStream<Void>.Iterator

        /// Returns the next event; nil when the stream has ended or the task is cancelled.
        package mutating func next() async -> EventBus.Event? {
            while true {
                switch bus.take(key) {
                case .event(let event): return event
                case .end: return nil
                case .nothing:
                    guard await signals.next() != nil else { return nil }
                }
            }
        }
    }

    /// Returns the next event if it is there already: something that has happened, and no heartbeat.
    package func takeWaiting() -> EventBus.Event? {
        guard case .event(let event) = bus.take(key, orHeartbeat: false) else { return nil }
        return event
    }

    /// Begins to read. A stream has one reader.
    package func makeAsyncIterator() -> Iterator {
        Iterator(bus: bus, key: key, signals: signals.makeAsyncIterator())
    }
}
