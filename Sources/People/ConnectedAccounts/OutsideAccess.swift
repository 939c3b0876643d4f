import Core
import Foundation
import Serving

/// The reason why another server couldn't be used for logging in.
enum OutsideFailure: Error, Equatable {
    /// There is no such server, or it can't be reached now.
    case unreachable
    /// The server's address is in a private network.
    case forbidden
    /// The server is too busy.
    case busy
    /// The server's answer isn't one of Mastodon's interface.
    case nonsense
    /// The server no longer knows Tintype's registration.
    case unknownClient
    /// The server refused, for instance because a code was used before.
    case refused
}

/// The requests that register with another server, and get, check and revoke access to an account there (RFC 6749,
/// 7009, 7636, and Mastodon's documentation, "OAuth").
struct OutsideAccess: Sendable {
    /// A registration.
    struct Client: Sendable {
        var id: String
        var secret: String
    }

    /// An account as its server describes it.
    struct Profile: Sendable {
        var remoteID: String
        var username: String
        var url: String
    }

    private static let limits = OutgoingLimits(bytes: 200_000, seconds: 30)
    /// The longest secret that is accepted, in bytes.
    private static let mostBytes = 4_000

    let http: OutgoingHTTP

    /// Registers this server as an app, with a name that says which server it is: another Tintype server allows no app
    /// called Tintype.
    ///
    /// - Parameter website: this server's address.
    /// - Throws: ``OutsideFailure``, `CancellationError`.
    func register(at origin: String, redirect: String, website: String) async throws -> Client {
        let place = website.drop { $0 != "/" }.drop { $0 == "/" }
        let name = "Tintype at \(place)".prefix(OAuthApp.nameLength.upperBound)
        let json = try await ask(
            .init(
                method: .post, url: "\(origin)/api/v1/apps",
                body: .form([
                    ("client_name", String(name)), ("redirect_uris", redirect),
                    ("scopes", ConnectedAccount.scopes.joined(separator: " ")), ("website", website),
                ])))
        guard let id = Self.secret(json["client_id"]), let secret = Self.secret(json["client_secret"]) else {
            throw OutsideFailure.nonsense
        }
        return Client(id: id, secret: secret)
    }

    /// Returns the address at which the person allows the access.
    static func authorizationURL(
        at origin: String, client: String, redirect: String, state: String, challenge: CodeChallenge
    ) -> String {
        let parameters: [(name: String, value: String)] = [
            ("response_type", "code"), ("client_id", client), ("redirect_uri", redirect),
            ("scope", ConnectedAccount.scopes.joined(separator: " ")), ("state", state),
            ("code_challenge", challenge.text), ("code_challenge_method", "S256"),
        ]
        return "\(origin)/oauth/authorize?\(URLEncodedForm.text(parameters))"
    }

    /// Exchanges a code for an access token.
    ///
    /// - Throws: ``OutsideFailure``: also `refused` when the token allows less than was requested; `CancellationError`.
    func token(
        at origin: String, client: Client, code: String, redirect: String, verifier: String
    ) async throws -> String {
        let json = try await ask(
            .init(
                method: .post, url: "\(origin)/oauth/token",
                body: .form([
                    ("grant_type", "authorization_code"), ("code", code), ("client_id", client.id),
                    ("client_secret", client.secret), ("redirect_uri", redirect), ("code_verifier", verifier),
                ])))
        guard let token = Self.secret(json["access_token"]) else { throw OutsideFailure.nonsense }
        // RFC 6749, 5.1: without a scope in the answer, the requested one is granted.
        if let granted = json["scope"].text, !Self.covers(granted) {
            await revoke(token, at: origin, client: client)
            throw OutsideFailure.refused
        }
        return token
    }

    /// Returns whether granted scopes include all that are needed, each by itself or in its wider form, such as
    /// `write`.
    static func covers(_ granted: String) -> Bool {
        let scopes = Set(granted.split { $0 == " " || $0 == "," || $0 == "+" }.map(String.init))
        return ConnectedAccount.scopes.allSatisfy { scope in
            scopes.contains(scope) || scopes.contains(String(scope.prefix { $0 != ":" }))
        }
    }

    /// Returns the account of a token.
    ///
    /// - Throws: ``OutsideFailure``, `CancellationError`.
    func profile(at origin: String, token: String) async throws -> Profile {
        let json = try await ask(
            .init(
                method: .get, url: "\(origin)/api/v1/accounts/verify_credentials",
                headers: [("Authorization", "Bearer \(token)")]))
        guard let id = OutsideID(json["id"]),
            let username = json["username"].text.map({
                PlainText.oneLine($0, limit: 100)
            }), !username.isEmpty
        else { throw OutsideFailure.nonsense }
        let url = json["url"].text.flatMap { try? OutgoingURL($0) }?.text ?? "\(origin)/@\(username)"
        return Profile(remoteID: id.text, username: username, url: url)
    }

    /// Revokes a token. Returns whether the server confirms that the token is invalid.
    @discardableResult
    func revoke(_ token: String, at origin: String, client: Client) async -> Bool {
        let message = OutgoingMessage(
            method: .post, url: "\(origin)/oauth/revoke",
            body: .form([("token", token), ("client_id", client.id), ("client_secret", client.secret)]))
        guard let reply = try? await http.send(message, limits: Self.limits) else { return false }
        return reply.status == 200
    }

    private func ask(_ message: OutgoingMessage) async throws -> LooseJSON {
        let reply: OutgoingReply
        do {
            reply = try await http.send(message, limits: Self.limits)
        } catch let error as OutgoingError {
            switch error {
            case .forbiddenAddress: throw OutsideFailure.forbidden
            case .busy, .stopped: throw OutsideFailure.busy
            case .badURL, .unreachable, .timedOut, .noAnswer: throw OutsideFailure.unreachable
            case .tooLarge, .wrongType, .status, .badRedirect, .cutOff: throw OutsideFailure.nonsense
            }
        }
        let json = LooseJSON(reply.bytes)
        switch reply.status {
        case 200...299:
            guard let json, json.isObject else { throw OutsideFailure.nonsense }
            return json
        case 429, 500...599: throw OutsideFailure.busy
        case _ where json?["error"].text == "invalid_client": throw OutsideFailure.unknownClient
        case _ where json?["error"].text != nil: throw OutsideFailure.refused
        default: throw OutsideFailure.nonsense
        }
    }

    /// Returns a secret of another server, which is sent in headers: visible ASCII.
    private static func secret(_ json: LooseJSON) -> String? {
        guard let text = json.text, !text.isEmpty, text.utf8.count <= mostBytes,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return text
    }
}

/// An identifier of another server, which is used in the paths of its URLs: letters, digits, `-` and `_`.
struct OutsideID: Sendable, Equatable {
    let text: String

    /// Checks an identifier. Returns nil for a text that can't be one.
    init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= 100,
            text.utf8.allSatisfy({ $0.isLetterOrDigit || "-_".utf8.contains($0) })
        else { return nil }
        self.text = text
    }

    init?(_ json: LooseJSON) {
        guard let text = json.text else { return nil }
        self.init(text)
    }

    /// Returns whether a thing is newer than another of its kind. The identifiers of servers that are compatible with
    /// Mastodon grow with time: decimal numbers, and ULIDs and Flake IDs, which have a fixed length and an alphabet in
    /// the order of ASCII.
    func isNewer(than other: OutsideID) -> Bool {
        let (own, its) = (Array(text.utf8), Array(other.text.utf8))
        return own.count == its.count ? its.lexicographicallyPrecedes(own) : own.count > its.count
    }
}
