import Core
import Foundation
import Hummingbird
import Storage

/// The proof that people have logged in from a browser before: a secret token for each of the accounts last logged in
/// to, in a cookie that outlives the log-in.
///
/// A proof exempts its owner's attempts from the limit that strangers share (``PasswordAttempts``) and proves nothing
/// else: it logs nobody in, and the password is needed as before. Proofs are stored hashed, at most
/// ``SessionStore/maximumProofs`` for an account. They end with a change of password and with "log out everywhere",
/// except for the browser that stays logged in; the proof of a device that is logged out in Settings ends with its
/// log-in.
struct BrowserProofs: Sendable {
    /// The tokens, the most recently used first.
    private let tokens: [String]

    /// The most accounts whose proofs one browser keeps.
    private static let maximumCount = 5

    /// Reads the proofs that came with a request, and leaves out texts that can't be one.
    init(_ request: Request, isSecure: Bool) {
        let value = request.cookie(Self.cookieName(isSecure: isSecure)) ?? ""
        let length = Session.newToken().utf8.count
        self.init(tokens: value.split(separator: ".").map(String.init).filter { $0.utf8.count == length })
    }

    private init(tokens: [String]) { self.tokens = Array(tokens.prefix(Self.maximumCount)) }

    /// The hashes under which the proofs are stored.
    var hashes: [String] { tokens.map(Session.hash) }

    /// Returns the token that has a hash.
    func token(withHash hash: String) -> String? { tokens.first { Session.hash(ofToken: $0) == hash } }

    /// Returns the proofs with `token` as the most recently used.
    func using(_ token: String) -> BrowserProofs {
        BrowserProofs(tokens: [token] + tokens.filter { $0 != token })
    }

    /// Returns the cookie that carries the proofs.
    func cookie(isSecure: Bool) -> Cookie {
        Cookie(
            name: Self.cookieName(isSecure: isSecure), value: tokens.joined(separator: "."),
            maxAge: Int(Session.lifetime), path: "/", secure: isSecure, httpOnly: true, sameSite: .strict)
    }

    private static func cookieName(isSecure: Bool) -> String {
        isSecure ? "__Host-tintype_browser" : "tintype_browser"
    }
}

/// The SQL of proofs that a browser has logged in to an account before.
extension SessionStore {
    /// The most browsers that one account knows; the least recently used is deleted first.
    static let maximumProofs = 20

    /// Returns the hash, among some, that proves an earlier log-in to an account.
    func proof(among hashes: [String], of account: Account.ID) throws -> String? {
        try hashes.first { hash in
            try transaction.row(
                "SELECT 1 FROM browser_proofs WHERE token_hash = $1 AND account_id = $2 AND used_at > $3",
                hash, account, transaction.now.addingTimeInterval(-Session.lifetime)
            ) { _ in true } ?? false
        }
    }

    /// Records that a browser has logged in to an account, for the first time or again.
    func keepProof(_ hash: String, of account: Account.ID, in session: Session.ID) throws {
        try transaction.execute(
            """
            INSERT INTO browser_proofs (token_hash, account_id, session_id, used_at) VALUES ($1, $2, $3, $4)
            ON CONFLICT (token_hash) DO UPDATE SET session_id = $3, used_at = $4
            """, hash, account, session, transaction.now)
        try transaction.execute(
            """
            DELETE FROM browser_proofs WHERE account_id = $1 AND token_hash NOT IN (SELECT p.token_hash
                FROM browser_proofs p WHERE p.account_id = $1 ORDER BY p.used_at DESC, p.session_id DESC LIMIT $2)
            """, account, Self.maximumProofs)
    }

    /// Deletes the proof of the browser in which a log-in of an account was last started.
    func deleteProof(of account: Account.ID, in session: Session.ID) throws {
        try transaction.execute(
            "DELETE FROM browser_proofs WHERE account_id = $1 AND session_id = $2", account, session)
    }

    /// Deletes the proofs of all browsers of an account except the one in which a log-in was started.
    func deleteProofs(of account: Account.ID, but kept: Session.ID?) throws {
        try transaction.execute(
            "DELETE FROM browser_proofs WHERE account_id = $1 AND session_id <> $2", account,
            kept?.rawValue ?? 0)
    }
}
