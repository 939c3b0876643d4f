/// The error of a frame that can't be read.
package enum FrameError: Error {
    /// The frame ends too early, is too long, or has a value that no frame may have.
    case malformed
}

/// A writer of the fields of a frame, one after the other.
struct FrameWriter {
    private(set) var bytes: [UInt8] = []

    mutating func byte(_ value: UInt8) { bytes.append(value) }

    /// Writes eight bytes, the lowest first.
    mutating func integer(_ value: Int) {
        withUnsafeBytes(of: Int64(value).littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Writes the eight bytes of IEEE 754, the lowest first.
    mutating func real(_ value: Double) { integer(Int(bitPattern: UInt(value.bitPattern))) }

    /// Writes two bytes of length, and UTF-8.
    mutating func text(_ value: String) {
        let utf8 = Array(value.utf8.prefix(FrameReader.longestText))
        byte(UInt8(utf8.count & 0xFF))
        byte(UInt8(utf8.count >> 8))
        bytes += utf8
    }

    /// Writes a byte that says whether there is a value, and the value.
    mutating func optional<Value>(_ value: Value?, _ write: (inout FrameWriter, Value) -> Void) {
        byte(value == nil ? 0 : 1)
        if let value { write(&self, value) }
    }
}

/// A reader of the fields of a frame, one after the other, which never reads beyond the end of the frame.
struct FrameReader {
    /// The most bytes of UTF-8 that a text may have.
    static let longestText = 1000

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    mutating func byte() throws(FrameError) -> UInt8 {
        guard position < bytes.count else { throw .malformed }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func integer() throws(FrameError) -> Int {
        Int(truncatingIfNeeded: try word())
    }

    /// Reads an integer within a range.
    mutating func integer(in range: ClosedRange<Int>) throws(FrameError) -> Int {
        let value = try integer()
        guard range.contains(value) else { throw .malformed }
        return value
    }

    mutating func real() throws(FrameError) -> Double {
        Double(bitPattern: try word())
    }

    /// Reads a number within a range. NaN is in none.
    mutating func real(in range: ClosedRange<Double>) throws(FrameError) -> Double {
        let value = try real()
        guard range.contains(value) else { throw .malformed }
        return value
    }

    mutating func text() throws(FrameError) -> String {
        let length = Int(try byte()) + Int(try byte()) << 8
        guard length <= Self.longestText, length <= bytes.count - position,
            let text = String(validating: bytes[position..<position + length], as: UTF8.self)
        else { throw .malformed }
        position += length
        return text
    }

    mutating func optional<Value>(
        _ read: (inout FrameReader) throws(FrameError) -> Value
    ) throws(FrameError) -> Value? {
        switch try byte() {
        case 0: nil
        case 1: try read(&self)
        default: throw .malformed
        }
    }

    private mutating func word() throws(FrameError) -> UInt64 {
        guard bytes.count - position >= 8 else { throw .malformed }
        defer { position += 8 }
        return bytes[position..<position + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
