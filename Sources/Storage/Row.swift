import Foundation

/// A row of a result, valid only inside the closure that receives it.
///
/// A column is read by its name, which is what `AS` gives it in the statement, or else the column's own name.
public struct Row {
    /// Where the row's values are.
    enum Source {
        case sqlite(SQLiteStatement)
        case postgres(PostgresRow)
    }

    private let source: Source

    init(_ statement: SQLiteStatement) {
        source = .sqlite(statement)
    }

    init(_ row: PostgresRow) {
        source = .postgres(row)
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
        switch source {
        case .sqlite(let statement): statement.isNull(column)
        case .postgres(let row): row.isNull(column)
        }
    }

    /// Returns an integer.
    /// - Throws: `DatabaseError.other` if the column is NULL or of another kind.
    public func int64(_ column: String) throws -> Int64 {
        let value =
            switch source {
            case .sqlite(let statement): statement.int64(column)
            case .postgres(let row): row.int64(column)
            }
        guard let value else { throw mismatch("an integer", column) }
        return value
    }

    /// Returns an integer.
    /// - Throws: `DatabaseError.other` if the column is NULL or of another kind.
    public func int(_ column: String) throws -> Int {
        Int(try int64(column))
    }

    /// Returns text.
    /// - Throws: `DatabaseError.other` if the column is NULL or of another kind.
    public func string(_ column: String) throws -> String {
        let value =
            switch source {
            case .sqlite(let statement): statement.string(column)
            case .postgres(let row): row.string(column)
            }
        guard let value else { throw mismatch("text", column) }
        return value
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
        let value =
            switch source {
            case .sqlite(let statement): statement.bytes(column)
            case .postgres(let row): row.bytes(column)
            }
        guard let value else { throw mismatch("bytes", column) }
        return value
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
            guard columns.count == 1 else {
                throw DatabaseError.other(message: "not exactly one column: \(sql)")
            }
            return columns[0]
        }
    }

    private var columns: [String] {
        switch source {
        case .sqlite(let statement): statement.columns
        case .postgres(let row): row.columns
        }
    }

    private var sql: String {
        switch source {
        case .sqlite(let statement): statement.sql
        case .postgres(let row): row.sql
        }
    }

    private func value(_ column: String) throws -> SQLValue {
        let value =
            switch source {
            case .sqlite(let statement): statement.value(column)
            case .postgres(let row): try row.value(column)
            }
        guard let value else { throw DatabaseError.other(message: "there is no such column") }
        return value
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
        return .other(message: "column \(column) of \(sql): \(message)")
    }
}
