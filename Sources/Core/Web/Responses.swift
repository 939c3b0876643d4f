import Crypto
import Foundation
import HTML
import HTTPTypes
import Hummingbird
import NIOCore
import Serving

/// The few kinds of answers that routes give.
extension Response {
    /// The size in bytes above which text answers are compressed for clients that accept it.
    private static let compressionThreshold = 1024

    /// The headers of an answer that caches keep only for the one person who got it, and not without asking again.
    private static let forOnePerson: HTTPFields = [
        .cacheControl: "private, no-cache", .vary: "Accept-Encoding, Authorization, Cookie, X-Fragment",
    ]

    /// Returns HTML or JSON bytes, compressed when the client accepts it. The answer is for one person, so caches must
    /// never share it.
    static func text(
        _ bytes: [UInt8], type: String, status: HTTPResponse.Status = .ok, for request: Request
    ) -> Response {
        var headers = forOnePerson
        headers[.contentType] = type
        if bytes.count > compressionThreshold, Compression.isAccepted(request),
            let compressed = Compression.gzip(bytes, .once)
        {
            headers[.contentEncoding] = "gzip"
            return Response(status: status, headers: headers, body: .init(byteBuffer: compressed))
        }
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// Returns a JSON value that `body` writes. An app that has the same value already, and says so, gets no content (304:
    /// RFC 9110, 15.4.5).
    package static func json(
        status: HTTPResponse.Status = .ok, for request: Request, capacity: Int = 1024,
        _ body: (inout JSONWriter) -> Void
    ) -> Response {
        var writer = JSONWriter(capacity: capacity)
        body(&writer)
        let tag = status == .ok ? tag(of: writer.bytes, for: request) : nil
        if let tag, request.headers[.ifNoneMatch]?.contains(tag) == true {
            var headers = forOnePerson
            headers[.eTag] = "W/\(tag)"
            return Response(status: .notModified, headers: headers)
        }
        var response = Response.text(
            writer.bytes, type: "application/json; charset=utf-8", status: status, for: request)
        if let tag { response.headers[.eTag] = "W/\(tag)" }
        return response
    }

    /// Returns the tag of a value that an app has asked for. The scripts of this server's pages ask only for what is new.
    private static func tag(of bytes: [UInt8], for request: Request) -> String? {
        guard request.method == .get, request.headers[.cookie] == nil else { return nil }
        return "\"" + base64URL(Data(SHA256.hash(data: bytes).prefix(15))) + "\""
    }

    /// Returns a page or, when a script asks for it, a part of a page.
    package static func html(
        _ node: Node, status: HTTPResponse.Status = .ok, for request: Request, capacity: Int = 4096
    ) -> Response {
        .text(
            node.rendered(capacity: capacity), type: "text/html; charset=utf-8", status: status, for: request)
    }

    /// Returns a redirect (303) to another page, after a form (RFC 9110, 15.4.4), with a message to show there.
    package static func see(_ path: String, flash: Flash? = nil) -> Response {
        var response = Response(status: .seeOther, headers: [.location: path])
        if let flash { response.setCookie(flash.cookie) }
        return response
    }

    /// Lets pages of other sites show the picture in the answer, as web clients do. All other answers are for pages of
    /// this server only (`Cross-Origin-Resource-Policy`, Fetch Standard, 3.7).
    package func forOtherSites() -> Response {
        var response = self
        response.headers[.crossOriginResource] = "cross-origin"
        return response
    }

    /// An answer without content (204).
    package static var nothing: Response { Response(status: .noContent) }
}

/// A message that the next page shows once, such as "Your post is out."
package struct Flash: Sendable {
    enum Kind: String, Sendable { case good, error }

    var kind: Kind
    var text: String

    static let cookieName = "tintype_flash"

    package static func good(_ text: String) -> Flash { Flash(kind: .good, text: text) }
    package static func error(_ text: String) -> Flash { Flash(kind: .error, text: text) }

    var cookie: Cookie {
        Cookie(
            name: Self.cookieName, value: kind.rawValue + "." + base64URL(Data(text.utf8)), maxAge: 60,
            path: "/", secure: false, httpOnly: true, sameSite: .lax)
    }

    /// Reads the message that the last answer left for this request.
    package init?(_ request: Request) {
        guard let parts = request.cookie(Self.cookieName)?.split(separator: "."), parts.count == 2,
            let kind = Kind(rawValue: String(parts[0])), let data = Data(base64URL: String(parts[1]))
        else { return nil }
        self.init(kind: kind, text: String(String(decoding: data, as: UTF8.self).prefix(300)))
    }

    private init(kind: Kind, text: String) {
        self.kind = kind
        self.text = text
    }

    static var expired: Cookie {
        Cookie(
            name: cookieName, value: "", maxAge: 0, path: "/", secure: false, httpOnly: true, sameSite: .lax)
    }
}
