import CLinux
import Foundation

/// A process of the program that decodes pictures, from its start to its end.
///
/// The process dies with the thread that starts it, so it can't outlive the server.
final class WorkerProcess {
    /// The socket over which the server talks to the process.
    let socket: FrameSocket
    /// The process id.
    let id: pid_t
    private var isGone = false

    /// The address space for everything but pictures: the program, libraries, and the stacks of the decoders'
    /// threads.
    private static let ownAddressSpace = 1_000_000_000
    /// The seconds of processor time after which a process is replaced. In the cage it can't use more than
    /// 600.
    private static let mostSeconds = 300.0

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - program: the path of the program.
    ///   - decoderMemory: the bytes that a decoder may use.
    /// - Throws: ``ImageError/inputOutput(errno:)``.
    init(program: String, decoderMemory: Int) throws(ImageError) {
        let (socket, other) = try FrameSocket.pair()
        var id: pid_t = 0
        let failure = withExtendedLifetime(other) { tintype_spawn(program, other.number, &id) }
        guard failure == 0 else { throw .inputOutput(errno: failure) }
        self.socket = socket
        self.id = id
        let unlimited = tintype_limit_memory(id, UInt64(decoderMemory + Self.ownAddressSpace))
        guard unlimited == 0 else {
            _ = end()
            throw .inputOutput(errno: unlimited)
        }
    }

    deinit {
        _ = end()
    }

    /// Whether the process has used so much processor time that it should be replaced.
    var isWorn: Bool { processorSeconds.map { $0 >= Self.mostSeconds } ?? true }

    /// The processor time that the process has used, in seconds; nil if it is gone.
    var processorSeconds: Double? {
        var clock = clockid_t()
        var used = timespec()
        guard !isGone, clock_getcpuclockid(id, &clock) == 0, clock_gettime(clock, &used) == 0 else {
            return nil
        }
        return Double(used.tv_sec) + Double(used.tv_nsec) / 1e9
    }

    /// Kills the process if it still runs, and waits for its end.
    ///
    /// - Returns: how the process ended, for the log.
    func end() -> String {
        guard !isGone else { return "ended before" }
        isGone = true
        kill(id, SIGKILL)
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0 {
            guard errno == EINTR else { return "gone" }
        }
        // See wait(2): the lower seven bits are the signal, or 0 after an exit, whose status is in the bits
        // above.
        let signal = status & 0x7F
        guard signal != 0 else { return "exit status \(status >> 8 & 0xFF)" }
        return "signal \(signal), \(String(cString: strsignal(signal)))"
    }
}
