import Foundation

/// A value as the database keeps it: one of the five kinds that SQLite and PostgreSQL share.
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
    /// The value as the database keeps it.
    var sqlValue: SQLValue { get }

    /// Makes the value from what a column holds.
    /// - Throws: `DatabaseError.other` when the column holds another kind of value, or one out of range.
    init(sqlValue: SQLValue) throws
}

extension SQLConvertible where Self: RawRepresentable, RawValue: SQLConvertible {
    /// The raw value, as the database keeps it.
    public var sqlValue: SQLValue { rawValue.sqlValue }

    /// Makes the value from its raw value in a column.
    /// - Throws: `DatabaseError.other` when the column's raw value is of another kind or names no case.
    public init(sqlValue: SQLValue) throws {
        let raw = try RawValue(sqlValue: sqlValue)
        guard let value = Self(rawValue: raw) else {
            throw DatabaseError.other(message: "\(raw) is no value of \(Self.self)")
        }
        self = value
    }
}

extension SQLValue {
    /// The error for a column that holds another kind of value than was asked for.
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

    /// Takes any value as it is.
    public init(sqlValue: SQLValue) { self = sqlValue }
}

extension Int64: SQLConvertible {
    /// An integer.
    public var sqlValue: SQLValue { .integer(self) }

    /// Takes an integer.
    /// - Throws: `DatabaseError.other` for any other kind of value.
    public init(sqlValue: SQLValue) throws {
        guard case .integer(let value) = sqlValue else { throw sqlValue.isNot("an integer") }
        self = value
    }
}

extension Int: SQLConvertible {
    /// An integer.
    public var sqlValue: SQLValue { .integer(Int64(self)) }

    /// Takes an integer.
    /// - Throws: `DatabaseError.other` for any other kind of value.
    public init(sqlValue: SQLValue) throws { self = Int(try Int64(sqlValue: sqlValue)) }
}

extension Bool: SQLConvertible {
    /// The integer 1 for true and 0 for false, which PostgreSQL's BOOLEAN accepts too.
    public var sqlValue: SQLValue { .integer(self ? 1 : 0) }

    /// Takes the integers 0 and 1.
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

    /// Takes a real number, or an integer, which SQLite returns from sums of integers.
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

    /// Takes text.
    /// - Throws: `DatabaseError.other` for any other kind of value.
    public init(sqlValue: SQLValue) throws {
        guard case .text(let value) = sqlValue else { throw sqlValue.isNot("text") }
        self = value
    }
}

extension [UInt8]: SQLConvertible {
    /// Bytes.
    public var sqlValue: SQLValue { .bytes(self) }

    /// Takes bytes.
    /// - Throws: `DatabaseError.other` for any other kind of value.
    public init(sqlValue: SQLValue) throws {
        guard case .bytes(let value) = sqlValue else { throw sqlValue.isNot("bytes") }
        self = value
    }
}

extension Date: SQLConvertible {
    /// An integer: milliseconds since 1970, rounded to the nearest.
    public var sqlValue: SQLValue { .integer(milliseconds) }

    /// Takes an integer, milliseconds since 1970.
    /// - Throws: `DatabaseError.other` for any other kind of value.
    public init(sqlValue: SQLValue) throws { self.init(milliseconds: try Int64(sqlValue: sqlValue)) }
}

extension Date {
    /// The date so many milliseconds after 1970 began, UTC.
    ///
    /// Every date that Storage hands out is made here, so that a date survives the way into the
    /// database and back unchanged.
    public init(milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    /// Milliseconds since 1970 began, UTC, rounded to the nearest.
    ///
    /// Dates out of reach of an `Int64` are taken as the farthest that a `Double` counts exactly.
    public var milliseconds: Int64 {
        let farthest = 0x1p53
        return Int64(max(-farthest, min(farthest, (timeIntervalSince1970 * 1000).rounded())))
    }
}
