import Core
import HTML
import People
import Serving
import Storage

extension Notification.Kind {
    /// Someone made a move in a contract.
    static let contract = Notification.Kind("contract")
    /// A contract changed by itself.
    static let contractNews = Notification.Kind("contract_news")
    /// The photo of a breach couldn't be published on the connected account, or nobody knows whether it was. Only the
    /// breaker gets this notification.
    static let contractPublication = Notification.Kind("contract_publication")
}

extension NotificationTopic {
    static let contracts = NotificationTopic(
        "contracts", title: "Contracts", position: 80, news: "News of a contract")
}

/// The kinds of notification of contracts.
enum ContractNotifications {
    /// Whether the reader takes part in the contract of the entry that the row is about.
    private static let isVisible = """
        EXISTS (SELECT 1 FROM contract_moves cv JOIN contract_members cm ON cm.contract_id = cv.contract_id
            WHERE cv.id = n.subject_id AND cm.account_id = $1)
        """

    /// Whether the reader takes part in the contract that the row is about.
    private static let isOfReader = """
        EXISTS (SELECT 1 FROM contract_members cm WHERE cm.contract_id = n.subject_id AND cm.account_id = $1)
        """

    /// All kinds of notification about contracts.
    static let kinds = [
        kind(.contract, "tintype.contract", isVisible: isVisible, namesActor: true) {
            try ContractSubject(entry: ID(rawValue: $0), namesActor: true, for: $1, $2)
        },
        kind(.contractNews, "tintype.contract_news", isVisible: isVisible, namesActor: false) {
            try ContractSubject(entry: ID(rawValue: $0), namesActor: false, for: $1, $2)
        },
        kind(
            .contractPublication, "tintype.contract_publication", isVisible: isOfReader, namesActor: false
        ) { try ContractSubject(publicationOf: ID(rawValue: $0), for: $1, $2) },
    ]

    private static func kind(
        _ kind: Notification.Kind, _ mastodonType: String, isVisible: String, namesActor: Bool,
        subject: @escaping @Sendable (Int64, Account, Transaction) throws -> ContractSubject
    ) -> NotificationKind {
        NotificationKind(
            kind: kind, topic: .contracts, mastodonType: mastodonType, colour: "follow",
            symbol: "file-earmark-text",
            subjects: NotificationKind.oneByOne { try subject($0, $1, $2) }, member: "contract*:object",
            isVisible: isVisible,
            // A claim has a deadline: someone who mutes the other party must not lose a photo because of the mute.
            isHiddenByMutes: false, namesActor: namesActor,
            words: { group in .text((group.newest.subject as? ContractSubject)?.sentence ?? "") },
            path: { group in
                (group.newest.subject as? ContractSubject).map { Contract.path($0.contract) } ?? "/contracts"
            })
    }
}

/// The contract that a notification is about. It contains no stake.
struct ContractSubject: NotificationSubject {
    /// The event or state that the notification reports.
    enum News: Sendable {
        /// An entry of the history, with whether the notification names the person who made the move, and the state in
        /// which the contract ended, if it did.
        case entry(ContractEvent, namesActor: Bool, ending: ContractState? = nil)
        /// The state of the publishing of the reader's own breach.
        case publication(Contract.Publication.State)
    }

    let contract: Contract.ID
    let news: News
    /// The reader's role in the contract.
    let role: ContractRole

    init(contract: Contract.ID, news: News, role: ContractRole) {
        (self.contract, self.news, self.role) = (contract, news, role)
    }

    /// Loads an entry of a history for one of the contract's people.
    ///
    /// - Throws: ``Refusal`` (404) for everyone else.
    init(
        entry id: Contract.Entry.ID, namesActor: Bool, for reader: Account, _ transaction: Transaction
    ) throws {
        let store = ContractStore(transaction)
        guard let (contract, entry) = try store.entry(id),
            let role = try store.role(of: reader.id, in: contract)
        else { throw Refusal.notFound }
        self.init(
            contract: contract,
            news: .entry(
                entry.event, namesActor: namesActor, ending: try store.ending(by: entry.id, of: contract)),
            role: role)
    }

