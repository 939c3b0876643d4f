import Core

/// The calls of the JSON interface, and what they answer with.
extension ReportsFeature {
    package var operations: [Operation] {
        [
            Operation(
                "POST /api/v1/reports", "Reports a person, posts, a snap, a message or a contract",
                .one("Report"),
                "account_id status_ids[] snap_id message_id chat_id contract_id comment category")
        ].about(.reports)
    }

    package var schemas: [EntitySchema] {
        [
            EntitySchema(
                "Report",
                """
                id:id action_taken:flag action_taken_at:time? category:text comment:text forwarded:flag
                created_at:time status_ids:id[] rule_ids:id[]? target_account:Account? snap_id*:id message_id*:id
                chat_id*:id contract_id*:id
                """)
        ]
    }
}
