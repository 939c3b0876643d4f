import Foundation
import Storage
import TestPostgres
import Testing

@Suite("Commits on PostgreSQL", .enabled(if: TestPostgres.server != nil))
struct PostgresCommitTests {
    let fresh: PostgresTests.Fresh
    let proxy: PostgresProxy

    init() throws {
        fresh = try PostgresTests.Fresh()
        proxy = try PostgresProxy(before: fresh.server.folder)
    }

    @Test("When asking what became of a commit fails, it is asked again, and the transaction isn't run again")
    func askingFails() async throws {
        // The lock of a session stays when its transaction fails, so the second question is answered.
        try answerForCommits(
            after:
                """
                IF NOT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = 42 AND pid = pg_backend_pid()) THEN
                    PERFORM pg_advisory_lock_shared(42);
                    RAISE EXCEPTION 'out of memory' USING ERRCODE = '53200';
                END IF;
                """)
        let database = try await fresh.withNotes(address)
        let runs = PostgresTests.Counts()
        proxy.mode = .cutAfterCommit
        try await database.write { transaction in
            runs.count(0)
            try transaction.execute("INSERT INTO note VALUES ($1, '', 0)", transaction.newID())
        }
        #expect(runs[0] == 1)
        #expect(try await database.read { try $0.value("SELECT count(*) FROM note", as: Int.self) } == 1)
    }

    @Test("While a commit isn't settled, no more are made than can wait, and what follows them all happens")
    func unsettled() async throws {
        try answerForCommits(after: "PERFORM pg_advisory_lock_shared(43);")
        let script = try PostgresScript(fresh.address)
        try script.run("SELECT pg_advisory_lock(43)")
        let database = try fresh.open(address, waiting: 64)
        try await database.write { try $0.execute("CREATE TABLE note (id BIGINT PRIMARY KEY)") }
        let followed = PostgresTests.Counts()
        // The writes that have run or were refused.
        let seen = PostgresTests.Counts()
        proxy.mode = .cutAfterCommit
        let acknowledged = try await withThrowingTaskGroup(of: Int64?.self) { group in
            func write(_ number: Int64) {
                group.addTask {
                    do {
                        try await database.write { transaction in
                            seen.count(number)
                            try transaction.execute("INSERT INTO note VALUES ($1)", number)
                            transaction.afterCommit { _ in followed.count(number) }
                        }
                        return number
                    } catch DatabaseError.busy {
                        seen.count(number)
                        return nil
                    }
                }
            }
            write(0)
            try await until {
                try script.run(
                    "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = 43 AND NOT granted")
                    != nil
            }
            for number in 1...100 as ClosedRange<Int64> {
                write(number)
                await until { seen.all > number }
            }
            #expect(followed.all == 0)
            try script.run("SELECT pg_advisory_unlock(43)")
            return try await group.reduce(into: Set<Int64>()) { if let number = $1 { $0.insert(number) } }
        }
        #expect(acknowledged.contains(0) && acknowledged.count > 60 && acknowledged.count < 80)
        #expect(followed.all == acknowledged.count)
        let kept: [Int64] = try await database.read { try $0.values("SELECT id FROM note") }
        #expect(Set(kept) == acknowledged)
    }

    @Test("What follows a commit and reads nothing happens without PostgreSQL, too")
    func followedWithout() async throws {
        let database = try await fresh.withNotes(address, patience: 0.5)
        let followed = PostgresTests.Counts()
        try await database.write { [proxy] transaction in
            try transaction.execute("INSERT INTO note VALUES (1, '', 0)")
            transaction.afterCommit { reading in
                proxy.mode = .closed
                _ = try reading.value("SELECT 1", as: Int.self)
                followed.count(1)
            }
            transaction.afterCommit { _ in followed.count(2) }
        }
        #expect(followed[1] == 0 && followed[2] == 1)
    }

    private var address: PostgresAddress {
        get throws { try proxy.address(of: fresh.name) }
    }

    /// Runs statements before PostgreSQL answers what became of a transaction.
    private func answerForCommits(after statements: String) throws {
        try PostgresScript(fresh.address).run(
            """
            CREATE FUNCTION public.pg_xact_status(xid8) RETURNS TEXT LANGUAGE plpgsql AS $$
            BEGIN
                \(statements)
                RETURN pg_catalog.pg_xact_status($1);
            END
            $$;
            ALTER DATABASE \(fresh.name) SET search_path = public, pg_catalog
            """)
    }
}
