import Core
import Foundation
import People

/// A viewer's one look at a snap.
struct SnapView: Sendable, Equatable {
    /// The hash of the secret that the page which opened it learns, and nobody else (``Session/hash(ofToken:)``).
    var hash: String
    var snap: Snap.ID
    var viewer: Account.ID
    /// The log-in that opened it; the bytes go to no other.
    var session: Session.ID
    var openedAt: Date
    var shownAt: Date?
    var closedAt: Date?

    /// When it closes by itself.
    var deadline: Date {
        openedAt.addingTimeInterval(shownAt == nil ? OnceState.fetchSeconds : OnceState.lookSeconds)
    }
}

/// A look that has begun.
struct SnapLook: Sendable {
    /// Names the look: 128 random bits in base64url, kept only as a hash.
    var secret: String
    /// What the picture shows, in words.
    var description: String
    /// When it closes by itself.
    var deadline: Date
}

extension Snap {
    /// What the snap is at a moment to someone who may see it: the events of the past, applied in order.
    ///
    /// - Parameter view: their look at it, nil when they have not opened it.
    func state(_ view: SnapView?, at now: Date) -> OnceState {
        var events: [OnceState.Event] = []
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
