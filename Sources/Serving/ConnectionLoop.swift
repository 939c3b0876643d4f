import HummingbirdCore
import Logging
import NIOCore

/// Serves each connection on the thread of its own event loop.
///
/// By default its tasks run on Swift's pool: each part of a request, and each part of an answer, is then handed from
/// one thread to another and back. Kept on one thread, an answer is written where its request was read. Whatever
/// blocks, the database, files, pictures, passwords, has threads of its own.
package struct OnConnectionLoop<Base: ServerChildChannel>: ServerChildChannel {
    package let base: Base

    package init(base: Base) {
        self.base = base
    }

    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        base.setup(channel: channel, logger: logger)
    }

    package func handle(value: Base.Value, logger: Logger) async {
        // Child tasks, those of HTTP/2's streams among them, run where their parent does (SE-0417).
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
