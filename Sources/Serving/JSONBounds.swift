/// A check of the bytes of a JSON text before it is parsed, so that a parser never builds more values, or deeper ones,
/// than a request may have.
package enum JSONBounds {
    /// The greatest depth of objects and lists within each other that a request may have.
    static let maximumDepth = 8

    /// Returns the refusal of a request with too many values.
    package static func tooManyValues(_ most: Int) -> Refusal {
        Refusal(.tooLarge, "A request may carry at most \(most.grouped) values.")
    }

    /// Counts brackets and commas outside strings: a text has at most one value more than their number.
    ///
    /// - Parameters:
    ///   - maximumValues: the most values, of lists and objects together.
    ///   - maximumDepth: the greatest depth of objects and lists within each other.
    /// - Throws: ``Refusal``: 413 for too many values, 400 for a text that is too deep. The parser checks whether the
    ///   text is JSON.
    package static func check(
        _ bytes: UnsafeRawBufferPointer, maximumValues: Int, maximumDepth: Int = JSONBounds.maximumDepth
    ) throws {
        var values = 0
        var depth = 0
        var isInString = false
        var isEscaped = false
        for byte in bytes {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                values += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: ","): values += 1
            default: continue
            }
            guard values <= maximumValues else { throw tooManyValues(maximumValues) }
            guard depth <= maximumDepth else { throw Refusal.malformed("The JSON is nested too deeply.") }
        }
    }
}
