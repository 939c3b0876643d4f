import Core
import Storage

/// The registries in which features add to chats.
package struct ChatOffers: Sendable {
    /// The things that the people of a chat can do together.
    package let actions: Registry<ChatAction>
    /// The chips above the list of chats.
    package let chips: Registry<ChatChip>
    /// Reads the drawing between the bar and the messages of two people's chat; nil for nothing.
    package typealias Above =
        @Sendable (_ viewer: Account, _ peer: Account, _ transaction: Transaction) throws -> Drawing?
    /// The drawings above the messages.
    package let above: Registry<Above>
    /// Does what follows when somebody is no longer in a group, in the same transaction.
    package typealias Departure =
        @Sendable (_ account: Account.ID, _ group: Chat.ID, _ transaction: Transaction) throws -> Void
    /// What follows when somebody leaves a group, or is removed from it.
    package let departures: Registry<Departure>
    /// The photos of other features in private feeds.
    package let exchanges: Registry<ExchangeSource>
    /// The things that messages can link to and chats show as cards.
    package let shared: SharedThings

    package init(_ app: AppParts) {
        (actions, chips, above) = (app.registry(), app.registry(), app.registry())
        (departures, exchanges) = (app.registry(), app.registry())
        shared = SharedThings(server: app.configuration.publicURL, cards: app.registry())
    }

    /// Returns the chips, each with its count for a person.
    package func counts(
        for viewer: Account, _ transaction: Transaction
    ) throws -> [(chip: ChatChip, count: Int)] {
        try chips.all.map { ($0, try $0.badge?.count(viewer, transaction) ?? 0) }
    }

    /// Returns all drawings above the messages of two people's chat.
    package func above(
        of viewer: Account, with peer: Account, _ transaction: Transaction
    ) throws -> [Drawing] {
        try above.all.compactMap { try $0(viewer, peer, transaction) }
    }
}
