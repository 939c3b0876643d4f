import Crypto
import CryptoExtras
import Foundation
import Serving
import Storage

/// A hasher of passwords, which uses scrypt (RFC 7914) on a thread of its own.
///
/// Hashing takes about 0.16 s and 32 MB at the default cost, so one password is hashed at a time and few may wait: a
/// flood of log-ins can't use up the server's memory or block its event loops.
package final class PasswordHasher: Sendable {
    /// The cost of a hash, which is stored with every hash, so that it can be raised later.
    struct Cost: Sendable, Equatable {
        /// The binary logarithm of N, the number of rounds.
        var logRounds: Int
        /// The parameter r: a block has 128 r bytes.
        var blockSize = 8
        /// The parameter p.
        var parallelism = 3

        static let standard = Cost(logRounds: 15)
    }

    private let cost: Cost
    private let thread = BlockingThreads<Void>(
        name: "passwords", capacity: Line.known.rawValue, loops: [{ serve in serve(()) }])

    /// The queue in which a password waits to be checked. Strangers leave some places free, so that a flood of them
    /// doesn't keep out people who have logged in before.
    package enum Line: Int {
        /// People who have not logged in here before. The number is how many may wait.
        case strangers = 24
        /// All other people, who may use every place.
        case known = 32
    }

    init(cost: Cost = .standard) {
        self.cost = cost
    }

    /// The number of passwords that wait to be checked.
    package var waitingCount: Int { thread.waiting }

    deinit {
        thread.stop()
    }

    /// Returns a hash to store: `scrypt$LOG_N$R$P$SALT$KEY`, salt and key in base64.
    package func hash(_ password: String) async throws -> String {
        let salt = SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) }
        let key = try await derive(password, salt: salt, cost: cost, in: .known)
        return [
            "scrypt", String(cost.logRounds), String(cost.blockSize), String(cost.parallelism),
            salt.base64EncodedString(), key.base64EncodedString(),
        ].joined(separator: "$")
    }

    /// Returns whether `password` is the one that was hashed. Takes as long for an account that doesn't exist (`hash`
    /// nil), so that the time doesn't reveal which names exist.
    package func verify(_ password: String, against hash: String?, in line: Line) async throws -> Bool {
        guard let hash, let (cost, salt, key) = Self.parse(hash) else {
            _ = try await derive(password, salt: Data(count: 16), cost: cost, in: line)
            return false
        }
        let derived = try await derive(password, salt: salt, cost: cost, in: line)
        // This comparison takes constant time.
        return SymmetricKey(data: derived) == SymmetricKey(data: key)
    }

    private static func parse(_ hash: String) -> (Cost, salt: Data, key: Data)? {
        let parts = hash.split(separator: "$")
        guard parts.count == 6, parts[0] == "scrypt", let logRounds = Int(parts[1]),
            let blockSize = Int(parts[2]), let parallelism = Int(parts[3]),
            // No more than 2 GB, whatever a row says.
            (1...24).contains(logRounds), (1...64).contains(blockSize), (1...64).contains(parallelism),
            (blockSize * parallelism) << logRounds <= 1 << 24,
            let salt = Data(base64Encoded: String(parts[4])),
            let key = Data(base64Encoded: String(parts[5]))
        else { return nil }
        return (Cost(logRounds: logRounds, blockSize: blockSize, parallelism: parallelism), salt, key)
    }

    private func derive(_ password: String, salt: Data, cost: Cost, in line: Line) async throws -> Data {
        // Precomposed, so that a password typed on another keyboard has the same bytes.
        let bytes = Data(password.precomposedStringWithCompatibilityMapping.utf8)
        do {
            return try await thread.run(upTo: line.rawValue) {
                let key = try KDF.Scrypt.deriveKey(
                    from: bytes, salt: salt, outputByteCount: 32, rounds: 1 << cost.logRounds,
                    blockSize: cost.blockSize, parallelism: cost.parallelism,
                    maxMemory: 256 * (1 << cost.logRounds) * cost.blockSize)
                return key.withUnsafeBytes { Data($0) }
            }
        } catch is JobQueueRefusal {
            throw Refusal(.unavailable(retryAfter: 5), "Many people are logging in. Try again in a moment.")
        }
    }
}
