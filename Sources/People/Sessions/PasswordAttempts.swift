import Core
import Foundation
import Serving
import Synchronization

/// The limits that slow down people who guess passwords, and let owners log in all the same.
///
/// A limit by account alone lets anyone lock its owner out, with a few wrong passwords now and then; a limit by network
/// alone doesn't stop a botnet. So attempts are counted as OWASP proposes in "Slow Down Online Guessing Attacks with
/// Device Cookies" (owasp.org/www-community), where strangers share one limit and each known browser has its own:
///
/// - *One account from one network*: 10 attempts (the setting `limit-log-ins`), then pauses that double from 15 seconds
///   to 15 minutes. A person who mistypes waits seconds; a program soon gets four attempts an hour.
/// - *One account from all strangers together*: 50 attempts, then the same pauses. A botnet has 96 guesses a day.
///   Strangers may keep the pause at 15 minutes, and then the owner has to wait for a turn in a new browser, but in no
///   other.
/// - *One network at all accounts*: 100 attempts, then one in three seconds. So nobody can try one password with many
///   names, or keep the thread busy that checks passwords.
/// - *A browser that has logged in to the account before* (``BrowserProofs``) is counted by the first of these limits
///   alone, under its own name in place of the network's. Whatever strangers do, even from the same network, the owner
///   can log in there at once. A person who steals such a browser has no more guesses than anyone else.
/// - *Someone logged in who confirms their password* is counted in the same way, by log-in.
///
/// An attempt counts before its password is checked, since many may come at once, and is taken back when the password
/// was right. Names that nobody has are counted and answered like all others, so that no answer reveals which names
/// exist. Attempts are counted for the stored password: once any process changes it, all are forgiven.
///
/// Memory is bounded: each limit holds at most 20,000 keys, and forgets those with the fewest attempts first.
final class PasswordAttempts: Sendable {
    /// The account whose password is tried.
    struct Target: Hashable, Sendable {
        private let name: String
        private let password: Int?

        /// - Parameters:
        ///   - username: what was typed as a name, whether such an account exists or not.
        ///   - passwordHash: the stored hash of the password; nil when there is no such account.
        init(username: String, passwordHash: String?) {
            // No more characters than a username has, since the name stays in memory for a while.
            name = String(
                AccountRules.folded(username: username).unicodeScalars
                    .prefix(AccountRules.usernameLength.upperBound + 1))
            password = passwordHash?.hashValue
        }
    }

    /// The place from which a password is tried.
    enum Place: Hashable, Sendable {
        /// A browser from which nobody has logged in, or a program, by its network (``ClientNetwork``).
        case network(String)
        /// A browser that has logged in to the account before, by the hash of its proof.
        case browser(String)
        /// A log-in to the account.
        case session(Session.ID)
    }

    private struct Aim: Hashable {
        var target: Target
        var place: Place
    }

    private struct State {
        var aims: GrowingPauses<Aim>
        var targets: GrowingPauses<Target>
        var networks: GrowingPauses<String>
    }

    /// A limit that an attempt has reached, and the time until the next attempt.
    private struct Obstacle {
        var seconds: TimeInterval
        var sentence: String
        var advice = ""
    }

    private let state: Mutex<State>
    private let now: @Sendable () -> Date

    private static let capacity = 20_000
    private static let pauses: ClosedRange<TimeInterval> = 15...900

    /// - Parameter limit: the number of attempts at one account from one place that need no pause. All strangers
    ///   together have five times as many at one account, and one network has ten times as many at all accounts.
    init(limit: Int, now: @escaping @Sendable () -> Date) {
        self.now = now
        state = Mutex(
            State(
                aims: GrowingPauses(free: limit, pauses: Self.pauses, capacity: Self.capacity),
                targets: GrowingPauses(free: 5 * limit, pauses: Self.pauses, capacity: Self.capacity),
                networks: GrowingPauses(free: 10 * limit, pauses: 3...3, capacity: Self.capacity)))
    }

    /// Counts an attempt.
    ///
    /// - Throws: ``Refusal`` (429) with the time to wait; then nothing was counted.
    func begin(_ target: Target, from place: Place) throws {
        let instant = now()
        let obstacle = state.withLock { state -> Obstacle? in
            let aim = Aim(target: target, place: place)
            var obstacles = [
                Obstacle(
                    seconds: state.aims.pause(aim, at: instant), sentence: "Too many wrong passwords.")
            ]
            if case .network(let network) = place {
                obstacles.append(
                    Obstacle(
                        seconds: state.targets.pause(target, at: instant),
                        sentence: "Someone has tried many passwords for this name.",
                        advice: ", or use a browser in which you have logged in before"))
                obstacles.append(
                    Obstacle(
                        seconds: state.networks.pause(network, at: instant),
                        sentence: "Too many attempts to log in came from your network."))
            }
            let longest = obstacles.max { $0.seconds < $1.seconds }
            if let longest, longest.seconds > 0 { return longest }
            state.aims.count(aim, at: instant)
            if case .network(let network) = place {
                state.targets.count(target, at: instant)
                state.networks.count(network, at: instant)
            }
            return nil
        }
        guard let obstacle else { return }
        let seconds = max(1, Int(obstacle.seconds.rounded(.up)))
        throw Refusal(
            .tooOften(retryAfter: seconds),
            "\(obstacle.sentence) Try again in \(Self.words(seconds: seconds))\(obstacle.advice).")
    }

    /// Notes that a counted attempt had the right password: the place starts again with no attempts, and strangers have
    /// one attempt fewer.
    func succeed(_ target: Target, from place: Place) {
        uncount(target, from: place)
        state.withLock { $0.aims.forget(Aim(target: target, place: place)) }
    }

    /// Takes back a counted attempt whose password was not checked.
    func uncount(_ target: Target, from place: Place) {
        state.withLock { state in
            state.aims.uncount(Aim(target: target, place: place))
            guard case .network(let network) = place else { return }
            state.targets.uncount(target)
            state.networks.uncount(network)
        }
    }

    /// Returns a time in words, such as `30 seconds` or `2 minutes`.
    private static func words(seconds: Int) -> String {
        seconds < 60 ? seconds.of("second") : ((seconds + 59) / 60).of("minute")
    }
}
