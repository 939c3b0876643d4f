import Foundation

/// The state of a picture that is seen once for one viewer, and everything that can happen to it: the rules of "seen
/// once, then gone".
///
/// The rules are pure: a state and an event always give the same result, and nothing else decides.
package enum OnceState: String, Sendable, CaseIterable {
    /// The picture may be opened, once.
    case unopened
    /// The picture was opened; its page may fetch it, again if the connection breaks.
    case open
    /// The page has drawn the picture and doesn't fetch it any more; the viewer looks at it.
    case shown
    /// The picture was seen. It can never be opened again.
    case closed
    /// The picture's time was up.
    case expired
    /// The picture was erased from disk, or the poster deleted it.
    case erased

    /// What can happen to a snap.
    package enum Event: String, Sendable, CaseIterable {
        /// The viewer taps the picture.
        case open
        /// The page asks for the bytes.
        case fetch
        /// The page reports that it has drawn the picture.
        case show
        /// The viewer taps the picture, or leaves, reloads or hides the page.
        case close
        /// The time to fetch (30 seconds), or to look (10 minutes), has passed.
        case deadline
        /// The snap's own time (24 hours) has passed.
        case expire
        /// The last viewer is done, or the poster deletes the picture.
        case erase
    }

    /// Returns the state after an event; nil when the event is refused and nothing changes.
    package func after(_ event: Event) -> OnceState? {
        switch (self, event) {
        case (.unopened, .open): .open
        case (.open, .fetch): .open
        case (.open, .show), (.shown, .show): .shown
        case (.open, .close), (.shown, .close), (.closed, .close): .closed
        case (.open, .deadline), (.shown, .deadline): .closed
        // A deadline that comes late has nothing to do.
        case (.closed, .deadline), (.expired, .deadline), (.erased, .deadline): self
        case (.unopened, .expire), (.open, .expire), (.shown, .expire), (.closed, .expire),
            (.expired, .expire):
            .expired
        case (_, .erase), (.erased, .expire): .erased
        default: nil
        }
    }

    /// Whether the viewer has used up the picture, or is about to.
    package var isRead: Bool { self != .unopened }

    /// How long an opened picture may be fetched, in seconds.
    package static let fetchSeconds: TimeInterval = 30
    /// How long a picture that was drawn may be looked at, in seconds from its opening.
    package static let lookSeconds: TimeInterval = 600
}
