import HTML

/// Something that two people can do together, which their conversation offers beside photos (``Feature/chatActions``).
struct ChatAction: Sendable {
    let name: String
    let icon: StaticString
    let path: @Sendable (Chat.ID) -> String

    /// The actions of all features.
    static let all = TintypeApplication.features.flatMap { $0.chatActions }
}
