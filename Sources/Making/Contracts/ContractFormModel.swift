import Core
import People
import Storage

/// What the form of a contract shows besides its fields.
struct ContractFormModel: Sendable {
    /// The other party.
    let partner: Account
    /// The newest photos of the viewer's library, and the chosen one.
    let library: [Photo]
    /// Whether the viewer has said before that they are an adult.
    let isAdult: Bool
    /// The viewer's connected account, if they have one that can be used.
    let connected: ConnectedAccount?
    /// Friends of both parties, who can be witnesses.
    var witnesses: [Account] = []
    /// Whether all friends of both parties are among the witnesses.
    var hasAllWitnesses = true

    /// The number of photos of the library to choose a stake from.
    fileprivate static let pickerPage = 60
    /// The number of the viewer's friends among whom those of the partner are looked for; others are named.
    fileprivate static let mostFriends = 100
}

extension ContractService {
    /// Returns what the empty form of a proposal shows, with the contract that the viewer proposes again.
    ///
    /// - Throws: ``Refusal``: 404 for people and contracts that the viewer can't see, 422 if the viewer may not propose a
    ///   contract to the partner at all.
    func proposalForm(
        with partner: Account.ID, again: Contract.ID?, by viewer: Account
    ) async throws -> (model: ContractFormModel, again: ContractView?) {
        try await database.read { [self] transaction in
            let partner = try ContractRecords(transaction).checkPartner(partner, of: viewer)
            let again = try again.map { try view($0, for: viewer, transaction) }
            return (
                try ContractRecords(transaction).proposalForm(with: partner, stake: nil, by: viewer), again
            )
        }
    }

    /// Returns what the form of a proposal shows after a mistake.
    ///
    /// - Parameter stake: the chosen photo of the library.
    func proposalForm(
        with partner: Account, stake: Photo.ID?, by viewer: Account
    ) async throws -> ContractFormModel {
        try await database.read {
            try ContractRecords($0).proposalForm(with: partner, stake: stake, by: viewer)
        }
    }

    /// Returns a contract with what the form shows on which the viewer accepts it; no form without another party.
    ///
    /// - Parameter stake: the chosen photo of the library.
    /// - Throws: ``Refusal`` (404) for people who take no part in the contract.
    func acceptanceForm(
        of id: Contract.ID, stake: Photo.ID? = nil, by viewer: Account
    ) async throws -> (view: ContractView, model: ContractFormModel?) {
        try await database.read { [self] transaction in
            let view = try view(id, for: viewer, transaction)
            let model = try (view.other?.account).map {
                try ContractRecords(transaction).form(with: $0, stake: stake, by: viewer)
            }
            return (view, model)
        }
    }
}

extension ContractRecords {
    /// Returns the form of a proposal, with the friends of both as witnesses.
    fileprivate func proposalForm(
        with partner: Account, stake: Photo.ID?, by viewer: Account
    ) throws -> ContractFormModel {
        let friends = try RelationshipRecords(transaction).search(
            "", among: .friends, by: .name, for: viewer, after: "", limit: ContractFormModel.mostFriends)
        var model = try form(with: partner, stake: stake, by: viewer)
        model.witnesses = try RelationshipRecords(transaction).friends(friends.map(\.account.id), of: partner)
        model.hasAllWitnesses = friends.count < ContractFormModel.mostFriends
        return model
    }

    /// Returns a form with the viewer's photos and connected account.
    fileprivate func form(
        with partner: Account, stake: Photo.ID?, by viewer: Account
    ) throws -> ContractFormModel {
        ContractFormModel(
            partner: partner,
            library: try PhotoRecords(transaction).choices(
                of: viewer, chosen: stake.map { [$0] } ?? [], limit: ContractFormModel.pickerPage),
            isAdult: try ContractStore(transaction).hasConfirmedAge(viewer.id),
            connected: try ConnectedAccountRecords(transaction).connected(viewer.id))
    }
}