    /// Loads the state of a publication for the person whose photo it is.
    ///
    /// - Throws: ``Refusal`` (404) for everyone else.
    init(publicationOf contract: Contract.ID, for reader: Account, _ transaction: Transaction) throws {
        guard let role = try ContractStore(transaction).role(of: reader.id, in: contract),
            let publication = try ContractRecords(transaction).publication(of: contract),
            publication.breaker == role
        else { throw Refusal.notFound }
        self.init(contract: contract, news: .publication(publication.state), role: role)
    }

    var picture: Node { .empty }

    func eventSubjects(_ transaction: Transaction) -> [EventSubject] { [.thing(contract)] }

    func write(for viewer: Reader, into json: inout JSONWriter) {
        json.object("contract") { json in
            json.member("id", contract)
            switch news {
            case .entry(let event, _, _): json.member("move", event.rawValue)
            case .publication(let state): json.member("publication", state.rawValue)
            }
        }
    }

    /// The sentence of the notification, which follows the actor's name if the notification names one.
    var sentence: String {
        switch news {
        case .entry(let event, namesActor: true, let ending): moved(event, ending)
        case .entry(let event, namesActor: false, let ending): became(event, ending)
        case .publication(.uncertain):
            "We don’t know whether your photo was published. Look at your account, then say what you see."
        case .publication: "Your photo couldn’t be published on your connected account."
        }
    }

    /// Returns the sentence about a person's move, to follow their name.
    private func moved(_ event: ContractEvent, _ ending: ContractState?) -> String {
        let isWitness = role == .witness
        return switch event {
        case .propose where isWitness: " asks you to be the witness of a contract."
        case .propose: " proposes a contract to you."
        case .witness: " agreed to be the witness of your contract."
        case .declineWitness: " declined to be the witness, so your contract ended."
        case .accept where isWitness: " made a contract, and you are its witness."
        case .accept: " accepted your contract."
        case .decline: " declined your contract."
        case .offerRelease: " offers to end your contract."
        case .release: " agreed to end your contract."
        case .admit: " broke your contract."
        case .claim: " says that you broke your contract."
        case .dispute where isWitness: " denies breaking a contract. You decide."
        case .dispute where ending == .unresolved:
            " denies breaking your contract. It ended unresolved, and nothing is published."
        case .dispute: " denies breaking your contract."
        case .judgeBroken: " decided that your contract was broken."
        case .judgeUnbroken where ending == .kept:
            " decided that your contract wasn’t broken. It is over, and the promise was kept."
        case .judgeUnbroken: " decided that your contract wasn’t broken."
        case .forfeit: " called off your contract. Nothing is published."
        default: " changed your contract."
        }
    }

    /// Returns the sentence about an event, without a name.
    private func became(_ event: ContractEvent, _ ending: ContractState?) -> String {
        switch event {
        case .witness: "Your contract has a witness now."
        case .declineWitness: "Your contract ended, because nobody agreed to be its witness."
        case .lapse: "Your contract wasn’t accepted in time."
        case .silence where role == .witness:
            "A claim wasn’t answered in time, so it counts as disputed. You decide."
        case .silence where ending == .unresolved:
            "A claim wasn’t answered in time. Your contract ended unresolved, and nothing is published."
        case .silence: "A claim wasn’t answered in time, so it counts as disputed."
        case .noVerdict where role == .witness: "You didn’t decide in time. Nothing is published."
        case .noVerdict: "The witness didn’t decide in time. Nothing is published."
        case .keep: "Your contract is over, and the promise was kept."
        case .forfeit: "Your contract was called off. Nothing is published."
        case .decline: "Your contract was declined."
        case .witnessLeaves where ending == .unresolved:
            "Your contract has no witness any more, so it ended unresolved. Nothing is published."
        case .witnessLeaves where ending == .lapsed: "Your contract has no witness any more, so it ended."
        case .witnessLeaves: "Your contract has no witness any more."
        case .remove: "An administrator ended your contract. Nothing is published."
        default: "Your contract has changed."
        }
    }
}
