import Foundation
import NIOCore
import Synchronization

/// Carries what happens to the browsers and apps of the people whom it concerns, at once.
///
/// Services publish after their commit. Events of one account are numbered without gaps and kept for five
/// minutes in a bounded ring, so that a browser that lost its connection takes up where it was. A reader that
/// is too slow is cut off and takes up again; nobody's slowness costs memory without bound.
final class EventBus: Sendable {
    /// An event of one account.
    struct Event: Sendable {
        /// Its number among the account's events; nil for what isn't worth repeating, such as typing.
        var number: Int?
        /// Mastodon's name (`update`, `notification`), or ours with `tintype.` in front.
        var name: String
        /// A JSON value, or for `delete` an id, on one line.
        var data: [UInt8]
    }

    /// The events of one stream, in order; it ends when the log-in ends or the reader is too slow.
    struct Subscription: Sendable {
        let stream: AsyncStream<Event>
        fileprivate let key: Int
        fileprivate let account: Account.ID
    }

    private struct Ring {
        var next: Int
        /// When the account last had a page or stream that may take up from here.
        var touchedAt: Date
        var events: [(at: Date, event: Event)] = []
    }

    private struct Listener {
        var account: Account.ID
        var session: Session.ID
        var continuation: AsyncStream<Event>.Continuation
    }

    private struct State {
        var rings: [Account.ID: Ring] = [:]
        var listeners: [Int: Listener] = [:]
        var byAccount: [Account.ID: Set<Int>] = [:]
        var nextKey = 0
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> Date
    /// Numbers of a new process begin here, so that those of an earlier one are never taken for its own.
    private let firstNumber: Int

    /// How long an event can be taken up again, in seconds.
    static let lifetime: TimeInterval = 300
    /// The most events kept for one account.
    static let ringLength = 500
    /// The most accounts whose events are kept.
    static let ringsCount = 20_000
    /// The most events that a slow stream may be behind.
    static let backlog = 600
    /// The most streams of one account.
    static let streamsPerAccount = 16

    init(now: @escaping @Sendable () -> Date) {
        self.now = now
        firstNumber = Int(now().timeIntervalSince1970 * 1000)
    }

    /// The number of an account's newest event, for a page to take up from: what comes after it is kept.
    func position(of account: Account.ID) -> Int {
        let instant = now()
        return state.withLock { state in
            touch(account, &state, instant)
            return (state.rings[account]?.next ?? firstNumber) - 1
        }
    }

    /// The accounts that have a stream open, or may take one up again. However many people someone is followed
    /// by, these are the only ones who need to be told of what happens.
    var audience: Set<Account.ID> {
        let instant = now()
        return state.withLock { state in
            var audience = Set(state.byAccount.keys)
            for (account, ring) in state.rings where instant.timeIntervalSince(ring.touchedAt) < Self.lifetime
            {
                audience.insert(account)
            }
            return audience
        }
    }

    private func touch(_ account: Account.ID, _ state: inout State, _ instant: Date) {
        if state.rings[account] == nil {
            if state.rings.count >= Self.ringsCount { Self.sweep(&state, instant) }
            state.rings[account] = Ring(next: firstNumber, touchedAt: instant)
        } else {
            state.rings[account]?.touchedAt = instant
        }
    }

    /// How many streams are open.
    var streamsCount: Int { state.withLock { $0.listeners.count } }

    /// Tells an account's streams of something, and keeps it for those that come back.
    func publish(_ name: String, to account: Account.ID, data: [UInt8]) {
        publish(name, to: account, data: data, isKept: true)
    }

    /// Tells an account's open streams of something that isn't worth repeating.
    func publishPassing(_ name: String, to account: Account.ID, data: [UInt8]) {
        publish(name, to: account, data: data, isKept: false)
    }

    private func publish(_ name: String, to account: Account.ID, data: [UInt8], isKept: Bool) {
        let instant = now()
        state.withLock { state in
            var event = Event(number: nil, name: name, data: data)
            if isKept {
                if state.rings.count >= Self.ringsCount, state.rings[account] == nil {
                    Self.sweep(&state, instant)
                }
                var ring = state.rings[account] ?? Ring(next: firstNumber, touchedAt: .distantPast)
                event.number = ring.next
                ring.next += 1
                ring.events.append((instant, event))
                if ring.events.count > Self.ringLength {
                    ring.events.removeFirst(ring.events.count - Self.ringLength)
                }
                state.rings[account] = ring
            }
            for key in state.byAccount[account] ?? [] {
                guard case .dropped? = state.listeners[key]?.continuation.yield(event) else { continue }
                // Too slow: it is cut off, comes back and takes up from the ring.
                state.listeners[key]?.continuation.finish()
                Self.remove(key, from: &state)
            }
        }
    }

