import Foundation
import Storage
import Synchronization
import Testing

@Suite("Job queue")
struct JobQueueTests {
    @Test("Jobs come out in the order in which they went in, also after thousands")
    func order() throws {
        let queue = JobQueue<Int>(capacity: 5001)
        var expected = 0
        for number in 0..<10_000 {
            try queue.add(number)
            if number % 2 == 1 {
                #expect(queue.next() == expected)
                expected += 1
            }
        }
        try queue.add(10_000)
        #expect(queue.count == 5001)
        #expect(throws: JobQueueRefusal.full) { try queue.add(0) }
        while let job = queue.nextIfWaiting() {
            #expect(job == expected)
            expected += 1
        }
        #expect(expected == 10_001)
    }

    @Test("Some may fill less of the queue than others")
    func limits() throws {
        let queue = JobQueue<Int>(capacity: 3)
        for number in 1...2 { try queue.add(number, upTo: 2) }
        #expect(throws: JobQueueRefusal.full) { try queue.add(3, upTo: 2) }
        try queue.add(4)
        #expect(throws: JobQueueRefusal.full) { try queue.add(5, upTo: 100) }
        #expect(queue.next() == 1)
        #expect(throws: JobQueueRefusal.full) { try queue.add(6, upTo: 2) }
        #expect(queue.count == 2)
    }

    @Test("A closed queue hands out the jobs that wait, and then ends every thread")
    func close() throws {
        let queue = JobQueue<Int>(capacity: 10)
        try queue.add(1)
        queue.close()
        queue.close()
        #expect(throws: JobQueueRefusal.closed) { try queue.add(2) }
        #expect(queue.next() == 1)
        for _ in 0..<3 {
            #expect(queue.next() == nil)
            #expect(queue.nextIfWaiting() == nil)
        }
    }

    @Test("Every job is taken once by one of many threads")
    func threads() async throws {
        let sum = Sum()
        let threads = BlockingThreads<Int>(
            name: "test", capacity: 100, loops: (1...4).map { number in { serve in serve(number) } })
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let thread = try await threads.run { thread in
                        sum.add(number)
                        return thread
                    }
                    #expect(1...4 ~= thread)
                }
            }
            try await group.waitForAll()
        }
        threads.stop()
        threads.wait()
        #expect(sum.value == 4950)
        await #expect(throws: JobQueueRefusal.closed) { try await threads.run { _ in } }
    }

    @Test(
        "No thread starts without work, and jobs that wait for each other all have one",
        .timeLimit(.minutes(1)))
    func startOfThreads() async throws {
        let started = Sum()
        let threads = BlockingThreads<Void>(
            name: "test", capacity: 100,
            loops: (1...3).map { _ in
                { serve in
                    started.add(1)
                    serve(())
                }
            })
        #expect(started.value == 0)
        for _ in 1...100 {
            let arrived = Sum()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 1...3 {
                    group.addTask {
                        try await threads.run { _ in
                            arrived.add(1)
                            while arrived.value < 3 { sched_yield() }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(started.value == 3)
        threads.stop()
        threads.wait()
    }

    private final class Sum: Sendable {
        private let sum = Mutex(0)
        var value: Int { sum.withLock { $0 } }
        func add(_ number: Int) { sum.withLock { $0 += number } }
    }
}
