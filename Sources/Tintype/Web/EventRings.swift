import Foundation
import NIOCore

/// What an event is about: the event is forgotten with any of it.
enum EventSubject: Hashable, Sendable {
    /// A post, message, snap or conversation, by its id, which nothing else has.
    case id(Int64)
    /// Somebody who did what the event reports, or to whom it was done.
    case person(Account.ID)
    /// The posts of an account, and what others write below them.
    case posts(of: Account.ID)

    /// A post, message, snap or conversation.
    static func thing<Thing>(_ id: ID<Thing>) -> Self { .id(id.rawValue) }
}

/// What an event says: a JSON value on one line, or for `delete` an id.
enum EventContent: Sendable {
    case bytes([UInt8])
    /// Written for each reader when a stream takes the event: most accounts that are sent one have no stream open, and
    /// each log-in has picture addresses of its own.
    ///
    /// - Parameter byteCount: about how many bytes that is.
    case written(byteCount: Int, @Sendable (_ reader: Reader) -> [UInt8])

    /// Returns content that is written for each log-in of an account.
    static func written(
        for account: Account.ID, _ write: @escaping @Sendable (Reader, inout JSONWriter) -> Void
    ) -> EventContent {
        @Sendable func bytes(_ reader: Reader) -> [UInt8] {
            var json = JSONWriter()
            write(reader, &json)
            return json.bytes
        }
        // As many for every log-in, but for the digits of its id.
        return .written(byteCount: bytes(Reader(account, in: ID(rawValue: .max))).count, bytes)
    }

    /// How many bytes count towards the limits of the rings.
    var byteCount: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .written(let byteCount, _): byteCount
        }
    }

    func bytes(for reader: Reader) -> [UInt8] {
        switch self {
        case .bytes(let bytes): bytes
        case .written(_, let write): write(reader)
        }
    }
}

/// What an event says once a thing that it shows beside its subjects is gone: the event stays, without that thing.
struct EventRemainder: Sendable {
    var subject: EventSubject
    var content: EventContent

