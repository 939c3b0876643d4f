import Core
import Foundation
import Serving

/// The requests that publish a post on another server and search for it. Each returns its outcome in the terms of the
/// pure state machine, and decides nothing.
struct CrossPostCalls: Sendable {
    typealias Outcome = CrossPostProgress.Outcome

    /// The account that is posted to.
    struct Place: Sendable {
        var origin: String
        var remoteID: String
        var username: String
        var token: String
    }

    private static let limits = OutgoingLimits(bytes: 200_000, seconds: 40)
    private static let uploadLimits = OutgoingLimits(bytes: 200_000, seconds: 50)
    /// The limits of a list: forty posts take a few hundred kilobytes.
    private static let listLimits = OutgoingLimits(bytes: 4_000_000, seconds: 30)
    private static let pageLength = 40
    /// The most pages that a search reads.
    private static let mostPages = 10
    /// The seconds after which a search reads no further page, so that it ends before the lease of its job.
    private static let searchSeconds = 30.0

    let http: OutgoingHTTP

    // MARK: Publishing

    /// Sends the picture.
    func upload(_ picture: [UInt8], description: String, to place: Place) async throws -> Outcome {
        let file = OutgoingMessage.File(filename: "photo.jpg", mediaType: "image/jpeg", bytes: picture)
        let fields = description.isEmpty ? [] : [(name: "description", value: description)]
        return try await ask(
            .post, "/api/v2/media", of: place, body: .multipart(fields, file: file), Self.uploadLimits
        ) { reply, json in
            guard let id = Self.attachmentID(json) else { return nil }
            let url = Self.fileURL(json["url"])
            return .uploaded(id: id.text, url: url, isReady: reply.status != 202 && url != nil)
        }
    }

    /// Asks whether an upload is ready.
    func check(_ media: String, at place: Place) async throws -> Outcome {
        try await ask(.get, "/api/v1/media/\(media)", of: place) { reply, json in
            guard Self.attachmentID(json)?.text == media else { return nil }
            let url = Self.fileURL(json["url"])
            return reply.status == 206 || url == nil ? .processing : .ready(url: url)
        }
    }

    /// Finds the newest post of the account.
    func mark(_ place: Place) async throws -> Outcome {
        switch try await page(of: place, after: nil) {
        case .posts(let posts):
            // Pinned posts may come first.
            let newest = posts.map(\.id).reduce(nil as OutsideID?) { newest, id in
                newest.map { id.isNewer(than: $0) ? id : $0 } ?? id
            }
            return .marked(newest?.text)
        case .outcome(let outcome): return outcome
        }
    }

    /// Creates the post. An answer counts only when it is a post of our account with our upload: after any other
    /// answer, nobody can say what the server did.
    func post(
        _ text: String, picture: Upload, key: String, at place: Place
    ) async throws -> Outcome {
        try await ask(
            .post, "/api/v1/statuses", of: place,
            body: .form([("status", text), ("media_ids[]", picture.id), ("visibility", "public")]),
            headers: [("Idempotency-Key", key)]
        ) { _, json in
            guard let post = Listed(json, at: place), post.shows(picture) else { return nil }
            return .posted(url: post.url)
        }
    }

    // MARK: Searching

    /// Searches for our post among those that are newer than the mark.
    ///
    /// The post is recognised by the uploaded picture. For a post with the same words and without the picture, nobody
    /// can say whether it is ours.
    func search(for progress: CrossPostProgress, text: String, at place: Place) async throws -> Outcome {
        guard let picture = Upload(progress) else { return .unlistable }
        let mark = progress.mark.flatMap { OutsideID($0) }
        let end = ContinuousClock.now + .seconds(Self.searchSeconds)
        var last: OutsideID?
        var isAlike = false
        for _ in 1...Self.mostPages {
            guard ContinuousClock.now < end else {
                return .undone(why: "\(Self.host(place)) is slow.", retryAfter: nil)
            }
            let posts: [Listed]
            switch try await page(of: place, after: last) {
            case .posts(let found): posts = found
            case .outcome(let outcome): return outcome
            }
            for post in posts {
                if post.shows(picture) { return .posted(url: post.url) }
                let isNewer = mark.map { post.id.isNewer(than: $0) } ?? true
                if isNewer, post.isAlike(text) { isAlike = true }
            }
            let isThrough =
                posts.last.map { post in mark.map { !post.id.isNewer(than: $0) } ?? false } ?? true
            if isThrough { return isAlike ? .alike : try await absence(of: picture.id, at: place) }
            // A server that repeats its page would never come to an end.
            guard let next = posts.last?.id, next != last else { return .tooMany }
            last = next
        }
        return .tooMany
    }

