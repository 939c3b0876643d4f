import Core
import Foundation
import People
import Serving

/// The values typed into the form of a contract or of its acceptance, so that a refused form loses nothing.
struct ContractFormFields: Sendable {
    var promise = ""
    /// The fields of the rules, as many as there can be; some are empty.
    var rules = [String](repeating: "", count: ContractForm.rulesCount.upperBound)
    /// The number of hours for which the promise holds, or `date`.
    var ends = "168"
    /// The end as the browser's field has it, without a time zone.
    var endDate = ""
    /// The photo to stake; nil until one is chosen.
    var stake: ContractService.StakeSource?
    /// The id of a friend; empty for none.
    var witness = ""
    /// The name of a friend who isn't in the list.
    var witnessName = ""
    var publishTo: Set<Contract.Place> = [.server]
    var breachText = ""
    var consents = false
    var isAdult = false
    /// The state of the accepted contract that the page showed; nil for a new contract.
    var seen: String?
    /// The idempotency key of the contract, so that sending the form twice proposes one contract.
    var key = UUID().uuidString
    var problems: [String: Refusal.Problem] = [:]
    var message: String?

    init() {}

    /// Creates the fields with the words of a contract that its proposer proposes again.
    init(again contract: Contract) {
        promise = contract.promise
        rules.replaceSubrange(..<min(contract.rules.count, rules.count), with: contract.rules)
        breachText = contract.breachText
        publishTo = contract.party(.proposer)?.publishTo ?? publishTo
    }

    /// Creates the fields for accepting a contract.
    init(accepting view: ContractView) { seen = view.contract.progress.seen(by: view.role) }

    /// Reads the fields of a form.
    init(_ input: Input) {
        promise = input.text("promise")
        // One rule too many is kept, so that the form is refused and no rule is dropped silently.
        let typed = input.list("rules").prefix(rules.count + 1).map(\.trimmed)
        rules.replaceSubrange(..<min(typed.count, rules.count), with: typed)
        ends = input.text("ends")
        endDate = input.text("end_date")
        // A file in the form replaces an earlier choice. A form that was shown again with an upload has no library
        // photo chosen, so a chosen library photo is newer than the upload.
        if !input.hadFiles {
            stake =
                input.id("stake_photo_id").map { .photo($0) }
                ?? input.id("stake_media_id").map { .upload($0) }
        }
        witness = input.text("witness_id")
        witnessName = input.text("witness_name")
        publishTo = Set(input.list("publish_to").compactMap(Contract.Place.init))
        breachText = input.text("breach_text")
        consents = input.bool("consent") ?? false
        seen = input.string("seen")
        isAdult = input.bool("of_age") ?? false
        if let sent = input.filled("key") { key = String(sent.prefix(100)) }
    }

    /// The lengths to choose from, in hours, with their labels.
    static let lengths = [(24, "One day"), (7 * 24, "One week"), (30 * 24, "30 days")]

    /// Returns when the promise ends; nil when the form doesn't say.
    ///
    /// - Parameter exact: the date as a script sends it, with its time zone; empty without scripts, when the typed date is
    ///   taken as UTC.
    func end(exact: String, now: Date) -> Date? {
        guard ends == "date" else {
            guard let hours = Int(ends), Self.lengths.contains(where: { $0.0 == hours }) else { return nil }
            return now.addingTimeInterval(Double(hours) * 3600)
        }
        return ContractForm.date(exact) ?? ContractForm.date("\(endDate.prefix(16)):00Z")
    }

    /// The photo that was uploaded and waits to be staked.
    var stakeMedia: SingleUseMedia.ID? {
        if case .upload(let id) = stake { id } else { nil }
    }

    /// The photo of the library to stake.
    var stakePhoto: Photo.ID? {
        if case .photo(let id) = stake { id } else { nil }
    }

    /// The values that the person pledges.
    var pledge: ContractService.Pledge {
        .init(stake: stake, publishTo: publishTo, consents: consents, isAdult: isAdult)
    }
}
