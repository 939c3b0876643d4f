import Core

/// The calls of the JSON interface, and the entities of their answers.
extension ReportsFeature {
    package var operations: [Operation] {
        let kinds = reports.kinds.all
        let nouns = kinds.map(\.noun)
        let named = kinds.map(\.parameters).joined(separator: " ")
        return [
            Operation(
                "POST /api/v1/reports",
                "Reports \(nouns.dropLast().joined(separator: ", ")) or \(nouns.last ?? "")", .one("Report"),
                "\(named) comment:text(0...\(Report.wordsLength)) category"),
            Operation(
                "POST /api/v1.1/report", "Reports a person, post or snap, as Pixelfed's apps ask", .object,
                "object_type!:user|post|story object_id! report_type!:text(1...\(Report.wordsLength))"),
        ].about(.reports)
    }

    package var schemas: [EntitySchema] {
        let members = reports.kinds.all.map(\.members).joined(separator: " ")
        return [
            EntitySchema(
                "Report",
                """
                id:id action_taken:flag action_taken_at:time? category:text comment:text forwarded:flag
                created_at:time rule_ids:id[]? target_account:Account? \(members)
                """)
        ]
    }
}
