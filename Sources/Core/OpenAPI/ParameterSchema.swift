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
        let named = names.map { ($0, ParameterType(operation.type(ofParameter: $0)).reading) }
        let types = Dictionary(named) { first, _ in first }
        self.init(
            operation.isWrite ? types : types.filter { ["count", "flag", "limit"].contains($0.value) })
    }

    /// Writes the schema of a parameter in JSON: everything that ``Input`` reads as a value of its type, but for numbers of a
    /// range that are written as texts.
    ///
    /// - Parameters:
    ///   - isList: whether the parameter is a list. One element counts as a list of one.
    ///   - isRequired: whether there has to be a value, which neither a null nor an empty text is.
    static func schema(of type: String, isList: Bool, isRequired: Bool, into json: inout JSONWriter) {
        guard isList else { return json.object { members(of: type, mayBeAbsent: !isRequired, into: &$0) } }
        // A null isn't left out of a list, since what follows it would move up.
        json.object { json in
            json.array("anyOf", [true, false]) { json, isList in
                json.object { json in
                    guard isList else { return members(of: type, mayBeAbsent: !isRequired, into: &json) }
                    json.member("type", "array")
                    if isRequired { json.member("minItems", 1) }
                    json.object("items") { members(of: type, mayBeAbsent: false, into: &$0) }
                }
            }
        }
    }

    /// - Parameter mayBeAbsent: whether a null, and where no text is expected an empty text, stands for no value.
    private static func members(of type: String, mayBeAbsent: Bool, into json: inout JSONWriter) {
        func types(_ names: String...) {
            json.array("type", names + (mayBeAbsent ? ["null"] : [])) { $0.value($1) }
        }
        let type = ParameterType(type)
        switch type.name {
        case "id":
            types("string", "integer")
            json.member("pattern", mayBeAbsent ? "^[0-9]{0,19}$" : "^[0-9]{1,19}$")
            json.member("minimum", 0)
            json.member("maximum", Int.max)
        case "count", "number":
            let noun = type.name == "count" ? "integer" : "number"
            if type.bounds != nil {
                if mayBeAbsent { types(noun, "string") } else { types(noun) }
                if mayBeAbsent { json.member("maxLength", 0) }
                return type.numberBounds(into: &json)
            }
            types(noun, "string")
            let digits = noun == "integer" ? "[0-9]+" : #"-?[0-9]+(\.[0-9]+)?"#
            json.member("pattern", mayBeAbsent ? "^(\(digits))?$" : "^\(digits)$")
            if noun == "integer" {
                json.member("minimum", 0)
                json.member("maximum", Int.max)
            }
        case "flag", "yes":
            let words = ["true", "1", "on", "yes"] + (type.name == "yes" ? [] : ["false", "0", "off", "no"])
            json.array("anyOf", [true, false]) { json, isText in
                json.object { json in
                    if isText {
                        json.array("enum", words + (mayBeAbsent ? [""] : [])) { $0.value($1) }
                    } else {
                        json.array("type", ["boolean"] + (mayBeAbsent ? ["null"] : [])) { $0.value($1) }
                        if type.name == "yes" { json.array("enum", [true]) { $0.value($1) } }
                    }
                }
            }
        case "choice":
            types("string")
            json.key("enum")
            json.array(type.choices.map(Optional.some) + (mayBeAbsent ? ["", nil] : [])) { json, choice in
                if let choice { json.value(choice) } else { json.null() }
            }
        case "object": types("object")
        default:
            types("string")
            type.textRules(into: &json)
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
