import CLinux
import CSandbox
import Imaging

/// A process that has loaded all that decoders need, sees no picture, and forks a process for each job.
///
/// The process has a single thread, shares no descriptor with the processes that it forks, and learns only from the
/// kernel that such a process wants a thread, or has ended.
package struct WarmProcess {
    /// The connection to the server.
    private let socket: FrameSocket

    /// Creates the warm process.
    ///
    /// - Parameter socket: the connection to the server, descriptor 3.
    package init(socket: FrameSocket) {
        self.socket = socket
    }

    /// Enters the cage, and forks a process whenever the server asks for one.
    ///
    /// - Returns: in the process of a job, inside all walls, the connection to the server that is the job's own. In
    ///   the warm process nil, when the server has ended, or when it can't fork.
    /// - Throws: an error when the server has ended.
    package func nextJob() throws -> PictureService? {
        do {
            try socket.send(.ready(countsThreads: Cage.prepare()))
        } catch let failure as Cage.Failure {
            try socket.send(.unable(failure.description))
            return nil
        }
        while true {
            switch fork() {
            case nil: return nil
            case .job: return try job()
            case .parent(let id, let handle):
                try socket.send(.forked, [handle])
                guard let end = wait(for: id, handle) else { return nil }
                try socket.send(.ended(end))
            }
        }
    }

    private enum Side {
        case job
        case parent(of: pid_t, handle: Descriptor)
    }

    /// Forks a process when the server asks for one. The end of the pair that came with the request is closed in both
    /// processes at the return; the job's descriptor 3 is a copy of it, in place of the connection of the warm process.
    private func fork() -> Side? {
        guard let (frame, descriptors) = try? socket.receive(descriptors: 1),
            frame == .fork, let connection = descriptors.first
        else { return nil }
        var handle: Int32 = -1
        switch tintype_warm_fork(connection.number, &handle) {
        case 0: return .job
        case let id where id > 0: return .parent(of: id, handle: Descriptor(handle))
        default: return nil
        }
    }

    /// Puts up the walls of a job.
    private func job() throws -> PictureService? {
        do {
            try Cage.enter()
        } catch {
            try socket.send(.unable(error.description))
            return nil
        }
        return PictureService(socket: socket)
    }

    /// Waits for the end of a job's process. Returns nil when the server has ended.
    private func wait(for id: pid_t, _ handle: Descriptor) -> JobEnd? {
        var (status, microseconds): (Int32, Int64) = (0, 0)
        let failure = withExtendedLifetime(handle) {
            tintype_warm_wait(socket.number, id, handle.number, &status, &microseconds)
        }
        guard failure == 0 else { return nil }
        return JobEnd(status: Int(status), processorMicroseconds: Int(clamping: microseconds))
    }
}
