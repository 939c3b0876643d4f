import Foundation
import Serving

/// JSON of other servers, whose numbers may come as strings and whose members may be missing or of another kind.
package struct LooseJSON {
    /// The most values of one answer.
    private static let mostValues = 500_000
    /// The most objects and lists within each other: a post that shares a post with a link is nine deep.
    private static let mostDepth = 32

    private let value: Any?

    private init(_ value: Any?) { self.value = value }

    /// - Returns: nil for what isn't JSON, or nests too deeply.
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

    /// Whether it is an object.
    package var isObject: Bool { value is [String: Any] }

    /// Whether it is a list.
    package var isList: Bool { value is [Any] }

    /// A member of an object; nothing when there is none.
    package subscript(_ name: String) -> LooseJSON { LooseJSON((value as? [String: Any])?[name]) }

    /// The elements of a list; empty for anything else.
    package var list: [LooseJSON] { (value as? [Any] ?? []).map(LooseJSON.init) }

    /// The members of an object as texts and numbers, which are parameters of a URL.
    package var parameters: [String: String] {
        (value as? [String: Any] ?? [:]).compactMapValues { LooseJSON($0).text }
    }

    /// Text, or a number as text.
    package var text: String? {
        switch value {
        case let text as String: text
        case let number as NSNumber: number.stringValue
        default: nil
        }
    }

    /// A number, also when it is written in a text.
    package var number: Double? {
        let number =
            switch value {
            case let number as NSNumber: number.doubleValue
            case let text as String: Double(text.trimmed)
            default: Double?.none
            }
        return number.flatMap { $0.isFinite ? $0 : nil }
    }

    /// A whole number, also when it is written in a text.
    package var integer: Int? { number.flatMap { Int(exactly: $0) } }
}
