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
    /// Returns the attribute `class`, with names that are known at compile time.
    public static func `class`(_ names: StaticString) -> Attribute { Attribute("class", .literal(names)) }
    /// Returns the attribute `class`, with names that are computed.
    public static func classes(_ names: String...) -> Attribute {
        let present = names.filter { !$0.isEmpty }
        return Attribute("class", present.isEmpty ? .absent : .text(present.joined(separator: " ")))
    }
    /// Returns the attribute `id`.
    public static func id(_ value: String) -> Attribute { Attribute("id", .text(value)) }
    /// Returns the attribute `href`.
    public static func href(_ url: String) -> Attribute { Attribute("href", .text(url)) }
    /// Returns the attribute `src`.
    public static func src(_ url: String) -> Attribute { Attribute("src", .text(url)) }
    /// Returns the attribute `srcset`.
    public static func srcset(_ value: String) -> Attribute { Attribute("srcset", .text(value)) }
    /// Returns the attribute `sizes`.
    public static func sizes(_ value: StaticString) -> Attribute { Attribute("sizes", .literal(value)) }
    /// Returns the attribute `alt`.
    public static func alt(_ text: String) -> Attribute { Attribute("alt", .text(text)) }
    /// Returns the attribute `width`, in CSS pixels.
    public static func width(_ pixels: Int) -> Attribute { Attribute("width", .text(String(pixels))) }
    /// Returns the attribute `height`, in CSS pixels.
    public static func height(_ pixels: Int) -> Attribute { Attribute("height", .text(String(pixels))) }
    /// The attribute `loading="lazy"`.
    public static var lazy: Attribute { Attribute("loading", .literal("lazy")) }
    /// Returns the attribute `rel`.
    public static func rel(_ value: StaticString) -> Attribute { Attribute("rel", .literal(value)) }
    /// Returns the attribute `title`.
    public static func title(_ text: String) -> Attribute { Attribute("title", .text(text)) }
    /// Returns the attribute `type`.
    public static func type(_ value: StaticString) -> Attribute { Attribute("type", .literal(value)) }
    /// Returns the attribute `name`.
    public static func name(_ value: String) -> Attribute { Attribute("name", .text(value)) }
    /// Returns the attribute `value`.
    public static func value(_ value: String) -> Attribute { Attribute("value", .text(value)) }
    /// Returns the attribute `for`.
    public static func `for`(_ id: String) -> Attribute { Attribute("for", .text(id)) }
    /// Returns the attribute `method`.
    public static func method(_ value: StaticString) -> Attribute { Attribute("method", .literal(value)) }
    /// Returns the attribute `action`.
    public static func action(_ url: String) -> Attribute { Attribute("action", .text(url)) }
    /// The attribute `enctype="multipart/form-data"`.
    public static var multipart: Attribute { Attribute("enctype", .literal("multipart/form-data")) }
    /// Returns the attribute `accept`.
    public static func accept(_ types: StaticString) -> Attribute { Attribute("accept", .literal(types)) }
    /// Returns the attribute `autocomplete`.
    public static func autocomplete(_ value: StaticString) -> Attribute {
        Attribute("autocomplete", .literal(value))
    }
    /// Returns the attribute `placeholder`.
    public static func placeholder(_ text: String) -> Attribute { Attribute("placeholder", .text(text)) }
    /// Returns the attribute `maxlength`, in UTF-16 code units, as browsers count.
    public static func maxlength(_ length: Int) -> Attribute { Attribute("maxlength", .text(String(length))) }
    /// Returns the attribute `rows`.
    public static func rows(_ count: Int) -> Attribute { Attribute("rows", .text(String(count))) }
    /// The attribute `required`.
    public static var required: Attribute { flag("required") }
    /// Returns the attribute `hidden`.
    public static func hidden(_ isHidden: Bool = true) -> Attribute { flag("hidden", isHidden) }
    /// Returns the attribute `checked`.
    public static func checked(_ isChecked: Bool = true) -> Attribute { flag("checked", isChecked) }
    /// Returns the attribute `disabled`.
    public static func disabled(_ isDisabled: Bool = true) -> Attribute { flag("disabled", isDisabled) }
    /// The attribute `multiple`.
    public static var multiple: Attribute { flag("multiple") }
    /// Returns the attribute `datetime`.
    public static func datetime(_ value: String) -> Attribute { Attribute("datetime", .text(value)) }
    /// Returns the attribute `role`.
    public static func role(_ value: StaticString) -> Attribute { Attribute("role", .literal(value)) }
    /// Returns the attribute `aria-label`, the accessible name.
    public static func label(_ text: String) -> Attribute { Attribute("aria-label", .text(text)) }
    /// The attribute `aria-hidden="true"`, which hides decoration from screen readers.
    public static var decorative: Attribute { Attribute("aria-hidden", .literal("true")) }
    /// Returns the attribute `aria-pressed`.
    public static func pressed(_ isPressed: Bool) -> Attribute {
        Attribute("aria-pressed", .literal(isPressed ? "true" : "false"))
    }
    /// Returns the attribute `aria-current="page"`.
    public static func current(_ isCurrent: Bool) -> Attribute {
        Attribute("aria-current", isCurrent ? .literal("page") : .absent)
    }
    /// Returns the attribute `aria-describedby`.
    public static func describedBy(_ id: String?) -> Attribute { attribute("aria-describedby", id) }
    /// Returns the attribute `aria-invalid="true"`.
    public static func invalid(_ isInvalid: Bool) -> Attribute {
        Attribute("aria-invalid", isInvalid ? .literal("true") : .absent)
    }
}
