import Foundation
import HTML

/// Writes JSON (RFC 8259) straight into bytes.
///
/// `JSONEncoder` needs about 100 µs for 8 kB, which would limit timelines to a fifth of the requests that the server
/// can answer. So entities are written by hand:
///
/// ```swift
/// json.object { json in
///     json.member("id", post.id)
///     json.array("tags", post.tags) { json, tag in json.value(tag.name) }
/// }
/// ```
package struct JSONWriter {
    private(set) var output: ByteWriter
    private var needsComma = false

    package init(capacity: Int = 1024) {
        output = ByteWriter(capacity: capacity)
    }

    package var bytes: [UInt8] { output.bytes }

    // MARK: Values

    package mutating func value(_ text: String) {
        separate()
        quote(text)
    }

    package mutating func value(_ number: Int) {
        separate()
        output.raw(verbatim: String(number))
    }

    package mutating func value(_ number: Double) {
        separate()
        // JSON has no infinity and no NaN.
        output.raw(verbatim: number.isFinite ? String(number) : "null")
    }

    package mutating func value(_ flag: Bool) {
        separate()
        if flag { output.raw("true") } else { output.raw("false") }
    }

    package mutating func null() {
        separate()
        output.raw("null")
    }

    /// Writes bytes that are already one valid JSON value.
    package mutating func value(fragment: [UInt8]) {
        separate()
        output.raw(fragment)
    }

    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        separate()
        output.raw(byte: UInt8(ascii: "{"))
        needsComma = false
        body(&self)
        output.raw(byte: UInt8(ascii: "}"))
        needsComma = true
    }

    package mutating func array<Element>(
        _ elements: some Sequence<Element>, _ body: (inout JSONWriter, Element) -> Void
    ) {
        separate()
        output.raw(byte: UInt8(ascii: "["))
        needsComma = false
        for element in elements { body(&self, element) }
        output.raw(byte: UInt8(ascii: "]"))
        needsComma = true
    }

    // MARK: Members of an object

    package mutating func key(_ name: StaticString) {
        separate()
        output.raw(byte: UInt8(ascii: "\""))
        output.raw(name)
        output.raw("\":")
        needsComma = false
    }

    package mutating func key(computed name: String) {
        separate()
        quote(name)
        output.raw(byte: UInt8(ascii: ":"))
        needsComma = false
    }

    package mutating func member(_ name: StaticString, _ text: String) { key(name); value(text) }
    package mutating func member(_ name: StaticString, _ number: Int) { key(name); value(number) }
    package mutating func member(_ name: StaticString, _ number: Double) { key(name); value(number) }
    package mutating func member(_ name: StaticString, _ flag: Bool) { key(name); value(flag) }
    package mutating func member(_ name: StaticString, _ date: Date) {
        key(name); value(Timestamp.iso8601(date))
    }
    package mutating func null(_ name: StaticString) { key(name); null() }

    package mutating func member(_ name: StaticString, _ text: String?) {
        key(name)
        if let text { value(text) } else { null() }
    }

    mutating func member(_ name: StaticString, fragment: [UInt8]) { key(name); value(fragment: fragment) }

    package mutating func object(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
        key(name); object(body)
    }

    package mutating func array<Element>(
        _ name: StaticString, _ elements: some Sequence<Element>, _ body: (inout JSONWriter, Element) -> Void
    ) {
        key(name)
        array(elements, body)
    }

    package mutating func emptyArray() {
        separate()
        output.raw("[]")
        needsComma = true
    }

    package mutating func emptyArray(_ name: StaticString) {
        key(name)
        emptyArray()
    }

    // MARK: Fragments

    /// Returns the bytes of members that are put into an object later, with ``members(_:)``.
    package static func members(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter(capacity: 512)
        body(&writer)
        return writer.bytes.withoutSlack
    }

    /// Puts members that were written before into the current object.
    package mutating func members(_ fragment: [UInt8]) {
        guard !fragment.isEmpty else { return }
        separate()
        output.raw(fragment)
    }

    /// Writes a text whose end follows later, by ``rest(of:)``. It must be the last of a fragment's members.
    package mutating func openText(_ text: String) {
        value(text)
        output.removeLast()
    }

    /// Ends a text that a fragment left open. `text` must contain nothing to escape.
    package mutating func rest(of text: String) {
        output.raw(verbatim: text)
        output.raw(byte: UInt8(ascii: "\""))
        needsComma = true
    }

    // MARK: Writing

    @inline(__always)
    private mutating func separate() {
        if needsComma { output.raw(byte: UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func quote(_ text: String) {
        output.raw(byte: UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            var start = 0
            for index in utf8.indices where utf8[index] < 0x20 || utf8[index] == 0x22 || utf8[index] == 0x5C {
                output.raw(UnsafeBufferPointer(rebasing: utf8[start..<index]))
                switch utf8[index] {
                case 0x22: output.raw("\\\"")
                case 0x5C: output.raw("\\\\")
                case 0x0A: output.raw("\\n")
                case 0x0D: output.raw("\\r")
                case 0x09: output.raw("\\t")
                case let control:
                    output.raw("\\u00")
                    output.raw(byte: hexDigit(control >> 4))
                    output.raw(byte: hexDigit(control & 0xF))
                }
                start = index + 1
            }
            output.raw(UnsafeBufferPointer(rebasing: utf8[start...]))
        }
        output.raw(byte: UInt8(ascii: "\""))
    }

    private func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}

extension [UInt8] {
    /// A copy of the bytes in an array of exactly their size, to be kept for long: an array that was written into
    /// reserves up to twice as much.
    package var withoutSlack: [UInt8] { withUnsafeBufferPointer { Array($0) } }
}
