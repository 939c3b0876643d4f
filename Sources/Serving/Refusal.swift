/// Why the app doesn't do what was asked, in words for the person who asked.
///
/// Services throw it; `ErrorResponses` turns it into a status and a page or JSON body, in one place.
public struct Refusal: Error, Equatable {
    /// The kinds of refusals. Each one has its HTTP status (Documentation/Interface.md, "Errors").
    public enum Kind: Equatable, Sendable {
        /// 400: the request can't be read.
        case malformed
        /// 401: not logged in, or wrong password.
        case unauthenticated
        /// 403: a write under a cookie that came from another site.
        case otherOrigin
        /// 403: an app's token doesn't include the permission that the call needs (RFC 6750, 3.1).
        case outOfScope(String)
        /// 404: there is no such thing, or the viewer may not see it. The answer is the same for both.
        case notFound
        /// 408: the request's body came too slowly, or not to its end.
        case brokenOff
        /// 409: it doesn't fit the present state.
        case conflict
        /// 410: it was there and is gone for good.
        case gone
        /// 413: more bytes than allowed.
        case tooLarge
        /// 415: not a picture that we read.
        case unsupported
        /// 422: well formed, but not acceptable; `fields` says where.
        case invalid
        /// 429: too often; may be tried again after `retryAfter` seconds.
        case tooOften(retryAfter: Int)
        /// 503: not now; may be tried again after `retryAfter` seconds.
        case unavailable(retryAfter: Int)
    }

    /// A wrong field of a form: Mastodon's code for it and a sentence.
    public struct Problem: Equatable, Sendable {
        /// Such as `ERR_BLANK`, `ERR_TAKEN`, `ERR_TOO_LONG`, `ERR_INVALID`.
        public var code: String
        /// One sentence that says what to do.
        public var sentence: String

        package init(code: String, sentence: String) {
            self.code = code
            self.sentence = sentence
        }
    }

    /// What kind of no.
    public var kind: Kind
    /// One sentence for a person.
    public var message: String
    /// Wrong fields by their name in the form, empty when it isn't about a field.
    public var fields: [String: Problem] = [:]

    package init(_ kind: Kind, _ message: String, fields: [String: Problem] = [:]) {
        self.kind = kind
        self.message = message
        self.fields = fields
    }

    package static let notFound = Refusal(.notFound, "This doesn’t exist, or you don’t have access to it.")
    package static let logInFirst = Refusal(.unauthenticated, "Log in to see this.")

    package static func malformed(_ message: String) -> Refusal { Refusal(.malformed, message) }
    package static func conflict(_ message: String) -> Refusal { Refusal(.conflict, message) }

    /// A 422 about one field.
    package static func invalid(_ field: String, _ code: String, _ sentence: String) -> Refusal {
        Refusal(.invalid, sentence, fields: [field: Problem(code: code, sentence: sentence)])
    }
}

/// Collects what is wrong with a form, so that a person sees all of it at once.
package struct Problems {
    package private(set) var fields: [String: Refusal.Problem] = [:]

    package init(fields: [String: Refusal.Problem] = [:]) {
        self.fields = fields
    }

    /// Notes the first problem of a field; later ones of the same field are dropped.
    package mutating func add(_ field: String, _ code: String, _ sentence: String) {
        if fields[field] == nil { fields[field] = .init(code: code, sentence: sentence) }
    }

    /// Throws a 422 with every problem, or nothing.
    package func throwIfAny() throws {
        guard !fields.isEmpty else { return }
        let message = fields.count == 1 ? fields.values.first?.sentence : nil
        throw Refusal(.invalid, message ?? "Some fields need to be corrected.", fields: fields)
    }
}
