/// One call of the JSON interface, as `/api/openapi.json` describes it.
package struct Operation: Sendable {
    /// The answer of a call that succeeds.
    package enum Answer: Sendable {
        /// A JSON object with this name among the schemas.
        case one(String)
        /// A new JSON object with this name among the schemas, with the status 201.
        case created(String)
        /// A list of objects with this name, in pages.
        case page(String)
        /// A complete list of objects with this name.
        case list(String)
        /// A JSON object of no fixed shape.
        case object
        /// A JSON object about work that goes on after the answer (202).
        case accepted
        /// Server-sent events.
        case events
        /// The bytes of a picture.
        case picture
        /// Text.
        case text
        /// No content (204).
        case nothing
    }

    /// The method, such as `GET` or `POST`.
    var method: String
    /// The path with parameters in braces: `/api/v1/accounts/{id}`.
    package var path: String
    var summary: String
    var answer: Answer
    /// The parameters of the query or, for a call that changes something, of the body; `[]` marks lists.
    var parameters: [String]
    /// The types of parameters whose names don't say it, by their names.
    private var types: [String: String]
    /// The parameters without which the call is refused.
    private(set) var required: Set<String>
    /// Whether the call works without a log-in.
    package var isPublic: Bool
    /// Whether the thing may be gone for good (410), such as a picture that can be seen once.
    var canBeGone = false
    /// Whether there may be nothing to answer with, although the path names nothing.
    var canBeAbsent = false
    /// Whether a later call of the same person may end the call (409), although it changes nothing of others.
    var canBeOvertaken = false
    /// Whether an app identifies itself with the call, and is refused (401) if it can't.
    var asksForClient = false
    /// Whether an `Idempotency-Key` makes the call safe to repeat. What a key has made may be gone by then (410).
    var takesKey: Bool
    /// The permission that an app needs for the call (``ScopeCheck``); nil when every app with a token may send it.
    private(set) var scope: OAuthScope?
    /// Whether the permission was given for this call, and not for a list of calls.
    private var hasOwnScope: Bool

    /// - Parameters:
    ///   - call: method and path separated by a space.
    ///   - parameters: their names, separated by spaces; `name:type` with a ``ParameterType`` where the name doesn't say
    ///     it: a name that ends with `_id` is an id, and any other a text. `name!` is required, and has a value.
    ///   - scope: the permission that an app needs; nil for `read` or `write`, depending on the method, of the topic of
    ///     the list (``Swift/Array/about(_:)``).
    package init(
        _ call: String, _ summary: String, _ answer: Answer, _ parameters: String = "",
        isPublic: Bool = false, takesKey: Bool = false, scope: OAuthScope? = nil
    ) {
        let parts = call.split(separator: " ", maxSplits: 1).map(String.init)
        method = parts.first ?? ""
        path = parts.last ?? ""
        self.summary = summary
        self.answer = answer
        let written = parameters.split(separator: " ").map { $0.split(separator: ":").map(String.init) }
        let named = written.map { [$0[0].replacing("!", with: "")] + $0.dropFirst() }
        self.parameters = named.compactMap(\.first)
        types = Dictionary(named.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { first, _ in first }
        required = Set(written.map { $0[0] }.filter { $0.hasSuffix("!") }.map { String($0.dropLast()) })
        self.isPublic = isPublic
        self.takesKey = takesKey
        self.scope = scope ?? (method == "GET" ? .read() : .write())
        hasOwnScope = scope != nil
    }

    /// The operation, allowed to every app with a token, whatever its permissions are.
    package var forEveryApp: Operation {
        var operation = self
        (operation.scope, operation.hasOwnScope) = (nil, true)
        return operation
    }

    /// The operation as one with which an app identifies itself.
    package var ofClients: Operation {
        var operation = forEveryApp
        operation.asksForClient = true
        return operation
    }

    /// Returns the operation with a permission of a topic, unless it has one of its own.
    fileprivate func about(_ topic: OAuthScope.Topic) -> Operation {
        guard !hasOwnScope else { return self }
        var operation = self
        operation.scope = isWrite ? .write(topic) : .read(topic)
        return operation
    }

    /// The operation, about something that a person may not have.
    package var mayBeAbsent: Operation {
        var operation = self
        operation.canBeAbsent = true
        return operation
    }

    /// The operation, about something that may be gone for good.
    package var mayBeGone: Operation {
        var operation = self
        operation.canBeGone = true
        return operation
    }

    /// The operation as one that a later operation of the same person ends.
    package var mayBeOvertaken: Operation {
        var operation = self
        operation.canBeOvertaken = true
        return operation
    }

    /// The names in braces.
    var pathParameters: [String] {
        path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    }

    /// Returns the type of a parameter, as ``ParameterType`` names types.
    func type(ofParameter name: String) -> String {
        if let type = types[name] { return type }
        switch name {
        case "limit": return "limit"
        case "max_id", "since_id", "min_id": return "cursor"
        case "file": return "file"
        case "id", "id[]", "message": return "id"
        default: return ["_id", "_id]", "_ids[]"].contains(where: name.hasSuffix) ? "id" : "text"
        }
    }

    /// The headers that the operation reads: for a safe repetition, or for a part of a picture.
    var headers: [String] {
        if case .picture = answer { ["Range"] } else { takesKey ? ["Idempotency-Key"] : [] }
    }

    /// The names that a query may have, with those of pages.
    var queryParameters: [String] {
        (isWrite ? [] : parameters) + (answer.isPage ? ["limit", "max_id", "since_id", "min_id"] : [])
    }

    /// Whether the call changes something.
    var isWrite: Bool { method != "GET" }
}

extension [Operation] {
    /// Returns the calls with permissions of one topic, except for calls that name their own.
    package func about(_ topic: OAuthScope.Topic) -> [Operation] { map { $0.about(topic) } }
}
