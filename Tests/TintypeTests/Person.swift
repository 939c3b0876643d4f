import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import Core
@testable import People
@testable import Serving
@testable import Tintype

/// Someone who uses the server of a ``World``.
struct Person: Sendable {
    let world: World
    let id: Account.ID
    let username: String
    /// The token of their log-in; nil for a stranger.
    let token: String?
    /// A browser by cookie, as pages and their scripts; programs and apps by bearer token.
    var kind = Session.Kind.browser

    /// What a request carries to be theirs.
    var credentials: HTTPFields {
        guard let token else { return [:] }
        guard kind == .browser else { return [.authorization: "Bearer \(token)"] }
        return [
            .cookie: "\(Session.cookieName(isSecure: world.tintype.parts.isSecure))=\(token)",
            .fetchSite: "same-origin",
        ]
    }

    /// The lines of a request that is written by hand.
    var credentialLines: [String] { credentials.map { "\($0.name): \($0.value)" } }

    /// The id of their only log-in, which picture addresses name.
    var session: Int {
        get async throws { try await world.number("SELECT id FROM sessions WHERE account_id = \(id)") }
    }

    /// Returns the person with their log-in at another server of the database.
    func at(_ other: World) -> Person {
        Person(world: other, id: id, username: username, token: token, kind: kind)
    }

    /// Logs the person in once more.
    func logIn(_ kind: Session.Kind, device: String = "New") async throws -> Person {
        let token = try await world.tintype.sessions.start(for: id, device: device, kind: kind)
        return Person(world: world, id: id, username: username, token: token, kind: kind)
    }

    // MARK: The JSON interface

    /// Sends a request as their log-in does.
    func send(
        _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields = [:], body: ByteBuffer? = nil
    ) async throws -> Answer {
        var headers = headers
        for field in credentials where headers[field.name] == nil { headers[field.name] = field.value }
        return try await world.send(method, path, headers: headers, body: body)
    }

    /// Sends JSON, given as a literal.
    func send(
        _ method: HTTPRequest.Method, _ path: String, json: JSON, headers: HTTPFields = [:]
    ) async throws -> Answer {
        var headers = headers
        headers[.contentType] = "application/json"
        return try await send(method, path, headers: headers, body: ByteBuffer(string: json.text))
    }

    /// Sends a URL-encoded form. A name may come several times.
    func send(
        _ method: HTTPRequest.Method, _ path: String, form: KeyValuePairs<String, String>,
        headers: HTTPFields = [:]
    ) async throws -> Answer {
        var headers = headers
        headers[.contentType] = "application/x-www-form-urlencoded"
        return try await send(method, path, headers: headers, body: ByteBuffer(string: urlEncoded(form)))
    }

    /// Sends a multipart form, as an upload comes.
    func send(
        _ method: HTTPRequest.Method, _ path: String, multipart: [FormPart], headers: HTTPFields = [:]
    ) async throws -> Answer {
        var headers = headers
        headers[.contentType] = FormPart.contentType
        return try await send(method, path, headers: headers, body: FormPart.body(multipart))
    }

    func get(_ path: String, headers: HTTPFields = [:]) async throws -> Answer {
        try await send(.get, path, headers: headers)
    }

    func post(_ path: String, headers: HTTPFields = [:]) async throws -> Answer {
        try await send(.post, path, headers: headers)
    }

    func post(_ path: String, json: JSON, headers: HTTPFields = [:]) async throws -> Answer {
        try await send(.post, path, json: json, headers: headers)
    }

    func post(
        _ path: String, form: KeyValuePairs<String, String>, headers: HTTPFields = [:]
    ) async throws -> Answer {
        try await send(.post, path, form: form, headers: headers)
    }

    func post(_ path: String, multipart: [FormPart], headers: HTTPFields = [:]) async throws -> Answer {
        try await send(.post, path, multipart: multipart, headers: headers)
    }

    func delete(_ path: String) async throws -> Answer { try await send(.delete, path) }

    // MARK: The pages

    /// Opens a page as a browser does, by cookie.
    func visit(_ path: String) async throws -> Answer {
        try await world.send(.get, path, headers: cookie)
    }

    /// Fetches the list of a page again, as its script does.
    func refresh(_ path: String) async throws -> Answer {
        var headers = cookie
        headers[.fragment] = "list"
        return try await world.send(.get, path, headers: headers)
    }

