import Serving

/// The types of what a call is sent, by which values of another type are refused: by ``Input`` in what a call is sent to
/// change, and in queries by the middleware. Left out, such a value would be answered with success as if nobody had sent it.
///
/// JSON of apps isn't strict: numbers, ids, true and false may be written as texts, and a list of one as its element.
package struct ParameterTypes: Sendable {
    private let types: [String: String]

    /// - Parameter described: the types by the names of the parameters, as the call describes them. What has members
    ///   is an object, or a list of objects.
    init(_ described: [String: String]) {
        var types = described
        for name in described.keys {
            for place in name.indices where name[place] == "[" && !name[place...].hasPrefix("[]") {
                let whole = String(name[..<place])
                if types[whole] == nil { types[whole] = "object" }
            }
        }
        self.types = types
    }

    /// Checks a text of JSON, where an object or a number may be expected.
    ///
    /// - Throws: ``Refusal`` (422) where an object is expected.
    func checkText(_ name: String) throws {
        if type(of: name) == "object" { throw Self.refusal(name, "object") }
    }

    /// Checks a number, true or false of JSON.
    ///
    /// - Throws: ``Refusal`` (422) where a text is expected.
    func checkNumber(_ name: String) throws {
        if let type = type(of: name), type == "object" || Self.isText(type) {
            throw Self.refusal(name, type)
        }
    }

    /// Checks a list of JSON.
    ///
    /// - Throws: ``Refusal`` (422) where a single value is expected.
    func checkList(_ name: String) throws {
        if let type = types[Self.described(name)] { throw Self.refusal(name, type) }
    }

    /// Checks a null in a list of JSON. Left out, what follows it would move up.
    ///
    /// - Throws: ``Refusal`` (422) in a list that the call describes.
    func checkNull(inList name: String) throws {
        if let type = types[Self.described(name) + "[]"] { throw Self.refusal(name, type) }
    }

    /// Checks an object of JSON.
    ///
    /// - Throws: ``Refusal`` (422) where a text or a number is expected, or a list of them.
    func checkObject(_ name: String) throws {
        if let type = type(of: name), type != "object" { throw Self.refusal(name, type) }
    }

    /// Checks the values of a whole request, however they were sent.
    ///
    /// - Throws: ``Refusal`` (422) for a value that can't be read.
    func check(_ values: [String: [String]]) throws {
        var problems = Problems()
        for (name, texts) in values {
            guard let type = type(of: name), !texts.allSatisfy({ Self.isReadable($0, as: type) }) else {
                continue
            }
            problems.add(Self.field(name), "ERR_INVALID", Self.words(type))
        }
        try problems.throwIfAny()
    }

    /// Returns the type of a parameter, or of the elements of a list with its name.
    private func type(of name: String) -> String? {
        let described = Self.described(name)
        return types[described] ?? types[described + "[]"]
    }

    /// Returns the name as the description has it, without the places of a list's elements: `cells[][zoom]` for
    /// `cells[0][zoom]`.
    private static func described(_ name: String) -> String {
        guard name.contains("[") else { return name }
        return name.split(separator: "[", omittingEmptySubsequences: false).map { part in
            part.hasSuffix("]") && part.dropLast().isDigits ? "]" : String(part)
        }.joined(separator: "[")
    }

    /// Returns the name under which a parameter is refused: a list without its brackets.
    private static func field(_ name: String) -> String {
        name.hasSuffix("[]") ? String(name.dropLast(2)) : name
    }

    private static func refusal(_ name: String, _ type: String) -> Refusal {
        .invalid(field(name), "ERR_INVALID", words(type))
    }

    private static func isText(_ type: String) -> Bool {
        ["text", "time", "day", "url"].contains(type) || type.contains("|")
    }

    /// Whether a text can be read as a value of a type. An empty one is a value that nobody gave.
    private static func isReadable(_ text: String, as type: String) -> Bool {
        if text.isEmpty { return true }
        switch type {
        case "id": return text.isDigits && text.utf8.count <= 19
        case "count": return text.isDigits
        case "limit": return (text.hasPrefix("-") ? text.dropFirst() : text[...]).isDigits
        case "number": return Double(text)?.isFinite == true
        case "flag": return Input(values: ["flag": [text]]).bool("flag") != nil
        default: return true
        }
    }

    /// Returns what to send.
    private static func words(_ type: String) -> String {
        switch type {
        case "id": "Send an id."
        case "count", "limit": "Send a whole number."
        case "number": "Send a number."
        case "flag": "Send true or false."
        case "object": "Send each as an object with its fields."
        default: "Send a text."
        }
    }
}
