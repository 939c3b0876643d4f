import Foundation
import Serving
import Storage

/// The identifier of one kind of thing: an `ID<Account>` can't be passed as an `ID<Post>`.
///
/// An identifier has 64 bits, ordered by time: 41 bits of milliseconds since 2024-01-01 UTC, 10 of the node, 12 of a
/// sequence. `Transaction.newID()` makes them. In JSON and URLs it is a string of decimal digits.
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
        let milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded(.down)) - IDSequence.epoch
        self.rawValue = max(0, milliseconds) << 22
    }

    /// The identifier's decimal digits, as in URLs and JSON.
    public var description: String { String(rawValue) }

    /// The time at which the thing was made, to the millisecond.
    public var createdAt: Date {
        Date(timeIntervalSince1970: Double((rawValue >> 22) + IDSequence.epoch) / 1000)
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

extension JSONWriter {
    package mutating func member<Entity>(_ name: StaticString, _ id: ID<Entity>) {
        member(name, id.description)
    }
}
