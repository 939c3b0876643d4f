import HTTPTypes
import Hummingbird
import Serving

/// The values of a request, under a name of its own: to a middleware, `Input` is what it takes.
private typealias Values = Input

/// The description of what calls are sent.
extension ParameterTypes {
    /// Creates the types of a call. Of a query, only numbers and flags are checked: calls refuse ids themselves.
    ///
    /// - Parameter operation: the call that takes the parameters.
    private init(of operation: Operation) {
        let names = operation.isWrite ? operation.parameters : operation.queryParameters
        let named = names.map { name in
            let type = operation.type(ofParameter: name)
            return (name, !operation.isWrite && type.contains("...") ? "count" : type)
        }
        let types = Dictionary(named) { first, _ in first }
        self.init(
            operation.isWrite ? types : types.filter { ["count", "flag", "limit"].contains($0.value) })
    }

    /// Writes the schema of a parameter in JSON: everything that ``Input`` reads as a value of its type.
    ///
    /// - Parameter isList: whether the parameter is a list. One element counts as a list of one.
    static func schema(of type: String, isList: Bool, into json: inout JSONWriter) {
        guard isList else { return json.object { members(of: type, into: &$0) } }
        // A null isn't left out of a list, since what follows it would move up.
        json.object { json in
            json.array("anyOf", [true, false]) { json, isList in
                json.object { json in
                    guard isList else { return members(of: type, into: &json) }
                    json.member("type", "array")
                    json.object("items") { members(of: type, mayBeNull: false, into: &$0) }
                }
            }
        }
    }

    private static func members(of type: String, mayBeNull: Bool = true, into json: inout JSONWriter) {
        func types(_ names: String...) {
            json.array("type", names + (mayBeNull ? ["null"] : [])) { $0.value($1) }
        }
        switch type {
        case "id":
            types("string", "integer")
            json.member("pattern", "^[0-9]{0,19}$")
            json.member("minimum", 0)
            json.member("maximum", Int.max)
        case "count":
            types("integer", "string")
            json.member("pattern", "^[0-9]*$")
            json.member("minimum", 0)
            json.member("maximum", Int.max)
        case "number":
            types("number", "string")
            json.member("pattern", #"^(-?[0-9]+(\.[0-9]+)?)?$"#)
        case "flag":
            json.array("anyOf", [true, false]) { json, isText in
                json.object { json in
                    guard isText else { return json.array("type", ["boolean", "null"]) { $0.value($1) } }
                    json.array("enum", ["true", "false", "1", "0", "on", "off", "yes", "no", ""]) {
                        $0.value($1)
                    }
                }
            }
        case "object": types("object")
        case _ where type.contains("|"): EntitySchema.Member.members(of: type, into: &json)
        default: types("string")
        }
    }

    /// The middleware that checks the query of a call that reads, and names the types of any other call for ``Input``.
    package struct Middleware: MiddlewareProtocol {
        private let calls: [String: ParameterTypes]

        /// - Parameter operations: every call of the JSON interface.
        package init(_ operations: [Operation]) {
            let types = operations.map { ("\($0.method) \($0.path)", ParameterTypes(of: $0)) }
            calls = Dictionary(types) { first, _ in first }
        }

        package func handle(
            _ request: Request, context: AppContext,
            next: (Request, AppContext) async throws -> Response
        ) async throws -> Response {
            let isReading = [.get, .head].contains(request.method)
            let method = isReading ? .get : request.method
            // Without a log-in the call itself answers, with 401.
            guard context.session != nil, let path = context.endpointPath,
                let types = calls["\(method.rawValue) \(path)"]
            else { return try await next(request, context) }
            var context = context
            if !isReading {
                context.parameterTypes = types
            } else if request.uri.query != nil {
                try types.check(Values.query(request).values)
            }
            return try await next(request, context)
        }
    }
}