    /// Sends a form of a page as a browser does, by cookie.
    func submit(_ path: String, _ form: KeyValuePairs<String, String> = [:]) async throws -> Answer {
        var headers = cookie
        headers[.contentType] = "application/x-www-form-urlencoded"
        return try await world.send(.post, path, headers: headers, body: ByteBuffer(string: urlEncoded(form)))
    }

    /// Sends a form with files as a browser does, by cookie.
    func submit(_ path: String, multipart: [FormPart]) async throws -> Answer {
        var headers = cookie
        headers[.contentType] = FormPart.contentType
        return try await world.send(.post, path, headers: headers, body: FormPart.body(multipart))
    }

    private var cookie: HTTPFields {
        var headers: HTTPFields = [.fetchSite: "same-origin", .accept: "text/html"]
        if let token { headers[.cookie] = "\(Session.cookieName(isSecure: false))=\(token)" }
        return headers
    }

    // MARK: What people do

    /// Uploads a small picture; its id.
    func photo(
        _ picture: [UInt8]? = nil, description: String = "", purpose: String? = nil
    ) async throws -> String {
        let bytes: [UInt8]
        if let picture { bytes = picture } else { bytes = try await TestPicture.jpeg() }
        var parts: [FormPart] = [.file("file", bytes), .text("description", description)]
        if let purpose { parts.append(.text("purpose", purpose)) }
        let answer = try await post("/api/v2/media", multipart: parts)
        try #require(answer.status == 200, "an upload was refused: \(answer.text)")
        return try #require(answer["id"].string)
    }

    /// Posts photos, by default a new small one. Returns the post's id.
    func post(caption: String, photos: [String]? = nil, visibility: String = "private") async throws -> String
    {
        let chosen: [String]
        if let photos { chosen = photos } else { chosen = [try await photo()] }
        let answer = try await post(
            "/api/v1/statuses",
            json: [
                "status": .text(caption), "media_ids": .list(chosen.map { .text($0) }),
                "visibility": .text(visibility),
            ])
        try #require(answer.status == 200, "a post was refused: \(answer.text)")
        return try #require(answer["id"].string)
    }

    func follow(_ other: Person) async throws {
        let answer = try await post("/api/v1/accounts/\(other.id)/follow")
        try #require(answer.status == 200)
    }

    func block(_ other: Person) async throws {
        let answer = try await post("/api/v1/accounts/\(other.id)/block")
        try #require(answer.status == 200)
    }

    @discardableResult
    func like(_ post: String) async throws -> Answer {
        try await self.post("/api/v1/statuses/\(post)/favourite")
    }

    /// The captions of the home feed, newest first.
    func home() async throws -> [String] { try await captions("/api/v1/timelines/home?limit=40") }

    /// The captions of a list of posts, in its order.
    func captions(_ path: String) async throws -> [String] {
        let answer = try await get(path)
        #expect(answer.status == 200, "\(path)")
        return answer.json.list.map { $0["text"].string ?? "" }
    }
}

/// A field or file of a multipart form (RFC 7578).
enum FormPart: Sendable {
    case text(String, String)
    case file(String, [UInt8], name: String = "photo.jpg", type: String = "image/jpeg")

    private static let boundary = "----TintypeTestBoundary7MA4YWxk"
    static let contentType = "multipart/form-data; boundary=\(boundary)"

    static func body(_ parts: [FormPart]) -> ByteBuffer {
        var body = ByteBuffer()
        for part in parts {
            body.writeString("--\(boundary)\r\n")
            switch part {
            case .text(let name, let value):
                body.writeString("Content-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)")
            case .file(let name, let bytes, let filename, let type):
                body.writeString(
                    """
                    Content-Disposition: form-data; name="\(name)"; filename="\(filename)"\r
                    Content-Type: \(type)\r\n\r\n
                    """)
                body.writeBytes(bytes)
            }
            body.writeString("\r\n")
        }
        body.writeString("--\(boundary)--\r\n")
        return body
    }
}

/// A form as browsers write it (WHATWG URL, 5.2).
func urlEncoded(_ form: KeyValuePairs<String, String>) -> String {
    let plain = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "\u{0}"..."\u{7f}"))
    func encoded(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: plain) ?? "" }
    return form.map { "\(encoded($0.key))=\(encoded($0.value))" }.joined(separator: "&")
}
