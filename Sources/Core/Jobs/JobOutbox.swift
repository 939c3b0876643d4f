import Foundation
import Storage

/// A piece of work that is due.
package struct Job: Sendable {
    typealias ID = Core.ID<Job>

    let id: ID
    let kind: JobKind
    package let payload: String
    /// The number of attempts, including this one.
    package let attempts: Int
}

/// The SQL of jobs: an outbox, written in the transaction whose effects the jobs are.
package struct JobOutbox {
    /// The table. The runner is woken when it changes.
    static let table = "jobs"

    let transaction: Transaction

    package init(_ transaction: Transaction) { self.transaction = transaction }

    /// Schedules work, at once or not before `runAt`. The work is done at least once if the transaction commits, and
    /// never if it doesn't.
    func insert(_ kind: JobKind, payload: String, runAt: Date? = nil) throws {
        try transaction.execute(
            "INSERT INTO jobs (id, kind, payload, run_at) VALUES ($1, $2, $3, $4)",
            transaction.newID(), kind.name, payload, runAt ?? transaction.now)
    }

    /// Cancels work that was scheduled for a moment, unless it has begun. Returns whether it was there.
    @discardableResult
    package func cancel(_ kind: JobKind, payload: String, runAt: Date) throws -> Bool {
        // jobs_by_time
        try transaction.execute(
            "DELETE FROM jobs WHERE run_at = $3 AND kind = $1 AND payload = $2 AND attempts = 0",
            kind.name, payload, runAt) > 0
    }

    /// Leases due jobs of some kinds, oldest first: until `leaseEnd` no other node takes them. After a crash they are
    /// due again then, or when the node starts again.
    func lease(_ kinds: [JobKind], by node: Int, until leaseEnd: Date, limit: Int) throws -> [Job] {
        try transaction.rows(
            """
            UPDATE jobs SET run_at = $2, attempts = attempts + 1, leased_by = $4
            WHERE id IN (SELECT id FROM jobs WHERE run_at <= $1 AND kind IN (\(Self.list(kinds)))
                ORDER BY run_at, id LIMIT $3)
            RETURNING id, kind, payload, attempts
            """, transaction.now, leaseEnd, limit, node
        ) { row in
            let name = try row.string("kind")
            guard let kind = kinds.first(where: { $0.name == name }) else { return nil }
            return Job(
                id: ID(rawValue: try row.int64("id")), kind: kind, payload: try row.string("payload"),
                attempts: try row.int("attempts"))
        }.compactMap { $0 }.sorted { $0.id < $1.id }
    }

    /// Makes the jobs due at once that a node had leased when its process ended. Returns how many there were. No
    /// process of that node may be running.
    func endLeases(of node: Int) throws -> Int {
        try transaction.execute(
            "UPDATE jobs SET run_at = $2, leased_by = NULL WHERE leased_by = $1", node, transaction.now)
    }

    /// Returns whether a job of this kind and payload is waiting.
    package func isScheduled(_ kind: JobKind, payload: String) throws -> Bool {
        try transaction.row(
            "SELECT 1 FROM jobs WHERE kind = $1 AND payload = $2 LIMIT 1", kind.name, payload
        ) { _ in true } ?? false
    }

    /// Deletes all jobs of a kind, for the copy in a backup.
    package func deleteAll(_ kind: JobKind) throws {
        try transaction.execute("DELETE FROM jobs WHERE kind = $1", kind.name)
    }

    /// Returns the names of kinds as a list of SQL literals. They come from the program's source and contain no quotes.
    private static func list(_ kinds: [JobKind]) -> String {
        kinds.map { "'\($0.name)'" }.joined(separator: ", ")
    }

    /// Extends the lease of a job that is still being done.
    ///
    /// - Throws: `CancellationError` when the lease had ended and another node has taken the job.
    package func extendLease(of job: Job, until leaseEnd: Date) throws {
        let isOurs =
            try transaction.execute(
                "UPDATE jobs SET run_at = $3 WHERE id = $1 AND attempts = $2", job.id, job.attempts, leaseEnd)
            > 0
        guard isOurs else { throw CancellationError() }
    }

    /// Extends the leases of jobs that a node is still doing. Those that another node has taken since stay as they are.
    func extendLeases(of jobs: [Job.ID], by node: Int, until leaseEnd: Date) throws {
        for id in jobs {
            try transaction.execute(
                "UPDATE jobs SET run_at = $3 WHERE id = $1 AND leased_by = $2", id, node, leaseEnd)
        }
    }

    func delete(_ id: Job.ID) throws {
        try transaction.execute("DELETE FROM jobs WHERE id = $1", id)
    }

    /// Records that an attempt has failed, and when the next one is due, unless another node has taken the job since.
    func retry(_ job: Job, at date: Date, error: String) throws {
        try transaction.execute(
            """
            UPDATE jobs SET run_at = $3, last_error = $4, leased_by = NULL WHERE id = $1 AND attempts = $2
            """, job.id, job.attempts, date, String(error.prefix(500)))
    }

    /// Returns when the next job of any kind is due; nil when there is none.
    package func nextRun() throws -> Date? {
        try transaction.value("SELECT run_at FROM jobs ORDER BY run_at LIMIT 1")
    }

    /// Returns when the next job of some kinds is due; nil when none is due by `end`.
    func nextRun(of kinds: [JobKind], by end: Date) throws -> Date? {
        // jobs_by_time, as far as `end`: very many jobs may be due later.
        try transaction.value(
            "SELECT run_at FROM jobs WHERE run_at <= $1 AND kind IN (\(Self.list(kinds))) ORDER BY run_at LIMIT 1",
            end)
    }

    /// Returns how many jobs have failed and will be tried again, counted up to 10,000.
    package func failingCount() throws -> Int {
        try transaction.value(
            "SELECT count(*) FROM (SELECT 1 FROM jobs WHERE last_error IS NOT NULL LIMIT 10000) AS few") ?? 0
    }

    /// Returns how many jobs of each kind are waiting, including those not due yet; counted up to 10,000 in all.
    package func counts() throws -> [String: Int] {
        let counts = try transaction.rows(
            "SELECT kind, count(*) AS jobs FROM (SELECT kind FROM jobs LIMIT 10000) AS few GROUP BY kind"
        ) { (try $0.string("kind"), try $0.int("jobs")) }
        return Dictionary(uniqueKeysWithValues: counts)
    }
}

extension Database {
    /// Performs one step of a job that goes through all rows of a table, the newest first, and schedules the next step. The
    /// job's payload is the id below which to look.
    ///
    /// - Parameter step: looks at a bounded number of rows below a place, and returns the next place; nil at the end.
    package func performStep(
        of job: Job, _ step: @escaping @Sendable (_ transaction: Transaction, _ place: Int64) throws -> Int64?
    ) async throws {
        guard let place = Int64(job.payload) else { return }
        try await write { transaction in
            guard let next = try step(transaction, place) else { return }
            try transaction.schedule(job.kind, payload: String(next))
        }
    }
}

extension Transaction {
    /// Schedules work, at once or not before `runAt`. The work is done at least once if the transaction commits, and
    /// never if it doesn't.
    package func schedule(_ kind: JobKind, payload: String, at runAt: Date? = nil) throws {
        try JobOutbox(self).insert(kind, payload: payload, runAt: runAt)
    }
}
