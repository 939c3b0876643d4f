import NIOCore
import Synchronization

/// Learns when the other side of a connection closes it, or its half of it.
package final class ClientDeparture: ChannelInboundHandler, Sendable {
    package typealias InboundIn = NIOAny

    private struct State {
        var hasGone = false
        var last = 0
        var actions: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Whether the other side has gone.
    package var hasGone: Bool { state.withLock { $0.hasGone } }

    /// Calls a function when the other side goes, or at once if it has gone.
    ///
    /// - Returns: a number with which to ``forget(_:)`` the function.
    package func whenGone(_ action: @escaping @Sendable () -> Void) -> Int {
        let (number, hasGone) = state.withLock { state in
            state.last += 1
            if !state.hasGone { state.actions[state.last] = action }
            return (state.last, state.hasGone)
        }
        if hasGone { action() }
        return number
    }

    /// Forgets a function.
    package func forget(_ number: Int) {
        state.withLock { $0.actions[number] = nil }
    }

    /// Notes that the other side has gone, and calls the functions.
    package func leave() {
        let actions = state.withLock { state in
            state.hasGone = true
            defer { state.actions = [:] }
            return state.actions.values
        }
        for action in actions { action() }
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { leave() }
        context.fireUserInboundEventTriggered(event)
    }

    package func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }
}
