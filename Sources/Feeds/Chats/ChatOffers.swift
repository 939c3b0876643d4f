import Core
import HTML

/// What features add to conversations.
package struct ChatOffers: Sendable {
    /// What two people can do together.
    package let actions: Registry<ChatAction>
    /// Ways from the list of conversations to what else goes on.
    package let chips: Registry<ChatChip>
    /// Draws what stands between the bar and the messages of two people's conversation.
    package typealias Above = @Sendable (_ viewer: Account, _ peer: Account) async throws -> Node
    /// What stands above the messages.
    package let above: Registry<Above>
    /// What messages can link to and conversations show as cards.
    package let shared: SharedThings

    package init(_ app: AppParts) {
        (actions, chips, above) = (app.registry(), app.registry(), app.registry())
        shared = SharedThings(server: app.configuration.publicURL, cards: app.sharedCards)
    }

    /// Returns the chips, each with what it counts for a person.
    package func counts(for viewer: Account) async throws -> [(chip: ChatChip, count: Int)] {
        var counted: [(ChatChip, Int)] = []
        for chip in chips.all { counted.append((chip, try await chip.badge?.count(viewer) ?? 0)) }
        return counted
    }

    /// Returns all that stands above the messages of two people's conversation.
    package func above(of viewer: Account, with peer: Account) async throws -> Node {
        var nodes: [Node] = []
        for draw in above.all { nodes.append(try await draw(viewer, peer)) }
        return .list(nodes)
    }
}
