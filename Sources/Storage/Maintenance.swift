extension Connection {
    /// Looks for damage in the file, and for references to rows that don't exist.
    /// - Returns: a sentence for each problem.
    func integrityProblems() throws -> [String] {
        var problems: [String] = []
        try run("PRAGMA integrity_check") {
            let answer = try Row($0).string(0)
            if answer != "ok" { problems.append(answer) }
            return true
        }
        try run("PRAGMA foreign_key_check") {
            let row = Row($0)
            // Tables without rowid report no row.
            let place = try row.optionalInt64(1).map { "row \($0)" } ?? "a row"
            problems.append(
                "\(place) of \(try row.string(0)) refers to a row of \(try row.string(2)) that is gone")
            return problems.count < 100
        }
        return problems
    }
}
