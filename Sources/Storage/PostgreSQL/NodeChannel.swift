import Foundation
import Logging
import Synchronization

/// Messages between the processes that use one PostgreSQL database, by LISTEN and NOTIFY
/// (https://www.postgresql.org/docs/15/sql-notify.html), over one connection with a thread of its own.
///
/// Messages are hints: those of one process arrive in their order and once, but what a process was about to send when it
/// was killed is lost. A process that may have missed something receives a gap: after its connection was lost, and when the
/// lease of a killed process has ended (``NodeLease``). Messages are gathered for a few milliseconds, because each commit
/// with a notification takes a lock on the whole PostgreSQL server.
package final class NodeChannel: Sendable {
    /// What arrives from other processes.
    package enum Arrival: Sendable, Equatable {
        case message(String)
        /// Messages before the next one may be lost.
        case gap
    }

    /// Milliseconds for which messages are gathered.
    private static let gathering = 3
    /// The time between two looks at the other processes, which also try an idle connection.
    private static let lookPause = Duration.seconds(5)
    /// The most bytes that wait to be sent. When there are more, all are dropped, and the other processes receive a gap.
    private static let capacity = 4 * 1024 * 1024

    private struct State {
        var waiting: [String] = []
        var byteCount = 0
        /// Whether messages were dropped.
        var hasDropped = false
        var isRunning = false
        var isStopped = false
    }

    private let address: PostgresAddress
    private let node: Int
    private let logger: Logger
    private let receive: @Sendable ([Arrival]) -> Void
    private let state = Mutex(State())
    /// A pair of sockets: bytes that go into one wake the thread.
    private let bell: (out: CInt, into: CInt)
    private let running = DispatchGroup()

    /// - Parameters:
    ///   - node: the number of this process among those that use the database.
    ///   - receive: is called on the channel's thread, and begins with a gap whenever the channel has connected.
    package init(
        _ address: PostgresAddress, node: Int, logger: Logger,
        receive: @escaping @Sendable ([Arrival]) -> Void
    ) {
        self.address = address
        self.node = node
        self.logger = logger
        self.receive = receive
        var ends: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        // Without sockets, what is sent waits until something arrives, or for the next look at an idle connection.
        if socketpair(AF_UNIX, kind, 0, &ends) != 0 {
            logger.error("no sockets", metadata: ["reason": "\(String(cString: strerror(errno)))"])
        }
        bell = (ends[0], ends[1])
    }

    deinit {
        close(bell.out)
        close(bell.into)
    }

    /// Sends a message of one line to all other processes, soon. Does nothing before ``start()`` and after ``stop()``.
    package func send(_ message: String) {
        let isFirst = state.withLock { state in
            guard state.isRunning, !state.isStopped else { return false }
            state.waiting.append(message)
            state.byteCount += message.utf8.count
            if state.byteCount > Self.capacity {
                (state.waiting, state.byteCount, state.hasDropped) = ([], 0, true)
            }
            return state.waiting.count <= 1
        }
        if isFirst { ring() }
    }

    /// Connects and listens, on a thread, until ``stop()``.
    package func start() {
        let isFirst = state.withLock { state in
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard isFirst else { return }
        running.enter()
        Thread.start(named: "database channel") { [self] in
            defer { running.leave() }
            run()
        }
    }

    /// Sends what waits and ends the connection, as far as that is possible at once.
    package func stop() {
        state.withLock { $0.isStopped = true }
        ring()
    }

    /// Blocks the calling thread until the channel has ended. Call ``stop()`` first.
    package func wait() { running.wait() }

    private func ring() {
        // A full socket wakes the thread, too.
        _ = write(bell.into, [1], 1)
    }

    private var isStopped: Bool { state.withLock { $0.isStopped } }

    // MARK: The thread

    private func run() {
        var frames = NodeFrames(node: node)
        var pause = Pause()
        var isFailing = false
        repeat {
            let begun = ContinuousClock.now
            do {
                let connection = try ListeningConnection(address)
                if isFailing { logger.notice("events of other nodes arrive again") }
                isFailing = false
                // What was committed before this moment is seen by who looks from now on.
                receive([.gap])
                try serve(connection, &frames)
                return
            } catch {
                if !isFailing {
                    logger.error(
                        "events of other nodes don’t arrive", metadata: ["reason": "\(error.message)"])
                }
                isFailing = true
            }
            // Pauses grow, also when connections are made and lost again at once.
            if begun.duration(to: .now) > Self.lookPause { pause = Pause() }
            pause.wait()
        } while !isStopped
    }

    private func serve(
        _ connection: ListeningConnection, _ frames: inout NodeFrames
    ) throws(PostgresFailure) {
        var living: Set<String> = []
        var nextLook = ContinuousClock.now
        while true {
            let isStopped = isStopped
            take(into: &frames)
            if isStopped { frames.addEnd() }
            try connection.notify(frames.unsent)
            frames.unsent = []
            if isStopped { return }
            if nextLook <= .now {
                if try hasLost(&living, connection) { receive([.gap]) }
                nextLook = .now + Self.lookPause
            }
            // Last before the wait: answers to statements bring notifications, too.
            let arrivals = connection.notifications().flatMap { frames.arrivals(in: $0) }
            if !arrivals.isEmpty { receive(arrivals) }
            let pause = ContinuousClock.now.duration(to: nextLook)
            try connection.wait(for: bell.out, milliseconds: Int(pause / .milliseconds(1)) + 1)
            var bytes = [UInt8](repeating: 0, count: 64)
            if read(bell.out, &bytes, bytes.count) > 0 {
                Thread.sleep(forTimeInterval: Double(Self.gathering) / 1_000)
            }
        }
    }

    /// Looks at the other processes.
    ///
    /// - Parameter living: the processes that were seen with a lease.
    /// - Returns: whether one of these was killed, and may not have sent its last messages.
    private func hasLost(
        _ living: inout Set<String>, _ connection: ListeningConnection
    ) throws(PostgresFailure) -> Bool {
        let holders = try connection.run(NodeLease.holders)
        let ended = Set(holders.filter { $0[1] == "t" }.map { $0[0] })
        defer { living = Set(holders.map { $0[0] }).subtracting(ended) }
        return !living.isDisjoint(with: ended)
    }

    /// Puts what waits into frames.
    private func take(into frames: inout NodeFrames) {
        let (messages, hasDropped) = state.withLock { state in
            defer { (state.waiting, state.byteCount, state.hasDropped) = ([], 0, false) }
            return (state.waiting, state.hasDropped)
        }
        if hasDropped {
            logger.error("messages to other nodes were dropped: too many waited")
            frames.addGap()
        }
        frames.add(messages)
    }
}
