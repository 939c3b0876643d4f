import Foundation
import Serving

/// A request that changes something on another server, or that carries a secret.
///
/// The request is sent at most once: there is no second attempt, and no redirect is followed, since the next host would
/// get the secret.
package struct OutgoingMessage: Sendable {
    /// The methods that are used.
    package enum Method: Sendable {
        case get, post
    }

    package var method: Method
    package var url: String
    /// Headers besides those that describe the body.
    package var headers: [(name: String, value: String)] = []
    package var body = Body.none
    /// The places of which the request takes one.
    package var line = Line.requests

    package init(
        method: Method, url: String, headers: [(name: String, value: String)] = [], body: Body = Body.none,
        line: Line = .requests
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.line = line
    }

    /// Requests that share places (``OutgoingPlaces``), so that those of one line never wait for those of the other.
    package enum Line: Sendable {
        /// Requests that are sent a few at a time.
        case requests
        /// Announcements to push services.
        case announcements
    }

    /// The body of a request.
    package enum Body: Sendable {
        case none
        /// Names and values, as a browser sends a form (WHATWG URL, 5.2).
        case form([(name: String, value: String)])
        /// Texts, and a file with the name `file` (RFC 7578).
        case multipart([(name: String, value: String)], file: File)
        /// Bytes of a media type.
        case bytes([UInt8], mediaType: String)
    }

    /// A file of a form.
    package struct File: Sendable {
        package var filename: String
        package var mediaType: String
        package var bytes: [UInt8]

        package init(filename: String, mediaType: String, bytes: [UInt8]) {
            self.filename = filename
            self.mediaType = mediaType
            self.bytes = bytes
        }
    }

    /// The body's media type and bytes; nil without a body.
    var content: (mediaType: String, bytes: [UInt8])? {
        switch body {
        case .none: return nil
        case .bytes(let bytes, let mediaType): return (mediaType, bytes)
        case .form(let fields):
            return ("application/x-www-form-urlencoded", Array(URLEncodedForm.text(fields).utf8))
        case .multipart(let fields, let file):
            // Random, so that no file can contain it.
            let boundary = "tintype-\(UUID().uuidString)"
            var bytes: [UInt8] = []
            bytes.reserveCapacity(file.bytes.count + 2_000)
            for field in fields {
                bytes += Array(
                    """
                    --\(boundary)\r
                    Content-Disposition: form-data; name="\(field.name)"\r
                    Content-Type: text/plain; charset=utf-8\r
                    \r
                    \(field.value)\r\n
                    """.utf8)
            }
            bytes += Array(
                """
                --\(boundary)\r
                Content-Disposition: form-data; name="file"; filename="\(file.filename)"\r
                Content-Type: \(file.mediaType)\r
                \r\n
                """.utf8)
            bytes += file.bytes
            bytes += Array("\r\n--\(boundary)--\r\n".utf8)
            return ("multipart/form-data; boundary=\(boundary)", bytes)
        }
    }
}

/// The answer of another server to an ``OutgoingMessage``, whatever the status.
package struct OutgoingReply: Sendable {
    package var status: Int
    /// The seconds until the server wants to be asked again; nil when it doesn't say.
    package var retryAfter: Int?
    /// The body.
    package var bytes: [UInt8]
}
