import Core
import Foundation
import Logging
import Serving

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
/// All servers of a database count together (``AttemptCounts``).
final class PasswordAttempts: Sendable {
    /// The account whose password is tried.
    struct Target: Sendable {
        fileprivate let text: String

        /// - Parameters:
        ///   - username: what was typed as a name, whether such an account exists or not.
        ///   - passwordHash: the stored hash of the password; nil when there is no such account.
        init(username: String, passwordHash: String?) {
            // The name comes last: nothing that somebody types as a name can look like another target.
            text = "\(passwordHash ?? "none")\n\(AccountRules.folded(username: username))"
        }
    }

    /// The place from which a password is tried.
    enum Place: Sendable {
        /// A browser from which nobody has logged in, or a program, by its network (``ClientNetwork``).
        case network(String)
        /// A browser that has logged in to the account before, by the hash of its proof.
        case browser(String)
        /// A log-in to the account.
        case session(Session.ID)

        fileprivate var text: String {
            switch self {
            case .network(let network): "network \(network)"
            case .browser(let proof): "browser \(proof)"
            case .session(let session): "log-in \(session)"
            }
        }
    }

    /// A limit that an attempt has reached, and the time until the next attempt.
    private struct Obstacle: Sendable {
        var seconds: TimeInterval
        var sentence: String
        var advice = ""
    }

    /// The keys under which an attempt counts.
    private struct Keys: Sendable {
        /// One account from one place.
        let aim: AttemptKey
        /// One account from all strangers together, and their network at all accounts; nil for known browsers.
        let strangers: (target: AttemptKey, network: AttemptKey)?

        init(_ target: Target, _ place: Place) {
            aim = AttemptKey(PasswordAttempts.pauses.kind("password"), "\(place.text)\n\(target.text)")
            strangers =
                if case .network(let network) = place {
                    (
                        AttemptKey(PasswordAttempts.pauses.kind("password of account"), target.text),
                        AttemptKey(PasswordAttempts.shortPauses.kind("password from network"), network)
                    )
                } else {
                    nil
                }
        }

        var all: [AttemptKey] { [aim] + (strangers.map { [$0.target, $0.network] } ?? []) }
    }

    private static let pauses = GrowingPauses(shortest: 15, longest: 900)
    private static let shortPauses = GrowingPauses(shortest: 3, longest: 3)

    private let limit: Int
    private let counts: AttemptCounts
    private let logger: Logger

    /// - Parameter limit: the number of attempts at one account from one place that need no pause. All strangers
    ///   together have five times as many at one account, and one network has ten times as many at all accounts.
    init(limit: Int, in counts: AttemptCounts, logger: Logger) {
        self.limit = limit
        self.logger = logger
        self.counts = counts
    }

    /// Checks a password, and counts the attempt if the password is wrong.
    ///
    /// - Parameter isRight: checks the password. An attempt for which this fails isn't counted.
    /// - Throws: ``Refusal`` (429) with the time to wait, `DatabaseError`, and what `isRight` throws.
    func check(
        _ target: Target, from place: Place, isRight: () async throws -> Bool
    ) async throws -> Bool {
        let keys = Keys(target, place)
        try await begin(keys)
        do {
            guard try await isRight() else { return false }
            // The place starts again with no attempts, and strangers have one attempt fewer.
            try await counts.update(keys.all) { tally in
                for key in keys.all { tally.takeBack(key) }
                tally.forget(keys.aim)
            }
            return true
        } catch {
            await takeBack(keys)
            throw error
        }
    }

    /// Counts an attempt, unless there has to be a pause before.
    private func begin(_ keys: Keys) async throws {
        let obstacle = try await counts.update(keys.all) { [limit] tally -> Obstacle? in
            var obstacles = [
                Obstacle(
                    seconds: Self.pauses.pause(keys.aim, after: limit, in: tally),
                    sentence: "Too many wrong passwords.")
            ]
            if let (target, network) = keys.strangers {
                obstacles.append(
                    Obstacle(
                        seconds: Self.pauses.pause(target, after: 5 * limit, in: tally),
                        sentence: "Someone has tried many passwords for this name.",
                        advice: ", or use a browser in which you have logged in before"))
                obstacles.append(
                    Obstacle(
                        seconds: Self.shortPauses.pause(network, after: 10 * limit, in: tally),
                        sentence: "Too many attempts to log in came from your network."))
            }
            let longest = obstacles.max { $0.seconds < $1.seconds }
            if let longest, longest.seconds > 0 { return longest }
            for key in keys.all { tally.add(key) }
            return nil
        }
        guard let obstacle else { return }
        let seconds = max(1, Int(obstacle.seconds.rounded(.up)))
        throw Refusal(
            .tooOften(retryAfter: seconds),
            "\(obstacle.sentence) Try again in \(Self.words(seconds: seconds))\(obstacle.advice).")
    }

    /// Takes back a counted attempt whose password was not checked, also when the request was cancelled.
    private func takeBack(_ keys: Keys) async {
        await Task { [counts, logger] in
            do {
                try await counts.update(keys.all) { tally in
                    for key in keys.all { tally.takeBack(key) }
                }
            } catch {
                logger.warning("an attempt to log in stays counted", metadata: ["error": "\(error)"])
            }
        }.value
    }

    /// Returns a time in words, such as `30 seconds` or `2 minutes`.
    private static func words(seconds: Int) -> String {
        seconds < 60 ? seconds.of("second") : ((seconds + 59) / 60).of("minute")
    }
}
