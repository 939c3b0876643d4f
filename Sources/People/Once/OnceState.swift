import Foundation

/// What a picture that is seen once is to one viewer, and everything that can happen to it: the rules of "seen once,
/// then gone".
///
/// Pure: the same state and event always give the same result, and nothing else decides.
package enum OnceState: String, Sendable, CaseIterable {
    /// May be opened, once.
    case unopened
    /// Opened; its page may fetch the picture, again if the connection breaks.
    case open
    /// The page has drawn the picture and fetches it no more; it is being looked at.
    case shown
    /// Seen. It can never be opened again.
    case closed
    /// Its time was up.
    case expired
    /// Its picture is gone from disk, or the poster took it back.
    case erased

    /// What can happen to a snap.
    package enum Event: String, Sendable, CaseIterable {
        /// The viewer taps it.
        case open
        /// The page asks for the bytes.
        case fetch
        /// The page says that it has drawn the picture.
        case show
        /// The viewer taps the picture, or leaves, reloads or hides the page.
        case close
        /// The time to fetch (30 seconds), or to look (10 minutes), has passed.
        case deadline
        /// The snap's own time (24 hours) has passed.
        case expire
        /// The last viewer is done, or the poster deletes it.
        case erase
    }

    /// The state after an event; nil when the event is refused and nothing changes.
    package func after(_ event: Event) -> OnceState? {
        switch (self, event) {
        case (.unopened, .open): .open
        case (.open, .fetch): .open
        case (.open, .show), (.shown, .show): .shown
        case (.open, .close), (.shown, .close), (.closed, .close): .closed
        case (.open, .deadline), (.shown, .deadline): .closed
        // A deadline that comes late finds nothing to do.
        case (.closed, .deadline), (.expired, .deadline), (.erased, .deadline): self
        case (.unopened, .expire), (.open, .expire), (.shown, .expire), (.closed, .expire),
            (.expired, .expire):
            .expired
        case (_, .erase), (.erased, .expire): .erased
        default: nil
        }
    }

    /// Whether the viewer has used the snap up, or is about to.
    package var isRead: Bool { self != .unopened }

    /// How long an opened picture may be fetched, in seconds.
    package static let fetchSeconds: TimeInterval = 30
    /// How long a picture that was drawn may be looked at, in seconds from its opening.
    package static let lookSeconds: TimeInterval = 600
}
