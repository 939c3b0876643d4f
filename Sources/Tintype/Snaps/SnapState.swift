import Foundation

/// What a snap is to one viewer, and everything that can happen to it: the rules of "seen once, then gone".
///
/// Pure: the same state and event always give the same result, and nothing else decides.
enum SnapState: String, Sendable, CaseIterable {
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
    enum Event: String, Sendable, CaseIterable {
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
    func after(_ event: Event) -> SnapState? {
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
    var isRead: Bool { self != .unopened }

    /// How long an opened picture may be fetched, in seconds.
    static let fetchSeconds: TimeInterval = 30
    /// How long a picture that was drawn may be looked at, in seconds from its opening.
    static let lookSeconds: TimeInterval = 600
}

/// A viewer's one look at a snap.
struct SnapView: Sendable, Equatable {
    /// A secret of the page that opened it: 128 random bits in base64url.
    var id: String
    var snap: Snap.ID
    var viewer: Account.ID
    /// The log-in that opened it; the bytes go to no other.
    var session: Session.ID
    var openedAt: Date
    var shownAt: Date?
    var closedAt: Date?

    /// When it closes by itself.
    var deadline: Date {
        openedAt.addingTimeInterval(shownAt == nil ? SnapState.fetchSeconds : SnapState.lookSeconds)
    }
}

extension Snap {
    /// What the snap is at a moment to someone who may see it: the events of the past, applied in order.
    ///
    /// - Parameter view: their look at it, nil when they have not opened it.
    func state(_ view: SnapView?, at now: Date) -> SnapState {
        var events: [SnapState.Event] = []
        if let view {
            events.append(.open)
            if view.shownAt != nil { events.append(.show) }
            if view.closedAt != nil { events.append(.close) }
            if now >= view.deadline { events.append(.deadline) }
        }
        if pictureErasedAt != nil { events.append(.erase) }
        if now >= expiresAt { events.append(.expire) }
        return events.reduce(.unopened) { state, event in state.after(event) ?? state }
    }
}
