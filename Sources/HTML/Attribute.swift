/// An attribute of an element: a name from the program's source and a value that is escaped.
public struct Attribute: Sendable {
    enum Value: Sendable {
        case absent
        case present
        case literal(StaticString)
        case text(String)
    }

    let name: StaticString
    let value: Value

    init(_ name: StaticString, _ value: Value) {
        self.name = name
        self.value = value
    }

    /// Returns an attribute with a value. The attribute is left out if the value is nil.
    public static func attribute(_ name: StaticString, _ value: String?) -> Attribute {
        Attribute(name, value.map(Value.text) ?? .absent)
    }

    /// Returns an attribute without a value, such as `required`. The attribute is left out if `isPresent` is
    /// false.
    public static func flag(_ name: StaticString, _ isPresent: Bool = true) -> Attribute {
        Attribute(name, isPresent ? .present : .absent)
    }

    /// An attribute that writes nothing, for the other branch of a condition.
    public static var none: Attribute { Attribute("", .absent) }

    @inline(__always)
    func write(into writer: inout ByteWriter) {
        switch value {
        case .absent: return
        case .present:
            writer.raw(byte: UInt8(ascii: " "))
            writer.raw(name)
        case .literal(let literal):
            writer.raw(byte: UInt8(ascii: " "))
            writer.raw(name)
            writer.raw("=\"")
            writer.raw(literal)
            writer.raw(byte: UInt8(ascii: "\""))
        case .text(let text):
            writer.raw(byte: UInt8(ascii: " "))
            writer.raw(name)
            writer.raw("=\"")
            writer.escaped(text)
            writer.raw(byte: UInt8(ascii: "\""))
        }
    }
}

// Attributes by name, so that a page reads like HTML and a misspelled attribute doesn't compile.
extension Attribute {
    /// `class` with names that are known at compile time.
    public static func `class`(_ names: StaticString) -> Attribute { Attribute("class", .literal(names)) }
    /// `class` with names that are computed.
    public static func classes(_ names: String...) -> Attribute {
        let present = names.filter { !$0.isEmpty }
        return Attribute("class", present.isEmpty ? .absent : .text(present.joined(separator: " ")))
    }
    /// `id`
    public static func id(_ value: String) -> Attribute { Attribute("id", .text(value)) }
    /// `href`
    public static func href(_ url: String) -> Attribute { Attribute("href", .text(url)) }
    /// `src`
    public static func src(_ url: String) -> Attribute { Attribute("src", .text(url)) }
    /// `srcset`
    public static func srcset(_ value: String) -> Attribute { Attribute("srcset", .text(value)) }
    /// `sizes`
    public static func sizes(_ value: StaticString) -> Attribute { Attribute("sizes", .literal(value)) }
    /// `alt`
    public static func alt(_ text: String) -> Attribute { Attribute("alt", .text(text)) }
    /// `width` in CSS pixels
    public static func width(_ pixels: Int) -> Attribute { Attribute("width", .text(String(pixels))) }
    /// `height` in CSS pixels
    public static func height(_ pixels: Int) -> Attribute { Attribute("height", .text(String(pixels))) }
    /// `loading="lazy"`
    public static var lazy: Attribute { Attribute("loading", .literal("lazy")) }
    /// `rel`
    public static func rel(_ value: StaticString) -> Attribute { Attribute("rel", .literal(value)) }
    /// `title`
    public static func title(_ text: String) -> Attribute { Attribute("title", .text(text)) }
    /// `type`
    public static func type(_ value: StaticString) -> Attribute { Attribute("type", .literal(value)) }
    /// `name`
    public static func name(_ value: String) -> Attribute { Attribute("name", .text(value)) }
    /// `value`
    public static func value(_ value: String) -> Attribute { Attribute("value", .text(value)) }
    /// `for`
    public static func `for`(_ id: String) -> Attribute { Attribute("for", .text(id)) }
    /// `method`
    public static func method(_ value: StaticString) -> Attribute { Attribute("method", .literal(value)) }
    /// `action`
    public static func action(_ url: String) -> Attribute { Attribute("action", .text(url)) }
    /// `enctype="multipart/form-data"`
    public static var multipart: Attribute { Attribute("enctype", .literal("multipart/form-data")) }
    /// `accept`
    public static func accept(_ types: StaticString) -> Attribute { Attribute("accept", .literal(types)) }
    /// `autocomplete`
    public static func autocomplete(_ value: StaticString) -> Attribute {
        Attribute("autocomplete", .literal(value))
    }
    /// `placeholder`
    public static func placeholder(_ text: String) -> Attribute { Attribute("placeholder", .text(text)) }
    /// `maxlength` in UTF-16 code units, as browsers count
    public static func maxlength(_ length: Int) -> Attribute { Attribute("maxlength", .text(String(length))) }
    /// `rows`
    public static func rows(_ count: Int) -> Attribute { Attribute("rows", .text(String(count))) }
    /// `required`
    public static var required: Attribute { flag("required") }
    /// `hidden`
    public static func hidden(_ isHidden: Bool = true) -> Attribute { flag("hidden", isHidden) }
    /// `checked`
    public static func checked(_ isChecked: Bool = true) -> Attribute { flag("checked", isChecked) }
    /// `disabled`
    public static func disabled(_ isDisabled: Bool = true) -> Attribute { flag("disabled", isDisabled) }
    /// `multiple`
    public static var multiple: Attribute { flag("multiple") }
    /// `datetime`
    public static func datetime(_ value: String) -> Attribute { Attribute("datetime", .text(value)) }
    /// `role`
    public static func role(_ value: StaticString) -> Attribute { Attribute("role", .literal(value)) }
    /// `aria-label`: the accessible name
    public static func label(_ text: String) -> Attribute { Attribute("aria-label", .text(text)) }
    /// `aria-hidden="true"`: decoration
    public static var decorative: Attribute { Attribute("aria-hidden", .literal("true")) }
    /// `aria-pressed`
    public static func pressed(_ isPressed: Bool) -> Attribute {
        Attribute("aria-pressed", .literal(isPressed ? "true" : "false"))
    }
    /// `aria-current="page"`
    public static func current(_ isCurrent: Bool) -> Attribute {
        Attribute("aria-current", isCurrent ? .literal("page") : .absent)
    }
    /// `aria-describedby`
    public static func describedBy(_ id: String?) -> Attribute { attribute("aria-describedby", id) }
    /// `aria-invalid="true"`
    public static func invalid(_ isInvalid: Bool) -> Attribute {
        Attribute("aria-invalid", isInvalid ? .literal("true") : .absent)
    }
}
