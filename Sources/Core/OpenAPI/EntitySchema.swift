import Serving

/// The members of an entity of the JSON interface, as `/api/openapi.json` describes them.
package struct EntitySchema: Sendable {
    /// One member.
    struct Member: Sendable {
        var name: String
        /// The type: `id`, `text`, `time`, `day`, `url`, `count`, `number`, `flag`, `object`, or the name of another
        /// entity.
        var type: String
        var isList = false
        /// Whether the member may be null.
        var isNullable = false
        /// Whether the member is always present.
        var isRequired = true
    }

    let name: String
    let members: [Member]

    /// - Parameter members: `name:type` separated by spaces; `type[]` is a list, `type?` may be null, `name*` may be
    ///   absent.
    package init(_ name: String, _ members: String) {
        self.name = name
        self.members = members.split(whereSeparator: \.isWhitespace).map { Member(String($0)) }
    }

    func write(into json: inout JSONWriter) {
        json.object { json in
            json.member("type", "object")
            json.array("required", members.filter(\.isRequired)) { $0.value($1.name) }
            json.object("properties") { json in
                for member in members {
                    json.key(computed: member.name)
                    member.write(into: &json)
                }
            }
        }
    }
}

extension EntitySchema.Member {
    fileprivate init(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        (name, type) = (parts.first ?? "", parts.last ?? "")
        if name.hasSuffix("*") { (name, isRequired) = (String(name.dropLast()), false) }
        if type.hasSuffix("?") { (type, isNullable) = (String(type.dropLast()), true) }
        if type.hasSuffix("[]") { (type, isList) = (String(type.dropLast(2)), true) }
    }

    fileprivate func write(into json: inout JSONWriter) {
        json.object { json in
            guard isNullable else { return isList ? list(into: &json) : Self.members(of: type, into: &json) }
            json.array("anyOf", [true, false]) { json, isThere in
                json.object { json in
                    if !isThere {
                        json.member("type", "null")
                    } else if isList {
                        list(into: &json)
                    } else {
                        Self.members(of: type, into: &json)
                    }
                }
            }
        }
    }

    private func list(into json: inout JSONWriter) {
        json.member("type", "array")
        json.object("items") { Self.members(of: type, into: &$0) }
    }

    /// Writes the members of a schema of a type.
    static func members(of type: String, into json: inout JSONWriter) {
        switch type {
        case "id":
            json.member("type", "string")
            json.member("pattern", "^[0-9]{1,19}$")
        case "reference":
            json.member("type", "string")
            json.member("pattern", "^[1-9][0-9]{0,17}$")
        case "text": json.member("type", "string")
        case "time":
            json.member("type", "string")
            json.member("format", "date-time")
        case "day":
            json.member("type", "string")
            json.member("format", "date")
        case "url":
            json.member("type", "string")
            json.member("format", "uri")
        case "count":
            json.member("type", "integer")
            json.member("minimum", 0)
        case "number": json.member("type", "number")
        // Any whole number, since one out of bounds is brought into them, and the place of a page, of which an empty one
        // is none (``PageRequest``).
        case "limit": json.member("type", "integer")
        case "cursor":
            json.member("type", "string")
            json.member("pattern", "^[0-9]{0,19}$")
        case "flag": json.member("type", "boolean")
        case "file":
            json.member("type", "string")
            json.member("format", "binary")
        case "object": json.member("type", "object")
        case "yes":
            json.member("type", "boolean")
            json.array("enum", [true]) { $0.value($1) }
        case _ where type.contains("|"):
            json.member("type", "string")
            json.array("enum", ParameterType(type).choices) { $0.value($1) }
        case _ where type.contains("...") || ParameterType(type).isRuledText:
            let type = ParameterType(type)
            switch type.name {
            case "count", "number":
                json.member("type", type.name == "count" ? "integer" : "number")
                type.numberBounds(into: &json)
            default:
                json.member("type", "string")
                type.textRules(into: &json)
            }
        default: json.member("$ref", "#/components/schemas/\(type)")
        }
    }
}
