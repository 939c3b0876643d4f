import Core
import Feeds
import Imaging
import People
import Serving
import Storage

/// The publishing of breaches. A post on this server is made in the transaction of the move that breaks the contract,
/// so that it is made exactly once, whatever happens to the process. ``CrossPostService`` publishes on a connected
/// account.
struct ContractPublishing: Sendable {
    let posts: PostService
    let crossPosts: CrossPostService

    /// The kind of reference that cross-posts of breaches have.
    static let reference = "contract"

    /// Checks the places where a person wants their own breach published.
    func check(
        _ places: Set<Contract.Place>, by viewer: Account, _ problems: inout Problems,
        _ transaction: Transaction
    ) throws {
        if places.isEmpty {
            problems.add("publish_to", "ERR_BLANK", ContractForm.noPlace)
        } else if places.contains(.connected),
            try ConnectedAccountRecords(transaction).connected(viewer.id) == nil
        {
            problems.add(
                "publish_to", "ERR_INVALID", "You have no connected account. Connect one in Settings first.")
        }
    }

    /// Publishes the photo of the person who broke a contract, in the agreed places, inside the transaction of the
    /// breach. The photo is added to that person's library.
    ///
    /// - Throws: an error when that isn't possible, so that the move is undone: no contract is broken without its photo.
    func publish(
        breachOf contract: LoadedContract, by breaker: ContractRole, _ transaction: Transaction
    ) throws {
        let store = ContractStore(transaction)
        guard contract.progress.consents.contains(breaker), try store.publishing(of: contract.id) == nil,
            let member = contract.member(breaker),
            let author = try member.account.flatMap({ try AccountRecords(transaction).unchecked($0) }),
            let stake = try store.stake(of: contract.id, breaker)
        else { throw Self.impossible(contract.id) }
        let photo = try ContractService.adopt(stake, of: author.id, store)
        let given = contract.head.breachText
        let words = given.isEmpty ? ContractService.plainBreachText : given
        var publishing = ContractStore.Publishing(breaker: breaker, state: .published)
        if member.publishTo.contains(.connected) {
            guard let picture = try PhotoRecords(transaction).uncheckedFile(photo.id, .large, .jpeg) else {
                throw Self.impossible(contract.id)
            }
            publishing.crossPost = try crossPosts.publish(
                .init(text: Self.withoutMentions(words), picture: picture, description: photo.description),
                reference: .init(kind: Self.reference, id: contract.id.rawValue), by: author.id,
                on: member.connectedAs, transaction)
        }
        if member.publishTo.contains(.server) {
            publishing.post = try posts.post(
                .init(caption: words, photos: [photo.id]), by: author, transaction
            ).id
        }
        try store.insert(publishing, of: contract.id)
    }

    /// Returns a text that mentions nobody on another server, where the same name may belong to someone else. An
    /// invisible space (U+200B) after the sign prevents the mention, as it does for Mastodon's own users.
    private static func withoutMentions(_ text: String) -> String {
        text.replacing("@", with: "@\u{200B}")
    }

    private static func impossible(_ id: Contract.ID) -> DatabaseError {
        .other(message: "the breach of contract \(id) can’t be published")
    }
}

extension ContractRecords {
    /// Returns the connected account on which a person agrees to publish; nil for none. A breach is published on no
    /// other account, whichever is connected by then.
    func account(for pledge: ContractService.Pledge, of account: Account.ID) throws -> String? {
        guard pledge.publishTo.contains(.connected) else { return nil }
        return try ConnectedAccountRecords(transaction).connected(account)?.handle
    }

    /// Returns the state of the publishing of a breach; nil before a breach.
    func publication(of id: Contract.ID) throws -> Contract.Publication? {
        guard let kept = try ContractStore(transaction).publishing(of: id) else { return nil }
        var publication = Contract.Publication(breaker: kept.breaker, state: kept.state, post: kept.post)
        guard let crossPost = kept.crossPost else { return publication }
        switch try CrossPostRecords(transaction).state(of: crossPost) {
        case .pending: publication.state = .pending
        case .retrying(let attempts, let next):
            (publication.state, publication.attempts, publication.nextAttempt) = (.retrying, attempts, next)
        case .published(let url): (publication.state, publication.url) = (.published, url)
        case .failed(let reason): (publication.state, publication.reason) = (.failed, reason)
        case .uncertain: publication.state = .uncertain
        case .revoked: publication.state = .revoked
        }
        return publication
    }
}
