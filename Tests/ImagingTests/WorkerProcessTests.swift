import Foundation
import Imaging
import Logging
import Synchronization
import Testing

@Suite("Worker processes")
struct WorkerProcessTests {
    @Test("A program that isn’t there costs no picture, and is reported in the log")
    func missing() async throws {
        let folder = try Folder()
        let log = RecordingLog()
        let processor = ImageProcessor(
            concurrency: 1, waiting: 1, program: "/nonexistent/tintype-pictures",
            logger: Logger(label: "test") { _ in log })
        processor.logShortcomings()
        await #expect(throws: ImageError.decoderMissing) {
            try await processor.process(
                fileAt: Fixture.path("quadrants.jpg"), renditions: small, into: folder.path)
        }
        let messages = log.messages.withLock { $0 }
        #expect(messages.count { $0.contains("/nonexistent/tintype-pictures") } == 2, "\(messages)")
        #expect(processor.lossCount == 0)
        #expect(try folder.files.isEmpty)
    }

    @Test("A program that isn’t the right one costs no picture")
    func wrong() async throws {
        let folder = try Folder()
        let processor = ImageProcessor(concurrency: 1, waiting: 1, program: "/bin/true")
        await #expect(throws: ImageError.decoderMissing) {
            try await processor.process(
                fileAt: Fixture.path("quadrants.jpg"), renditions: small, into: folder.path)
        }
    }

    @Test("One that is killed between two pictures costs neither")
    func killedIdle() async throws {
        let captured = try Captured()
        for losses in 1...3 {
            let worker = try await captured.worker()
            kill(worker.id, SIGKILL)
            while worker.status("State")?.hasPrefix("Z") == false { await Task.yield() }
            try await captured.expectPicturesWork()
            #expect(captured.processor.lossCount == losses)
            // None is left behind as a zombie.
            #expect(worker.status("State") == nil)
        }
    }

    @Test("One that is killed amid a picture takes the process of this picture along")
    func killedAmid() async throws {
        let captured = try Captured()
        let worker = try await captured.worker()
        async let answer = captured.sendPicture(thatMakesIt: "stay")
        let job = try await worker.job()
        kill(worker.id, SIGKILL)
        #expect(try await answer == .decoderFailed)
        #expect(captured.processor.lossCount == 1)
        while job.status("State") != nil { await Task.yield() }
        try await captured.expectPicturesWork()
    }

    @Test("One is replaced after a hundred pictures, and after one that crashed")
    func replaced() async throws {
        let captured = try Captured()
        let first = try await captured.worker().id
        for _ in 2..<100 { _ = try await captured.sendPicture(thatMakesIt: "keep") }
        #expect(try await captured.worker().id == first)
        let second = try await captured.worker().id
        #expect(second != first && captured.processor.lossCount == 0)
        #expect(try await captured.sendPicture(thatMakesIt: "crash") == .decoderFailed)
        #expect(try await captured.worker().id != second)
    }
}
