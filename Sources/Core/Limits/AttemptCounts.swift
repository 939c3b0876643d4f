import Foundation
import Storage
import Synchronization

extension JobKind {
    /// Deletes the counts of attempts that are forgiven.
    package static let sweepAttempts = JobKind("sweep-attempts", .short)
}

/// The counts of attempts that are limited for a reason other than load: wrong passwords, sign-ups, registrations of
/// apps, questions to other people's servers.
///
/// They are in memory where one server has the database to itself, and otherwise in the table `attempts`, so that all
/// servers together keep each limit. A key is stored as a code that only these servers can compute, never as the name or
/// network that it is.
///
/// Bounded: in memory to 20,000 keys of each kind, in the table to 100,000 in all after each sweep. The keys that are
/// forgiven soonest are forgotten first.
package final class AttemptCounts: Sendable {
    /// The most keys of one kind in memory.
    private static let capacity = 20_000

    private let database: Database
    private let secrets: SecretsKey
    private let now: @Sendable () -> Date
    /// The counts in memory, by the codes of their keys.
    private let known = Mutex<[AttemptKind: [String: AttemptTally.Count]]>([:])

    init(database: Database, secrets: SecretsKey, now: @escaping @Sendable () -> Date) {
        self.database = database
        self.secrets = secrets
        self.now = now
    }

    /// Reads and changes the counts of some keys, while nobody else does.
    ///
    /// - Parameter body: must have no other effect, and may be run again.
    /// - Throws: `DatabaseError`, where the counts are in the database.
    package func update<Value: Sendable>(
        _ keys: [AttemptKey], _ body: @escaping @Sendable (inout AttemptTally) -> Value
    ) async throws -> Value {
        let codes = keys.map { (key: $0, code: secrets.code(of: "attempt \($0.kind.name): \($0.text)")) }
        guard database.isShared else { return updateMemory(codes, body) }
        return try await database.write { transaction in
            let rows = AttemptRows(transaction)
            var before: [AttemptKey: AttemptTally.Count] = [:]
            for (key, code) in codes { before[key] = try rows.count(code) }
            var tally = AttemptTally(at: transaction.now, before)
            let value = body(&tally)
            for (key, code) in codes where tally.counts[key] != before[key] {
                guard let count = tally.counts[key] else {
                    try rows.delete(code)
                    continue
                }
                try rows.set(code, count, until: count.end(key.kind))
                if before[key] == nil { try rows.scheduleSweep() }
            }
            return value
        }
    }

    private func updateMemory<Value>(
        _ codes: [(key: AttemptKey, code: String)], _ body: (inout AttemptTally) -> Value
    ) -> Value {
        let instant = now()
        return known.withLock { known in
            var before: [AttemptKey: AttemptTally.Count] = [:]
            for (key, code) in codes { before[key] = known[key.kind]?[code] }
            var tally = AttemptTally(at: instant, before)
            let value = body(&tally)
            for (key, code) in codes where tally.counts[key] != before[key] {
                if before[key] == nil, known[key.kind, default: [:]].count >= Self.capacity {
                    Self.sweep(&known[key.kind, default: [:]], key.kind, at: instant)
                }
                known[key.kind, default: [:]][code] = tally.counts[key]
            }
            return value
        }
    }

    /// Removes what is forgiven, and if that isn't half, what is forgiven soonest.
    private static func sweep(
        _ counts: inout [String: AttemptTally.Count], _ kind: AttemptKind, at now: Date
    ) {
        counts = counts.filter { $0.value.remaining(kind, at: now) > 0 }
        guard counts.count > capacity / 2 else { return }
        let kept = counts.sorted { $0.value.end(kind) > $1.value.end(kind) }.prefix(capacity / 2)
        counts = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
    }

    /// Performs ``JobKind/sweepAttempts``.
    package func sweep(_ job: Job) async throws {
        try await database.write { transaction in
            let rows = AttemptRows(transaction)
            if try rows.isScheduled(job.payload) { try rows.sweep() }
        }
    }
}

/// The SQL of counted attempts.
package struct AttemptRows {
    /// The most rows after a sweep.
    static let capacity = 100_000
    /// The seconds between two sweeps.
    static let sweepInterval: TimeInterval = 300
    /// The value with the name of the sweep that is scheduled.
    private static let sweepName = "attempts-sweep"

    let transaction: Transaction

    package init(_ transaction: Transaction) { self.transaction = transaction }

    func count(_ code: String) throws -> AttemptTally.Count? {
        try transaction.row("SELECT number, last_at FROM attempts WHERE code = $1", code) {
            AttemptTally.Count(number: try $0.get("number"), last: try $0.date("last_at"))
        }
    }

    func set(_ code: String, _ count: AttemptTally.Count, until end: Date) throws {
        try transaction.execute(
            """
            INSERT INTO attempts (code, number, last_at, forgiven_at) VALUES ($1, $2, $3, $4)
            ON CONFLICT (code) DO UPDATE SET number = $2, last_at = $3, forgiven_at = $4
            """, code, count.number, count.last, end)
    }

    func delete(_ code: String) throws {
        try transaction.execute("DELETE FROM attempts WHERE code = $1", code)
    }

    /// Schedules a sweep, unless one is scheduled.
    func scheduleSweep() throws {
        guard try transaction.serverValue(Self.sweepName) == nil else { return }
        try scheduleNextSweep()
    }

    /// Schedules the next sweep, which is known by its name: one that is repeated after a kill has no successor of its own.
    private func scheduleNextSweep() throws {
        let name = "\(transaction.newID())"
        try transaction.setServerValue(Self.sweepName, name)
        try transaction.schedule(
            .sweepAttempts, payload: name, at: transaction.now.addingTimeInterval(Self.sweepInterval))
    }

    /// Returns whether a sweep of this name is the next.
    func isScheduled(_ name: String) throws -> Bool { try transaction.serverValue(Self.sweepName) == name }

    /// Deletes the rows that are forgiven, and those over the most, and schedules the next sweep while rows are left.
    func sweep(most: Int = capacity) throws {
        // attempts_by_end
        try transaction.execute("DELETE FROM attempts WHERE forgiven_at <= $1", transaction.now)
        try transaction.execute(
            """
            DELETE FROM attempts WHERE forgiven_at <=
                (SELECT forgiven_at FROM attempts ORDER BY forgiven_at DESC LIMIT 1 OFFSET $1)
            """, most)
        if try transaction.row("SELECT 1 FROM attempts LIMIT 1", map: { _ in true }) == true {
            try scheduleNextSweep()
        } else {
            try transaction.deleteServerValue(Self.sweepName)
        }
    }

    /// Deletes all rows, for the copy in a backup.
    package func deleteAll() throws {
        try transaction.execute("DELETE FROM attempts")
        try transaction.deleteServerValue(Self.sweepName)
    }
}
