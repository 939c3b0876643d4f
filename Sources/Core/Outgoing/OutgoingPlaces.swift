import Serving
import Synchronization

/// A bound on the requests under way at once, altogether and to one host. Further requests wait in the order in which
/// they came.
final class OutgoingPlaces: Sendable {
    private struct Waiter {
        var number: Int
        var host: String
        var place: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var taken = 0
        var byHost: [String: Int] = [:]
        var waiters: [Waiter] = []
        var next = 0
        /// The waits that were cancelled before they began.
        var cancelled: Set<Int> = []
        var isClosed = false

        mutating func take(_ host: String) {
            taken += 1
            byHost[host, default: 0] += 1
        }

        mutating func giveBack(_ host: String) {
            taken -= 1
            let left = byHost[host, default: 1] - 1
            byHost[host] = left > 0 ? left : nil
        }
    }

    private let most: Int
    private let perHost: Int
    private let mostWaiting: Int
    private let state = Mutex(State())

    init(most: Int, perHost: Int, mostWaiting: Int) {
        self.most = most
        self.perHost = perHost
        self.mostWaiting = mostWaiting
    }

    /// Runs a closure with a place for a request to a host.
    ///
    /// - Throws: ``OutgoingError/busy`` when too many requests wait, ``OutgoingError/stopped``, `CancellationError`,
    ///   and what the closure throws.
    func with<Value>(_ host: String, _ body: () async throws -> Value) async throws -> Value {
        try await take(host)
        defer { giveBack(host) }
        return try await body()
    }

    /// Refuses all further requests, including those that wait.
    func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.place.resume(returning: false) }
    }

    private enum Outcome { case taken, waits, busy, stopped }

    private func take(_ host: String) async throws {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        defer { state.withLock { _ = $0.cancelled.remove(number) } }
        let isTaken = try await withTaskCancellationHandler {
            var failure: OutgoingError?
            let isTaken = await withCheckedContinuation { place in
                let outcome = state.withLock { state -> Outcome in
                    if state.isClosed { return .stopped }
                    if state.cancelled.contains(number) { return .stopped }
                    if isFree(host, state) {
                        state.take(host)
                        return .taken
                    }
                    guard state.waiters.count < mostWaiting else { return .busy }
                    state.waiters.append(Waiter(number: number, host: host, place: place))
                    return .waits
                }
                switch outcome {
                case .taken: place.resume(returning: true)
                case .waits: break
                case .busy, .stopped:
                    failure = outcome == .busy ? .busy : .stopped
                    place.resume(returning: false)
                }
            }
            if let failure, !Task.isCancelled { throw failure }
            return isTaken
        } onCancel: {
            cancel(number)
        }
        guard isTaken else {
            try Task.checkCancellation()
            throw OutgoingError.stopped
        }
    }

    private func cancel(_ number: Int) {
        let waiter = state.withLock { state -> Waiter? in
            guard let index = state.waiters.firstIndex(where: { $0.number == number }) else {
                state.cancelled.insert(number)
                return nil
            }
            return state.waiters.remove(at: index)
        }
        waiter?.place.resume(returning: false)
    }

    private func giveBack(_ host: String) {
        let next = state.withLock { state -> Waiter? in
            state.giveBack(host)
            guard let index = state.waiters.firstIndex(where: { isFree($0.host, state) }) else { return nil }
            let waiter = state.waiters.remove(at: index)
            state.take(waiter.host)
            return waiter
        }
        next?.place.resume(returning: true)
    }

    private func isFree(_ host: String, _ state: borrowing State) -> Bool {
        state.taken < most && state.byHost[host, default: 0] < perHost
    }
}
