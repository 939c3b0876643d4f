import Core
import Feeds
import Foundation
import Imaging
import People
import Storage

/// A promise on which two people have staked a photo each. The photo of the person who breaks the promise is published,
/// as both have agreed.
package struct Contract: Sendable, Equatable {
    /// The contract's identifier; its time is when it was proposed.
    package typealias ID = Core.ID<Contract>

    /// The place where a breach is published.
    package enum Place: String, Sendable, CaseIterable, Comparable {
        /// This server, as a post of the breaker.
        case server
        /// The breaker's connected account.
        case connected

        package static func < (left: Place, right: Place) -> Bool { left == .server && right == .connected }
    }

    /// One of the two people who stake a photo.
    struct Party: Sendable, Equatable {
        /// The party's role: proposer or partner.
        var role: ContractRole
        /// The party's account; nil when it is deleted.
        var accountID: Account.ID?
        /// The party's account as the viewer may see it; nil when they may not, such as after a block.
        var account: Account?
        /// When the party consented; nil before they do, and after they have withdrawn their consent.
        var consentedAt: Date?
        /// The places where the party's own breach would be published.
        var publishTo: Set<Place>
        /// The party's photo. It is nil before they stake one, after it was returned or erased, and for people who may
        /// not see it.
        var stake: Stake?
    }

    /// A sealed photo.
    struct Stake: Sendable, Equatable {
        /// The stake's identifier.
        typealias ID = Core.ID<Stake>

        var id: ID
        /// A description of the photo, for people who can't see it.
        var description: String
        /// The width of the largest picture, in pixels.
        var width: Int
        /// The height of the largest picture, in pixels.
        var height: Int
        /// A blurred picture of the photo in 28 characters (BlurHash).
        var blurhash: String
        /// The photo's main colour, `#rrggbb`.
        var colour: String
        /// The point that a cut picture of the photo shows.
        var focus = Focus.middle

        /// The stake as a photo, for code that needs one, such as for its proportions. It is in no library.
        var photo: Photo {
            Photo(
                id: Photo.ID(rawValue: 0), owner: Account.ID(rawValue: 0), kind: .upload,
                description: description,
                width: width, height: height, blurhash: blurhash, colour: colour, focus: focus)
        }

        /// Returns the size of a rendition in pixels, with the proportions of the photo.
        func pixels(_ size: Photo.Size) -> (width: Int, height: Int) { photo.pixels(size) }
    }

    /// An entry of the history. Entries never change.
    struct Entry: Sendable, Equatable {
        /// The entry's identifier; its time is when the event happened.
        typealias ID = Core.ID<Entry>

        var id: ID
        var event: ContractEvent
        /// The role of the person who made the move; nil for events of the clock or the server.
        var role: ContractRole?
        /// The rule that a claim names, counted from 0; nil for the promise as a whole.
        var rule: Int?
        /// The note that the person added; may be empty.
        var note: String
    }

    /// The state of the publishing of a breach.
    struct Publication: Sendable, Equatable {
        /// The state of one attempt to publish.
        enum State: String, Sendable {
            /// Publishing will be tried in a moment.
            case pending
            /// Publishing has failed, and will be tried again.
            case retrying
            /// The photo is published.
            case published
            /// Publishing has failed for good.
            case failed
            /// Nobody can know whether the photo was published. The breaker is asked to look.
            case uncertain
            /// The breaker disconnected the account before the photo was published.
            case revoked
        }

        /// The role of the person who broke the promise.
        var breaker: ContractRole
        /// The state of the place where publishing isn't finished; otherwise the state of all places.
        var state: State
        /// The number of attempts to publish on the connected account; 0 without a connected account.
        var attempts = 0
        /// When the next attempt is made; nil when there is none.
        var nextAttempt: Date?
        /// Why publishing has failed for good, in a sentence; otherwise empty.
        var reason = ""
        /// The address of the post on the connected account; nil when there is none.
        var url: String?
        /// The post on this server; nil when there is none, or its author has deleted it.
        var post: Post.ID?
    }

    /// Identifier.
    package let id: ID
    /// The promise in words; 1 to 500 characters.
    let promise: String
    /// Up to ten rules, each 1 to 200 characters.
    let rules: [String]
    /// The words of a breach's post; may be empty, and then a plain sentence is used.
    let breachText: String
    /// The part of the contract that events change, as the pure state machine has it.
    var progress: ContractProgress
    /// The proposer and the partner.
    var parties: [Party]
    /// The person who decides a dispute; nil when there is none, or the viewer may not see that account.
    var witness: Account?
    /// The witness's account, also when the viewer may not see it.
    var witnessID: Account.ID?
    /// The events so far, oldest first.
    var history: [Entry]
    /// The state of the publishing; nil before the promise is broken.
    var publication: Publication?

    /// The contract's state.
    var state: ContractState { progress.state }
    /// When the contract was proposed.
    var createdAt: Date { id.createdAt }
    /// The time until which the promise holds.
    var endsAt: Date { progress.endsAt }
    /// When the present state ends by itself; nil when it doesn't, and while the contract is paused.
    var deadline: Date? { progress.isPaused ? nil : progress.deadline }

    /// Returns the party with a role.
    func party(_ role: ContractRole) -> Party? { parties.first { $0.role == role } }

    /// Returns the path of a contract's page.
    static func path(_ id: ID) -> String { "/contracts/\(id)" }

    /// Returns the path of a party's sealed photo, which only the two parties can load.
    static func stakePath(_ id: ID, of party: Account.ID, _ size: Photo.Size = .large) -> String {
        "/contracts/\(id)/stakes/\(party)?size=\(size.rawValue)"
    }
}

/// A contract as one of its people sees it.
package struct ContractView: Sendable, Equatable {
    /// The contract. For a witness it has no stakes, no words of a breach, no publication, and only the history of
    /// claims.
    package var contract: Contract
    /// The viewer's role in the contract.
    var role: ContractRole
    /// The moves that the viewer may make now, in the order of the buttons.
    var moves: [ContractMove.Kind]
    /// Whether the viewer has to choose what happens to their own stake: put it into the library, or erase it.
    var mayFreeStake: Bool

    /// Whether the viewer's offer ended without the partner declining it, so that the viewer may want to change and
    /// repeat the offer.
    var mayProposeAgain: Bool {
        let isRefusal = contract.history.last?.event == .decline
        return role == .proposer && !isRefusal
            && [.declined, .lapsed, .withdrawn].contains(contract.state)
    }

    /// The viewer as a party; nil for a witness.
    var own: Contract.Party? { contract.party(role) }
    /// The other party; nil for a witness.
    var other: Contract.Party? { role.other.flatMap(contract.party) }
}

/// The lists of the viewer's contracts.
enum ContractList: String, Sendable, CaseIterable {
    /// Active contracts in which the viewer has nothing to answer.
    case active
    /// Contracts that wait for the viewer's answer.
    case waiting
    /// Contracts that are over.
    case ended
}
