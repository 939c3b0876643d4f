import CLinux
import Foundation

/// One end of a socket pair that carries frames.
package final class FrameSocket: Sendable {
    /// The reasons why no frame was received.
    package enum Failure: Error, Equatable {
        /// The other end is closed, or doesn't accept frames.
        case closed
        /// No frame arrived in time.
        case late
        /// The received bytes are not a frame.
        case malformed
    }

    private let descriptor: Descriptor

    /// Takes ownership of one end of a pair.
    package init(_ descriptor: Descriptor) {
        self.descriptor = descriptor
    }

    /// Returns both ends of a new pair. Packets keep their boundaries, and descriptors stay with their
    /// packet.
    ///
    /// - Throws: ``ImageError/inputOutput(errno:)``.
    static func pair() throws(ImageError) -> (FrameSocket, Descriptor) {
        var numbers: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &numbers) == 0 else { throw .inputOutput(errno: errno) }
        return (FrameSocket(Descriptor(numbers[0])), Descriptor(numbers[1]))
    }

    /// Sends a frame, and descriptors of which the other process gets copies. Never waits.
    ///
    /// - Throws: ``Failure/closed``.
    package func send(_ frame: WorkerFrame, _ descriptors: [Descriptor] = []) throws(Failure) {
        try send(frame.bytes, descriptors)
    }

    /// Sends any bytes. Code that follows the protocol sends frames instead.
    ///
    /// - Throws: ``Failure/closed``.
    package func send(_ bytes: [UInt8], _ descriptors: [Descriptor] = []) throws(Failure) {
        let failure = withExtendedLifetime(descriptors) {
            tintype_send(descriptor.number, bytes, bytes.count, descriptors.map(\.number), descriptors.count)
        }
        guard failure == 0 else { throw .closed }
    }

    /// The number of the socket in this process.
    package var number: Int32 { descriptor.number }

    /// Whether nothing was received and the other end is open.
    var isQuiet: Bool {
        var state = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
        return poll(&state, 1, 0) == 0
    }

    /// Waits for a frame. The kernel closes descriptors that are sent with it.
    ///
    /// - Throws: ``Failure``.
    func receive(until end: ContinuousClock.Instant) throws(Failure) -> WorkerFrame {
        try receive(until: end, descriptors: 0).frame
    }

    /// Waits for a frame, and accepts the descriptors that are received with it.
    ///
    /// - Parameters:
    ///   - end: when to give up.
    ///   - room: the most descriptors to accept.
    /// - Throws: ``Failure``.
    func receive(
        until end: ContinuousClock.Instant, descriptors room: Int
    ) throws(Failure) -> (frame: WorkerFrame, descriptors: [Descriptor]) {
        var state = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
        while true {
            let left = max(.zero, ContinuousClock.now.duration(to: end)) / .milliseconds(1)
            let ready = poll(&state, 1, Int32(min(left.rounded(.up), 3_600_000)))
            if ready > 0 { break }
            if ready == 0 && ContinuousClock.now >= end { throw .late }
            if ready < 0 && errno != EINTR { throw .closed }
        }
        return try receive(descriptors: room)
    }

    /// Waits for a frame without a time limit, and accepts the descriptors that are received with it.
    ///
    /// - Parameter descriptors: the most descriptors to accept.
    /// - Throws: ``Failure``.
    package func receive(
        descriptors room: Int
    ) throws(Failure) -> (frame: WorkerFrame, descriptors: [Descriptor]) {
        var numbers = [Int32](repeating: -1, count: room)
        var count = room
        var length = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: WorkerFrame.maximumBytes) { buffer, filled in
            length = tintype_receive(descriptor.number, buffer.baseAddress, buffer.count, &numbers, &count)
            filled = min(max(length, 0), buffer.count)
        }
        let descriptors = numbers.prefix(count).map { Descriptor($0) }
        guard length > 0 else { throw .closed }
        do {
            guard length <= WorkerFrame.maximumBytes else { throw FrameError.malformed }
            return (try WorkerFrame(bytes), descriptors)
        } catch {
            throw .malformed
        }
    }
}
