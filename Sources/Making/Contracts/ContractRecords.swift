import Core
import People
import Serving
import Storage

/// The contracts inside a transaction, as the people in them see them, and the checks before a contract changes.
struct ContractRecords {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// Checks that the viewer may propose a contract to somebody at all, before the form is filled in.
    ///
    /// - Throws: ``Refusal``: 404 for someone who can't be seen, 422 for strangers and the eleventh open contract.
    func checkPartner(_ id: Account.ID, of viewer: Account) throws -> Account {
        var problems = Problems()
        let partner = try partner(id, of: viewer, &problems)
        try checkOpenCount(of: viewer)
        try problems.throwIfAny()
        return partner
    }

    /// Returns the person with whom the viewer wants a contract, and adds what speaks against it to `problems`.
    func partner(_ id: Account.ID, of viewer: Account, _ problems: inout Problems) throws -> Account {
        let partner = try AccountRecords(transaction).account(id, for: viewer)
        if id == viewer.id {
            problems.add("partner_id", "ERR_INVALID", "A contract is between you and somebody else.")
        } else if try !RelationshipRecords(transaction).relationship(of: viewer.id, to: id).areFriends {
            problems.add(
                "partner_id", "ERR_INVALID",
                "You can make contracts with people who follow you and whom you follow.")
        }
        return partner
    }

    /// Adds what speaks against a witness to `problems`.
    ///
    /// - Throws: ``Refusal`` (404) for someone whom the viewer can't see.
    func checkWitness(
        _ id: Account.ID, of viewer: Account, and partner: Account.ID?, _ problems: inout Problems
    ) throws {
        _ = try AccountRecords(transaction).account(id, for: viewer)
        if id == viewer.id || id == partner {
            problems.add("witness_id", "ERR_INVALID", "The witness is a third person.")
            return
        }
        for party in [viewer.id, partner].compactMap(\.self) {
            guard try RelationshipRecords(transaction).relationship(of: party, to: id).areFriends else {
                problems.add("witness_id", "ERR_INVALID", "Choose a witness who is a friend of both of you.")
                return
            }
        }
    }

    /// Refuses one more contract (422) to a person who has the most open ones.
    func checkOpenCount(of viewer: Account) throws {
        guard try ContractStore(transaction).openCount(of: viewer.id) < ContractForm.mostOpen else {
            throw Refusal.invalid(
                "contract", "ERR_TOO_MANY",
                "You have \(ContractForm.mostOpen) open contracts. End one of them first.")
        }
    }
}
