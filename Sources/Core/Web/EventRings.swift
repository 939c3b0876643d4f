import Foundation
import NIOCore
import Serving

/// A subject of an event. The event is deleted with any of its subjects.
package enum EventSubject: Hashable, Codable, Sendable {
    /// A thing by its id, which no other thing has.
    case id(Int64)
    /// The person who did what the event reports, or to whom it was done.
    case person(Account.ID)
    /// All things of a kind that belong to an account. Each feature names its own kinds in an extension.
    case all(String, of: Account.ID)

    /// Returns a thing as a subject.
    package static func thing<Thing>(_ id: ID<Thing>) -> Self { .id(id.rawValue) }
}

/// The content of an event: a JSON value on one line, or for `delete` an id.
package enum EventContent: Sendable {
    case bytes([UInt8])
    /// Content that is written for each reader when a stream takes the event: most accounts that are sent an event have
    /// no open stream, and each log-in has picture addresses of its own.
    ///
    /// - Parameter byteCount: the approximate number of bytes of the content.
    case written(byteCount: Int, @Sendable (_ reader: Reader) -> [UInt8])

    /// Returns content that is written for each log-in of its readers, or only once if it has no addresses of pictures.
    ///
    /// - Parameter account: one of the readers, for whom the bytes are counted.
    package static func written(
        for account: Account.ID, hasPictures: Bool = true,
        _ write: @escaping @Sendable (Reader, inout JSONWriter) -> Void
    ) -> EventContent {
        @Sendable func bytes(_ reader: Reader) -> [UInt8] {
            var json = JSONWriter()
            write(reader, &json)
            return json.bytes
        }
        let some = bytes(Reader(account, in: ID(rawValue: .max)))
        // The number of bytes is equal for every log-in, except for the digits of its id.
        return hasPictures ? .written(byteCount: some.count, bytes) : .bytes(some)
    }

    /// The number of bytes that count towards the limits of the rings.
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

/// What an event says once something that it shows beside its subjects is deleted: the event stays, without that.
package struct EventRemainder: Sendable {
    /// What it shows: a thing, and the person whose thing it is.
    var subjects: [EventSubject]
    var content: EventContent

    package init(without subjects: EventSubject..., content: EventContent) {
        self.subjects = subjects
        self.content = content
    }
}

/// The latest events of each account, bounded in time, number and bytes.
struct EventRings {
    /// A kept event.
    struct Entry {
        var number: Int
        var at: Date
        var name: EventName
        /// The thing whose state the event reports, in place of an earlier event with its name; nil for news.
        var replaces: EventSubject?
        var subjects: [EventSubject] = []
        var content: EventContent
        var remainder: EventRemainder?

        /// The memory that the event takes, in bytes.
        var size: Int {
            content.byteCount + (remainder?.content.byteCount ?? 0) + EventRings.overhead
                + EventRings.overheadOfSubject * things.count
        }

        /// The things with which the event is deleted or changed.
        var things: [EventSubject] { subjects + (remainder?.subjects ?? []) }

        func isAbout(_ some: Set<EventSubject>) -> Bool { subjects.contains(where: some.contains) }

        /// Returns whether the event shows one of some things beside its subjects.
        func shows(_ some: Set<EventSubject>) -> Bool {
            remainder?.subjects.contains(where: some.contains) ?? false
        }
    }

    private struct Ring {
        var entries = CircularBuffer<Entry>(initialCapacity: 4)
        var byteCount = 0
        /// The highest number of a deleted event.
        var forgottenThrough: Int

        /// Returns the position of the first event after a number, or the number of events when there is none.
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

    /// The place of a kept event.
    private struct Place: Hashable {
        var account: Account.ID
        var number: Int
    }

    /// The places of the events about each thing, so that deleting a thing looks at no other ring.
    private var places: [EventSubject: Set<Place>] = [:]
    private var rings: [Account.ID: Ring] = [:]
    private var byteCount = 0
    /// The highest number of a deleted event of an account that has no ring.
    private var forgottenThrough: Int

    /// How long a stream can resume after an event, in seconds.
    static let lifetime: TimeInterval = 300
    /// The most events kept for one account.
    static let length = 500
    /// The most bytes kept for one account.
    static let bytesPerAccount = 256 * 1024
    /// The most bytes kept for all accounts.
    static let bytes = 16 * 1024 * 1024
    /// The memory that an event takes beside its content.
    private static let overhead = 256
    /// The memory that each subject of an event takes: a place in a table.
    private static let overheadOfSubject = 48

    /// Creates empty rings.
    ///
    /// - Parameter forgottenThrough: the number before the first one.
    init(forgottenThrough: Int) {
        self.forgottenThrough = forgottenThrough
    }

    /// Returns the number up to which events of this account may be missing.
    func forgottenThrough(_ account: Account.ID) -> Int {
        rings[account]?.forgottenThrough ?? forgottenThrough
    }

    /// Returns the first event of an account after a number.
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

    /// Whether the events of all accounts take more than ``bytes``; then call ``forgetOldest()``.
    var isFull: Bool { byteCount > Self.bytes }

    private mutating func count(_ ring: inout Ring, _ bytes: Int) {
        ring.byteCount += bytes
        byteCount += bytes
    }

    /// Counts an event that was added to a ring, and notes its place.
    private mutating func list(_ entry: Entry, in ring: inout Ring, of account: Account.ID) {
        count(&ring, entry.size)
        for thing in entry.things {
            places[thing, default: []].insert(Place(account: account, number: entry.number))
        }
    }

    /// Subtracts an event that was removed from a ring, and deletes its place.
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

    /// Deletes events that are too old to be resumed.
    mutating func forgetOld(_ instant: Date) {
        for account in Array(rings.keys) {
            guard var ring = rings.removeValue(forKey: account) else { continue }
            while let first = ring.entries.first, instant.timeIntervalSince(first.at) >= Self.lifetime {
                removeFirst(of: &ring, account)
            }
            keep(ring, of: account)
        }
    }

    /// Returns the accounts that have events about something.
    func accounts(holding subject: EventSubject) -> Set<Account.ID> {
        let holders = (places[subject] ?? []).filter { entry(at: $0)?.subjects.contains(subject) == true }
        return Set(holders.map(\.account))
    }

    private func entry(at place: Place) -> Entry? {
        entry(after: place.number - 1, of: place.account).flatMap { $0.number == place.number ? $0 : nil }
    }

    /// Removes the events about any of some subjects from the ring of one account, or of all. Streams that resume get
    /// the other events, as if these had never happened. Events that only show a subject keep their remainder.
    mutating func forget(_ subjects: Set<EventSubject>, of account: Account.ID? = nil) {
        for place in places(of: subjects, of: account) { change(place, about: subjects, to: nil) }
    }

    /// Returns the places of the events about any of some things: of one account, whose ring is searched, or of all.
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

    /// Replaces the content of the events about something, where they belong to some accounts and have a certain name.
    /// Deletes all other events about it.
    mutating func replace(
        _ subject: EventSubject, named name: EventName, of accounts: Set<Account.ID>, by content: EventContent
    ) {
        for place in places(of: [subject], of: nil) {
            let isMeant = accounts.contains(place.account) && entry(at: place)?.name == name
            change(place, about: [subject], to: isMeant ? content : nil)
        }
    }

    /// Changes an event, or deletes it.
    ///
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

    /// Removes all events from an account's ring, and remembers where they are missing.
    mutating func clear(_ account: Account.ID) {
        guard var ring = rings.removeValue(forKey: account) else { return }
        for entry in ring.entries { unlist(entry, in: &ring, of: account) }
        ring.entries.removeAll()
        rings[account] = ring
    }

    /// Deletes the oldest events of all accounts until a tenth of the room is free.
    mutating func forgetOldest() {
        guard let first = rings.values.compactMap({ $0.entries.first?.number }).min(),
            let last = rings.values.compactMap({ $0.entries.last?.number }).max()
        else { return }
        // How many bytes there are in each of a hundred ranges of numbers, which grow with time.
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

    /// Stores a ring. Of a ring without events, only the place where events are missing is kept.
    private mutating func keep(_ ring: Ring, of account: Account.ID) {
        if ring.entries.isEmpty {
            forgottenThrough = max(forgottenThrough, ring.forgottenThrough)
        } else {
            rings[account] = ring
        }
    }
}
