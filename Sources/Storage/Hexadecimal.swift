extension Sequence<UInt8> {
    /// The bytes in hexadecimal digits, in lower case.
    package var hex: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
