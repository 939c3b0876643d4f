import Core
import HTML

/// A link above the list of chats to another thing that friends do together (``ChatOffers/chips``).
package struct ChatChip: Sendable {
    package let name: String
    package let path: String
    /// The badge of the chip's count; nil for a chip without a count.
    package var badge: Badge?

    package init(name: String, path: String, badge: Badge? = nil) {
        self.name = name
        self.path = path
        self.badge = badge
    }
}

/// Something that the people of a chat, of two or a group, can do together, offered by their chat (``ChatOffers/actions``).
package struct ChatAction: Sendable {
    /// The places of a chat that offer actions.
    package enum Place: Sendable {
        /// The chat's bar, as a symbol.
        case bar
        /// The space above the photos to choose from.
        case photos
    }

    package let name: String
    package let icon: StaticString
    package var place = Place.photos
    let path: @Sendable (Chat.ID) -> String

    package init(
        name: String, icon: StaticString, place: Place = Place.photos,
        path: @escaping @Sendable (Chat.ID) -> String
    ) {
        self.name = name
        self.icon = icon
        self.place = place
        self.path = path
    }
}