    /// Returns the outcome of a search that didn't find the post. The post may safely be created again only while the
    /// upload belongs to no post.
    private func absence(of media: String, at place: Place) async throws -> Outcome {
        let outcome = try await check(media, at: place)
        switch outcome {
        case .ready, .processing: return .absent
        default: return outcome
        }
    }

    /// An upload by which our post is recognised: by its id, which nobody else has, or by the address of its file, for
    /// servers that give attachments new numbers.
    struct Upload: Sendable {
        var id: String
        var url: String?

        /// Creates the upload of a cross-post.
        init?(_ progress: CrossPostProgress) {
            guard let id = progress.mediaID else { return nil }
            (self.id, url) = (id, progress.mediaURL)
        }
    }

    /// The members of a listed post that matter here.
    private struct Listed {
        var id: OutsideID
        var url: String
        var words: String
        var media: [(id: String?, url: String?)]

        /// Reads a listed post. Returns nil for what isn't a post of the account.
        init?(_ json: LooseJSON, at place: Place) {
            guard let id = OutsideID(json["id"]), json["media_attachments"].isList,
                json["account"]["id"].text == place.remoteID
            else { return nil }
            self.id = id
            url = CrossPostCalls.url(of: json, id, at: place)
            words = PlainText.of(json["content"].text ?? "", limit: 20_000)
            media = json["media_attachments"].list.map {
                (OutsideID($0["id"])?.text, CrossPostCalls.fileURL($0["url"]))
            }
        }

        /// Returns whether the post shows an uploaded picture.
        func shows(_ picture: Upload) -> Bool {
            media.contains { $0.id == picture.id || $0.url.map { $0 == picture.url } == true }
        }

        /// Returns whether the post may be one with these words, judged by what is shown of both.
        func isAlike(_ text: String) -> Bool {
            let own = PlainText.oneLine(text, limit: 20_000)
            return own.isEmpty ? words.isEmpty && !media.isEmpty : words == own
        }
    }

    private enum Page {
        case posts([Listed])
        case outcome(Outcome)
    }

    private func page(of place: Place, after last: OutsideID?) async throws -> Page {
        var path = "/api/v1/accounts/\(place.remoteID)/statuses?limit=\(Self.pageLength)"
        if let last { path += "&max_id=\(last.text)" }
        let reply: OutgoingReply
        do {
            reply = try await http.send(Self.message(.get, path, of: place), limits: Self.listLimits)
        } catch let error as OutgoingError {
            return .outcome(Self.outcome(error, place))
        }
        guard (200...299).contains(reply.status) else { return .outcome(Self.outcome(ofList: reply, place)) }
        // Pinned posts may come in addition to the requested ones; reading thousands would take too long.
        guard let json = LooseJSON(reply.bytes), json.isList, json.list.count <= 2 * Self.pageLength else {
            return .outcome(.lost(why: Self.nonsense(place), retryAfter: nil))
        }
        var posts: [Listed] = []
        for element in json.list {
            // An unreadable post may be ours, and a list with somebody else's posts answers another question.
            guard let post = Listed(element, at: place) else {
                return .outcome(.lost(why: Self.nonsense(place), retryAfter: nil))
            }
            posts.append(post)
        }
        return .posts(posts)
    }

    // MARK: Answers

    private static func message(
        _ method: OutgoingMessage.Method, _ path: String, of place: Place, body: OutgoingMessage.Body = .none,
        headers: [(name: String, value: String)] = []
    ) -> OutgoingMessage {
        OutgoingMessage(
            method: method, url: place.origin + path,
            headers: headers + [("Authorization", "Bearer \(place.token)")], body: body)
    }

