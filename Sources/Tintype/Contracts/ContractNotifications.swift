import HTML
import Storage

extension Notification.Kind {
    /// Somebody made a move in a contract.
    static let contract = Notification.Kind("contract")
    /// Something became of a contract by itself.
    static let contractNews = Notification.Kind("contract_news")
}

/// The kinds of notification of contracts.
enum ContractNotifications {
    /// Whether the reader takes part in the contract of the entry that the row is about.
    private static let isVisible = """
        EXISTS (SELECT 1 FROM contract_moves cv JOIN contract_members cm ON cm.contract_id = cv.contract_id
            WHERE cv.id = n.subject_id AND cm.account_id = $1 AND cm.list <> '\(ContractStore.hidden)')
        """

    static func kinds(_ contracts: ContractService) -> [NotificationKind] {
        func kind(_ kind: Notification.Kind, _ mastodonType: String, namesActor: Bool) -> NotificationKind {
            var kind = NotificationKind(
                kind: kind, mastodonType: mastodonType, colour: "follow", symbol: "file-earmark-text",
                subject: { id, reader, transaction in
                    try ContractSubject(ID(rawValue: id), for: reader, contracts, transaction)
                }, isVisible: isVisible, namesActor: namesActor,
                words: { group in
                    guard let subject = group.newest.subject as? ContractSubject else { return .empty }
                    return .text(namesActor ? subject.deed : subject.news)
                },
                path: { group in
                    (group.newest.subject as? ContractSubject).map { Contract.path($0.view.contract.id) }
                        ?? "/contracts"
                })
            // A claim has a deadline: whoever doesn't want to hear of somebody must not lose a photo by that.
            kind.heedsMutes = false
            return kind
        }
        return [
            kind(.contract, "tintype.contract", namesActor: true),
            kind(.contractNews, "tintype.contract_news", namesActor: false),
        ]
    }
}

/// The entry of a contract's history that a notification is about. No stake is seen in it.
private struct ContractSubject: NotificationSubject {
    let view: ContractView
    let entry: Contract.Entry

    init(
        _ id: Contract.Entry.ID, for reader: Account, _ contracts: ContractService, _ transaction: Transaction
    ) throws {
        guard let (contract, entry) = try ContractStore(transaction).entry(id) else { throw Refusal.notFound }
        view = try contracts.view(contract, for: reader, transaction)
        self.entry = entry
    }

    var picture: Node { .empty }

    func eventSubjects(_ transaction: Transaction) -> [EventSubject] { [.thing(view.contract.id)] }

    func write(for viewer: Account.ID, into json: inout JSONWriter) {
        json.object("contract") { json in
            json.member("id", view.contract.id)
            json.member("move", entry.event.rawValue)
        }
    }

    /// What somebody did, behind their name.
    var deed: String {
        let isWitness = view.role == .witness
        return switch entry.event {
        case .propose: " proposes a contract to you."
        case .accept where isWitness: " made a contract, and you are its witness."
        case .accept: " accepted your contract."
        case .decline: " declined your contract."
        case .withdraw: " withdrew a contract."
        case .offerRelease: " offers to end your contract."
        case .release: " agreed to end your contract."
        case .admit: " broke your contract."
        case .claim: " says that you broke your contract."
        case .dispute where isWitness: " disputes a breach. You decide."
        case .dispute: " denies having broken your contract."
        case .judgeBroken: " decided that your contract was broken."
        case .judgeUnbroken: " decided that your contract was not broken."
        case .forfeit: " forfeited your contract."
        default: " changed your contract."
        }
    }

    /// What became of the contract, without a name.
    var news: String {
        switch entry.event {
        case .lapse: "Your contract wasn’t accepted in time."
        case .silence where view.role == .witness: "A breach is disputed. You decide."
        case .silence: "A claim wasn’t answered in time and counts as disputed."
        case .noVerdict: "A dispute stayed without a verdict. Nothing is published."
        case .keep: "You both kept your contract."
        case .forfeit: "A contract was forfeited. Nothing is published."
        case .decline: "A contract was declined."
        case .witnessLeaves: "Your contract has no witness any more."
        case .remove: "An administrator removed a contract."
        default: "Your contract has changed."
        }
    }
}