    /// Opens a stream.
    ///
    /// - Parameter last: the number of the last event that the reader has; it then gets what came after that,
    ///   or, when that is no longer known, an event `reset` first.
    func subscribe(_ account: Account.ID, session: Session.ID, after last: Int?) -> Subscription {
        let instant = now()
        return state.withLock { state in
            touch(account, &state, instant)
            let (stream, continuation) = AsyncStream.makeStream(
                of: Event.self, bufferingPolicy: .bufferingOldest(Self.backlog))
            let key = state.nextKey
            state.nextKey += 1
            if let last {
                Self.replay(state.rings[account], after: last, instant, firstNumber, to: continuation)
            }
            if let oldest = state.byAccount[account]?.min(),
                (state.byAccount[account]?.count ?? 0) >= Self.streamsPerAccount
            {
                state.listeners[oldest]?.continuation.finish()
                Self.remove(oldest, from: &state)
            }
            state.listeners[key] = Listener(account: account, session: session, continuation: continuation)
            state.byAccount[account, default: []].insert(key)
            return Subscription(stream: stream, key: key, account: account)
        }
    }

    /// Closes a stream whose reader has gone.
    func unsubscribe(_ subscription: Subscription) {
        let instant = now()
        state.withLock { state in
            state.listeners[subscription.key]?.continuation.finish()
            Self.remove(subscription.key, from: &state)
            state.rings[subscription.account]?.touchedAt = instant
        }
    }

    /// Ends the streams of a log-in that has ended.
    func end(_ session: Session.ID) {
        end { $0.session == session }
    }

    /// Ends the streams of an account, all or all but those of one log-in, and forgets its events.
    func end(_ account: Account.ID, but kept: Session.ID? = nil) {
        end { $0.account == account && $0.session != kept }
        guard kept == nil else { return }
        let instant = now()
        state.withLock { state in
            // A number is left out, so that whoever takes up from before is told to fetch anew.
            guard let ring = state.rings[account] else { return }
            state.rings[account] = Ring(next: ring.next + 1, touchedAt: instant)
        }
    }

    private func end(where matches: (Listener) -> Bool) {
        state.withLock { state in
            for (key, listener) in state.listeners where matches(listener) {
                listener.continuation.finish()
                Self.remove(key, from: &state)
            }
        }
    }

    private static func remove(_ key: Int, from state: inout State) {
        guard let listener = state.listeners.removeValue(forKey: key) else { return }
        state.byAccount[listener.account]?.remove(key)
        if state.byAccount[listener.account]?.isEmpty == true { state.byAccount[listener.account] = nil }
    }

    private static func replay(
        _ ring: Ring?, after last: Int, _ instant: Date, _ firstNumber: Int,
        to continuation: AsyncStream<Event>.Continuation
    ) {
        let next = ring?.next ?? firstNumber
        let kept = (ring?.events ?? []).filter { instant.timeIntervalSince($0.at) < lifetime }.map(\.event)
        let oldest = kept.first?.number ?? next
        // Nothing may be missing between what the reader has and what is kept.
        guard last < next, last + 1 >= oldest else {
            continuation.yield(Event(number: next - 1, name: "reset", data: Array("{}".utf8)))
            return
        }
        for event in kept where (event.number ?? 0) > last { continuation.yield(event) }
    }

    /// Forgets rings whose events are all too old, and if need be the quietest.
    private static func sweep(_ state: inout State, _ instant: Date) {
        state.rings = state.rings.filter { ring in
            let last = max(ring.value.touchedAt, ring.value.events.last?.at ?? .distantPast)
            return instant.timeIntervalSince(last) < lifetime
        }
        guard state.rings.count >= ringsCount else { return }
        let quietest = state.rings.sorted {
            ($0.value.events.last?.at ?? .distantPast) < ($1.value.events.last?.at ?? .distantPast)
        }
        for (account, _) in quietest.prefix(ringsCount / 10) { state.rings[account] = nil }
    }
}
