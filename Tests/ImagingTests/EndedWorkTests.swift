import Foundation
import Imaging
import Synchronization
import Testing

/// A processor whose workers never finish a "picture" that tells them to loop, or to hold memory.
private struct Endless {
    let processor: ImageProcessor
    let folder: Folder
    private let picture: String

    init(action: String = "loop -", concurrency: Int = 1) throws {
        folder = try Folder()
        picture = try folder.write(Array("misbehave \(action)".utf8))
        let program = URL(filePath: ImageProcessor.programBesideExecutable).deletingLastPathComponent()
        processor = ImageProcessor(
            concurrency: concurrency, waiting: 10, patience: .seconds(600),
            program: program.appending(path: "Misbehaving").path)
    }

    /// Begins work that doesn't end by itself.
    func begin() -> Task<ProcessedImage, any Error> {
        Task {
            try await processor.process(fileAt: picture, renditions: small, into: folder.path)
        }
    }

    func until(_ condition: () -> Bool) async throws {
        while !condition() { try await Task.sleep(for: .milliseconds(2)) }
    }

    /// That a picture like any other is made.
    func expectPicturesWork() async throws {
        let made = try await processor.process(
            fileAt: Fixture.path("quadrants.jpg"), renditions: small, into: folder.path)
        #expect(made.renditions.count == small[0].formats.count)
    }
}

@Suite("Work that nobody waits for any longer", .timeLimit(.minutes(2)))
struct EndedWorkTests {
    @Test("is ended amid a picture, which is no loss, and leaves no file")
    func running() async throws {
        let endless = try Endless()
        let task = endless.begin()
        try await endless.until { endless.processor.runningCount == 1 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(endless.processor.runningCount == 0)
        #expect(endless.processor.lossCount == 0)
        #expect(try endless.folder.files == ["upload.jpg"])
        try await endless.expectPicturesWork()
    }

    @Test("is ended while it waits for memory that others hold, and its worker is free")
    func waitingForMemory() async throws {
        let all = ImageLimits().decoderMemory
        let endless = try Endless(action: "hold \(all)", concurrency: 2)
        let holding = endless.begin()
        try await endless.until { endless.processor.memory.left == 0 }
        let waiting = endless.begin()
        try await endless.until { endless.processor.memory.waiting == 1 }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(endless.processor.runningCount == 1)
        #expect(endless.processor.memory == (left: 0, waiting: 0))
        holding.cancel()
        await #expect(throws: CancellationError.self) { try await holding.value }
        #expect(endless.processor.memory.left == all)
        #expect(endless.processor.lossCount == 0)
        try await endless.expectPicturesWork()
    }

    @Test("is refused if it waits when the server stops, and ended after a while if it runs")
    func stopping() async throws {
        let endless = try Endless()
        let running = endless.begin()
        try await endless.until { endless.processor.runningCount == 1 }
        let waiting = (0..<5).map { _ in endless.begin() }
        try await endless.until { endless.processor.waitingCount == 5 }
        endless.processor.stop(within: .milliseconds(50))
        for task in waiting {
            await #expect(throws: QueueRefusal.stopping) { try await task.value }
        }
        await #expect(throws: QueueRefusal.stopping) { try await running.value }
        await #expect(throws: QueueRefusal.stopping) { try await endless.begin().value }
        #expect(endless.processor.lossCount == 0)
    }

    @Test("A picture that comes while the server stops is taken if a process is free")
    func lateArrival() async throws {
        let endless = try Endless()
        endless.processor.stop(within: .seconds(60))
        try await endless.expectPicturesWork()
    }
}

@Suite("A pool that several people share")
struct SharedPoolTests {
    @Test("does work again that was put back, and answers its caller once", .timeLimit(.minutes(1)))
    func putBack() async throws {
        let limits = OwnerLimits(
            waiting: 8, seconds: 100, secondsPerSecond: 1, lightJob: 2, lightUse: 10)
        let pool = WorkerPool(threads: 2, waiting: 10, limits: limits) {}
        let (started, opened) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let tries = Mutex(0)
        async let heavy: Void = pool.run(PictureTurn(PictureOwner("a")), cost: 5) { _, _ in
            started.signal()
            opened.wait()
        }
        while pool.runningCount < 1 { await Task.yield() }
        async let costly = pool.run(PictureTurn(PictureOwner("b")), cost: 0.1) { _, run in
            tries.withLock { $0 += 1 }
            guard run.mayGoOn(costing: 5) else { throw ImageError.broken }
            return "made"
        }
        while tries.withLock({ $0 }) < 1 || pool.waitingCount < 1 { await Task.yield() }
        // Meanwhile the last worker is free for somebody else.
        #expect(try await pool.run(PictureTurn(PictureOwner("c")), cost: 0.1) { _, _ in 1 } == 1)
        opened.signal()
        try await heavy
        #expect(try await costly == "made")
        #expect(tries.withLock { $0 } == 2)
    }
}
