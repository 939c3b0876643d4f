import Foundation
import Logging
import Storage
import Synchronization
import Testing

@testable import Core
@testable import People

@Suite("Background work", .timeLimit(.minutes(15)))
struct JobRunnerTests {
    private struct Failure: Error {}

    @Test(
        "What fails is tried again with pauses from a second to an hour, is written down, and never given up")
    func failing() async throws {
        let outbox = try Outbox()
        try await outbox.add("a file")
        let fails = Mutex(true)
        let runner = try outbox.runner { _ in if fails.withLock({ $0 }) { throw Failure() } }
        for pause in [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3600, 3600, 3600] as [TimeInterval] {
            #expect(try await runner.runDueJobs() == 1)
            outbox.clock.advance(seconds: pause / 2)
            #expect(try await runner.runDueJobs() == 0, "half of \(pause) seconds later")
            outbox.clock.advance(seconds: pause / 2)
        }
        #expect(outbox.log.lines.count == 15)
        let last = try #require(outbox.log.lines.last)
        for word in ["erase-blob", "15", "Failure"] { #expect(last.contains(word), "\(last)") }
        #expect(try await outbox.database.read { try JobOutbox($0).failingCount() } == 1)
        fails.withLock { $0 = false }
        #expect(try await runner.runDueJobs() == 1)
        #expect(try await outbox.count() == 0)
    }

    @Test("One that fails keeps none back, whether before or behind it")
    func others() async throws {
        let outbox = try Outbox()
        try await outbox.add("one", "broken", "two")
        let done = Mutex<[String]>([])
        let runner = try outbox.runner { job in
            if job.payload == "broken" { throw Failure() }
            done.withLock { $0.append(job.payload) }
        }
        #expect(try await runner.runDueJobs() == 3)
        #expect(done.withLock { $0 } == ["one", "two"])
        #expect(try await outbox.count() == 1)
    }

    @Test("What goes to other servers never waits for the slowest of them, however much there is")
    func outward() async throws {
        let outbox = try Outbox()
        let last = 3 * JobKind.Lane.outward.batch
        try await outbox.add(["slow"] + (1...last).map { "\($0)" }, .revokeConnection)
        let done = Mutex<[String]>([])
        let runner = try outbox.runner { job in
            let end = ContinuousClock.now + .seconds(60)
            while job.payload == "slow", done.withLock({ $0.count }) < last, ContinuousClock.now < end {
                await Task.yield()
            }
            done.withLock { $0.append(job.payload) }
        }
        #expect(try await runner.runDueJobs() == last + 1)
        #expect(done.withLock { $0.last } == "slow")
        #expect(Set(done.withLock { $0 }).count == last + 1)
        #expect(try await outbox.count() == 0)
    }

    @Test("A job for another server begins at once while slow ones run, without a word to the runner")
    func outwardMeanwhile() async throws {
        let outbox = try Outbox()
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let done = Mutex<[String]>([])
        try await outbox.running { job in
            if job.payload == "slow" {
                start.yield()
                let end = ContinuousClock.now + .seconds(60)
                while done.withLock({ $0.isEmpty }), ContinuousClock.now < end { await Task.yield() }
            }
            done.withLock { $0.append(job.payload) }
        } _: {
            try await outbox.add(["slow"], .revokeConnection)
            for await _ in started { break }
            try await outbox.add(["later"], .revokeConnection)
            while try await outbox.count() > 0 { await Task.yield() }
        }
        #expect(done.withLock { $0 } == ["later", "slow"])
    }

    @Test("Scheduling wakes the runner by itself, once the transaction is committed")
    func wakes() async throws {
        let outbox = try Outbox()
        try await outbox.running { _ in
        } _: {
            let start = ContinuousClock.now
            for number in 1...8 {
                try await outbox.add(["\(number)"], number.isMultiple(of: 2) ? .eraseBlob : .revokeConnection)
                while try await outbox.count() > 0 { await Task.yield() }
            }
            // A runner that isn't woken looks every five seconds.
            #expect(ContinuousClock.now - start < .seconds(15))
        }
    }

    @Test("What can't be written about one job is logged, and the others beside it go on")
    func unwritable() async throws {
        let outbox = try Outbox()
        try await outbox.execute(
            """
            CREATE TRIGGER unforgettable BEFORE DELETE ON jobs WHEN OLD.payload = 'broken'
            BEGIN SELECT RAISE(ABORT, 'no'); END
            """)
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let wasCancelled = Mutex(false)
        try await outbox.running { job in
            guard job.payload == "slow" else { return }
            start.yield()
            let end = ContinuousClock.now + .seconds(60)
            while outbox.log.lines.isEmpty, !Task.isCancelled, ContinuousClock.now < end {
                await Task.yield()
            }
            wasCancelled.withLock { $0 = Task.isCancelled }
        } _: {
            try await outbox.add(["slow"], .revokeConnection)
            for await _ in started { break }
            try await outbox.add(["broken"], .revokeConnection)
            while try await outbox.count() > 1 { await Task.yield() }
        }
        #expect(!wasCancelled.withLock { $0 })
        #expect(outbox.log.lines.count == 1 && outbox.log.lines[0].contains("couldn't be deleted"))
    }

    @Test("A lease that fails is logged while other jobs run, and taken when it is possible")
    func unleasable() async throws {
        let outbox = try Outbox()
        try await outbox.execute(
            """
            CREATE TRIGGER unleasable BEFORE UPDATE OF leased_by ON jobs WHEN NEW.payload = 'later'
            BEGIN SELECT RAISE(ABORT, 'no'); END
            """)
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let isLogged = Mutex(false)
        try await outbox.running { job in
            guard job.payload == "slow" else { return }
            start.yield()
            let end = ContinuousClock.now + .seconds(60)
            while outbox.log.lines.isEmpty, ContinuousClock.now < end { await Task.yield() }
            isLogged.withLock { $0 = outbox.log.lines.first?.contains("running jobs failed") == true }
        } _: {
            try await outbox.add(["slow"], .revokeConnection)
            for await _ in started { break }
            try await outbox.add(["later"], .revokeConnection)
            while try await outbox.count() > 1 { await Task.yield() }
            try await outbox.execute("DROP TRIGGER unleasable")
            // Wakes the runner.
            try await outbox.add(["last"], .revokeConnection)
            while try await outbox.count() > 0 { await Task.yield() }
        }
        #expect(isLogged.withLock { $0 })
    }

    @Test("A lease that has ended is taken by another; what the first still says changes nothing for it")
    func expiredLease() async throws {
        let outbox = try Outbox()
        try await outbox.add("a file")
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let (stuck, release) = AsyncStream.makeStream(of: Void.self)
        let slow = try outbox.runner { _ in
            start.yield()
            for await _ in stuck { break }
            throw Failure()
        }
        let first = Task { try await slow.runDueJobs() }
        let attempts = Mutex<[Int]>([])
        let other = try outbox.runner { job in
            attempts.withLock { $0.append(job.attempts) }
            // The first comes back to itself, and fails, while the job is the other's.
            release.yield()
            #expect(try await first.value == 1)
            let third = try outbox.runner { _ in attempts.withLock { $0.append(0) } }
            outbox.clock.advance(seconds: 30)
            #expect(try await third.runDueJobs() == 0)
        }
        for await _ in started { break }
        outbox.clock.advance(seconds: JobRunner.leaseSeconds - 1)
        #expect(try await other.runDueJobs() == 0)
        outbox.clock.advance(seconds: 1)
        #expect(try await other.runDueJobs() == 1)
        #expect(attempts.withLock { $0 } == [2])
        #expect(try await outbox.count() == 0)
    }

    @Test("A job that takes long stays with its runner, which goes on with the others of its batch")
    func extendedLease() async throws {
        let outbox = try Outbox()
        try await outbox.add("slow", "next")
        let done = Mutex<[String]>([])
        let other = try outbox.runner { job in done.withLock { $0.append("other \(job.payload)") } }
        let (extensions, extend) = AsyncStream.makeStream(of: Void.self)
        let (extended, isExtended) = AsyncStream.makeStream(of: Void.self)
        let runner = try outbox.runner { job in
            if job.payload == "slow" {
                for _ in 1...3 {
                    outbox.clock.advance(seconds: JobRunner.leaseSeconds * 0.9)
                    extend.yield()
                    for await _ in extended { break }
                }
                let count = try await other.runDueJobs()
                #expect(count == 0)
                extend.finish()
            }
            done.withLock { $0.append(job.payload) }
        }
        async let keeping: Void = {
            for await _ in extensions {
                try await runner.extendLeases()
                isExtended.yield()
            }
        }()
        #expect(try await runner.runDueJobs() == 2)
        try await keeping
        #expect(done.withLock { $0 } == ["slow", "next"])
        #expect(try await outbox.count() == 0)
    }

    @Test("Of many jobs taken together those whose lease has not long to go are left to others")
    func longBatch() async throws {
        let outbox = try Outbox()
        try await outbox.add("one", "two", "three")
        let done = Mutex<[String]>([])
        let slow = try outbox.runner { job in
            done.withLock { $0.append("slow \(job.payload)") }
            outbox.clock.advance(seconds: JobRunner.leaseSeconds)
            let other = try outbox.runner { job in done.withLock { $0.append("other \(job.payload)") } }
            _ = try await other.runDueJobs()
        }
        _ = try await slow.runDueJobs()
        #expect(done.withLock { $0 } == ["slow one", "other one", "other two", "other three"])
        #expect(try await outbox.count() == 0)
    }

    @Test("Runners of one database never do the same job at the same time, and each job is done once")
    func several() async throws {
        let outbox = try Outbox()
        try await outbox.add((1...300).map { "\($0)" })
        let done = Mutex<[String: Int]>([:])
        let runners = try (1...3).map { _ in
            try outbox.runner { job in done.withLock { $0[job.payload, default: 0] += 1 } }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for runner in runners {
                group.addTask { while try await runner.runDueJobs() > 0 {} }
            }
            try await group.waitForAll()
        }
        #expect(done.withLock { $0.count } == 300)
        #expect(done.withLock { $0.values.allSatisfy { $0 == 1 } })
        #expect(try await outbox.count() == 0)
    }

    /// A process that is killed in the middle of three jobs.
    private func killed(in outbox: Outbox) async {
        await #expect(processExitsWith: .signal(SIGKILL)) { [folder = outbox.folder as String] in
            let runner = try Outbox(folder: folder).runner { job in
                if job.payload == "two" { kill(getpid(), SIGKILL) }
            }
            _ = try await runner.runDueJobs()
        }
    }

