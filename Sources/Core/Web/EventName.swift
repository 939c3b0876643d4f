/// The name of a live event. Each feature declares its own names in an extension, and returns them
/// (``FeatureScripts/events``).
package struct EventName: Hashable, Sendable, CustomStringConvertible {
    /// The name in streams: Mastodon's (`update`, `notification`), or ours, which begins with `tintype.`.
    package let description: String
    /// Whether the event is sent only to streams that are open when it happens, since it isn't worth repeating.
    let isPassing: Bool

    /// Declares an event that is kept for streams that resume.
    package init(_ name: String) {
        (description, isPassing) = (name, false)
    }

    /// Declares an event that isn't kept, such as typing.
    package init(passing name: String) {
        (description, isPassing) = (name, true)
    }

    package static func == (one: EventName, other: EventName) -> Bool { one.description == other.description }

    package func hash(into hasher: inout Hasher) { hasher.combine(description) }

    /// Whether the event is Tintype's own, which Mastodon's apps don't know.
    package var isOwn: Bool { description.hasPrefix("tintype.") }

    /// The event after missed events: the reader has to load again what it shows.
    package static let reset = EventName("reset")
    /// The event with the counts of what is new, by the names of badges.
    static let counts = EventName(passing: "tintype.counts")
}
