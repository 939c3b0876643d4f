import HTML

/// A way from the list of conversations to what else goes on between friends (``ChatOffers/chips``).
struct ChatChip: Sendable {
    let name: String
    let path: String
    /// What the chip counts; nil for nothing.
    var badge: Badge?
}

/// Something that two people can do together, which their conversation offers (``ChatOffers/actions``).
struct ChatAction: Sendable {
    /// Where a conversation offers an action.
    enum Place: Sendable {
        /// As a symbol of its bar.
        case bar
        /// Above the photos to choose from.
        case photos
    }

    let name: String
    let icon: StaticString
    var place = Place.photos
    let path: @Sendable (Chat.ID) -> String
}