    @Test("What a kill interrupts is done at once when the same node starts again, and by no other meanwhile")
    func restart() async throws {
        let outbox = try Outbox()
        try await outbox.add("one", "two", "three")
        await killed(in: outbox)
        try await outbox.add("four")
        #expect(try await done(3, by: outbox, node: 1) == ["four"])
        #expect(try await done(0, by: outbox, node: 0) == ["one", "two", "three"])
        #expect(try await outbox.count() == 0)
    }

    @Test("What has failed and waits for its next try doesn't come sooner by a restart")
    func restartAfterFailure() async throws {
        let outbox = try Outbox()
        try await outbox.add("broken")
        #expect(try await outbox.runner { _ in throw Failure() }.runDueJobs() == 1)
        try await outbox.add("other")
        #expect(try await done(1, by: outbox, node: 0) == ["other"])
    }

    /// What the runner of a node that starts does until so many jobs are left.
    private func done(_ left: Int, by outbox: Outbox, node: Int) async throws -> [String] {
        let done = Mutex<[String]>([])
        let runner = try outbox.runner(node: node) { job in done.withLock { $0.append(job.payload) } }
        let running = Task { try await runner.run() }
        while try await outbox.count() != left { await Task.yield() }
        running.cancel()
        try await running.value
        return done.withLock { $0 }
    }

