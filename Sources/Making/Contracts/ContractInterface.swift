import Core

/// The calls of the JSON interface about contracts, and the entities of their answers.
extension ContractsFeature {
    private static let pledge = """
        stake_media_id stake_photo_id \
        publish_to[]!:\(Contract.Place.allCases.map(\.rawValue).joined(separator: "|")) consent!:yes of_age!:yes
        """
    private static let note = "note:text(\(ContractForm.noteLength))"

    package var operations: [Operation] {
        [
            Operation(
                "GET /api/v1/contracts", "Your contracts of a list, newest first", .page("Contract"),
                "list:active|waiting|ended"),
            Operation(
                "POST /api/v1/contracts", "Proposes a contract", .created("Contract"),
                """
                partner_id! promise!:lines(\(ContractForm.promiseLength)) rules[]:lines(\(ContractForm.ruleLength)) \
                ends_at!:time witness_id breach_text:lines(\(ContractForm.breachTextLength)) \(Self.pledge)
                """, takesKey: true),
            Operation("GET /api/v1/contracts/{id}", "A contract as you see it", .one("Contract")),
            Operation(
                "POST /api/v1/contracts/{id}/accept", "Accepts it, with a stake", .one("Contract"),
                "\(Self.pledge) seen"),
            Operation(
                "POST /api/v1/contracts/{id}/witness", "Takes the role of its witness", .one("Contract"),
                "seen"),
            Operation(
                "POST /api/v1/contracts/{id}/decline", "Declines it, or the role of its witness",
                .one("Contract"), "seen"),
            Operation(
                "POST /api/v1/contracts/{id}/withdraw", "Takes your offer back", .one("Contract"), "seen"),
            Operation(
                "POST /api/v1/contracts/{id}/release", "Offers to end it, or agrees to that",
                .one("Contract"),
                "seen"),
            Operation(
                "POST /api/v1/contracts/{id}/admit", "“I broke it”: publishes your stake", .one("Contract"),
                "seen"),
            Operation(
                "POST /api/v1/contracts/{id}/claim", "“You broke it”", .one("Contract"),
                "rule:count \(Self.note) seen"),
            Operation(
                "POST /api/v1/contracts/{id}/dispute", "Denies a claim", .one("Contract"), "\(Self.note) seen"
            ),
            Operation(
                "POST /api/v1/contracts/{id}/judge", "The witness’s answer", .one("Contract"),
                "broken!:flag seen"),
            Operation(
                "POST /api/v1/contracts/{id}/forfeit", "Calls it off; no photo goes out", .one("Contract"),
                "\(Self.note) seen"),
            Operation(
                "POST /api/v1/contracts/{id}/stake",
                "Takes your stake of an ended contract back, or erases it",
                .one("Contract"), "keep!:flag"),
        ].about(.contracts)
    }

    package var schemas: [EntitySchema] {
        [
            EntitySchema(
                "Contract",
                """
                id:id state:text role:text promise:text rules:text[] breach_text:text created_at:time ends_at:time
                deadline:time? paused:flag parties:object[] witness:Account? release_offered_by:text? claim:object?
                moves:text[] waiting_for:text[] seen:text may_free_stake:flag history:object[] publication:object?
                """)
        ]
    }
}
