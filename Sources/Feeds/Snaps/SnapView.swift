import Core
import Foundation
import People

/// A viewer's only look at a snap.
struct SnapView: Sendable, Equatable {
    /// The hash of the look's secret, which only the page that opened the snap receives (``Session/hash(ofToken:)``).
    var hash: String
    var snap: Snap.ID
    var viewer: Account.ID
    /// The log-in that opened the snap. No other log-in gets the bytes.
    var session: Session.ID
    var openedAt: Date
    var shownAt: Date?
    var closedAt: Date?

    /// When the look ends by itself.
    var deadline: Date {
        openedAt.addingTimeInterval(shownAt == nil ? OnceState.fetchSeconds : OnceState.lookSeconds)
    }
}

/// A look that has begun.
struct SnapLook: Sendable {
    /// The secret that names the look: 128 random bits in base64url, stored only as a hash.
    var secret: String
    /// Who posted the snap.
    var poster: Account
    /// A description of the picture.
    var description: String
    /// When the look ends by itself.
    var deadline: Date
}

extension Snap {
    /// Returns the state of the snap at a moment, for someone who may see it: the events of the past, applied in order.
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
