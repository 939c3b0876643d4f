import Foundation
import Serving
import Storage

/// The identifier of one kind of thing: an `ID<Account>` can't be passed as an `ID<Post>`.
///
/// An identifier has 64 bits, ordered by time: 41 bits of milliseconds since 2024-01-01 UTC, 10 of the node, 12 of a
/// sequence. `Transaction.newID()` makes them. Those of 2024-01-01 name older things (``IDSequence``). In JSON and URLs it is a string of decimal digits.
public struct ID<Entity>: RawRepresentable, Hashable, Comparable, Sendable, LosslessStringConvertible {
    /// The number itself; positive for everything that exists.
    public let rawValue: Int64

    /// Creates an identifier from a number of the database.
    @inlinable public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Parses decimal digits. Returns nil for anything else, including zero and negative numbers.
    public init?(_ description: String) {
        guard let value = Int64(description), value > 0 else { return nil }
        self.rawValue = value
    }

    /// Creates the least identifier that is made at a time.
    package init(earliest date: Date) {
        let milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded(.down))
        self.rawValue = IDSequence.ids(at: milliseconds).lowerBound
    }

    /// The identifier's decimal digits, as in URLs and JSON.
    public var description: String { String(rawValue) }

    /// The time at which the thing was made, to the millisecond; to the second for what is older than 2024-01-02.
    public var createdAt: Date {
        Date(timeIntervalSince1970: Double(IDSequence.milliseconds(of: rawValue)) / 1000)
    }

    /// Compares two identifiers. Written out like the hash, so that dictionaries of other modules specialise it.
    @inlinable public static func == (left: ID, right: ID) -> Bool { left.rawValue == right.rawValue }

    /// Feeds the number into a hash.
    @inlinable public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// Orders identifiers by age: older things are smaller.
    @inlinable public static func < (left: ID, right: ID) -> Bool { left.rawValue < right.rawValue }
}

extension ID: SQLConvertible {}

/// The identifier as a number, for messages between nodes.
extension ID: Codable {}

extension Transaction {
    /// Returns an id that nothing has, of a thing that was made at an earlier time. Of the bits below the time, all are
    /// random.
    ///
    /// - Parameters:
    ///   - date: the time; a time from now on counts as a second ago, so that new things are newer.
    ///   - isTaken: looks for a thing with an id.
    /// - Throws: ``Refusal`` (409) when too many things are of this time; what the closure throws.
    package func newID<Entity>(
        madeAt date: Date, isTaken: (ID<Entity>) throws -> Bool
    ) throws -> ID<Entity> {
        let ids = IDSequence.ids(at: min(date, now.addingTimeInterval(-1)).milliseconds)
        for _ in 0..<Self.triesForID {
            let id = ID<Entity>(rawValue: Int64.random(in: max(1, ids.lowerBound)...ids.upperBound))
            if try !isTaken(id) { return id }
        }
        throw Refusal.conflict("Too many things are of the same moment.")
    }

    private static var triesForID: Int { 30 }
}

extension JSONWriter {
    package mutating func member<Entity>(_ name: StaticString, _ id: ID<Entity>) {
        member(name, id.description)
    }
}
