import Foundation
import ServiceLifecycle
import Serving
import Synchronization

/// The bus that carries events to the open browsers and apps of the people whom they concern, on all nodes.
///
/// Services publish in `Transaction.afterCommit`, so that events are sent in the order of the commits. Each node makes the
/// events for its own streams: what depends on who listens is in ``here``, and ``tell(_:_:)`` makes the other nodes do the
/// same.
///
/// Events are kept for five minutes in a bounded ring for each account, and a stream is only a place in that ring: a browser
/// that lost its connection resumes at its place, and a slow reader costs nothing else. A reader that falls behind the end
/// of the ring, or resumes on another node, is asked to load everything again; a reader that reads nothing is cut off.
package final class EventBus: Service {
    /// An event of one account.
    package struct Event: Sendable {
        /// The event's growing number; for a heartbeat, the number up to which all events were sent. nil for an event
        /// that isn't worth repeating, such as typing.
        package var number: Int?
        /// The event's name; nil for a heartbeat.
        package var name: EventName?
        fileprivate var content: EventContent
        fileprivate var reader: Reader

        /// A JSON value, or for `delete` an id, on one line.
        package var data: [UInt8] { content.bytes(for: reader) }
    }

    /// One stream of an account's events.
    package struct Subscription: Sendable {
        /// The events in order; it ends when the log-in ends or the reader is cut off.
        package let stream: EventStream
        fileprivate let key: Int
    }

    struct Listener {
        var account: Account.ID
        var session: Session.ID
        /// The number of the last event that the reader has taken.
        var place: Int
        /// The number of the newest event before the stream began. Passing events up to this number aren't sent to the
        /// stream.
        var joinedAt: Int
        var isDueHeartbeat = false
        /// The time at which the reader was last sent a signal that it has not answered by reading.
        var waitingSince: Date?
        var signal: AsyncStream<Void>.Continuation
        var cutOff: @Sendable () -> Void
    }

    struct State {
        var rings: EventRings
        var listeners: [Int: Listener] = [:]
        var byAccount: [Account.ID: [Int]] = [:]
        /// When somebody was last served a page or had a stream, from which they may resume.
        var seen: [Account.ID: Seen] = [:]
        var nextKey = 0
        /// The number of the next event.
        var next: Int

        /// Returns whether an account has an open stream, or may resume one.
        func reaches(_ account: Account.ID, _ instant: Date) -> Bool {
            if byAccount[account] != nil { return true }
            return seen[account].map { instant.timeIntervalSince($0.at) < EventRings.lifetime } ?? false
        }

        /// Notes that an account is served a page, or opens or closes a stream. Returns the number since which its events
        /// are kept.
        @discardableResult
        mutating func note(_ account: Account.ID, _ instant: Date) -> Int {
            if reaches(account, instant), let known = seen[account] {
                seen[account]?.at = instant
                return known.since
            }
            // A number of its own, so that numbers from before the break are lower.
            next += EventBus.step
            let since = next - EventBus.step
            seen[account] = Seen(at: instant, since: since)
            return since
        }
    }

    /// What is known of an account that has a stream or may resume one.
    struct Seen {
        var at: Date
        /// The number of the newest event before the account was reached without a break. Earlier events may be missing.
        var since: Int
    }

    let state: Mutex<State>
    let now: @Sendable () -> Date
    /// This node's number, which is the rest of the numbers of its events divided by ``step``.
    private let node: Int
    /// Sends news to the other nodes; nil when there can't be any.
    private let others: (@Sendable (NodeNews) -> Void)?

    /// The difference between the numbers of two events. The numbers of different nodes are never equal.
    static let step = 1_024

    /// Seconds between two heartbeats of a stream.
    static let heartbeatSeconds = 15
    /// Seconds after which a reader that takes nothing is cut off.
    static let patience: TimeInterval = 60
    /// The most streams of one account.
    static let streamsPerAccount = 16

    /// - Parameters:
    ///   - node: the number of this process, from 0 to 1023, among those that use the database.
    ///   - others: sends news to the other nodes; nil when there can't be any.
    init(
        node: Int = 0, others: (@Sendable (NodeNews) -> Void)? = nil, now: @escaping @Sendable () -> Date
    ) {
        self.now = now
        self.node = node
        self.others = others
        // Microseconds: a new process begins above all that an earlier one can have given out.
        let first = Int(now().timeIntervalSince1970 * 1_000_000) * Self.step + node
        state = Mutex(State(rings: EventRings(forgottenThrough: first - Self.step), next: first))
    }

    /// The number of open streams.
    package var streamsCount: Int { state.withLock { $0.listeners.count } }

    /// Returns the number of the newest event. A page of `account` resumes from there: later events are kept.
    package func position(of account: Account.ID) -> Int {
        let instant = now()
        return state.withLock { state in
            state.note(account, instant)
            return state.next - Self.step
        }
    }

    // MARK: Publishing

    /// Sends an event to an account's streams on all nodes, and keeps the event for streams that resume unless it is
    /// passing.
    ///
    /// - Parameters:
    ///   - subjects: what the event is about. It is deleted with any of them.
    ///   - subject: the thing whose state the event reports: streams that resume get the last such event only.
    package func publish(
        _ name: EventName, to account: Account.ID, data: [UInt8], about subjects: [EventSubject] = [],
        replacing subject: EventSubject? = nil
    ) {
        publish(name, to: [account], data: data, about: subjects, replacing: subject)
    }

    /// Sends an event to the streams of some accounts on all nodes, and keeps the event for streams that resume unless
    /// it is passing.
    ///
    /// - Parameter accounts: nil for all that are listening.
    package func publish(
        _ name: EventName, to accounts: Set<Account.ID>?, data: [UInt8], about subjects: [EventSubject] = [],
        replacing subject: EventSubject? = nil
    ) {
        here.publish(
            name, to: accounts ?? here.audience, .bytes(data), about: subjects, replacing: subject)
        others?(
            .publish(
                .init(
                    name: name.description, isPassing: name.isPassing, accounts: accounts.map(Array.init),
                    data: String(decoding: data, as: UTF8.self), subjects: subjects, replaces: subject)))
    }

    /// Tells the other nodes that something has changed, so that each makes the events for its own streams
    /// (``Feature/news``).
    ///
    /// - Parameter ids: the ids from which the nodes find what has changed.
    package func tell(_ kind: NewsKind, _ ids: @autoclosure () -> [Int64]) {
        others?(.changed(kind.name, ids()))
    }

    static func append(
        _ entry: EventRings.Entry, to account: Account.ID, wakes: Bool = true, _ state: inout State
    ) {
        state.next += step
        state.rings.append(entry, to: account)
        if state.rings.isFull { makeRoom(&state) }
        guard wakes else { return }
        for key in state.byAccount[account] ?? [] { wake(key, entry.at, &state) }
    }

    /// Deletes the oldest events. Streams that have received all of their events miss none of these.
    private static func makeRoom(_ state: inout State) {
        for index in state.listeners.values.indices {
            let listener = state.listeners.values[index]
            guard listener.place >= state.rings.forgottenThrough(listener.account),
                state.rings.entry(after: listener.place, of: listener.account) == nil
            else { continue }
            state.listeners.values[index].place = state.next - step
        }
        state.rings.forgetOldest()
    }

    // MARK: Forgetting

    /// Deletes the events about something that was deleted, for one account or for all, on all nodes, so that streams
    /// that resume don't get them.
    package func forget(_ subjects: Set<EventSubject>, of account: Account.ID? = nil) {
        here.forget(subjects, of: account)
        others?(.forget(Array(subjects), account))
    }

    /// Deletes an account's events, and asks its streams on all nodes, and those that resume, to load everything again,
    /// because the account may no longer see what it was sent.
    package func reset(_ account: Account.ID) {
        here.reset(account)
        others?(.reset(account))
    }

    static func reset(_ account: Account.ID, _ instant: Date, _ state: inout State) {
        state.rings.clear(account)
        let entry = EventRings.Entry(
            number: state.next, at: instant, name: .reset, content: Self.nothing)
        append(entry, to: account, &state)
    }

    private static let nothing = EventContent.bytes(Array("{}".utf8))

    private static func wake(_ key: Int, _ instant: Date, _ state: inout State) {
        guard let index = state.listeners.index(forKey: key) else { return }
        if state.listeners.values[index].waitingSince == nil {
            state.listeners.values[index].waitingSince = instant
        }
        state.listeners.values[index].signal.yield()
    }

    // MARK: Streams

    /// Opens a stream.
    ///
    /// - Parameters:
    ///   - last: the number of the last event that the reader has. The stream continues after that event, or begins
    ///     with an event `reset` when the events after it are no longer known. nil begins with the next event.
    ///   - cutOff: closes the reader's connection, which may be stuck in the middle of a write.
    package func subscribe(
        _ account: Account.ID, session: Session.ID, after last: Int?,
        cutOff: @escaping @Sendable () -> Void = {}
    ) -> Subscription {
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let instant = now()
        let (subscription, displaced) = state.withLock { state -> (Subscription, Listener?) in
            let key = state.nextKey
            state.nextKey += 1
            let since = state.note(account, instant)
            let newest = state.next - Self.step
            let keys = state.byAccount[account] ?? []
            // A number of another node, or that was never given out, counts as unknown: place 0 is behind every ring.
            let isOurs = last.map { since <= $0 && $0 <= newest && $0 % Self.step == node } ?? true
            let place = isOurs ? last ?? newest : 0
            let oldest = keys.count >= Self.streamsPerAccount ? keys.first : nil
            let displaced = oldest.flatMap { Self.remove($0, from: &state) }
            state.listeners[key] = Listener(
                account: account, session: session, place: place, joinedAt: newest, signal: signal,
                cutOff: cutOff)
            state.byAccount[account, default: []].append(key)
            return (
                Subscription(stream: EventStream(bus: self, key: key, signals: signals), key: key), displaced
            )
        }
        displaced?.cutOff()
        return subscription
    }

    /// Closes a stream whose reader has left.
    package func unsubscribe(_ subscription: Subscription) {
        let instant = now()
        state.withLock { state in
            guard let account = state.listeners[subscription.key]?.account else { return }
            state.note(account, instant)
            _ = Self.remove(subscription.key, from: &state)
        }
    }

    /// The result of looking for the next event.
    enum Found {
        case event(Event)
        case nothing
        /// The stream has ended.
        case end
    }

    /// Returns the next event of a stream, if there is one already.
    ///
    /// - Parameter orHeartbeat: whether a heartbeat that is due counts as one.
    func take(_ key: Int, orHeartbeat: Bool = true) -> Found {
        state.withLock { state in
            guard let index = state.listeners.index(forKey: key) else { return .end }
            var listener = state.listeners.values[index]
            defer { state.listeners.values[index] = listener }
            listener.waitingSince = nil
            let (account, reader) = (listener.account, Reader(listener.account, in: listener.session))
            guard listener.place >= state.rings.forgottenThrough(account) else {
                listener.place = state.next - Self.step
                return .event(
                    Event(number: listener.place, name: .reset, content: Self.nothing, reader: reader))
            }
            while let entry = state.rings.entry(after: listener.place, of: account) {
                listener.place = entry.number
                if entry.name.isPassing, entry.number <= listener.joinedAt { continue }
                return .event(
                    Event(
                        number: entry.name.isPassing ? nil : entry.number, name: entry.name,
                        content: entry.content,
                        reader: reader))
            }
            // No event up to here concerns this account, whatever is deleted from the rings of others.
            listener.place = state.next - Self.step
            guard orHeartbeat, listener.isDueHeartbeat else { return .nothing }
            listener.isDueHeartbeat = false
            // Nothing happened. The heartbeat is written, because only a write finds a dead connection.
            return .event(Event(number: listener.place, name: nil, content: .bytes([]), reader: reader))
        }
    }

    // MARK: Ending streams

    /// Ends the streams of a log-in that has ended, on all nodes.
    package func end(_ session: Session.ID) {
        here.end(session)
        others?(.endSession(session))
    }

    /// Ends the streams of an account on all nodes, all or all but those of one log-in, and deletes its events.
    package func end(_ account: Account.ID, but kept: Session.ID? = nil) {
        here.end(account, but: kept)
        others?(.endAccount(account, kept))
    }

    func end(where matches: (Listener) -> Bool) {
        let ended = state.withLock { state in
            state.listeners.filter { matches($0.value) }.compactMap { Self.remove($0.key, from: &state) }
        }
        // No waiting event is written any more.
        for listener in ended { listener.cutOff() }
    }

    private static func remove(_ key: Int, from state: inout State) -> Listener? {
        guard let listener = state.listeners.removeValue(forKey: key) else { return nil }
        state.byAccount[listener.account]?.removeAll { $0 == key }
        if state.byAccount[listener.account]?.isEmpty == true { state.byAccount[listener.account] = nil }
        listener.signal.finish()
        return listener
    }

    // MARK: Keeping order

    /// Keeps the streams alive until the server stops: one clock for all of them.
    package func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            var second = 0
            while !Task.isCancelled {
                do { try await Task.sleep(for: .seconds(1)) } catch { return }
                beat(second)
                second += 1
            }
        }
    }

    /// Does the work of one second: sends heartbeats to a fifteenth of the streams, cuts off stuck streams, and deletes
    /// old events.
    func beat(_ second: Int) {
        let instant = now()
        let stuck = state.withLock { state -> [Listener] in
            var stuck: [Int] = []
            for index in state.listeners.indices {
                let (key, listener) = (state.listeners.keys[index], state.listeners.values[index])
                guard key % Self.heartbeatSeconds == second % Self.heartbeatSeconds else { continue }
                if let since = listener.waitingSince, instant.timeIntervalSince(since) > Self.patience {
                    stuck.append(key)
                    continue
                }
                state.listeners.values[index].isDueHeartbeat = true
                if listener.waitingSince == nil { state.listeners.values[index].waitingSince = instant }
                listener.signal.yield()
            }
            if second % 60 == 0 {
                state.rings.forgetOld(instant)
                state.seen = state.seen.filter { account, _ in state.reaches(account, instant) }
            }
            return stuck.compactMap { Self.remove($0, from: &state) }
        }
        for listener in stuck { listener.cutOff() }
    }
}
