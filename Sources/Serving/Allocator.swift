import CLinux
import ServiceLifecycle

/// Keeps what the server no longer uses from staying with the process.
///
/// glibc gives each thread a heap of its own, up to eight for each processor, and keeps what was freed in the middle of
/// one: after an hour of work a server held three times what it used. With one heap for each processor, large buffers
/// apart from them, and a trim each minute, it holds little more than that.
///
/// Of the program and its libraries a start touches four times as much as an idle server does: Swift looks through the
/// conformances of all types, and the system maps the pages around each one that is touched. These pages are unmapped
/// when the start is over; those that are used again come back from the system's cache of files.
package struct Allocator: Service {
    private static var startTime: Duration { .seconds(1) }
    private static var trimPause: Duration { .seconds(60) }

    /// Sets the allocator up, before threads are started.
    package init() {
        tintype_return_buffers()
    }

    /// Gives memory back to the system: pages of the program after the start, and what is free once a minute until the
    /// server stops.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            do { try await Task.sleep(for: Self.startTime) } catch { return }
            tintype_unmap_code()
            while !Task.isCancelled {
                do { try await Task.sleep(for: Self.trimPause) } catch { return }
                tintype_trim_buffers()
            }
        }
    }
}