    @Test("What a crash interrupts is done by the next process once its lease has ended")
    func crash() async throws {
        let outbox = try Outbox()
        try await outbox.add("one", "two", "three")
        await killed(in: outbox)
        let done = Mutex<[String]>([])
        let runner = try outbox.runner { job in done.withLock { $0.append(job.payload) } }
        #expect(try await runner.runDueJobs() == 0)
        outbox.clock.advance(seconds: JobRunner.leaseSeconds)
        #expect(try await runner.runDueJobs() == 3)
        #expect(done.withLock { $0 } == ["one", "two", "three"])
        #expect(try await outbox.count() == 0)
    }

    @Test("An erasure is not forgotten before the database's log is rid of it")
    func afterErasures() async throws {
        let outbox = try Outbox()
        try await outbox.add("a file")
        let fails = Mutex(true)
        let done = Mutex(0)
        let runner = try outbox.runner {
            if fails.withLock({ $0 }) { throw Failure() }
        } _: { _ in
            done.withLock { $0 += 1 }
        }
        await #expect(throws: Failure.self) { try await runner.runDueJobs() }
        #expect(try await outbox.count() == 1)
        fails.withLock { $0 = false }
        outbox.clock.advance(seconds: JobRunner.leaseSeconds)
        #expect(try await runner.runDueJobs() == 1)
        #expect(done.withLock { $0 } == 2)
        #expect(try await outbox.count() == 0)
    }
}
