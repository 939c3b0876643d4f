import Foundation
import Storage
import Synchronization
import TestPostgres
import Testing

@testable import Core
@testable import Tintype

@Suite("The work of two servers on one database", .timeLimit(.minutes(15)))
struct NodeWorkTests {
    private static let short = JobKind("test-short", .short)
    private static let outward = JobKind("test-outward", .outward)

    @Test("Servers that look for work at the same time do each job once")
    func once() async throws {
        let (one, two) = try await World.two()
        let done = Mutex<[String: Int]>([:])
        for world in [one, two] {
            let count: JobRunner.Handler = { job in done.withLock { $0[job.payload, default: 0] += 1 } }
            world.tintype.jobs.handle([Self.short: count, Self.outward: count])
        }
        try await one.tintype.database.write { transaction in
            for number in 0..<300 {
                try transaction.schedule(
                    number.isMultiple(of: 2) ? Self.short : Self.outward, payload: "\(number)")
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for world in [one, two] { group.addTask { try await world.work() } }
            try await group.waitForAll()
        }
        // A server may have looked when all that was left was being done by the other.
        try await one.work()
        #expect(done.withLock { $0.count } == 300)
        #expect(done.withLock { $0.values.allSatisfy { $0 == 1 } })
    }

    @Test("A job stays with the server that does it, and another takes it over when that server is killed")
    func takenOver() async throws {
        let (one, two) = try await World.two()
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let (stuck, release) = AsyncStream.makeStream(of: Void.self)
        one.tintype.jobs.handle([
            Self.short: { _ in
                start.yield()
                for await _ in stuck { break }
            }
        ])
        let attempts = Mutex<[Int]>([])
        two.tintype.jobs.handle([Self.short: { job in attempts.withLock { $0.append(job.attempts) } }])
        try await one.tintype.database.write { try $0.schedule(Self.short, payload: "") }
        let first = Task { try await one.tintype.jobs.runDueJobs() }
        for await _ in started { break }
        one.clock.advance(seconds: JobRunner.leaseSeconds - 1)
        try await one.tintype.jobs.extendLeases()
        one.clock.advance(seconds: JobRunner.leaseSeconds - 1)
        try await two.work()
        #expect(attempts.withLock { $0 }.isEmpty)
        // From here on, the first server says nothing any more, as if it were killed.
        one.clock.advance(seconds: 1)
        try await two.work()
        #expect(attempts.withLock { $0 } == [2])
        release.yield()
        _ = try await first.value
    }

    @Test(
        "A server whose number another process has taken ends with an error",
        .enabled(if: TestPostgres.isEngine, "only PostgreSQL gives numbers"))
    func lost() async throws {
        let world = try await World { $0.port = 0 }
        let (ports, port) = AsyncStream<Int>.makeStream()
        let losses = Mutex(0)
        let running = Task {
            try await world.tintype.run {
                port.yield($0)
            } onLoss: {
                losses.withLock { $0 += 1 }
            }
        }
        for await _ in ports { break }
        try await world.tintype.database.write {
            try $0.execute("/* a test */ UPDATE storage_nodes SET holder = 'another'")
        }
        await #expect(throws: DatabaseLost.self) { try await running.value }
        #expect(losses.withLock { $0 } == 1)
    }
}
