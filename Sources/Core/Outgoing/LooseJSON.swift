import Foundation
import Serving

/// JSON of other servers, in which numbers may be strings and members may be missing or of another type.
package struct LooseJSON {
    /// The most values in one answer.
    private static let mostValues = 500_000
    /// The greatest depth of objects and lists within each other. A post that shares a post with a link has a depth of
    /// nine.
    private static let mostDepth = 32

    private let value: Any?

    private init(_ value: Any?) { self.value = value }

    /// Parses a JSON text. Returns nil for a text that isn't JSON, or is too deep.
    package init?(_ bytes: [UInt8]) {
        do {
            try bytes.withUnsafeBytes {
                try JSONBounds.check($0, maximumValues: Self.mostValues, maximumDepth: Self.mostDepth)
            }
            value = try JSONSerialization.jsonObject(with: Data(bytes), options: [.fragmentsAllowed])
        } catch {
            return nil
        }
    }

    /// Whether the value is an object.
    package var isObject: Bool { value is [String: Any] }

    /// Whether the value is a list.
    package var isList: Bool { value is [Any] }

    /// The member of an object with a name; an empty value when there is none.
    package subscript(_ name: String) -> LooseJSON { LooseJSON((value as? [String: Any])?[name]) }

    /// The elements of a list; empty for anything else.
    package var list: [LooseJSON] { (value as? [Any] ?? []).map(LooseJSON.init) }

    /// The members of an object as texts and numbers, for the parameters of a URL.
    package var parameters: [String: String] {
        (value as? [String: Any] ?? [:]).compactMapValues { LooseJSON($0).text }
    }

    /// The text, or a number as text.
    package var text: String? {
        switch value {
        case let text as String: text
        case let number as NSNumber: number.stringValue
        default: nil
        }
    }

    /// The number, also when it is written as a text.
    package var number: Double? {
        let number =
            switch value {
            case let number as NSNumber: number.doubleValue
            case let text as String: Double(text.trimmed)
            default: Double?.none
            }
        return number.flatMap { $0.isFinite ? $0 : nil }
    }

    /// The whole number, also when it is written as a text.
    package var integer: Int? { number.flatMap { Int(exactly: $0) } }
}
