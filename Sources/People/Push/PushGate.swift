import Foundation
import Synchronization

/// The bound on announcements that are sent at once: altogether, to one host and to one person. A push service that is
/// slow or that wants a pause takes no places of the others.
final class PushGate: Sendable {
    /// The answer to a wish to send.
    enum Entry: Sendable, Equatable {
        /// There is a place; ``PushGate/leave(_:_:_:)`` gives it back.
        case admitted
        /// There was no place within ``PushGate/patience``, or the host pauses until this moment.
        case later(Date)
    }

    /// What a request to a host has shown.
    enum Experience: Sendable {
        case answered
        /// The host didn't answer in time, or can't be reached.
        case silent
        /// The host answered that it wants no request before a moment.
        case paused(until: Date)
    }

    private struct Host {
        var open = 0
        /// The number of requests in a row without an answer.
        var silences = 0
        var pausedUntil = Date.distantPast
    }

    private struct Person {
        var open = 0
        /// The number of jobs that wait for a place.
        var waiting = 0
    }

    private struct State {
        var open = 0
        var hosts: [String: Host] = [:]
        /// The people with an open request, or a job that waits.
        var people: [Int64: Person] = [:]

        mutating func change(_ person: Int64, _ change: (inout Person) -> Void) {
            var entry = people[person, default: Person()]
            change(&entry)
            people[person] = entry.open > 0 || entry.waiting > 0 ? entry : nil
        }
    }

    /// The most requests at once: as many as there are jobs of the lane. To one host, as many as there are places for
    /// one host (`OutgoingHTTP`).
    static let (most, perHost, perPerson) = (64, 16, 4)
    /// The most jobs of one person that wait for a place, since each of them holds a place of the lane: enough for one
    /// announcement on each of their devices. What is beyond comes back after these seconds.
    private static let (waitingPerPerson, pauseBeyond) = (12, 5.0...30.0)
    /// The most hosts that are remembered while nothing is sent to them.
    private static let mostRemembered = 500
    /// How long a job waits for a place of a host that answers, which takes some milliseconds mostly. Then others may use
    /// its place in the lane.
    private static let (patience, pollInterval) = (Duration.seconds(1), Duration.milliseconds(20))
    /// The seconds of the first pause after a silence, which doubles with each further one, and of the longest.
    private static let (firstPause, longestPause): (TimeInterval, TimeInterval) = (5, 300)

    private let state = Mutex(State())
    private let now: @Sendable () -> Date

    init(now: @escaping @Sendable () -> Date) { self.now = now }

    /// Takes a place, or says when to try again.
    func enter(_ host: String, _ person: Int64) async -> Entry {
        var (entry, mayWait) = take(host, person)
        guard entry != .admitted, mayWait else { return entry }
        guard beginToWait(person) else {
            return .later(now().addingTimeInterval(.random(in: Self.pauseBeyond)))
        }
        defer { state.withLock { $0.change(person) { $0.waiting -= 1 } } }
        let instant = ContinuousClock.now
        while entry != .admitted, mayWait, ContinuousClock.now - instant < Self.patience {
            do {
                try await Task.sleep(for: Self.pollInterval)
            } catch {
                return entry
            }
            (entry, mayWait) = take(host, person)
        }
        return entry
    }

    /// Counts one more waiting job of a person, unless that would be too many.
    private func beginToWait(_ person: Int64) -> Bool {
        state.withLock { state in
            guard (state.people[person]?.waiting ?? 0) < Self.waitingPerPerson else { return false }
            state.change(person) { $0.waiting += 1 }
            return true
        }
    }

    /// Gives a place back.
    func leave(_ host: String, _ person: Int64, _ experience: Experience) {
        let instant = now()
        state.withLock { state in
            state.open -= 1
            state.change(person) { $0.open -= 1 }
            var entry = state.hosts[host] ?? Host()
            entry.open -= 1
            switch experience {
            case .answered: entry.silences = 0
            case .paused(let until):
                entry.silences = 0
                entry.pausedUntil = max(entry.pausedUntil, until)
            case .silent:
                // Requests that were open at once are one silence.
                if entry.pausedUntil <= instant { entry.silences += 1 }
                let pause = min(
                    Self.longestPause, Self.firstPause * pow(2, Double(min(entry.silences, 10) - 1)))
                entry.pausedUntil = max(entry.pausedUntil, instant.addingTimeInterval(pause))
            }
            state.hosts[host] = entry
            if state.hosts.count > Self.mostRemembered { Self.forget(&state, instant) }
        }
    }

    /// Takes a place if there is one. Also returns whether a place may come soon.
    private func take(_ host: String, _ person: Int64) -> (Entry, mayWait: Bool) {
        let instant = now()
        return state.withLock { state in
            let entry = state.hosts[host] ?? Host()
            guard entry.pausedUntil <= instant else {
                // Not all at the same moment after the pause.
                return (.later(entry.pausedUntil.addingTimeInterval(.random(in: 0...10))), false)
            }
            // A host that was silent gets one request, until it answers.
            let most = entry.silences > 0 ? 1 : Self.perHost
            let isPersonIn = (state.people[person]?.open ?? 0) < Self.perPerson
            guard entry.open < most, isPersonIn, state.open < Self.most
            else {
                return (.later(instant.addingTimeInterval(.random(in: 1...5))), entry.silences == 0)
            }
            state.open += 1
            state.change(person) { $0.open += 1 }
            state.hosts[host, default: Host()].open += 1
            return (.admitted, false)
        }
    }

    private static func forget(_ state: inout State, _ instant: Date) {
        state.hosts = state.hosts.filter { $0.value.open > 0 || $0.value.pausedUntil > instant }
        guard state.hosts.count > mostRemembered else { return }
        let idle = state.hosts.filter { $0.value.open == 0 }.sorted {
            $0.value.pausedUntil < $1.value.pausedUntil
        }
        for (host, _) in idle.prefix(mostRemembered / 2) { state.hosts[host] = nil }
    }
}
