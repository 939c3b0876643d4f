import Foundation
import Serving
import Storage

/// The identifier of one kind of thing: `ID<Account>` can't be passed where `ID<Post>` is wanted.
///
/// 64 bits, ordered by time: 41 bits of milliseconds since 2024-01-01 UTC, 10 of node, 12 of sequence, made
/// by `Transaction.newID()`. In JSON and URLs it is a string of decimal digits.
public struct ID<Entity>: RawRepresentable, Hashable, Comparable, Sendable, LosslessStringConvertible {
    /// The number itself; positive for everything that exists.
    public let rawValue: Int64

    /// Wraps a number that came from the database.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Parses decimal digits; nil for anything else, zero and negative numbers included.
    public init?(_ description: String) {
        guard let value = Int64(description), value > 0 else { return nil }
        self.rawValue = value
    }

    /// Decimal digits, as in URLs and JSON.
    public var description: String { String(rawValue) }

    /// When the thing was made, to the millisecond.
    public var createdAt: Date {
        Date(timeIntervalSince1970: Double((rawValue >> 22) + 1_704_067_200_000) / 1000)
    }

    /// Older things are smaller.
    public static func < (left: ID, right: ID) -> Bool { left.rawValue < right.rawValue }
}

extension ID: SQLConvertible {}

extension JSONWriter {
    package mutating func member<Entity>(_ name: StaticString, _ id: ID<Entity>) {
        member(name, id.description)
    }
}
