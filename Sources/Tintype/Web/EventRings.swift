import Foundation
import NIOCore

/// The latest events of each account, bounded in time, number and bytes.
struct EventRings {
    /// An event that is kept.
    struct Entry {
        var number: Int
        var at: Date
        /// Told to those who listen now, and never repeated.
        var isPassing: Bool
        var name: String
        /// What it tells the present state of, in place of an earlier event of the same name; nil for news.
        var subject: Int64?
        var data: [UInt8]
    }

    private struct Ring {
        var entries = CircularBuffer<Entry>(initialCapacity: 4)
        var byteCount = 0
        /// Some event up to this number is no longer here.
        var forgottenThrough: Int
    }

    private var rings: [Account.ID: Ring] = [:]
    private var byteCount = 0
    /// Some event up to this number, of an account that has no ring, is no longer here.
    private var forgottenThrough: Int

    /// How long an event can be taken up again, in seconds.
    static let lifetime: TimeInterval = 300
    /// The most events kept for one account.
    static let length = 500
    /// The most bytes kept for one account.
    static let bytesPerAccount = 256 * 1024
    /// The most bytes kept for all.
    static let bytes = 16 * 1024 * 1024
    /// What an event costs beside its data.
    private static let overhead = 128

    /// - Parameter forgottenThrough: the number before the first one.
    init(forgottenThrough: Int) {
        self.forgottenThrough = forgottenThrough
    }

    /// Everything up to this number may have gaps for this account.
    func forgottenThrough(_ account: Account.ID) -> Int {
        rings[account]?.forgottenThrough ?? forgottenThrough
    }

    /// The first event of an account after a number.
    func entry(after number: Int, of account: Account.ID) -> Entry? {
        guard let entries = rings[account]?.entries, let last = entries.last, last.number > number else {
            return nil
        }
        // Binary search: numbers grow.
        var (low, high) = (0, entries.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if entries[offset: middle].number > number { high = middle } else { low = middle + 1 }
        }
        return entries[offset: low]
    }

    /// Keeps an event, whose number is higher than any before.
    mutating func append(_ entry: Entry, to account: Account.ID) {
        let size = entry.data.count + Self.overhead
        var ring = rings.removeValue(forKey: account) ?? Ring(forgottenThrough: forgottenThrough)
        if let subject = entry.subject,
            let index = ring.entries.lastIndex(where: { $0.subject == subject && $0.name == entry.name })
        {
            let earlier = ring.entries.remove(at: index)
            ring.byteCount -= earlier.data.count + Self.overhead
            byteCount -= earlier.data.count + Self.overhead
        }
        ring.entries.append(entry)
        ring.byteCount += size
        byteCount += size
        while ring.entries.count > Self.length
            || (ring.byteCount > Self.bytesPerAccount && ring.entries.count > 1)
        {
            removeFirst(of: &ring)
        }
        rings[account] = ring
        if byteCount > Self.bytes { forgetQuietest() }
    }

    private mutating func removeFirst(of ring: inout Ring) {
        let entry = ring.entries.removeFirst()
        ring.byteCount -= entry.data.count + Self.overhead
        byteCount -= entry.data.count + Self.overhead
        if !entry.isPassing { ring.forgottenThrough = entry.number }
    }

    /// Forgets what is too old to be taken up.
    mutating func forgetOld(_ instant: Date) {
        for account in Array(rings.keys) {
            guard var ring = rings.removeValue(forKey: account) else { continue }
            while let first = ring.entries.first, instant.timeIntervalSince(first.at) >= Self.lifetime {
                removeFirst(of: &ring)
            }
            if ring.entries.isEmpty {
                forgottenThrough = max(forgottenThrough, ring.forgottenThrough)
            } else {
                rings[account] = ring
            }
        }
    }

    /// Forgets all events of an account.
    mutating func forget(_ account: Account.ID) {
        guard let ring = rings.removeValue(forKey: account) else { return }
        byteCount -= ring.byteCount
        forgottenThrough = max(forgottenThrough, ring.entries.last?.number ?? 0, ring.forgottenThrough)
    }

    private mutating func forgetQuietest() {
        let quietest = rings.sorted {
            ($0.value.entries.last?.number ?? 0) < ($1.value.entries.last?.number ?? 0)
        }
        for (account, _) in quietest.prefix(max(1, rings.count / 10)) { forget(account) }
    }
}
