import Foundation
import Storage
import Synchronization
import TestPostgres
import Testing

/// What PostgreSQL takes back when it crashes must not be acknowledged. The tests crash servers of their own.
@Suite("PostgreSQL crashes", .serialized, .enabled(if: TestPostgres.server != nil))
struct PostgresCrashTests {
    @Test("A commit that a crash took back isn't acknowledged, though another transaction has its number now")
    func sameNumber() async throws {
        // Nothing of an open transaction is in the log when the server crashes.
        let server = try OwnPostgres("wal_writer_delay=10s")
        let database = try database(server)
        let isTold = Mutex(false)
        database.changes.observe("note") { isTold.withLock { $0 = true } }
        await #expect(throws: DatabaseError.unsettled) {
            try await database.write { transaction in
                try transaction.execute("INSERT INTO note VALUES (1)")
                let number =
                    try transaction.value(
                        "SELECT CAST(pg_current_xact_id()::text AS BIGINT)", as: Int64.self) ?? 0
                let pid = try #require(try transaction.value("SELECT pg_backend_pid()", as: Int.self))
                kill(pid_t(pid), SIGKILL)
                // Until PostgreSQL has noticed.
                while kill(pid_t(pid), 0) == 0 {}
                let other = try server.script()
                // If its number was in the log after all, the transaction is known to be lost, and runs again.
                while try Int64(other.run("SELECT pg_current_xact_id()") ?? "") ?? number < number {}
            }
        }
        #expect(try await database.read { try $0.values("SELECT id FROM note", as: Int64.self) } == [])
        // Those who observe the table can't know either whether it has changed.
        #expect(isTold.withLock { $0 })
    }

    @Test(
        "A commit that waits for a standby isn't acknowledged when its wait ends before, and is once the standby has it",
        arguments: ["pg_cancel_backend", "pg_terminate_backend"])
    func withoutStandby(ending: String) async throws {
        let server = try OwnPostgres()
        let database = try database(server)
        let script = try server.script()
        // A standby that isn't there.
        try script.run("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
        try script.run("SELECT pg_reload_conf()")
        let runs = PostgresTests.Counts()
        let acknowledged = Acknowledged()
        async let write: Void = {
            try await database.write { transaction in
                runs.count(0)
                try transaction.execute("INSERT INTO note VALUES (7)")
            }
            _ = acknowledged.add(7)
        }()
        let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query = "
        // The commit waits; its wait is ended; what asks for it waits, too.
        while try script.run("\(waiting) 'COMMIT'") == "0" {}
        let first = try script.run(
            "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query = 'COMMIT'")
        try script.run("SELECT \(ending)(\(first ?? ""))")
        let next = "\(waiting) 'COMMIT' AND pid <> \(first ?? "")"
        while try script.run(next) == "0", acknowledged.ids.isEmpty {}
        #expect(try script.run("SELECT count(*) FROM note") == "1")
        #expect(acknowledged.ids == [])
        // PostgreSQL waits for nobody any more.
        try script.run("ALTER SYSTEM RESET synchronous_standby_names")
        try script.run("SELECT pg_reload_conf()")
        try await write
        #expect(acknowledged.ids == [7] && runs[0] == 1)
    }

    @Test(
        "What a server on an earlier timeline says of a commit isn't believed: the transaction isn't run again"
    )
    func earlierTimeline() async throws {
        let (server, replaced) = (try OwnPostgres(), try OwnPostgres())
        try server.promote()
        let script = try server.script()
        // The other one has never had the number of the commit.
        for _ in 0..<100 { try script.run("SELECT pg_current_xact_id()") }
        let asked = try replaced.script()
        let proxy = try PostgresProxy(before: server.folder)
        let database = try Database(
            address: proxy.address(of: "postgres"), as: .command, writers: 1, patience: 20, logger: quiet)
        for one in [script, asked] { try one.run("CREATE TABLE note (id BIGINT PRIMARY KEY)") }
        let runs = PostgresTests.Counts()
        proxy.cutAfterCommit(then: replaced.folder)
        async let write: Void = database.write { transaction in
            runs.count(0)
            try transaction.execute("INSERT INTO note VALUES ($1)", transaction.newID())
        }
        let sessions = """
            SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
            """
        try await until { try asked.run(sessions) != "0" }
        proxy.server = server.folder
        try await write
        #expect(runs[0] == 1)
        #expect(try script.run("SELECT count(*) FROM note") == "1")
        #expect(try asked.run("SELECT count(*) FROM note") == "0")
    }

    @Test(
        "While PostgreSQL crashes again and again, every acknowledged write is there",
        .enabled(if: ProcessInfo.processInfo.environment["TINTYPE_LONG"] != nil, "takes a minute"))
    func crashes() async throws {
        // Commits wait for a while, as those of a slow disk do.
        let server = try OwnPostgres("fsync=on", "commit_delay=50000", "commit_siblings=0")
        let database = try database(server)
        let end = ContinuousClock.now + .seconds(60)
        let acknowledged = Acknowledged()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    while ContinuousClock.now < end {
                        do {
                            let id = try await database.write { transaction in
                                let id = transaction.newID()
                                try transaction.execute("INSERT INTO note VALUES ($1)", id)
                                return id
                            }
                            if acknowledged.add(id) % 20 == 0 { Self.crash(server) }
                        } catch DatabaseError.busy, DatabaseError.unsettled {
                            // Nothing was promised.
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let kept = try await database.read { try Set($0.values("SELECT id FROM note", as: Int64.self)) }
        #expect(acknowledged.ids.count > 200)
        #expect(acknowledged.ids.subtracting(kept) == [])
    }

    private func database(_ server: OwnPostgres) throws -> Database {
        let database = try Database(address: server.address, as: .command, patience: 20, logger: quiet)
        try server.script().run("CREATE TABLE note (id BIGINT PRIMARY KEY)")
        return database
    }

    /// Kills a process of the server, after which PostgreSQL ends all others and begins again.
    private static func crash(_ server: OwnPostgres) {
        let pid = try? server.script().run(
            """
            SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
            ORDER BY random() LIMIT 1
            """)
        if let pid = pid.flatMap({ Int32($0) }) { kill(pid, SIGKILL) }
    }

    /// The ids of acknowledged writes.
    private final class Acknowledged: Sendable {
        private let all = Mutex<Set<Int64>>([])

        var ids: Set<Int64> { all.withLock { $0 } }

        /// Adds an id and returns how many there are.
        func add(_ id: Int64) -> Int {
            all.withLock { ids in
                ids.insert(id)
                return ids.count
            }
        }
    }
}
