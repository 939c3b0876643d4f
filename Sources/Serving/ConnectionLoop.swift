import HummingbirdCore
import Logging
import NIOCore

/// Serves each connection on the thread of its own event loop.
///
/// By default, tasks run on Swift's pool, so that each part of a request and of an answer is handed from one thread to
/// another and back. On one thread, an answer is written where its request was read. Work that blocks (the database,
/// files, pictures, passwords) has threads of its own.
package struct OnConnectionLoop<Base: ServerChildChannel>: ServerChildChannel {
    package let base: Base

    package init(base: Base) {
        self.base = base
    }

    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        base.setup(channel: channel, logger: logger)
    }

    package func handle(value: Base.Value, logger: Logger) async {
        // Child tasks, including those of HTTP/2's streams, run where their parent does (SE-0417).
        await withTaskExecutorPreference(LoopExecutor(loop: value.channel.eventLoop)) {
            await base.handle(value: value, logger: logger)
        }
    }
}

/// Runs tasks on the thread of an event loop.
private final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
