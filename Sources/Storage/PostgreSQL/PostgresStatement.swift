import CPostgres

/// A statement that a connection has prepared.
final class PostgresStatement {
    /// What a statement is prepared for: one text is prepared for each combination of types.
    struct Key: Hashable {
        let sql: String
        /// The types of the arguments; 0 where the server finds it, for NULL.
        let types: [Oid]
    }

    let key: Key
    /// Its name on the server.
    let name: String
    /// The table that it names as changed.
    let changedTable: String?

    /// The names of its result's columns, known since the first result.
    private var names: ColumnNames?

    init(_ key: Key, name: String) {
        self.key = key
        self.name = name
        changedTable = TableChanges.table(changedBy: key.sql)
    }

    var sql: String { key.sql }

    /// The names of the result's columns, in their order.
    var columns: [String] { names?.all ?? [] }

    /// Returns the position of a column, counted from 0, or nil if the result has no column of this name.
    func position(of column: String) -> Int? { names?.position(of: column) }

    /// Keeps the names of the columns, if they aren't known.
    /// - Throws: `DatabaseError.other` if two columns have the same name.
    func learn(_ columns: () -> [String]) throws(DatabaseError) {
        if names == nil { names = try ColumnNames(columns(), of: sql) }
    }
}

/// The types of PostgreSQL in which Tintype stores values, by their fixed numbers (pg_type.dat in PostgreSQL's source).
enum PostgresType: Oid {
    case boolean = 16
    case bytes = 17
    case bigint = 20
    case smallint = 21
    case integer = 23
    case text = 25
    case double = 701
    /// A literal that nothing gave a type.
    case unknown = 705
    case varchar = 1043

    /// Returns the number of the type as which a value is sent; 0 for NULL, whose type the server finds.
    ///
    /// Without it the server would take an argument beside a small number for one of 32 bits.
    static func oid(of value: SQLValue) -> Oid {
        switch value {
        case .null: 0
        case .integer: bigint.rawValue
        case .real: double.rawValue
        case .text: text.rawValue
        case .bytes: bytes.rawValue
        }
    }
}
