import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Serving

/// What is known about a request besides the request itself.
package struct AppContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The address at the other end of the connection, in its canonical spelling.
    package let peer: String
    /// The client's address, or what trusted proxies say it is, in its canonical spelling.
    package var address: String
    /// Who asks, nil when nobody is logged in.
    package var session: Session?
    /// The app that asks without a person; nil for people and strangers.
    package var app: AppToken?
    /// The number of the asker's newest event when the request came, for a page to take up from: what happens
    /// while the page is made is told again, never lost.
    package var eventPosition: Int?
    /// Counts the files that the request brings; nil where nothing is limited.
    var uploads: UploadCount?
    /// What the request holds while it is under way; an answer that is sent bit by bit holds it to its end.
    var place: OpenRequests.Place?
    /// The connection, so that a stream which may go on no longer can be cut off.
    package let channel: any Channel

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
        peer = ClientNetwork.canonical(source.channel.remoteAddress?.ipAddress ?? "unknown")
        address = peer
    }

    /// The person who asks.
    ///
    /// - Throws: ``Refusal`` (401) when nobody is logged in.
    package var viewer: Account {
        get throws {
            guard let session else { throw Refusal.logInFirst }
            return session.account
        }
    }

    /// The log-in under which the person asks.
    ///
    /// - Throws: ``Refusal`` (401) when nobody is logged in.
    package var ownSession: Session {
        get throws {
            guard let session else { throw Refusal.logInFirst }
            return session
        }
    }

    /// The log-in for which the answer is written. Addresses that are signed for nobody's open nothing.
    package var reader: Reader {
        session.map { Reader($0) } ?? Reader(ID(rawValue: 0), in: ID(rawValue: 0))
    }

    /// Whether the log-in may do something: an app has only the permissions that it was given.
    package func allows(_ scope: OAuthScope) -> Bool { session?.scopes?.allows(scope) ?? true }

    /// Does what follows on a refusal, which must reach the person also when this fails: a failure is logged.
    package func attempt(_ what: String, _ work: () async throws -> Void) async {
        do {
            try await work()
        } catch {
            logger.error("\(what) failed", metadata: ["error": "\(error)"])
        }
    }

    /// The identifier in the path under `name`.
    ///
    /// - Throws: ``Refusal`` (404) when it isn't one: what can't exist isn't there.
    package func id<Entity>(_ name: String, of entity: Entity.Type = Entity.self) throws -> ID<Entity> {
        guard let text = parameters.get(name), let id = ID<Entity>(text) else { throw Refusal.notFound }
        return id
    }
}

extension Request {
    /// Whether this is a call of the JSON interface, which gets JSON errors. Of OAuth one path is a page.
    package var isAPI: Bool {
        uri.path.hasPrefix("/api/") || uri.path.hasPrefix("/.well-known/")
            || (uri.path.hasPrefix("/oauth/") && !uri.path.hasPrefix("/oauth/authorize"))
    }

    /// Whether an app says with this call who it is, and nobody's log-in counts.
    package var isFromClient: Bool { isAPI && uri.path.hasPrefix("/oauth/") }

    /// Whether a script asks for a part of a page only, such as the next rows of a list.
    package var wantsFragment: Bool { headers[.fragment] == "list" }

    /// The value of a cookie.
    package func cookie(_ name: String) -> String? { cookies[name]?.value }
}

extension HTTPField.Name {
    /// Set by our scripts to `list` when they want a list's next rows instead of a whole page.
    package static let fragment = written("X-Fragment")
    /// The account of the log-in under which an answer was made, `none` without one. The service worker keeps answers
    /// of one account only, and deletes them when it hears of another.
    package static let account = written("X-Account")
}
