import Core
import Feeds
import Foundation
import People
import Storage

/// A promise on which two people have staked a photo each: who breaks it sees their own photo published, as both have
/// agreed.
package struct Contract: Sendable, Equatable {
    /// The contract's identifier; its time is when it was proposed.
    package typealias ID = Core.ID<Contract>

    /// Where a breach is published.
    package enum Place: String, Sendable, CaseIterable, Comparable {
        /// As a post on this server.
        case server
        /// As a post on the breaker's connected account.
        case connected

        package static func < (left: Place, right: Place) -> Bool { left == .server && right == .connected }
    }

    /// One of the two who staked something.
    struct Party: Sendable, Equatable {
        /// Proposer or partner.
        var role: ContractRole
        /// Whose part it is; nil when the account is deleted.
        var accountID: Account.ID?
        /// The person; nil for the one who looks when they may not see that account, such as after a block.
        var account: Account?
        /// When they consented; nil before that, and once they have taken it back.
        var consentedAt: Date?
        /// Where their own breach would be published.
        var publishTo: Set<Place>
        /// Their photo; nil before they stake one, once it is theirs again or erased, and for those who may not see it.
        var stake: Stake?
    }

    /// A sealed photo.
    struct Stake: Sendable, Equatable {
        /// The stake's identifier.
        typealias ID = Core.ID<Stake>

        var id: ID
        /// What it shows, for those who can't see it.
        var description: String
        /// Pixels of the largest picture kept.
        var width: Int
        /// Pixels of the largest picture kept.
        var height: Int
        /// A blurred picture of it in 28 characters (BlurHash).
        var blurhash: String
        /// Its main colour, `#rrggbb`.
        var colour: String

        /// The stake as a photo, for code that needs one, such as for its proportions. No library has it.
        var photo: Photo {
            Photo(
                id: Photo.ID(rawValue: 0), owner: Account.ID(rawValue: 0), kind: .upload,
                description: description,
                width: width, height: height, blurhash: blurhash, colour: colour)
        }

        /// Pixels of a rendition, with the proportions of the picture.
        func pixels(_ size: Photo.Size) -> (width: Int, height: Int) { photo.pixels(size) }
    }

    /// An entry of the history, which nobody can change.
    struct Entry: Sendable, Equatable {
        /// The entry's identifier; its time is when it happened.
        typealias ID = Core.ID<Entry>

        var id: ID
        var event: ContractEvent
        /// Whose move it was; nil for what the clock or the server did.
        var role: ContractRole?
        /// Which rule a claim names, counted from 0; nil for the promise as a whole.
        var rule: Int?
        /// What the mover wrote; may be empty.
        var note: String
    }

    /// The state of the publishing of a breach.
    struct Publication: Sendable, Equatable {
        /// What has become of it.
        enum State: String, Sendable {
            /// It will be tried in a moment.
            case pending
            /// It has failed, and will be tried again.
            case retrying
            /// It is out.
            case published
            /// It was given up.
            case failed
            /// Nobody can know whether it went out. The breaker is asked to look.
            case uncertain
            /// The breaker has disconnected the account before it went out.
            case revoked
        }

        /// Whose breach it is.
        var breaker: ContractRole
        /// The state of what isn't done yet, else of what is.
        var state: State
        /// How often publishing on the connected account was tried; 0 without one.
        var attempts = 0
        /// When it will be tried next; nil when it won't be.
        var nextAttempt: Date?
        /// Why it was given up, in a sentence; empty when it wasn't.
        var reason = ""
        /// Where the post on the connected account is; nil when there is none.
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
    /// What a breach's post says; may be empty, and then a plain sentence says it.
    let breachText: String
    /// The part that events change, as the pure machine has it.
    var progress: ContractProgress
    /// Proposer and partner.
    var parties: [Party]
    /// Who decides a dispute; nil when nobody does, or the one who looks may not see that account.
    var witness: Account?
    /// The witness's account, also when the viewer may not see it.
    var witnessID: Account.ID?
    /// What has happened so far, oldest first.
    var history: [Entry]
    /// The state of the publishing; nil before anything was broken.
    var publication: Publication?

    /// Its state.
    var state: ContractState { progress.state }
    /// When it was proposed.
    var createdAt: Date { id.createdAt }
    /// Until when the promise holds.
    var endsAt: Date { progress.endsAt }
    /// When the present state moves on by itself; nil when it doesn't, and while it is paused.
    var deadline: Date? { progress.isPaused ? nil : progress.deadline }

    /// The party in a role.
    func party(_ role: ContractRole) -> Party? { parties.first { $0.role == role } }

    /// Where the page of a contract is.
    static func path(_ id: ID) -> String { "/contracts/\(id)" }

    /// Where a party's sealed photo is, for the two parties only.
    static func stakePath(_ id: ID, of party: Account.ID, _ size: Photo.Size = .large) -> String {
        "/contracts/\(id)/stakes/\(party)?size=\(size.rawValue)"
    }
}

/// A contract as one of its people sees it.
package struct ContractView: Sendable, Equatable {
    /// The contract. A witness's has no stakes, no words of a breach, no publication, and of its history only what
    /// concerns claims.
    package var contract: Contract
    /// What the viewer is in it.
    var role: ContractRole
    /// What the viewer may do now, in the order of the buttons.
    var moves: [ContractMove.Kind]
    /// Whether the viewer's own stake waits for their choice: into the library, or erased.
    var mayFreeStake: Bool

    /// Whether the viewer's offer ended without a no of the partner, so that they may want to change it.
    var mayProposeAgain: Bool {
        let isRefusal = contract.history.last?.event == .decline
        return role == .proposer && !isRefusal
            && [.declined, .lapsed, .withdrawn].contains(contract.state)
    }

    /// The viewer's own part; nil for a witness.
    var own: Contract.Party? { contract.party(role) }
    /// The other party's part; nil for a witness.
    var other: Contract.Party? { role.other.flatMap(contract.party) }
}

/// Which of the viewer's contracts a list shows.
enum ContractList: String, Sendable, CaseIterable {
    /// Going on, and nothing is asked of the viewer.
    case active
    /// Waiting for the viewer's answer.
    case waiting
    /// Over.
    case ended
}
