import Foundation
import Imaging
import Synchronization
import Testing

/// How much is going on at once, and how much at most.
private final class Gauge: Sendable {
    private let level = Mutex((now: 0, most: 0))

    var most: Int { level.withLock { $0.most } }

    func add(_ change: Int) {
        level.withLock {
            $0.now += change
            $0.most = max($0.most, $0.now)
        }
    }
}

@Suite("The pool")
struct WorkerPoolTests {
    /// A job that runs until it is let go.
    private final class Gate: Sendable {
        let started = DispatchSemaphore(value: 0)
        let opened = DispatchSemaphore(value: 0)

        func pass() {
            started.signal()
            opened.wait()
        }

        func waitUntilStarted() async {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    self.started.wait()
                    continuation.resume()
                }
            }
        }
    }

    private func until(_ condition: () -> Bool) async {
        while !condition() { await Task.yield() }
    }

    @Test("says busy when as many wait as may, and takes more afterwards")
    func busy() async throws {
        let pool = WorkerPool(threads: 1, waiting: 1) {}
        let gate = Gate()
        async let first: Void = pool.run { _, _ in gate.pass() }
        await gate.waitUntilStarted()
        async let second = pool.run { _, _ in 2 }
        await until { pool.waitingCount == 1 }
        await #expect(throws: QueueRefusal.full) { try await pool.run { _, _ in 3 } }
        #expect(pool.runningCount == 1)
        gate.opened.signal()
        try await first
        #expect(try await second == 2)
        #expect(try await pool.run { _, _ in 4 } == 4)
        #expect(pool.waitingCount == 0 && pool.runningCount == 0)
    }

    @Test("runs no more jobs at once than it has threads, and all in the end")
    func bounded() async throws {
        let pool = WorkerPool(threads: 3, waiting: 100) {}
        let gate = Gate()
        let running = Gauge()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await pool.run { _, _ in
                        running.add(1)
                        gate.pass()
                        running.add(-1)
                    }
                }
            }
            for _ in 0..<3 { await gate.waitUntilStarted() }
            await until { pool.waitingCount == 17 }
            #expect(pool.runningCount == 3)
            for _ in 0..<20 { gate.opened.signal() }
            try await group.waitForAll()
        }
        #expect(running.most == 3)
    }

    @Test("a cancelled job leaves the queue and never runs")
    func cancelled() async throws {
        let pool = WorkerPool(threads: 1, waiting: 10) {}
        let gate = Gate()
        let ran = Gauge()
        async let first: Void = pool.run { _, _ in gate.pass() }
        await gate.waitUntilStarted()
        let waiting = Task { try await pool.run { _, _ in ran.add(1) } }
        await until { pool.waitingCount == 1 }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(pool.waitingCount == 0)
        gate.opened.signal()
        try await first
        #expect(try await pool.run { _, _ in 1 } == 1)
        #expect(ran.most == 0)
    }

    @Test("an error of a job reaches who asked, and the thread goes on")
    func errors() async throws {
        let pool = WorkerPool(threads: 1, waiting: 1) {}
        await #expect(throws: ImageError.broken) {
            _ = try await pool.run { _, _ -> Int in throw ImageError.broken }
        }
        #expect(try await pool.run { _, _ in 1 } == 1)
    }

    /// Says when it goes.
    private final class Signal {
        private let ended: DispatchSemaphore

        init(atEnd ended: DispatchSemaphore) {
            self.ended = ended
        }

        deinit {
            ended.signal()
        }
    }

    @Test("its threads end with it, and what they own")
    func end() async throws {
        let ended = DispatchSemaphore(value: 0)
        do {
            let pool = WorkerPool(threads: 2, waiting: 1) { Signal(atEnd: ended) }
            #expect(try await pool.run { _, _ in 1 } == 1)
        }
        let bothEnded = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                let results = (0..<2).map { _ in ended.wait(timeout: .now() + 20) }
                continuation.resume(returning: results == [.success, .success])
            }
        }
        #expect(bothEnded)
    }
}

@Suite("The budget for decoders")
struct MemoryBudgetTests {
    @Test("is never exceeded, and all get through")
    func bounded() async throws {
        let budget = MemoryBudget(bytes: 100)
        let pool = WorkerPool(threads: 4, waiting: 100) {}
        let held = Gauge()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<40 {
                let bytes = 20 + index % 5 * 20
                group.addTask {
                    try await pool.run { _, _ in
                        try budget.withBytes(bytes) {
                            held.add(bytes)
                            sched_yield()
                            held.add(-bytes)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(held.most <= 100)
    }

    @Test("refuses what it could never hold, and gives back after an error")
    func refused() throws {
        let budget = MemoryBudget(bytes: 100)
        #expect(throws: ImageError.tooCostly) { try budget.withBytes(101) {} }
        #expect(throws: ImageError.broken) {
            try budget.withBytes(100) { () throws -> Int in throw ImageError.broken }
        }
        #expect(try budget.withBytes(100) { 1 } == 1)
    }
}
