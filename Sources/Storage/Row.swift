import Foundation
import GRDBSQLite

/// A row of a result, valid only inside the closure that receives it. Columns count from 0.
public struct Row {
    private let statement: OpaquePointer

    init(_ statement: OpaquePointer) {
        self.statement = statement
    }

    /// Returns the value of a column.
    /// - Throws: `DatabaseError.other` if the column is NULL or of another kind, or doesn't exist.
    public func get<T: SQLConvertible>(_ index: Int, as type: T.Type = T.self) throws -> T {
        do {
            return try T(sqlValue: value(index))
        } catch let error as DatabaseError {
            throw explain(error, index)
        }
    }

    /// Returns the value of a column, or nil if it is NULL.
    /// - Throws: `DatabaseError.other` if the column is of another kind, or doesn't exist.
    public func get<T: SQLConvertible>(_ index: Int, as type: T?.Type = T?.self) throws -> T? {
        isNull(index) ? nil : try get(index, as: T.self)
    }

    /// Returns whether a column is NULL.
    public func isNull(_ index: Int) -> Bool {
        sqlite3_column_type(statement, CInt(index)) == SQLITE_NULL && index < columns
    }

    /// Returns an integer.
    /// - Throws: `DatabaseError.other` if the column is NULL or of another kind.
    public func int64(_ index: Int) throws -> Int64 {
        guard let value = sqlite3_column_value(statement, CInt(index)),
            sqlite3_value_type(value) == SQLITE_INTEGER
        else { throw mismatch("an integer", index) }
        return sqlite3_value_int64(value)
    }

    /// Returns an integer.
    /// - Throws: `DatabaseError.other` if the column is NULL or of another kind.
    public func int(_ index: Int) throws -> Int {
        Int(try int64(index))
    }

    /// Returns text.
    /// - Throws: `DatabaseError.other` if the column is NULL or of another kind.
    public func string(_ index: Int) throws -> String {
        guard let value = sqlite3_column_value(statement, CInt(index)),
            sqlite3_value_type(value) == SQLITE_TEXT
        else { throw mismatch("text", index) }
        return text(value)
    }

    /// Returns a Boolean value, stored as 0 or 1.
    /// - Throws: `DatabaseError.other` if the column is NULL or has any other value.
    public func bool(_ index: Int) throws -> Bool {
        switch try int64(index) {
        case 0: return false
        case 1: return true
        default: throw mismatch("0 or 1", index)
        }
    }

    /// Returns a date, stored as milliseconds since 1970.
    /// - Throws: `DatabaseError.other` if the column is NULL or of another kind.
    public func date(_ index: Int) throws -> Date {
        Date(milliseconds: try int64(index))
    }

    /// Returns a real number, or an integer as a real number.
    /// - Throws: `DatabaseError.other` if the column is NULL or of another kind.
    public func double(_ index: Int) throws -> Double {
        try get(index)
    }

    /// Returns bytes.
    /// - Throws: `DatabaseError.other` if the column is NULL or of another kind.
    public func bytes(_ index: Int) throws -> [UInt8] {
        guard let value = sqlite3_column_value(statement, CInt(index)),
            sqlite3_value_type(value) == SQLITE_BLOB
        else { throw mismatch("bytes", index) }
        return blob(value)
    }

    /// Returns an integer, or nil for NULL.
    /// - Throws: `DatabaseError.other` if the column is of another kind.
    public func optionalInt64(_ index: Int) throws -> Int64? {
        isNull(index) ? nil : try int64(index)
    }

    /// Returns text, or nil for NULL.
    /// - Throws: `DatabaseError.other` if the column is of another kind.
    public func optionalString(_ index: Int) throws -> String? {
        isNull(index) ? nil : try string(index)
    }

    /// Returns a date, or nil for NULL.
    /// - Throws: `DatabaseError.other` if the column is of another kind.
    public func optionalDate(_ index: Int) throws -> Date? {
        isNull(index) ? nil : try date(index)
    }

    /// Returns bytes, or nil for NULL.
    /// - Throws: `DatabaseError.other` if the column is of another kind.
    public func optionalBytes(_ index: Int) throws -> [UInt8]? {
        isNull(index) ? nil : try bytes(index)
    }

    private var columns: Int { Int(sqlite3_data_count(statement)) }

    private func value(_ index: Int) throws -> SQLValue {
        guard 0..<columns ~= index, let value = sqlite3_column_value(statement, CInt(index)) else {
            throw DatabaseError.other(message: "there are only \(columns) columns")
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

    private func mismatch(_ expected: String, _ index: Int) -> DatabaseError {
        do {
            return explain(try value(index).isNot(expected), index)
        } catch {
            return explain(DatabaseError(error), index)
        }
    }

    private func explain(_ error: DatabaseError, _ index: Int) -> DatabaseError {
        guard case .other(let message) = error else { return error }
        return .other(message: "column \(index) of \(String(cString: sqlite3_sql(statement))): \(message)")
    }
}