    init(without subject: EventSubject, content: EventContent) {
        self.subject = subject
        self.content = content
    }
}

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
        var replaces: EventSubject?
        var subjects: [EventSubject] = []
        var content: EventContent
        var remainder: EventRemainder?

        /// What it costs, in bytes.
        var size: Int { content.byteCount + (remainder?.content.byteCount ?? 0) + EventRings.overhead }

        func isAbout(_ some: Set<EventSubject>) -> Bool { subjects.contains(where: some.contains) }

        /// Whether the event shows one of some things beside its subjects.
        func shows(_ some: Set<EventSubject>) -> Bool { remainder.map { some.contains($0.subject) } ?? false }
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
    /// What an event costs beside its content.
    private static let overhead = 256

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
        var ring = rings.removeValue(forKey: account) ?? Ring(forgottenThrough: forgottenThrough)
        if let subject = entry.replaces,
            let index = ring.entries.lastIndex(where: { $0.replaces == subject && $0.name == entry.name })
        {
            count(&ring, -ring.entries.remove(at: index).size)
        }
        ring.entries.append(entry)
        count(&ring, entry.size)
        while ring.entries.count > Self.length
            || (ring.byteCount > Self.bytesPerAccount && ring.entries.count > 1)
        {
            removeFirst(of: &ring)
        }
        rings[account] = ring
    }

    /// Whether the events of all accounts take more than ``bytes``; then it is time to ``forgetOldest()``.
    var isFull: Bool { byteCount > Self.bytes }

    private mutating func count(_ ring: inout Ring, _ bytes: Int) {
        ring.byteCount += bytes
        byteCount += bytes
    }

    private mutating func removeFirst(of ring: inout Ring) {
        let entry = ring.entries.removeFirst()
        count(&ring, -entry.size)
        if !entry.isPassing { ring.forgottenThrough = entry.number }
    }

    /// Forgets what is too old to be taken up.
    mutating func forgetOld(_ instant: Date) {
        for account in Array(rings.keys) {
            guard var ring = rings.removeValue(forKey: account) else { continue }
            while let first = ring.entries.first, instant.timeIntervalSince(first.at) >= Self.lifetime {
                removeFirst(of: &ring)
            }
            keep(ring, of: account)
        }
    }

    /// The accounts that have events about something.
    func accounts(holding subject: EventSubject) -> Set<Account.ID> {
        Set(rings.filter { $0.value.entries.contains { $0.subjects.contains(subject) } }.keys)
    }

    /// Takes the events about any of some subjects out of the ring of one account, or of all. Those that take up
    /// again get the others, as if these had never been. Events that only show a subject keep their remainder.
    ///
    /// All events of these rings are looked through.
    mutating func forget(_ subjects: Set<EventSubject>, of account: Account.ID? = nil) {
        let accounts = account.map { [$0] } ?? Array(rings.keys)
        for account in accounts { change(account, about: subjects) { _ in nil } }
    }

    /// Lets the events about something say what is true by now, where they are of some accounts and have a certain
    /// name; all others about it are forgotten.
    mutating func replace(
        _ subject: EventSubject, named name: String, of accounts: Set<Account.ID>, by content: EventContent
    ) {
        for account in Array(rings.keys) {
            change(account, about: [subject]) { $0 == name && accounts.contains(account) ? content : nil }
        }
    }

    /// - Parameter content: what an event with this name says from now on; nil to forget it.
    private mutating func change(
        _ account: Account.ID, about subjects: Set<EventSubject>,
        to content: (_ name: String) -> EventContent?
    ) {
        guard rings[account]?.entries.contains(where: { $0.isAbout(subjects) || $0.shows(subjects) }) == true,
            var ring = rings.removeValue(forKey: account)
        else { return }
        var kept = CircularBuffer<Entry>(initialCapacity: ring.entries.count)
        for var entry in ring.entries {
            if entry.isAbout(subjects) {
                count(&ring, -entry.size)
                guard let content = content(entry.name) else { continue }
                entry.content = content
                count(&ring, entry.size)
            } else if let remainder = entry.remainder, entry.shows(subjects) {
                count(&ring, -entry.size)
                (entry.content, entry.remainder) = (remainder.content, nil)
                count(&ring, entry.size)
            }
            kept.append(entry)
        }
        ring.entries = kept
        rings[account] = ring
    }

    /// Takes all events out of an account's ring, and keeps where its gaps are.
    mutating func clear(_ account: Account.ID) {
        guard var ring = rings.removeValue(forKey: account) else { return }
        byteCount -= ring.byteCount
        ring.byteCount = 0
        ring.entries.removeAll()
        rings[account] = ring
    }

    /// Forgets the oldest events of all accounts until a tenth of the room is free.
    mutating func forgetOldest() {
        guard let first = rings.values.compactMap({ $0.entries.first?.number }).min(),
            let last = rings.values.compactMap({ $0.entries.last?.number }).max()
        else { return }
        // How many bytes there are in each of a hundred stretches of numbers, which grow with time.
        let stretch = (last - first) / 100 + 1
        var sizes = [Int](repeating: 0, count: 100)
        for ring in rings.values {
            for entry in ring.entries { sizes[(entry.number - first) / stretch] += entry.size }
        }
        var excess = byteCount - Self.bytes / 10 * 9
        var end = first - 1
        for size in sizes where excess > 0 {
            excess -= size
            end += stretch
        }
        forget(through: end)
    }

    private mutating func forget(through number: Int) {
        let accounts = rings.compactMap { account, ring in
            ring.entries.first.flatMap { $0.number <= number ? account : nil }
        }
        for account in accounts {
            guard var ring = rings.removeValue(forKey: account) else { continue }
            while let first = ring.entries.first, first.number <= number { removeFirst(of: &ring) }
            keep(ring, of: account)
        }
    }

    /// Puts a ring back; of one without events only the place of its gaps is kept.
    private mutating func keep(_ ring: Ring, of account: Account.ID) {
        if ring.entries.isEmpty {
            forgottenThrough = max(forgottenThrough, ring.forgottenThrough)
        } else {
            rings[account] = ring
        }
    }
}
