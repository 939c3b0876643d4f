/// The name of a live event. Each feature declares its own in an extension, and hands them over
/// (``FeatureScripts/events``).
package struct EventName: Hashable, Sendable, CustomStringConvertible {
    /// The name as streams have it: Mastodon's (`update`, `notification`), or ours with `tintype.` in front.
    package let description: String
    /// Whether the event is sent only to those who listen when it happens, since it isn't worth repeating.
    let isPassing: Bool

    /// Declares an event that is kept for those who resume their stream.
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

    /// Some events were missed, so the reader has to fetch again what it shows.
    package static let reset = EventName("reset")
    /// How much is new, by the names of badges.
    static let counts = EventName(passing: "tintype.counts")
}
