import Core
import Feeds
import People
import Serving

/// The JSON of contracts, as their people see them (Documentation/Interface.md, "Contracts").
struct ContractEntities: Sendable {
    let entities: Entities

    func contract(_ view: ContractView, into json: inout JSONWriter) {
        json.object { members(of: view, into: &$0) }
    }

    private func members(of view: ContractView, into json: inout JSONWriter) {
        let contract = view.contract
        json.member("id", contract.id)
        json.member("state", contract.state.rawValue)
        json.member("role", view.role.rawValue)
        json.member("promise", contract.promise)
        json.array("rules", contract.rules) { $0.value($1) }
        json.member("breach_text", contract.breachText)
        json.member("created_at", contract.createdAt)
        json.member("ends_at", contract.endsAt)
        json.member("deadline", contract.deadline.map(Timestamp.iso8601))
        json.member("paused", contract.progress.isPaused)
        json.array("parties", contract.parties) { party($1, of: contract, into: &$0) }
        account("witness", contract.witness, into: &json)
        json.member("release_offered_by", contract.progress.offer.map(\.rawValue))
        json.key("claim")
        if let claim = contract.progress.claim {
            json.object { json in
                json.member("by", claim.by.rawValue)
                number("rule", claim.rule, into: &json)
            }
        } else {
            json.null()
        }
        json.array("moves", view.moves) { $0.value($1.rawValue) }
        json.array("waiting_for", contract.progress.awaited) { $0.value($1.rawValue) }
        json.member("seen", contract.progress.seen(by: view.role))
        json.member("may_free_stake", view.mayFreeStake)
        json.array("history", contract.history) { entry($1, of: contract, into: &$0) }
        json.key("publication")
        publication(contract.publication, into: &json)
    }

    private func party(_ party: Contract.Party, of contract: Contract, into json: inout JSONWriter) {
        json.object { json in
            json.member("role", party.role.rawValue)
            account("account", party.account, into: &json)
            json.key("stake")
            if let stake = party.stake, let owner = party.accountID {
                media(stake, of: owner, in: contract.id, into: &json)
            } else {
                json.null()
            }
            json.member("consented", party.consentedAt != nil)
            json.array("publish_to", party.publishTo.sorted()) { $0.value($1.rawValue) }
        }
    }

    /// Writes a sealed photo as a media attachment. Only the two parties can load its addresses, with their own log-in.
    private func media(
        _ stake: Contract.Stake, of owner: Account.ID, in contract: Contract.ID, into json: inout JSONWriter
    ) {
        func url(_ size: Photo.Size) -> String {
            entities.publicURL + Contract.stakePath(contract, of: owner, size)
        }
        json.object { json in
            json.member("id", stake.id)
            json.member("url", url(.large))
            json.member("preview_url", url(.medium))
            entities.mediaConstants(stake.photo, into: &json)
        }
    }

    private func entry(_ entry: Contract.Entry, of contract: Contract, into json: inout JSONWriter) {
        json.object { json in
            json.member("id", entry.id)
            json.member("at", entry.id.createdAt)
            json.member("role", entry.role.map(\.rawValue))
            account("account", entry.role.flatMap(contract.account), into: &json)
            json.member("move", entry.event.rawValue)
            number("rule", entry.rule, into: &json)
            json.member("note", entry.note)
        }
    }

    private func publication(_ publication: Contract.Publication?, into json: inout JSONWriter) {
        guard let publication else { return json.null() }
        json.object { json in
            json.member("state", publication.state.rawValue)
            json.member("attempts", publication.attempts)
            json.member("next_attempt_at", publication.nextAttempt.map(Timestamp.iso8601))
            json.member(
                "url",
                publication.url ?? publication.post.map { entities.publicURL + PostPaths.page($0) })
            json.member("status_id", publication.post?.description)
        }
    }

    private func account(_ name: StaticString, _ account: Account?, into json: inout JSONWriter) {
        json.key(name)
        if let account { entities.account(account, into: &json) } else { json.null() }
    }

    private func number(_ name: StaticString, _ number: Int?, into json: inout JSONWriter) {
        if let number { json.member(name, number) } else { json.null(name) }
    }
}

extension Contract {
    /// Returns the account of a person of the contract, as far as the viewer may see it.
    func account(_ role: ContractRole) -> Account? {
        role == .witness ? witness : party(role)?.account
    }
}
