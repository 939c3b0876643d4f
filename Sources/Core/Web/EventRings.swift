import Foundation
import NIOCore
import Serving

/// What an event is about: the event is forgotten with any of it.
package enum EventSubject: Hashable, Sendable {
    /// A post, message, snap or chat, by its id, which nothing else has.
    case id(Int64)
    /// Somebody who did what the event reports, or to whom it was done.
    case person(Account.ID)
    /// The posts of an account, and what others write below them.
    case posts(of: Account.ID)

    /// A post, message, snap or chat.
    package static func thing<Thing>(_ id: ID<Thing>) -> Self { .id(id.rawValue) }
}

/// What an event says: a JSON value on one line, or for `delete` an id.
package enum EventContent: Sendable {
    case bytes([UInt8])
    /// Written for each reader when a stream takes the event: most accounts that are sent one have no stream open, and
    /// each log-in has picture addresses of its own.
    ///
    /// - Parameter byteCount: about how many bytes that is.
    case written(byteCount: Int, @Sendable (_ reader: Reader) -> [UInt8])

    /// Returns content that is written for each log-in of an account.
    package static func written(
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
package struct EventRemainder: Sendable {
    var subject: EventSubject
    var content: EventContent

    package init(without subject: EventSubject, content: EventContent) {
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
        var name: EventName
        /// What it tells the present state of, in place of an earlier event of the same name; nil for news.
        var replaces: EventSubject?
        var subjects: [EventSubject] = []
        var content: EventContent
        var remainder: EventRemainder?

        /// What it costs, in bytes.
        var size: Int {
            content.byteCount + (remainder?.content.byteCount ?? 0) + EventRings.overhead
                + EventRings.overheadOfSubject * subjects.count
        }

        /// The things with which it is forgotten or changed.
        var things: [EventSubject] { remainder.map { subjects + [$0.subject] } ?? subjects }

        func isAbout(_ some: Set<EventSubject>) -> Bool { subjects.contains(where: some.contains) }

        /// Whether the event shows one of some things beside its subjects.
        func shows(_ some: Set<EventSubject>) -> Bool { remainder.map { some.contains($0.subject) } ?? false }
    }

    private struct Ring {
        var entries = CircularBuffer<Entry>(initialCapacity: 4)
        var byteCount = 0
        /// Some event up to this number is no longer here.
        var forgottenThrough: Int

        /// The position of the first event after a number, or the number of events when there is none.
        func position(after number: Int) -> Int {
            // Binary search: numbers grow.
            var (low, high) = (0, entries.count)
            while low < high {
                let middle = (low + high) / 2
                if entries[offset: middle].number > number { high = middle } else { low = middle + 1 }
            }
            return low
        }
    }

    /// Where an event is kept.
    private struct Place: Hashable {
        var account: Account.ID
        var number: Int
    }

    /// Where the events about each thing are, so that forgetting a thing looks at no other ring.
    private var places: [EventSubject: Set<Place>] = [:]
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
    /// What each of its subjects costs: a place in a table.
    private static let overheadOfSubject = 48

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
        guard let ring = rings[account] else { return nil }
        let position = ring.position(after: number)
        return position < ring.entries.count ? ring.entries[offset: position] : nil
    }

    /// Keeps an event, whose number is higher than any before.
    mutating func append(_ entry: Entry, to account: Account.ID) {
        var ring = rings.removeValue(forKey: account) ?? Ring(forgottenThrough: forgottenThrough)
        if let subject = entry.replaces,
            let index = ring.entries.lastIndex(where: { $0.replaces == subject && $0.name == entry.name })
        {
            unlist(ring.entries.remove(at: index), in: &ring, of: account)
        }
        ring.entries.append(entry)
        list(entry, in: &ring, of: account)
        while ring.entries.count > Self.length
            || (ring.byteCount > Self.bytesPerAccount && ring.entries.count > 1)
        {
            removeFirst(of: &ring, account)
        }
        rings[account] = ring
    }

    /// Whether the events of all accounts take more than ``bytes``; then it is time to ``forgetOldest()``.
    var isFull: Bool { byteCount > Self.bytes }

    private mutating func count(_ ring: inout Ring, _ bytes: Int) {
        ring.byteCount += bytes
        byteCount += bytes
    }

    /// Counts an event that has come into a ring, and notes where it is.
    private mutating func list(_ entry: Entry, in ring: inout Ring, of account: Account.ID) {
        count(&ring, entry.size)
        for thing in entry.things {
            places[thing, default: []].insert(Place(account: account, number: entry.number))
        }
    }

    /// Uncounts an event that has gone out of a ring.
    private mutating func unlist(_ entry: Entry, in ring: inout Ring, of account: Account.ID) {
        count(&ring, -entry.size)
        for thing in entry.things {
            places[thing]?.remove(Place(account: account, number: entry.number))
            if places[thing]?.isEmpty == true { places[thing] = nil }
        }
    }

    private mutating func removeFirst(of ring: inout Ring, _ account: Account.ID) {
        let entry = ring.entries.removeFirst()
        unlist(entry, in: &ring, of: account)
        if !entry.name.isPassing { ring.forgottenThrough = entry.number }
    }

    /// Forgets what is too old to be taken up.
    mutating func forgetOld(_ instant: Date) {
        for account in Array(rings.keys) {
            guard var ring = rings.removeValue(forKey: account) else { continue }
            while let first = ring.entries.first, instant.timeIntervalSince(first.at) >= Self.lifetime {
                removeFirst(of: &ring, account)
            }
            keep(ring, of: account)
        }
    }

    /// The accounts that have events about something.
    func accounts(holding subject: EventSubject) -> Set<Account.ID> {
        let holders = (places[subject] ?? []).filter { entry(at: $0)?.subjects.contains(subject) == true }
        return Set(holders.map(\.account))
    }

    private func entry(at place: Place) -> Entry? {
        entry(after: place.number - 1, of: place.account).flatMap { $0.number == place.number ? $0 : nil }
    }

    /// Takes the events about any of some subjects out of the ring of one account, or of all. Those that take up
    /// again get the others, as if these had never been. Events that only show a subject keep their remainder.
    mutating func forget(_ subjects: Set<EventSubject>, of account: Account.ID? = nil) {
        for place in places(of: subjects, of: account) { change(place, about: subjects, to: nil) }
    }

    /// Where the events about any of some things are: of one account, whose ring is looked through, or of all.
    private func places(of subjects: Set<EventSubject>, of account: Account.ID?) -> Set<Place> {
        guard let account else {
            return subjects.reduce(into: []) { $0.formUnion(places[$1] ?? []) }
        }
        let entries = rings[account]?.entries ?? CircularBuffer(initialCapacity: 0)
        return Set(
            entries.lazy.filter { $0.isAbout(subjects) || $0.shows(subjects) }.map {
                Place(account: account, number: $0.number)
            })
    }

    /// Lets the events about something say what is true by now, where they are of some accounts and have a certain
    /// name; all others about it are forgotten.
    mutating func replace(
        _ subject: EventSubject, named name: EventName, of accounts: Set<Account.ID>, by content: EventContent
    ) {
        for place in places(of: [subject], of: nil) {
            let isMeant = accounts.contains(place.account) && entry(at: place)?.name == name
            change(place, about: [subject], to: isMeant ? content : nil)
        }
    }

    /// - Parameter content: what the event says from now on when it is about one of the things; nil to forget it.
    private mutating func change(_ place: Place, about subjects: Set<EventSubject>, to content: EventContent?)
    {
        guard var ring = rings.removeValue(forKey: place.account) else { return }
        defer { rings[place.account] = ring }
        let position = ring.position(after: place.number - 1)
        guard position < ring.entries.count else { return }
        let index = ring.entries.index(ring.entries.startIndex, offsetBy: position)
        var entry = ring.entries[index]
        unlist(entry, in: &ring, of: place.account)
        if entry.isAbout(subjects) {
            guard let content else {
                ring.entries.remove(at: index)
                return
            }
            entry.content = content
        } else if let remainder = entry.remainder, entry.shows(subjects) {
            (entry.content, entry.remainder) = (remainder.content, nil)
        }
        ring.entries[index] = entry
        list(entry, in: &ring, of: place.account)
    }

    /// Takes all events out of an account's ring, and keeps where its gaps are.
    mutating func clear(_ account: Account.ID) {
        guard var ring = rings.removeValue(forKey: account) else { return }
        for entry in ring.entries { unlist(entry, in: &ring, of: account) }
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
            while let first = ring.entries.first, first.number <= number {
                removeFirst(of: &ring, account)
            }
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
