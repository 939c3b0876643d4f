/// The reason why a request is refused, in words for the person who sent it.
///
/// Services throw refusals; `ErrorResponses` turns each into a status and a page or JSON body, in one place.
public struct Refusal: Error, Equatable {
    /// The kinds of refusals. Each kind has its HTTP status (Documentation/Interface.md, "Errors").
    public enum Kind: Equatable, Sendable {
        /// 400: the request can't be read.
        case malformed
        /// 401: not logged in, or wrong password.
        case unauthenticated
        /// 403: a request that changes something, with a cookie, came from another site.
        case otherOrigin
        /// 403: an app's token doesn't include the permission that the call needs (RFC 6750, 3.1).
        case outOfScope(String)
        /// 404: no such thing exists, or the viewer may not see it. The answer is the same for both.
        case notFound
        /// 405: the call exists, with these methods only.
        case wrongMethod([String])
        /// 408: the request's body came too slowly, or ended too early.
        case brokenOff
        /// 409: the request doesn't fit the current state.
        case conflict
        /// 410: the thing existed and was deleted for good.
        case gone
        /// 413: more bytes than allowed.
        case tooLarge
        /// 415: not a picture that the server reads.
        case unsupported
        /// 422: well formed, but not acceptable; `fields` names the wrong fields.
        case invalid
        /// 429: too many requests; may be tried again after `retryAfter` seconds.
        case tooOften(retryAfter: Int)
        /// 503: unavailable at the moment; may be tried again after `retryAfter` seconds.
        case unavailable(retryAfter: Int)
    }

    /// The problem of a field of a form: Mastodon's code for it and a sentence.
    public struct Problem: Equatable, Sendable {
        /// A code such as `ERR_BLANK`, `ERR_TAKEN`, `ERR_TOO_LONG` or `ERR_INVALID`.
        public var code: String
        /// One sentence that says what to do.
        public var sentence: String

        package init(code: String, sentence: String) {
            self.code = code
            self.sentence = sentence
        }
    }

    /// The kind of the refusal, from which its HTTP status follows.
    public var kind: Kind
    /// One sentence for the person who sent the request.
    public var message: String
    /// The wrong fields by their name in the form; empty when no field is wrong.
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

    /// Returns a refusal (422) about one field.
    package static func invalid(_ field: String, _ code: String, _ sentence: String) -> Refusal {
        Refusal(.invalid, sentence, fields: [field: Problem(code: code, sentence: sentence)])
    }
}

/// The problems of a form, collected so that a person sees all of them at once.
package struct Problems {
    package private(set) var fields: [String: Refusal.Problem] = [:]

    package init(fields: [String: Refusal.Problem] = [:]) {
        self.fields = fields
    }

    /// Notes the first problem of a field; drops later problems of that field.
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
