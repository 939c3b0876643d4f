import CSQLite

/// A prepared statement of one connection, finalized with its last reference.
final class SQLiteStatement {
    let pointer: OpaquePointer

    /// Whether the statement's rows are being read. Using the same SQL meanwhile needs a second statement.
    var isRunning = false

    /// When the statement was last used, counted in uses of its connection.
    var lastUse = 0

    /// Whether the statement changes nothing.
    let isReadOnly: Bool

    /// The table that the statement names as changed.
    let changedTable: String?

    /// The names of the result's columns, in their order.
    var columns: [String] { names.all }

    private let names: ColumnNames

    private let connection: OpaquePointer
    private let parameters: Int

    /// Prepares one statement in the portable form.
    /// - Parameter isKept: whether the statement will be used often, which SQLite takes as a hint for its
    ///   memory.
    init(_ sql: String, isKept: Bool, on connection: OpaquePointer) throws(DatabaseError) {
        var portable = PortableSQL.sqlite(statement: sql)
        var pointer: OpaquePointer?
        var isAlone = true
        let code = portable.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                var tail: UnsafePointer<CChar>?
                let code = sqlite3_prepare_v3(
                    connection, text.baseAddress, CInt(text.count),
                    isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0, &pointer, &tail)
                if let base = text.baseAddress, let tail {
                    isAlone = text[(tail - base)...].allSatisfy { $0 == 0x20 || 0x09...0x0d ~= $0 }
                }
                return code
            }
        }
        guard code == SQLITE_OK else { throw DatabaseError(code: code, on: connection) }
        guard let pointer, isAlone else {
            sqlite3_finalize(pointer)
            throw DatabaseError.other(message: "not exactly one statement: \(sql)")
        }
        self.pointer = pointer
        self.connection = connection
        changedTable = TableChanges.table(changedBy: sql)
        isReadOnly = sqlite3_stmt_readonly(pointer) != 0
        parameters = Int(sqlite3_bind_parameter_count(pointer))
        names = try ColumnNames(
            (0..<sqlite3_column_count(pointer)).map { index in
                sqlite3_column_name(pointer, index).map { String(cString: $0) } ?? ""
            }, of: sql)
    }

    deinit {
        sqlite3_finalize(pointer)
    }

    private func position(of column: String) -> Int? { names.position(of: column) }

    /// Sets all arguments.
    func bind(_ arguments: [(any SQLConvertible)?]) throws {
        guard arguments.count == parameters else {
            throw DatabaseError.other(
                message: "\(parameters) arguments expected, \(arguments.count) given: \(sql)")
        }
        for (index, argument) in arguments.enumerated() {
            let position = CInt(index + 1)
            let code =
                switch argument?.sqlValue ?? .null {
                case .null: sqlite3_bind_null(pointer, position)
                case .integer(let value): sqlite3_bind_int64(pointer, position, value)
                case .real(let value): sqlite3_bind_double(pointer, position, value)
                case .text(let value): bind(value, at: position)
                case .bytes(let value): bind(value, at: position)
                }
            guard code == SQLITE_OK else { throw DatabaseError(code: code, on: connection) }
        }
    }

    private func bind(_ text: String, at position: CInt) -> CInt {
        // SQLite binds an empty buffer without an address as NULL, so empty text gets a placeholder address.
        if text.isEmpty { return sqlite3_bind_text(pointer, position, "", 0, copied) }
        var text = text
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                // Passes the length, because the text may contain NUL characters.
                sqlite3_bind_text64(
                    pointer, position, $0.baseAddress, UInt64($0.count), copied, UInt8(SQLITE_UTF8))
            }
        }
    }

    private func bind(_ bytes: [UInt8], at position: CInt) -> CInt {
        if bytes.isEmpty { return sqlite3_bind_zeroblob(pointer, position, 0) }
        return sqlite3_bind_blob64(pointer, position, bytes, UInt64(bytes.count), copied)
    }

    /// Advances to the next row.
    /// - Returns: whether there is one.
    func step() throws(DatabaseError) -> Bool {
        switch sqlite3_step(pointer) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw DatabaseError(code: code, on: connection)
        }
    }

    // MARK: The values of the row that was stepped to

    /// Returns whether a column is NULL. A column that doesn't exist is not.
    func isNull(_ column: String) -> Bool {
        guard let value = cell(column) else { return false }
        return sqlite3_value_type(value) == SQLITE_NULL
    }

    /// Returns the integer of a column; nil if the column has another kind of value or doesn't exist.
    func int64(_ column: String) -> Int64? {
        guard let value = cell(column), sqlite3_value_type(value) == SQLITE_INTEGER else { return nil }
        return sqlite3_value_int64(value)
    }

    /// Returns the text of a column; nil if the column has another kind of value or doesn't exist.
    func string(_ column: String) -> String? {
        guard let value = cell(column), sqlite3_value_type(value) == SQLITE_TEXT else { return nil }
        return text(value)
    }

    /// Returns the bytes of a column; nil if the column has another kind of value or doesn't exist.
    func bytes(_ column: String) -> [UInt8]? {
        guard let value = cell(column), sqlite3_value_type(value) == SQLITE_BLOB else { return nil }
        return blob(value)
    }

    /// Returns the value of a column; nil if the column doesn't exist.
    func value(_ column: String) -> SQLValue? {
        guard let value = cell(column) else { return nil }
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: return .real(sqlite3_value_double(value))
        case SQLITE_TEXT: return .text(text(value))
        case SQLITE_BLOB: return .bytes(blob(value))
        default: return .null
        }
    }

    private func cell(_ column: String) -> OpaquePointer? {
        position(of: column).flatMap { sqlite3_column_value(pointer, CInt($0)) }
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

    /// Resets the statement for its next use, and releases its arguments.
    func reset() {
        // Ignores the result: it repeats the error of the last step, which has already been thrown.
        _ = sqlite3_reset(pointer)
        if parameters > 0 { sqlite3_clear_bindings(pointer) }
    }

    /// The text of the statement, in SQLite's own SQL.
    var sql: String { String(cString: sqlite3_sql(pointer)) }
}

extension DatabaseError {
    /// Creates the last error of a connection.
    init(code: CInt, on connection: OpaquePointer) {
        self.init(
            code: code, message: String(cString: sqlite3_errmsg(connection)),
            systemError: sqlite3_system_errno(connection))
    }
}

/// SQLite's macro `SQLITE_TRANSIENT`, which Swift can't import: SQLite copies the argument.
private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
