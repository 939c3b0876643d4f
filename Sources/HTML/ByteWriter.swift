/// A buffer of UTF-8 bytes that HTML pages and JSON entities are written into.
///
/// Write text that a person typed with ``escaped(_:)``, and only the program's own text with ``raw(_:)``.
public struct ByteWriter: Sendable {
    /// The bytes written so far.
    public private(set) var bytes: [UInt8] = []

    /// Creates an empty writer with room for `capacity` bytes.
    public init(capacity: Int = 4096) {
        bytes.reserveCapacity(capacity)
    }

    /// Appends a literal of the program's source without escaping it.
    @inline(__always)
    public mutating func raw(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends bytes that are already valid output, such as a cached fragment.
    @inline(__always)
    public mutating func raw(_ fragment: [UInt8]) {
        bytes.append(contentsOf: fragment)
    }

    /// Appends bytes that are already valid output.
    @inline(__always)
    public mutating func raw(_ fragment: UnsafeBufferPointer<UInt8>) {
        bytes.append(contentsOf: fragment)
    }

    /// Appends text that contains nothing to escape, such as a number or an identifier.
    @inline(__always)
    public mutating func raw(verbatim text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Appends one byte.
    @inline(__always)
    public mutating func raw(byte: UInt8) {
        bytes.append(byte)
    }

    /// Removes the last byte.
    public mutating func removeLast() {
        bytes.removeLast()
    }

    /// Appends `text` and replaces the characters that have a meaning in HTML text or in a quoted attribute:
    /// `&`, `<`, `>`, `"` and `'` (HTML Living Standard, 13.3 "Serializing HTML fragments").
    public mutating func escaped(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            var start = 0
            for index in utf8.indices {
                let replacement: StaticString
                switch utf8[index] {
                case UInt8(ascii: "&"): replacement = "&amp;"
                case UInt8(ascii: "<"): replacement = "&lt;"
                case UInt8(ascii: ">"): replacement = "&gt;"
                case UInt8(ascii: "\""): replacement = "&quot;"
                case UInt8(ascii: "'"): replacement = "&#39;"
                default: continue
                }
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<index]))
                raw(replacement)
                start = index + 1
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
        }
    }
}
