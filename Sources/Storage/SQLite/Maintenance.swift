extension SQLiteConnection {
    /// Looks for damage in the file, and for references to rows that don't exist.
    /// - Returns: a sentence for each problem.
    func integrityProblems() throws -> [String] {
        var problems: [String] = []
        try run("PRAGMA integrity_check") {
            let answer = try $0.string("integrity_check")
            if answer != "ok" { problems.append(answer) }
            return true
        }
        try run("PRAGMA foreign_key_check") { row in
            // Tables without rowid report no row.
            let place = try row.optionalInt64("rowid").map { "row \($0)" } ?? "a row"
            problems.append(
                "\(place) of \(try row.string("table")) refers to a row of \(try row.string("parent")) that is gone"
            )
            return problems.count < 100
        }
        return problems
    }
}
