import Crypto
import CryptoExtras
import Foundation
import Serving
import Storage

/// Hashes and checks passwords with scrypt (RFC 7914) on a thread of its own.
///
/// One derivation takes about 0.16 s and 32 MB at the default cost, so at most one runs at a time and
/// few may wait: a flood of log-ins can't take the server's memory or its event loops.
package final class PasswordHasher: Sendable {
    /// What a derivation costs; stored with every hash, so that it can be raised later.
    struct Cost: Sendable, Equatable {
        /// Binary logarithm of N, the number of rounds.
        var logRounds: Int
        /// r: 128 r bytes a block.
        var blockSize = 8
        /// p.
        var parallelism = 3

        static let standard = Cost(logRounds: 15)
    }

    private let cost: Cost
    private let thread = BlockingThreads<Void>(
        name: "passwords", capacity: Line.known.rawValue, loops: [{ serve in serve(()) }])

    /// Who waits for a password to be checked. Strangers leave some places free, so that a flood of them doesn't turn
    /// those away who have logged in before.
    package enum Line: Int {
        /// People who have not logged in here before; the number is how many may wait.
        case strangers = 24
        /// All others, who may fill the line.
        case known = 32
    }

    init(cost: Cost = .standard) {
        self.cost = cost
    }

    /// How many passwords wait to be checked.
    package var waitingCount: Int { thread.waiting }

    deinit {
        thread.stop()
    }

    /// A hash to store: `scrypt$LOG_N$R$P$SALT$KEY`, salt and key in base64.
    package func hash(_ password: String) async throws -> String {
        let salt = SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) }
        let key = try await derive(password, salt: salt, cost: cost, in: .known)
        return [
            "scrypt", String(cost.logRounds), String(cost.blockSize), String(cost.parallelism),
            salt.base64EncodedString(), key.base64EncodedString(),
        ].joined(separator: "$")
    }

    /// Whether `password` is the one that was hashed. Takes as long for an account that doesn't exist
    /// (`hash` nil), so that names can't be told by time.
    package func verify(_ password: String, against hash: String?, in line: Line) async throws -> Bool {
        guard let hash, let (cost, salt, key) = Self.parse(hash) else {
            _ = try await derive(password, salt: Data(count: 16), cost: cost, in: line)
            return false
        }
        let derived = try await derive(password, salt: salt, cost: cost, in: line)
        // Compares in constant time.
        return SymmetricKey(data: derived) == SymmetricKey(data: key)
    }

    private static func parse(_ hash: String) -> (Cost, salt: Data, key: Data)? {
        let parts = hash.split(separator: "$")
        guard parts.count == 6, parts[0] == "scrypt", let logRounds = Int(parts[1]),
            let blockSize = Int(parts[2]),
            let parallelism = Int(parts[3]), let salt = Data(base64Encoded: String(parts[4])),
            let key = Data(base64Encoded: String(parts[5]))
        else { return nil }
        return (Cost(logRounds: logRounds, blockSize: blockSize, parallelism: parallelism), salt, key)
    }

    private func derive(_ password: String, salt: Data, cost: Cost, in line: Line) async throws -> Data {
        // Precomposed, so that the same password from another keyboard is the same bytes.
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
