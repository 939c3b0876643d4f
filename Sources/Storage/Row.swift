import CSQLite
import Foundation

/// A row of a result, valid only inside the closure that receives it.
///
/// A column is read by its name, which is what `AS` gives it in the statement, or else the column's own name.
public struct Row {
    private let statement: Statement

    init(_ statement: Statement) {
        self.statement = statement
    }

    /// Returns the value of a column.
    /// - Throws: `DatabaseError.other` if the column is NULL or of another kind, or doesn't exist.
    public func get<T: SQLConvertible>(_ column: String, as type: T.Type = T.self) throws -> T {
        do {
            return try T(sqlValue: value(column))
        } catch let error as DatabaseError {
            throw explain(error, column)
        }
    }

    /// Returns the value of a column, or nil if it is NULL.
    /// - Throws: `DatabaseError.other` if the column is of another kind, or doesn't exist.
    public func get<T: SQLConvertible>(_ column: String, as type: T?.Type = T?.self) throws -> T? {
        isNull(column) ? nil : try get(column, as: T.self)
    }

    /// Returns whether a column is NULL. A column that doesn't exist is not, so that reading it is an error.
    public func isNull(_ column: String) -> Bool {
        guard let value = cell(column) else { return false }
        return sqlite3_value_type(value) == SQLITE_NULL
    }

    /// Returns an integer.
    /// - Throws: `DatabaseError.other` if the column is NULL or of another kind.
    public func int64(_ column: String) throws -> Int64 {
        guard let value = cell(column), sqlite3_value_type(value) == SQLITE_INTEGER else {
            throw mismatch("an integer", column)
        }
        return sqlite3_value_int64(value)
    }

    /// Returns an integer.
    /// - Throws: `DatabaseError.other` if the column is NULL or of another kind.
    public func int(_ column: String) throws -> Int {
        Int(try int64(column))
    }

    /// Returns text.
    /// - Throws: `DatabaseError.other` if the column is NULL or of another kind.
    public func string(_ column: String) throws -> String {
        guard let value = cell(column), sqlite3_value_type(value) == SQLITE_TEXT else {
            throw mismatch("text", column)
        }
        return text(value)
    }

    /// Returns a Boolean value, stored as 0 or 1.
    /// - Throws: `DatabaseError.other` if the column is NULL or has any other value.
    public func bool(_ column: String) throws -> Bool {
        switch try int64(column) {
        case 0: return false
        case 1: return true
        default: throw mismatch("0 or 1", column)
        }
    }

    /// Returns a date, stored as milliseconds since 1970.
    /// - Throws: `DatabaseError.other` if the column is NULL or of another kind.
    public func date(_ column: String) throws -> Date {
        Date(milliseconds: try int64(column))
    }

    /// Returns a real number, or an integer as a real number.
    /// - Throws: `DatabaseError.other` if the column is NULL or of another kind.
    public func double(_ column: String) throws -> Double {
        try get(column)
    }

    /// Returns bytes.
    /// - Throws: `DatabaseError.other` if the column is NULL or of another kind.
    public func bytes(_ column: String) throws -> [UInt8] {
        guard let value = cell(column), sqlite3_value_type(value) == SQLITE_BLOB else {
            throw mismatch("bytes", column)
        }
        return blob(value)
    }

    /// Returns an integer, or nil for NULL.
    /// - Throws: `DatabaseError.other` if the column is of another kind.
    public func optionalInt64(_ column: String) throws -> Int64? {
        isNull(column) ? nil : try int64(column)
    }

    /// Returns text, or nil for NULL.
    /// - Throws: `DatabaseError.other` if the column is of another kind.
    public func optionalString(_ column: String) throws -> String? {
        isNull(column) ? nil : try string(column)
    }

    /// Returns a date, or nil for NULL.
    /// - Throws: `DatabaseError.other` if the column is of another kind.
    public func optionalDate(_ column: String) throws -> Date? {
        isNull(column) ? nil : try date(column)
    }

    /// Returns bytes, or nil for NULL.
    /// - Throws: `DatabaseError.other` if the column is of another kind.
    public func optionalBytes(_ column: String) throws -> [UInt8]? {
        isNull(column) ? nil : try bytes(column)
    }

    /// Returns the value of the only column.
    func only<T: SQLConvertible>() throws -> T {
        try get(try onlyColumn)
    }

    /// Returns the value of the only column, or nil if it is NULL.
    func optionalOnly<T: SQLConvertible>() throws -> T? {
        try get(try onlyColumn)
    }

    private var onlyColumn: String {
        get throws {
            guard statement.columns.count == 1 else {
                throw DatabaseError.other(message: "not exactly one column: \(statement.sql)")
            }
            return statement.columns[0]
        }
    }

    private func cell(_ column: String) -> OpaquePointer? {
        statement.position(of: column).flatMap { sqlite3_column_value(statement.pointer, CInt($0)) }
    }

    private func value(_ column: String) throws -> SQLValue {
        guard let value = cell(column) else {
            throw DatabaseError.other(message: "there is no such column")
        }
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: return .real(sqlite3_value_double(value))
        case SQLITE_TEXT: return .text(text(value))
        case SQLITE_BLOB: return .bytes(blob(value))
        default: return .null
        }
    }

    // Text may contain NUL characters, so the length is used instead of the terminator.
    private func text(_ value: OpaquePointer) -> String {
        let start = sqlite3_value_text(value)
        return String(
            decoding: UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))), as: UTF8.self
        )
    }

    private func blob(_ value: OpaquePointer) -> [UInt8] {
        let start = sqlite3_value_blob(value)
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
    }

    private func mismatch(_ expected: String, _ column: String) -> DatabaseError {
        do {
            return explain(try value(column).isNot(expected), column)
        } catch {
            return explain(DatabaseError(error), column)
        }
    }

    private func explain(_ error: DatabaseError, _ column: String) -> DatabaseError {
        guard case .other(let message) = error else { return error }
        return .other(message: "column \(column) of \(statement.sql): \(message)")
    }
}
