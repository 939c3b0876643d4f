import CPostgres

/// The rows that a statement returned, in the binary form. Freed with the last reference.
final class PostgresResult {
    let pointer: OpaquePointer
    let statement: PostgresStatement

    init(_ pointer: OpaquePointer, of statement: PostgresStatement) {
        self.pointer = pointer
        self.statement = statement
    }

    deinit {
        PQclear(pointer)
    }

    /// The number of rows.
    var count: Int { Int(PQntuples(pointer)) }

    /// The number of rows that the statement changed.
    var changedRows: Int {
        guard let status = PQcmdStatus(pointer), !String(cString: status).hasPrefix("SELECT") else {
            return 0
        }
        return PQcmdTuples(pointer).flatMap { Int(String(cString: $0)) } ?? 0
    }
}

/// A row of a result.
struct PostgresRow {
    private let result: PostgresResult
    private let row: CInt

    init(_ row: Int, of result: PostgresResult) {
        self.row = CInt(row)
        self.result = result
    }

    var columns: [String] { result.statement.columns }
    var sql: String { result.statement.sql }

    /// Returns whether a column is NULL. A column that doesn't exist is not.
    func isNull(_ column: String) -> Bool {
        position(of: column).map { PQgetisnull(result.pointer, row, $0) != 0 } ?? false
    }

    /// Returns the integer of a column; nil if the column has another kind of value or doesn't exist.
    func int64(_ column: String) -> Int64? {
        guard let position = position(of: column), PQgetisnull(result.pointer, row, position) == 0 else {
            return nil
        }
        return integer(at: position)
    }

    /// Returns the text of a column; nil if the column has another kind of value or doesn't exist.
    func string(_ column: String) -> String? {
        guard let position = position(of: column), PQgetisnull(result.pointer, row, position) == 0,
            [.text, .varchar, .unknown].contains(type(at: position))
        else { return nil }
        return String(decoding: raw(position), as: UTF8.self)
    }

    /// Returns the bytes of a column; nil if the column has another kind of value or doesn't exist.
    func bytes(_ column: String) -> [UInt8]? {
        guard let position = position(of: column), PQgetisnull(result.pointer, row, position) == 0,
            type(at: position) == .bytes
        else { return nil }
        return Array(raw(position))
    }

    /// Returns the value of a column; nil if the column doesn't exist.
    /// - Throws: `DatabaseError.other` if the column is of a type that SQLite doesn't have.
    func value(_ column: String) throws -> SQLValue? {
        guard let position = position(of: column) else { return nil }
        if PQgetisnull(result.pointer, row, position) != 0 { return .null }
        if let integer = integer(at: position) { return .integer(integer) }
        let raw = raw(position)
        switch type(at: position) {
        case .text, .varchar, .unknown: return .text(String(decoding: raw, as: UTF8.self))
        case .bytes: return .bytes(Array(raw))
        case .double where raw.count == 8:
            return .real(Double(bitPattern: raw.loadUnaligned(as: UInt64.self).bigEndian))
        default:
            throw DatabaseError.other(
                message:
                    "a value of PostgreSQL’s type \(PQftype(result.pointer, position)), which SQLite has not")
        }
    }

    private func position(of column: String) -> CInt? {
        result.statement.position(of: column).map(CInt.init)
    }

    /// Returns an integer of any size, and a Boolean value as 0 or 1, which is what SQLite gives.
    private func integer(at position: CInt) -> Int64? {
        let raw = raw(position)
        return switch type(at: position) {
        case .bigint where raw.count == 8: raw.loadUnaligned(as: Int64.self).bigEndian
        case .integer where raw.count == 4: Int64(raw.loadUnaligned(as: Int32.self).bigEndian)
        case .smallint where raw.count == 2: Int64(raw.loadUnaligned(as: Int16.self).bigEndian)
        case .boolean where raw.count == 1: Int64(raw[0])
        default: nil
        }
    }

    private func raw(_ position: CInt) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: PQgetvalue(result.pointer, row, position),
            count: Int(PQgetlength(result.pointer, row, position)))
    }

    private func type(at position: CInt) -> PostgresType? {
        PostgresType(rawValue: PQftype(result.pointer, position))
    }
}
