import Foundation
import HTML
import HTTPTypes
import Hummingbird
import Imaging
import Logging
import Serving
import Storage

/// The middleware that turns every thrown error into an answer, in one place: JSON for the interface, a page for
/// people.
package struct ErrorResponses: MiddlewareProtocol {
    package let frame: Frame

    package init(frame: Frame) {
        self.frame = frame
    }

    package func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let refusal = Self.refusal(for: error)
            switch refusal?.kind {
            case nil:
                context.logger.error(
                    "request failed", metadata: ["error": "\(error)", "path": "\(request.uri.path)"])
            case .unavailable:
                context.logger.warning("request refused", metadata: ["error": "\(error)"])
            default: break
            }
            return response(to: request, context, refusal)
        }
    }

    /// Returns the refusal that an error means for the client; nil when the error is the server's own failure.
    static func refusal(for error: any Error) -> Refusal? {
        switch error {
        case let refusal as Refusal: return refusal
        case let error as ImageError: return Refusal(imageError: error, field: "file")
        case DatabaseError.busy, BlobError.busy:
            return Refusal(.unavailable(retryAfter: 2), "The server is busy. Try again in a moment.")
        case DatabaseError.nulCharacter: return .malformed("A text has a character that can’t be used: NUL.")
        case DatabaseError.full, BlobError.full:
            return Refusal(
                .unavailable(retryAfter: 60),
                "The server’s disk is full. Nothing was lost, and nothing incomplete was stored.")
        case DatabaseError.unsettled:
            return Refusal(
                .unavailable(retryAfter: 60),
                "The server’s disk failed while this was being saved. Check whether it was saved before you try again."
            )
        case BlobError.unavailable:
            return Refusal(
                .unavailable(retryAfter: 5),
                "The server’s store of pictures doesn’t answer. Try again in a moment.")
        case BlobError.tooLarge:
            return Refusal(.tooLarge, "This file is too large. Send a smaller version of it.")
        case BlobError.notFound: return Refusal.notFound
        case let error as any HTTPResponseError:
            switch error.status {
            case .notFound: return .notFound
            case .contentTooLarge: return Refusal(.tooLarge, "The request is too long.")
            case .internalServerError: return nil
            default: return Refusal(.malformed, "The request can’t be read.")
            }
        default: return nil
        }
    }

    /// Answers with a refused form again, with everything that was typed and with what was wrong, above the form or
    /// beside its fields.
    ///
    /// - Parameter page: makes the page with the form.
    /// - Throws: the error when it is the server's own failure, and what `page` throws.
    package static func form(
        after error: any Error, _ context: AppContext,
        page: (Refusal, HTTPResponse.Status) async throws -> Response
    ) async throws -> Response {
        guard let refusal = refusal(for: error) else { throw error }
        if case .unavailable = refusal.kind {
            context.logger.warning("request refused", metadata: ["error": "\(error)"])
        }
        var response = try await page(refusal, status(refusal.kind))
        addHeaders(of: refusal, to: &response)
        return response
    }

    /// Adds the headers that tell programs what a refusal means.
    private static func addHeaders(of refusal: Refusal?, to response: inout Response) {
        switch refusal?.kind {
        case .tooOften(let seconds), .unavailable(let seconds):
            response.headers[.retryAfter] = String(seconds)
        case .wrongMethod(let methods): response.headers[.allow] = methods.joined(separator: ", ")
        case .tooLarge, .brokenOff:
            // Otherwise the rest of a refused upload would be read to its end.
            response.headers[.connection] = "close"
        default: break
        }
    }

    /// Returns the response for a refusal; without a refusal, the response for a failure of the server.
    func response(to request: Request, _ context: AppContext, _ refusal: Refusal?) -> Response {
        let status = Self.status(refusal?.kind)
        let message =
            refusal?.message ?? "Something went wrong on the server. It was logged as \(context.id)."
        var response: Response
        if request.isAPI {
            response = .json(status: status, for: request) { json in
                Self.write(message, refusal?.fields ?? [:], into: &json)
            }
            response.headers[.wwwAuthenticate] = Self.challenge(refusal?.kind)
            if case .tooOften(let seconds) = refusal?.kind {
                // Apps wait by these headers, not by Retry-After (Documentation/Interface.md, "What apps need").
                response.headers[.rateRemaining] = "0"
                response.headers[.rateReset] = Timestamp.iso8601(
                    frame.now().addingTimeInterval(Double(seconds)))
            }
        } else if status == .unauthorized, request.method == .get {
            let path = request.uri.path + (request.uri.query.map { "?\($0)" } ?? "")
            let target = path.queryEncoded
            response = .see(AppPaths.logIn + (path == AppPaths.home ? "" : "?next=\(target)"))
        } else {
            response = page(status, message, request, context)
        }
        Self.addHeaders(of: refusal, to: &response)
        return response
    }

    /// Returns the header that names the kind of log-in that a call needs (RFC 6750, 3); nil for other refusals.
    private static func challenge(_ kind: Refusal.Kind?) -> String? {
        switch kind {
        case .unauthenticated: "Bearer realm=\"Tintype\""
        case .outOfScope(let scope):
            "Bearer realm=\"Tintype\", error=\"insufficient_scope\", scope=\"\(scope)\""
        default: nil
        }
    }

    private func page(
        _ status: HTTPResponse.Status, _ message: String, _ request: Request, _ context: AppContext
    ) -> Response {
        let title = status == .notFound ? "Nothing here" : status.code >= 500 ? "Not now" : "That didn’t work"
        var context = context
        // No permission of an app includes pages, which show the person's name and counts.
        if context.session?.scopes != nil { context.session = nil }
        let isLoggedIn = context.session != nil
        return Page(title: title, bodyClass: isLoggedIn ? nil : "bare")
            .response(frame, request, context, status: status) {
                if isLoggedIn { frame.bar(title, back: ("Home", AppPaths.home)) }
                main(.id("content"), .class("message")) {
                    div(.class("empty")) {
                        frame.icon(status == .notFound ? "search" : "exclamation-circle")
                        if !isLoggedIn { h1 { title } }
                        p { message }
                        a(.class("button primary"), .href(isLoggedIn ? AppPaths.home : AppPaths.logIn)) {
                            isLoggedIn ? "Go to Home" : "Log in"
                        }
                    }
                }
            }
    }

    /// Writes `{"error": …, "details": {FIELD: [{"error": …, "description": …}]}}`, in Mastodon's format.
    static func write(_ message: String, _ fields: [String: Refusal.Problem], into json: inout JSONWriter) {
        json.object { json in
            json.member("error", message)
            guard !fields.isEmpty else { return }
            json.object("details") { json in
                for (field, problem) in fields.sorted(by: { $0.key < $1.key }) {
                    json.key(computed: field)
                    json.array([problem]) { json, problem in
                        json.object { json in
                            json.member("error", problem.code)
                            json.member("description", problem.sentence)
                        }
                    }
                }
            }
        }
    }

    package static func status(_ kind: Refusal.Kind?) -> HTTPResponse.Status {
        switch kind {
        case nil: .internalServerError
        case .malformed: .badRequest
        case .unauthenticated: .unauthorized
        case .otherOrigin, .outOfScope: .forbidden
        case .notFound: .notFound
        case .wrongMethod: .methodNotAllowed
        case .brokenOff: .requestTimeout
        case .conflict: .conflict
        case .gone: .gone
        case .tooLarge: .contentTooLarge
        case .unsupported: .unsupportedMediaType
        case .invalid: .unprocessableContent
        case .tooOften: .tooManyRequests
        case .unavailable: .serviceUnavailable
        }
    }
}
