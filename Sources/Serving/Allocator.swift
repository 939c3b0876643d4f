import CLinux
import ServiceLifecycle

/// Returns memory that the server no longer uses to the system.
///
/// glibc gives each thread a heap of its own, up to eight for each processor, and keeps what was freed in the middle of
/// a heap: after an hour of work, a server held three times the memory that it used. With one heap for each processor,
/// separate memory for large buffers, and a trim each minute, it holds little more than it uses.
package struct Allocator: Service {
    private static var trimPause: Duration { .seconds(60) }

    /// Configures the allocator. Called before any thread is started.
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
