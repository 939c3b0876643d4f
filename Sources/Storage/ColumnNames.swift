/// The names of a result's columns, in their order.
final class ColumnNames {
    let all: [String]

    /// The position of the column that was read last, 0 at first.
    private var last = 0

    /// - Throws: `DatabaseError.other` if two columns have the same name.
    init(_ names: [String], of sql: String) throws(DatabaseError) {
        guard Set(names).count == names.count else {
            throw .other(message: "two columns have the same name: \(sql)")
        }
        all = names
    }

    /// Returns the position of a column, counted from 0, or nil if the result has no column of this name.
    func position(of column: String) -> Int? {
        // Columns are mostly read in their order, so the next one is tried first.
        let next = last + 1
        if next < all.count, all[next] == column {
            last = next
            return next
        }
        let position = all[last...].firstIndex(of: column) ?? all[..<last].firstIndex(of: column)
        if let position { last = position }
        return position
    }
}
