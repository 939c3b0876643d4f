import Foundation
import ServiceLifecycle

/// What systemd gives a service that it starts, and how the service answers: the socket on which systemd listens for it
/// (sd_listen_fds(3)), and notices in a datagram each (sd_notify(3)). A program that something else starts has neither.
public struct Systemd: Sendable {
    /// The socket on which systemd listens; nil for none.
    package let listener: CInt?
    /// How long systemd lets the service say nothing before it starts the service again; nil for any time.
    package let watchdog: Duration?
    /// The path of the socket for notices; nil if nobody reads them.
    private let notices: String?

    /// What a service says about itself.
    package enum Notice: String, Sendable {
        /// It answers requests.
        case ready = "READY=1"
        /// It works.
        case alive = "WATCHDOG=1"
        /// It has begun to end.
        case stopping = "STOPPING=1"
    }

    /// The error of a service for which systemd listens on several sockets.
    public struct SeveralSockets: Error, CustomStringConvertible {
        /// What the operator does about it.
        public var description: String {
            "Tintype serves one address. Leave one ListenStream in tintype.socket."
        }
    }

    /// The number of the first descriptor that systemd passes on (`SD_LISTEN_FDS_START`).
    private static let firstDescriptor: CInt = 3

    /// What a program has that something else than systemd has started.
    public static let none = Systemd(listener: nil, watchdog: nil, notices: nil)

    /// - Parameter notices: the path of the socket for notices.
    package init(listener: CInt?, watchdog: Duration?, notices: String?) {
        self.listener = listener
        self.watchdog = watchdog
        self.notices = notices
    }

    /// Reads what systemd says in the variables of a process.
    ///
    /// - Parameters:
    ///   - environment: the variables.
    ///   - process: the process to which the variables are addressed.
    /// - Throws: ``SeveralSockets``.
    public init(_ environment: [String: String], process: pid_t = getpid()) throws {
        func number(_ name: String, for addressee: String) -> Int? {
            // A process that a service starts has the variables, too.
            guard environment[addressee].map({ $0 == "\(process)" }) ?? true else { return nil }
            return environment[name].flatMap { Int($0) }
        }
        let sockets = environment["LISTEN_PID"] == nil ? nil : number("LISTEN_FDS", for: "LISTEN_PID")
        if let sockets, sockets > 1 { throw SeveralSockets() }
        let microseconds = number("WATCHDOG_USEC", for: "WATCHDOG_PID")
        self.init(
            listener: sockets == 1 ? Self.firstDescriptor : nil,
            watchdog: microseconds.map { .microseconds($0) },
            notices: environment["NOTIFY_SOCKET"])
    }

    /// Sends a notice. Does nothing if nobody reads them.
    ///
    /// - Returns: 0, or the reason why the notice couldn't be sent, as in errno(3).
    @discardableResult
    package func send(_ notice: Notice) -> CInt {
        guard let notices else { return 0 }
        let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // A name that begins with @ is in no folder: the kernel wants a zero in its place (unix(7), "abstract").
        let path = Array((notices.hasPrefix("@") ? "\0" + notices.dropFirst() : notices).utf8)
        guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { return ENAMETOOLONG }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        let text = Array(notice.rawValue.utf8)
        let sent = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, text, text.count, 0, $0, length)
            }
        }
        return sent == text.count ? 0 : errno
    }
}

/// The service that tells systemd that the server works, as long as it does, and when it begins to end.
package struct SystemdWatch: Service {
    let systemd: Systemd
    let works: @Sendable () async -> Void

    /// - Parameter works: returns if the server works, and doesn't return if it hangs. What it can't reach is no reason to
    ///   start it again.
    package init(_ systemd: Systemd, works: @escaping @Sendable () async -> Void) {
        self.systemd = systemd
        self.works = works
    }

    package func run() async throws {
        await withGracefulShutdownHandler {
            await cancelWhenGracefulShutdown { [self] in
                // A third of the time, so that one check may be slow.
                guard let pause = systemd.watchdog.map({ $0 / 3 }) else { return }
                while !Task.isCancelled {
                    await works()
                    systemd.send(.alive)
                    do { try await Task.sleep(for: pause) } catch { return }
                }
            }
            // A service that returns early would end the server.
            try? await gracefulShutdown()
        } onGracefulShutdown: { [systemd] in
            systemd.send(.stopping)
        }
        // Requests that are under way may take longer than the watchdog waits.
        systemd.send(.alive)
    }
}
