import CLinux
import ServiceLifecycle

/// Keeps what the server no longer uses from staying with the process.
///
/// glibc gives each thread a heap of its own, up to eight for each processor, and keeps what was freed in the middle of
/// one: after an hour of work a server held three times what it used. With one heap for each processor, large buffers
/// apart from them, and a trim each minute, it holds little more than that.
package struct Allocator: Service {
    private static var trimPause: Duration { .seconds(60) }

    /// Sets the allocator up, before threads are started.
    package init() {
        tintype_return_buffers()
    }

    /// Gives free memory back to the system once a minute, until the server stops.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do { try await Task.sleep(for: Self.trimPause) } catch { return }
                tintype_trim_buffers()
            }
        }
    }
}
