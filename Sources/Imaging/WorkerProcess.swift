import CLinux
import Foundation

/// A warm process of the program that decodes pictures, from its start to its end. It sees no picture: it forks a process
/// for each job.
///
/// The process dies with the thread that starts it, so it can't outlive the server, and its jobs die with it.
final class WorkerProcess {
    /// The socket over which the server asks for processes.
    let socket: FrameSocket
    /// The process id.
    let id: pid_t
    private let start = ContinuousClock.now
    private var jobCount = 0
    private var isGone = false
    private var isReady = false

    /// The address space for everything but pictures: the program, libraries, and the stacks of the decoders'
    /// threads.
    private static let ownAddressSpace = 1_000_000_000
    /// How long the process may take to start, or to fork. On a busy machine, that is mostly waiting.
    private static let patience = Duration.seconds(60)
    /// The jobs after which the process is replaced, since all that it forks have the same addresses. A job that tried
    /// to guess them would crash, which replaces the process at once.
    private static let mostJobs = 100
    /// The age at which the process is replaced after its next job.
    private static let mostAge = Duration.seconds(3600)

    /// The reasons why a process can't fork.
    enum Failure: Error {
        /// The process says so, and ends.
        case unable(String)
        /// The process has ended, is late, or breaks the protocol.
        case lost
    }

    /// Starts the program, and doesn't wait until it is ready.
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

    /// Whether the process has ended, or said something that nobody asked for.
    var isLost: Bool { isReady && !socket.isQuiet }

    /// Whether the process should be replaced, for its successor to have other addresses.
    var isWorn: Bool { jobCount >= Self.mostJobs || start.duration(to: .now) >= Self.mostAge }

    /// Waits until the process is in the cage.
    ///
    /// - Returns: whether the process bounds the threads of its jobs.
    /// - Throws: ``Failure``.
    func waitUntilReady() throws(Failure) -> Bool {
        guard !isReady else { return true }
        switch try receive(descriptors: 0).frame {
        case .ready(let countsThreads):
            isReady = true
            return countsThreads
        case .unable(let why): throw .unable(why)
        default: throw .lost
        }
    }

    /// Forks a process for a job. Call it again only after that process has ended.
    ///
    /// - Throws: ``Failure``.
    func fork() throws(Failure) -> JobProcess {
        jobCount += 1
        guard let (connection, other) = try? FrameSocket.pair(),
            (try? socket.send(.fork, [other])) != nil,
            case (.forked, let handles) = try receive(descriptors: 1), let handle = handles.first
        else { throw .lost }
        return JobProcess(socket: connection, handle: ProcessHandle(handle), parent: self)
    }

    /// Waits for the end of the process that was forked, which was killed.
    ///
    /// - Returns: nil if this process has failed, too, and must be ended.
    fileprivate func reap() -> JobEnd? {
        guard case .ended(let end) = try? receive(descriptors: 0).frame else { return nil }
        return end
    }

    private func receive(
        descriptors: Int
    ) throws(Failure) -> (frame: WorkerFrame, descriptors: [Descriptor]) {
        do {
            return try socket.receive(until: .now + Self.patience, descriptors: descriptors)
        } catch {
            throw .lost
        }
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
        return Self.description(ofStatus: Int(status))
    }

    /// Describes a status of waitpid(2) for the log: the lower seven bits are the signal, or 0 after an exit, whose status
    /// is in the bits above.
    fileprivate static func description(ofStatus status: Int) -> String {
        let signal = Int32(status & 0x7F)
        guard signal != 0 else { return "exit status \(status >> 8 & 0xFF)" }
        return "signal \(signal), \(String(cString: strsignal(signal)))"
    }
}

/// The process of one job, from its fork to its end.
final class JobProcess {
    /// The socket over which the server talks to the process.
    let socket: FrameSocket
    /// What kills the process, on any thread.
    let handle: ProcessHandle
    private let parent: WorkerProcess
    private var ending: String?
    /// The processor time of the job in seconds; nil before its end, and if its parent was lost.
    private(set) var processorSeconds: Double?

    fileprivate init(socket: FrameSocket, handle: ProcessHandle, parent: WorkerProcess) {
        self.socket = socket
        self.handle = handle
        self.parent = parent
    }

    /// Kills the process if it still runs, and waits for its end. Calling it again does nothing.
    ///
    /// - Returns: how the process ended, for the log.
    @discardableResult
    func end() -> String {
        if let ending { return ending }
        handle.kill()
        let text: String
        if let end = parent.reap() {
            processorSeconds = Double(end.processorMicroseconds) / 1_000_000
            text = WorkerProcess.description(ofStatus: end.status)
        } else {
            // The job dies with its parent.
            text = "with the process that forked it: \(parent.end())"
        }
        ending = text
        return text
    }
}

/// A process that can be killed on any thread, and is never mistaken for a later one of the same number.
final class ProcessHandle: Sendable {
    private let descriptor: Descriptor

    /// - Parameter descriptor: a pidfd.
    init(_ descriptor: Descriptor) {
        self.descriptor = descriptor
    }

    /// Kills the process if it still runs. Doesn't wait.
    func kill() {
        _ = tintype_kill(descriptor.number)
    }
}
