import Hummingbird
import Serving
import Synchronization

/// The description of the JSON interface (OpenAPI 3.1, spec.openapis.org/oas/v3.1.0). A test compares it with the
/// routes.
package struct OpenAPI {
    package let operations: [Operation]
    package let entities: [EntitySchema]
    let topics: OAuthTopics
    package let publicURL: String

    package init(
        operations: [Operation], entities: [EntitySchema], topics: OAuthTopics, publicURL: String
    ) {
        self.operations = operations
        self.entities = entities
        self.topics = topics
        self.publicURL = publicURL
    }

    /// All answers except success, by status (Documentation/Interface.md, "Errors").
    private static let refusals: [(status: Int, words: String)] = [
        (400, "The request can’t be read."), (401, "The log-in is missing or invalid."),
        (403, "The app lacks the permission, or another site sent the cookie."),
        (404, "This doesn't exist, or you can't see it."),
        (409, "The request doesn't fit the current state."), (410, "Gone for good."), (413, "Too large."),
        (415, "Not a picture in a supported format."), (422, "A value is invalid."),
        (429, "Too many requests; see Retry-After."),
        (503, "Unavailable; see Retry-After."),
    ]

    /// Returns whether a call may be refused with a status.
    ///
    /// - Parameter names: the names of what the call takes, in its path and as parameters.
    private static func mayRefuse(_ operation: Operation, taking names: [String], with status: Int) -> Bool {
        switch status {
        case 401: !operation.isPublic || operation.asksForClient
        case 403: operation.isWrite || !operation.isPublic
        case 413: operation.isWrite
        case 409: operation.isWrite || operation.canBeOvertaken
        case 404:
            operation.canBeAbsent || operation.path.contains("{")
                || names.contains { $0 == "acct" || $0.contains("id") }
        case 410: operation.canBeGone || operation.takesKey
        case 415: operation.parameters.contains { operation.type(ofParameter: $0) == "file" }
        case 422: operation.isWrite || !names.isEmpty || operation.answer.isPage
        default: true
        }
    }

    /// Adds the route. The description is composed on the first request, since few servers are ever asked for it.
    package func add(to router: Router<AppContext>) {
        let composed = Composed()
        router.get("api/openapi.json") { request, _ in
            Response.text(composed.bytes(of: self), type: "application/json; charset=utf-8", for: request)
        }
    }

    /// The description as it is served, composed once.
    private final class Composed: Sendable {
        private let kept = Mutex<[UInt8]?>(nil)

        func bytes(of description: OpenAPI) -> [UInt8] {
            kept.withLock { kept in
                if let kept { return kept }
                var writer = JSONWriter(capacity: 64 * 1024)
                description.write(into: &writer)
                kept = writer.bytes
                return writer.bytes
            }
        }
    }

    func write(into json: inout JSONWriter) {
        json.object { json in
            json.member("openapi", "3.1.0")
            json.object("info") { json in
                json.member("title", "Tintype")
                json.member("version", tintypeVersion)
                json.member("description", "The calls that Mastodon has work as in its client API.")
            }
            json.array("servers", [publicURL]) { json, url in json.object { $0.member("url", url) } }
            json.array("security", ["bearer", "cookie"]) { json, name in
                json.object { json in
                    json.key(computed: name)
                    json.emptyArray()
                }
            }
            json.object("paths") { json in
                let byPath = Dictionary(grouping: operations, by: \.path)
                for path in byPath.keys.sorted() {
                    json.key(computed: path)
                    json.object { json in
                        for operation in byPath[path] ?? [] {
                            json.key(computed: operation.method.lowercased())
                            write(operation, into: &json)
                        }
                    }
                }
            }
            json.object("components") { json in
                json.object("securitySchemes") { json in
                    oauth(into: &json)
                    json.object("bearer") { json in
                        json.member("type", "http")
                        json.member("scheme", "bearer")
                    }
                    json.object("cookie") { json in
                        json.member("type", "apiKey")
                        json.member("in", "cookie")
                        json.member("name", Session.cookieName(isSecure: publicURL.hasPrefix("https")))
                    }
                }
                schemas(into: &json)
            }
        }
    }

    // MARK: Calls

    private func write(_ operation: Operation, into json: inout JSONWriter) {
        json.object { json in
            json.member("summary", operation.summary)
            json.member("operationId", Self.name(operation))
            security(of: operation, into: &json)
            json.array("parameters", parameters(operation)) { json, parameter in
                json.object { json in
                    json.member("name", parameter.name)
                    json.member("in", parameter.place)
                    json.member(
                        "required", parameter.place == "path" || operation.required.contains(parameter.name))
                    json.key("schema")
                    // Of a query, the id 0 is none.
                    let type = operation.type(ofParameter: parameter.name)
                    Self.schema(
                        ofParameter: parameter.name,
                        as: type == "id" && parameter.place == "query" ? "reference" : type,
                        isRequired: operation.required.contains(parameter.name), into: &json)
                }
            }
            if operation.isWrite, !operation.parameters.isEmpty { body(operation, into: &json) }
            json.object("responses") { json in
                answer(operation.answer, into: &json)
                let names = operation.pathParameters + operation.parameters
                for (status, words) in Self.refusals
                where Self.mayRefuse(operation, taking: names, with: status) {
                    json.key(computed: String(status))
                    json.object { json in
                        json.member("description", words)
                        Self.content("application/json", into: &json) { Self.reference("Error", into: &$0) }
                    }
                }
            }
        }
    }

    /// Writes the log-ins that an operation accepts: an app's token with the permission that it needs, a token of the
    /// operator's, or the cookie.
    private func security(of operation: Operation, into json: inout JSONWriter) {
        guard !operation.isPublic else { return json.emptyArray("security") }
        json.array("security", ["oauth", "bearer", "cookie"]) { json, name in
            json.object { json in
                json.key(computed: name)
                let scope = name == "oauth" ? operation.scope : nil
                json.array(scope.map { [$0] } ?? []) { $0.value($1.text) }
            }
        }
    }

    private func oauth(into json: inout JSONWriter) {
        json.object("oauth") { json in
            json.member("type", "oauth2")
            json.object("flows") { json in
                json.object("authorizationCode") { json in
                    json.member("authorizationUrl", publicURL + "/oauth/authorize")
                    json.member("tokenUrl", publicURL + "/oauth/token")
                    json.object("scopes") { json in
                        for scope in topics.scopes {
                            json.key(computed: scope.text)
                            json.value(([scope.words] + topics.parts(of: scope)).joined(separator: "; "))
                        }
                    }
                }
            }
        }
    }

    private static func name(_ operation: Operation) -> String {
        let words = operation.path.split { "/{}.:".contains($0) }.dropFirst()
        return ([operation.method.lowercased()] + words.map(String.init)).joined(separator: "_")
    }

    private func parameters(_ operation: Operation) -> [(name: String, place: String)] {
        operation.pathParameters.map { ($0, "path") } + operation.queryParameters.map { ($0, "query") }
            + operation.headers.map { ($0, "header") }
    }

    /// Writes the body of a request. Parameters may come as JSON or as a form; a file only in a multipart form.
    private func body(_ operation: Operation, into json: inout JSONWriter) {
        let types =
            operation.parameters.contains("file")
            ? ["multipart/form-data"]
            : ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"]
        json.object("requestBody") { json in
            if !operation.required.isEmpty { json.member("required", true) }
            json.object("content") { json in
                for type in types {
                    json.key(computed: type)
                    json.object { json in
                        json.object("schema") { Self.members(of: operation, in: type, into: &$0) }
                    }
                }
            }
        }
    }

    /// Writes what a body contains. A form contains a list of objects by the names of their members alone.
    private static func members(of operation: Operation, in type: String, into json: inout JSONWriter) {
        let isJSON = type == "application/json"
        let taken = operation.parameters.filter { name in
            switch operation.type(ofParameter: name) {
            case "file": type.hasPrefix("multipart")
            case "object": isJSON
            default: true
            }
        }
        func spelling(_ name: String) -> String {
            isJSON && name.hasSuffix("[]") ? String(name.dropLast(2)) : name
        }
        json.member("type", "object")
        json.array("required", taken.filter(operation.required.contains)) { $0.value(spelling($1)) }
        json.object("properties") { json in
            for name in taken {
                json.key(computed: spelling(name))
                schema(ofMember: name, operation, isJSON: isJSON, into: &json)
            }
        }
    }

    private static func schema(
        ofMember name: String, _ operation: Operation, isJSON: Bool, into json: inout JSONWriter
    ) {
        let type = operation.type(ofParameter: name)
        let isRequired = operation.required.contains(name)
        guard !isJSON else {
            return ParameterTypes.schema(
                of: type, isList: name.hasSuffix("[]"), isRequired: isRequired, into: &json)
        }
        let mayBeEmpty = type == "id" && !isRequired
        schema(ofParameter: name, as: mayBeEmpty ? "cursor" : type, isRequired: isRequired, into: &json)
    }

    private static func schema(
        ofParameter name: String, as type: String, isRequired: Bool, into json: inout JSONWriter
    ) {
        json.object { json in
            guard name.hasSuffix("[]") else { return EntitySchema.Member.members(of: type, into: &json) }
            json.member("type", "array")
            if isRequired { json.member("minItems", 1) }
            json.object("items") { EntitySchema.Member.members(of: type, into: &$0) }
        }
    }

    private func answer(_ answer: Operation.Answer, into json: inout JSONWriter) {
        if case .nothing = answer {
            json.object("204") { $0.member("description", "Done.") }
            return
        }
        let status =
            switch answer {
            case .created: 201
            case .accepted: 202
            default: 200
            }
        json.key(computed: String(status))
        json.object { json in
            json.member("description", "Done.")
            switch answer {
            case .one(let name), .created(let name):
                Self.content("application/json", into: &json) { Self.reference(name, into: &$0) }
            case .page(let name), .list(let name):
                Self.content("application/json", into: &json) { json in
                    json.object { json in
                        json.member("type", "array")
                        json.key("items")
                        Self.reference(name, into: &json)
                    }
                }
            case .object, .accepted:
                Self.content("application/json", into: &json) { json in
                    json.object { $0.member("type", "object") }
                }
            case .events: Self.content("text/event-stream", into: &json, Self.text)
            case .text: Self.content("text/plain", into: &json, Self.text)
            case .picture: Self.content("image/*", into: &json, Self.text)
            case .nothing: break
            }
        }
        guard case .picture = answer else { return }
        for (status, words) in [
            (206, "The requested part."), (304, "Not changed."), (416, "The file has no such part."),
        ] {
            json.key(computed: String(status))
            json.object { $0.member("description", words) }
        }
    }

    private static func content(
        _ type: String, into json: inout JSONWriter, _ schema: (inout JSONWriter) -> Void
    ) {
        json.object("content") { json in
            json.key(computed: type)
            json.object { json in
                json.key("schema")
                schema(&json)
            }
        }
    }

    private static func text(into json: inout JSONWriter) { json.object { $0.member("type", "string") } }

    private static func reference(_ name: String, into json: inout JSONWriter) {
        json.object { $0.member("$ref", "#/components/schemas/\(name)") }
    }

    // MARK: Things

    private func schemas(into json: inout JSONWriter) {
        json.object("schemas") { json in
            json.object("Error") { json in
                json.member("type", "object")
                json.array("required", ["error"]) { $0.value($1) }
                json.object("properties") { json in
                    json.object("error") { $0.member("type", "string") }
                    json.object("details") { $0.member("type", "object") }
                }
            }
            for schema in entities {
                json.key(computed: schema.name)
                schema.write(into: &json)
            }
        }
    }
}

extension Operation.Answer {
    /// Whether the answer comes in pages.
    var isPage: Bool { if case .page = self { true } else { false } }
}
