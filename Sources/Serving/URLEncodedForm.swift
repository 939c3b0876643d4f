import Foundation

/// The names and values of an `application/x-www-form-urlencoded` text (WHATWG URL, 5.1), decoded one by one on
/// request, in one pass over the bytes.
///
/// A percent sign that two hexadecimal digits don't follow is kept, and bytes that aren't UTF-8 become U+FFFD.
package struct URLEncodedForm: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var position = 0

    package init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// Decodes the next name and value; nil at the end.
    package mutating func next() -> (name: String, value: String)? {
        while position < bytes.count, bytes[position] == UInt8(ascii: "&") { position += 1 }
        guard position < bytes.count else { return nil }
        let name = text(endsAtEquals: true)
        guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else { return (name, "") }
        position += 1
        return (name, text(endsAtEquals: false))
    }

    private mutating func text(endsAtEquals: Bool) -> String {
        var text: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "&") || (endsAtEquals && byte == UInt8(ascii: "=")) { break }
            position += 1
            if byte == UInt8(ascii: "+") {
                text.append(UInt8(ascii: " "))
            } else if byte == UInt8(ascii: "%"), let escaped = escaped() {
                text.append(escaped)
                position += 2
            } else {
                text.append(byte)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the byte that the two hexadecimal digits at `position` name; nil when there are none.
    private func escaped() -> UInt8? {
        guard position + 1 < bytes.count, let high = Self.digit(bytes[position]),
            let low = Self.digit(bytes[position + 1])
        else { return nil }
        return high << 4 | low
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Writes names and values as a form's body or as a URL's query.
    package static func text(_ fields: [(name: String, value: String)]) -> String {
        fields.map { "\($0.name.queryEncoded)=\($0.value.queryEncoded)" }.joined(separator: "&")
    }
}

extension CharacterSet {
    /// The characters that need no encoding in any part of a URL (RFC 3986, 2.3).
    fileprivate static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}

extension StringProtocol {
    /// The text as a name or value in a form or in a URL's query.
    package var queryEncoded: String { addingPercentEncoding(withAllowedCharacters: .unreserved) ?? "" }
}

extension UInt8 {
    /// Whether the byte is one of `a` to `z`, `A` to `Z` and `0` to `9` in ASCII, which every part of a URL may
    /// contain.
    package var isLetterOrDigit: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }
}
