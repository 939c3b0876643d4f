import Foundation

/// A value as the database stores it: one of the five kinds that SQLite and PostgreSQL share.
public enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case bytes([UInt8])
}

/// A type that can be an argument of a statement and be read from a column.
///
/// Typed identifiers and string enumerations conform by declaring it:
///
/// ```swift
/// struct ID: RawRepresentable, SQLConvertible { let rawValue: Int64 }
/// enum Audience: String, SQLConvertible { case everyone, followers }
/// ```
public protocol SQLConvertible: Sendable {
    /// The value as the database stores it.
    var sqlValue: SQLValue { get }

    /// Creates the value from the value of a column.
    /// - Throws: `DatabaseError.other` if the column has another kind of value, or one out of range.
    init(sqlValue: SQLValue) throws
}

extension SQLConvertible where Self: RawRepresentable, RawValue: SQLConvertible {
    /// The raw value, as the database stores it.
    public var sqlValue: SQLValue { rawValue.sqlValue }

    /// Creates the value from its raw value in a column.
    /// - Throws: `DatabaseError.other` if the column's raw value is of another kind or names no case.
    public init(sqlValue: SQLValue) throws {
        let raw = try RawValue(sqlValue: sqlValue)
        guard let value = Self(rawValue: raw) else {
            throw DatabaseError.other(message: "\(raw) is no value of \(Self.self)")
        }
        self = value
    }
}

extension SQLValue {
    /// Returns the error for a column that has another kind of value than expected.
    func isNot(_ expected: String) -> DatabaseError {
        let kind =
            switch self {
            case .null: "NULL"
            case .integer: "an integer"
            case .real: "a real number"
            case .text: "text"
            case .bytes: "bytes"
            }
        return .other(message: "expected \(expected), the column holds \(kind)")
    }
}

extension SQLValue: SQLConvertible {
    /// The value itself.
    public var sqlValue: SQLValue { self }

    /// Creates the value from any column.
    public init(sqlValue: SQLValue) { self = sqlValue }
}

extension Int64: SQLConvertible {
    /// An integer.
    public var sqlValue: SQLValue { .integer(self) }

    /// Creates an integer from a column.
    /// - Throws: `DatabaseError.other` for any other kind of value.
    public init(sqlValue: SQLValue) throws {
        guard case .integer(let value) = sqlValue else { throw sqlValue.isNot("an integer") }
        self = value
    }
}

extension Int: SQLConvertible {
    /// An integer.
    public var sqlValue: SQLValue { .integer(Int64(self)) }

    /// Creates an integer from a column.
    /// - Throws: `DatabaseError.other` for any other kind of value.
    public init(sqlValue: SQLValue) throws { self = Int(try Int64(sqlValue: sqlValue)) }
}

extension Bool: SQLConvertible {
    /// The integer 1 for true and 0 for false, which PostgreSQL's BOOLEAN accepts too.
    public var sqlValue: SQLValue { .integer(self ? 1 : 0) }

    /// Creates a Boolean value from the integers 0 and 1.
    /// - Throws: `DatabaseError.other` for anything else.
    public init(sqlValue: SQLValue) throws {
        switch sqlValue {
        case .integer(0): self = false
        case .integer(1): self = true
        default: throw sqlValue.isNot("0 or 1")
        }
    }
}

extension Double: SQLConvertible {
    /// A real number.
    public var sqlValue: SQLValue { .real(self) }

    /// Creates a real number from a column that has a real number, or an integer, which SQLite returns for
    /// sums of integers.
    /// - Throws: `DatabaseError.other` for any other kind of value.
    public init(sqlValue: SQLValue) throws {
        switch sqlValue {
        case .real(let value): self = value
        case .integer(let value): self = Double(value)
        default: throw sqlValue.isNot("a number")
        }
    }
}

extension String: SQLConvertible {
    /// Text.
    public var sqlValue: SQLValue { .text(self) }

    /// Creates text from a column.
    /// - Throws: `DatabaseError.other` for any other kind of value.
    public init(sqlValue: SQLValue) throws {
        guard case .text(let value) = sqlValue else { throw sqlValue.isNot("text") }
        self = value
    }
}

extension [UInt8]: SQLConvertible {
    /// Bytes.
    public var sqlValue: SQLValue { .bytes(self) }

    /// Creates bytes from a column.
    /// - Throws: `DatabaseError.other` for any other kind of value.
    public init(sqlValue: SQLValue) throws {
        guard case .bytes(let value) = sqlValue else { throw sqlValue.isNot("bytes") }
        self = value
    }
}

extension Date: SQLConvertible {
    /// An integer: milliseconds since 1970, rounded to the nearest.
    public var sqlValue: SQLValue { .integer(milliseconds) }

    /// Creates a date from an integer, milliseconds since 1970.
    /// - Throws: `DatabaseError.other` for any other kind of value.
    public init(sqlValue: SQLValue) throws { self.init(milliseconds: try Int64(sqlValue: sqlValue)) }
}

extension Date {
    /// Creates the date that is so many milliseconds after the beginning of 1970, UTC.
    ///
    /// Storage creates all its dates here, so that a date comes back from the database unchanged.
    public init(milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    /// The milliseconds since the beginning of 1970, UTC, rounded to the nearest.
    ///
    /// A date that an `Int64` can't represent becomes the farthest one that a `Double` counts exactly.
    public var milliseconds: Int64 {
        let farthest = 0x1p53
        return Int64(max(-farthest, min(farthest, (timeIntervalSince1970 * 1000).rounded())))
    }
}
