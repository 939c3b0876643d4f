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
    /// The client's address, from the connection or from a trusted proxy's header, in its canonical spelling.
    package var address: String
    /// The log-in of the person who sent the request; nil without one.
    package var session: Session?
    /// Whether it is certain that nobody is logged in: an answer that was made before the log-in was looked up says
    /// nothing about it.
    package var isLoggedOut = false
    /// The app that sent the request without a person; nil for people and for requests without a log-in.
    package var app: AppToken?
    /// The number of the viewer's newest event when the request came. A page receives events from there on: what
    /// happens while the page is made is sent again, never lost.
    package var eventPosition: Int?
    /// The count of the files in the request; nil where files aren't limited.
    var uploads: UploadCount?
    /// The types of what the call is sent; nil for pages, and for calls that read.
    var parameterTypes: ParameterTypes?
    /// The request's place among those under way. An answer that is sent in parts holds it to its end.
    var place: OpenRequests.Place?
    /// The connection, so that a stream that has to end can be cut off.
    package let channel: any Channel

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
        peer = ClientNetwork.canonical(source.channel.remoteAddress?.ipAddress ?? "unknown")
        address = peer
    }

    /// The person who sent the request.
    ///
    /// - Throws: ``Refusal`` (401) when nobody is logged in.
    package var viewer: Account {
        get throws {
            guard let session else { throw Refusal.logInFirst }
            return session.account
        }
    }

    /// The log-in that sent the request.
    ///
    /// - Throws: ``Refusal`` (401) when nobody is logged in.
    package var ownSession: Session {
        get throws {
            guard let session else { throw Refusal.logInFirst }
            return session
        }
    }

    /// The log-in for which the answer is written. Picture addresses that are signed for nobody give no access.
    package var reader: Reader {
        session.map { Reader($0) } ?? Reader(ID(rawValue: 0), in: ID(rawValue: 0))
    }

    /// Returns whether the log-in has a permission: an app has only those that it was given.
    package func allows(_ scope: OAuthScope) -> Bool { session?.scopes?.allows(scope) ?? true }

    /// Does what follows a refusal, and logs a failure, so that the refusal reaches the person in any case.
    package func attempt(_ what: String, _ work: () async throws -> Void) async {
        do {
            try await work()
        } catch {
            logger.error("\(what) failed", metadata: ["error": "\(error)"])
        }
    }

    /// Returns the identifier in the path under `name`.
    ///
    /// - Throws: ``Refusal`` (404) when the text isn't an identifier, since nothing can have it.
    package func id<Entity>(_ name: String, of entity: Entity.Type = Entity.self) throws -> ID<Entity> {
        guard let text = parameters.get(name), let id = ID<Entity>(text) else { throw Refusal.notFound }
        return id
    }
}

extension Request {
    /// Whether the request is a call of the JSON interface, which gets JSON errors. One path of OAuth is a page.
    package var isAPI: Bool {
        uri.path.hasPrefix("/api/") || uri.path.hasPrefix("/.well-known/")
            || (uri.path.hasPrefix("/oauth/") && !uri.path.hasPrefix("/oauth/authorize"))
    }

    /// Whether the call is one in which an app identifies itself, so that no log-in counts.
    package var isFromClient: Bool {
        isAPI && uri.path.hasPrefix("/oauth/") && !uri.path.hasPrefix(AppPaths.userInfo)
    }

    /// Whether a script asks for only a part of a page, such as the next rows of a list.
    package var wantsFragment: Bool { headers[.fragment] == "list" }

    /// Returns the value of a cookie.
    package func cookie(_ name: String) -> String? { cookies[name]?.value }
}

extension HTTPField.Name {
    /// The header that the app's scripts set to `list` when they want a list's next rows instead of a whole page.
    package static let fragment = written("X-Fragment")
    /// The header with the account of the log-in for which an answer was made and the epoch of its ``Sight``, as in
    /// `12-345`; `none` without a log-in. The service worker keeps the answers of one account only. It deletes them when
    /// it sees another account, and those that show other people when it sees another epoch. A page names its account in
    /// the requests that change something.
    package static let account = written("X-Account")
}
