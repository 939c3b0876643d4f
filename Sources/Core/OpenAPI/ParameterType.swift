import Serving

/// The type of a parameter, as a call writes it.
///
/// It is a type of ``EntitySchema/Member``, or one of these:
/// - `warn|hide`: one of some words.
/// - `512...4096`: a whole number of a range.
/// - `number(0.4...2.5)`: a number of a range.
/// - `text(0...100)`, `text(8...)`: a text by the number of its characters. One of at least one character has something
///   besides white space.
/// - `title(1...100)`: a text that is kept without its control characters, which has something besides them.
/// - `line(1...60)`, `lines(1...60)`: such a text that can't have control characters, apart from ends of lines in `lines`.
/// - `yes`: true, and nothing else.
/// - `username`, `colour`, `language`: texts of a form.
struct ParameterType {
    /// The word before the bounds; `choice` for one of some words, and `count` for a range of whole numbers.
    let name: String
    /// The bounds of a number or of a text's length.
    private(set) var bounds: ClosedRange<Double>?
    /// The words of a choice.
    private(set) var choices: [String] = []

    init(_ text: String) {
        if text.contains("|") {
            (name, choices) = ("choice", text.split(separator: "|").map(String.init))
            return
        }
        let parts = text.split(whereSeparator: { "()".contains($0) }).map(String.init)
        guard let range = parts.last, let dots = range.firstRange(of: "..."),
            let least = Double(range[..<dots.lowerBound]),
            let most = dots.upperBound == range.endIndex
                ? Double?.some(.infinity) : Double(range[dots.upperBound...])
        else {
            name = text
            return
        }
        name = parts.count > 1 ? parts[0] : "count"
        bounds = least...most
    }

    /// How ``ParameterTypes`` reads a value: what isn't a number, a flag, an id or an object is a text.
    var reading: String {
        switch name {
        case "yes": "flag"
        case "choice", "title", "line", "lines", "username", "colour", "language": "text"
        default: name
        }
    }

    /// Whether the type is a text with a rule of its own.
    var isRuledText: Bool {
        ["title", "line", "lines", "username", "colour", "language"].contains(name)
            || name == "text" && bounds != nil
    }

    /// Writes the least and the most of a number.
    func numberBounds(into json: inout JSONWriter) {
        guard let bounds else { return }
        for (key, bound) in [("minimum", bounds.lowerBound), ("maximum", bounds.upperBound)] {
            json.key(computed: key)
            if let whole = Int(exactly: bound) { json.value(whole) } else { json.value(bound) }
        }
    }

    /// Writes which texts there may be.
    func textRules(into json: inout JSONWriter) {
        let isFilled = bounds?.lowerBound == 1
        if let bounds {
            if bounds.lowerBound > 0 { json.member("minLength", Int(bounds.lowerBound)) }
            if bounds.upperBound.isFinite { json.member("maxLength", Int(bounds.upperBound)) }
        }
        let pattern: String? =
            switch name {
            case "username": "^[A-Za-z0-9_]+([.][A-Za-z0-9_]+)*$"
            case "colour": "^#[0-9A-Fa-f]{6}$"
            case "language": "^[A-Za-z0-9]{2,3}(-[A-Za-z0-9]{1,8}){0,3}$"
            case "line" where isFilled: "^\(Self.anyOfLine)*\(Self.shown)\(Self.anyOfLine)*$"
            case "line": "^\(Self.anyOfLine)*$"
            case "lines" where isFilled: "^\(Self.anyOfLines)*\(Self.shown)\(Self.anyOfLines)*$"
            case "lines": "^\(Self.anyOfLines)*$"
            case "title" where isFilled: Self.shown
            case "text" where isFilled: #"\S"#
            default: nil
            }
        if let pattern { json.member("pattern", pattern) }
    }

    /// Any character but the control characters.
    private static let anyOfLine = #"[^\x00-\x1f\x7f-\x9f]"#
    /// Any character but the control characters, apart from ends of lines.
    private static let anyOfLines = #"[^\x00-\x09\x0b-\x1f\x7f-\x9f]"#
    /// Any character but the control characters and white space.
    private static let shown = #"[^\s\x00-\x1f\x7f-\x9f]"#
}
