import NIOCore
import Synchronization

/// Notices when the client closes its connection, or its half of it.
package final class ClientDeparture: ChannelInboundHandler, Sendable {
    package typealias InboundIn = NIOAny

    private struct State {
        var hasGone = false
        var last = 0
        var actions: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Whether the client has closed its side.
    package var hasGone: Bool { state.withLock { $0.hasGone } }

    /// Calls a function when the client leaves, or at once if it has left.
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

    /// Forgets a function that ``whenGone(_:)`` was given.
    package func forget(_ number: Int) {
        state.withLock { $0.actions[number] = nil }
    }

    /// Notes that the client has left, and calls the functions.
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
