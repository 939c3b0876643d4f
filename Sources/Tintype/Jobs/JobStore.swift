import Foundation
import Storage

/// A kind of work that follows a transaction.
enum JobKind: String, Sendable, CaseIterable {
    /// Remove a file from the blob store; the payload is its key.
    case eraseBlob = "erase-blob"
    /// Erase a picture that was uploaded for one use and not used in time; the payload is its id.
    case eraseUnusedMedia = "erase-unused-media"
}

/// A piece of work that is due.
struct Job: Sendable {
    typealias ID = Tintype.ID<Job>

    let id: ID
    let kind: JobKind
    let payload: String
    /// How often it has been tried, this time included.
    let attempts: Int
}

/// The SQL of jobs: an outbox, written in the transaction whose effect it is.
struct JobStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// Schedules work, at once or not before `runAt`. It happens at least once if the transaction commits,
    /// and never if it doesn't.
    func insert(_ kind: JobKind, payload: String, runAt: Date? = nil) throws {
        try transaction.execute(
            "INSERT INTO jobs (id, kind, payload, run_at) VALUES ($1, $2, $3, $4)",
            transaction.newID(), kind.rawValue, payload, runAt ?? transaction.now)
    }

    /// Takes due jobs, oldest first, and leases them: until `leaseEnd` nobody else takes them, and after a
    /// crash they are due again then.
    func lease(until leaseEnd: Date, limit: Int) throws -> [Job] {
        try transaction.rows(
            """
            UPDATE jobs SET run_at = $2, attempts = attempts + 1
            WHERE id IN (SELECT id FROM jobs WHERE run_at <= $1 ORDER BY run_at, id LIMIT $3)
            RETURNING id, kind, payload, attempts
            """, transaction.now, leaseEnd, limit
        ) { row in
            guard let kind = JobKind(rawValue: try row.string(1)) else { return nil }
            return Job(
                id: ID(rawValue: try row.int64(0)), kind: kind, payload: try row.string(2),
                attempts: try row.int(3))
        }.compactMap { $0 }
    }

    func delete(_ id: Job.ID) throws {
        try transaction.execute("DELETE FROM jobs WHERE id = $1", id)
    }

    func retry(_ id: Job.ID, at date: Date, error: String) throws {
        try transaction.execute(
            "UPDATE jobs SET run_at = $2, last_error = $3 WHERE id = $1", id, date, String(error.prefix(500)))
    }

    /// When the next job is due; nil when there is none.
    func nextRun() throws -> Date? {
        try transaction.row("SELECT run_at FROM jobs ORDER BY run_at LIMIT 1") { try $0.date(0) }
    }

    func count() throws -> Int {
        try transaction.row("SELECT count(*) FROM (SELECT 1 FROM jobs LIMIT 10000) AS few") { try $0.int(0) } ?? 0
    }
}