    private func ask(
        _ method: OutgoingMessage.Method, _ path: String, of place: Place, body: OutgoingMessage.Body = .none,
        headers: [(name: String, value: String)] = [], _ limits: OutgoingLimits = Self.limits,
        read: (OutgoingReply, LooseJSON) -> Outcome?
    ) async throws -> Outcome {
        let message = Self.message(method, path, of: place, body: body, headers: headers)
        let reply: OutgoingReply
        do {
            reply = try await http.send(message, limits: limits)
        } catch let error as OutgoingError {
            return Self.outcome(error, place)
        }
        guard (200...299).contains(reply.status) else {
            return method == .get ? Self.outcome(ofCheck: reply, place) : Self.outcome(of: reply, place)
        }
        guard let json = LooseJSON(reply.bytes), let outcome = read(reply, json) else {
            return .lost(why: Self.nonsense(place), retryAfter: nil)
        }
        return outcome
    }

    private static func outcome(_ error: OutgoingError, _ place: Place) -> Outcome {
        let host = host(place)
        let why =
            switch error {
            case .badURL, .unreachable: "\(host) can’t be reached."
            case .forbiddenAddress: "\(host) has an address in a private network."
            case .timedOut: "\(host) took too long to answer."
            case .busy, .stopped: "Tintype was too busy."
            case .tooLarge, .wrongType: nonsense(place)
            case .status, .badRedirect, .cutOff, .noAnswer: "The connection to \(host) broke."
            }
        return error.isUnsent ? .undone(why: why, retryAfter: nil) : .lost(why: why, retryAfter: nil)
    }

    /// Returns what an answer without success means for a request that changes something.
    static func outcome(of reply: OutgoingReply, _ place: Place) -> Outcome {
        let host = host(place)
        switch reply.status {
        case 401: return .unauthorized
        case 425, 429: return .undone(why: "\(host) is busy.", retryAfter: reply.retryAfter)
        // 408 and 409 come from servers that have begun, 500 and above from proxies whose server may have finished.
        // Redirects aren't followed: nobody knows who has answered.
        case 300...399, 408, 409, 500...:
            return .lost(
                why: "\(host) answered with an error (\(reply.status)).", retryAfter: reply.retryAfter)
        case 400...499:
            let words = LooseJSON(reply.bytes)?["error"].text.map { PlainText.oneLine($0, limit: 200) } ?? ""
            return .refused(
                why: words.isEmpty ? "\(host) refused it (\(reply.status))." : "\(host) says: \(words)")
        default: return .lost(why: nonsense(place), retryAfter: nil)
        }
    }

    /// Returns what an answer without success means for a question about an upload.
    private static func outcome(ofCheck reply: OutgoingReply, _ place: Place) -> Outcome {
        // 422: Mastodon couldn't process the picture, and may succeed with the next upload.
        [404, 410, 422].contains(reply.status) ? .missing : outcome(of: reply, place)
    }

    /// Returns what an answer without success means for a list of posts.
    private static func outcome(ofList reply: OutgoingReply, _ place: Place) -> Outcome {
        if case .refused = outcome(of: reply, place) { return .unlistable }
        return outcome(of: reply, place)
    }

    private static func nonsense(_ place: Place) -> String {
        "\(host(place)) sent an answer that Tintype can’t read."
    }

    private static func host(_ place: Place) -> String { OutsideServer.host(of: place.origin) }

    /// Returns the id of an uploaded picture; nil for anything but a media attachment of Mastodon's interface, such as
    /// a post.
    private static func attachmentID(_ json: LooseJSON) -> OutsideID? {
        // Servers return `unknown` while they process an upload.
        guard let type = json["type"].text, ["image", "unknown"].contains(type) else { return nil }
        return OutsideID(json["id"])
    }

    /// Returns the address of a post for people.
    private static func url(of json: LooseJSON, _ id: OutsideID, at place: Place) -> String {
        for name in ["url", "uri"] {
            if let url = json[name].text.flatMap({ try? OutgoingURL($0) }) { return url.text }
        }
        return "\(place.origin)/@\(place.username)/\(id.text)"
    }

    /// Returns the address of a file without its query, which may be a signature.
    private static func fileURL(_ json: LooseJSON) -> String? {
        json.text.flatMap { try? OutgoingURL($0) }.map { String($0.text.prefix { $0 != "?" }) }
    }
}
