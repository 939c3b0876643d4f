import Core
import HTML

/// A way from the list of chats to what else goes on between friends (``ChatOffers/chips``).
package struct ChatChip: Sendable {
    package let name: String
    package let path: String
    /// What the chip counts; nil for nothing.
    package var badge: Badge?

    package init(name: String, path: String, badge: Badge? = nil) {
        self.name = name
        self.path = path
        self.badge = badge
    }
}

/// Something that two people can do together, which their chat offers (``ChatOffers/actions``).
package struct ChatAction: Sendable {
    /// Where a chat offers an action.
    package enum Place: Sendable {
        /// As a symbol of its bar.
        case bar
        /// Above the photos to choose from.
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
