import Foundation
import HTTPTypes
import Hummingbird
import Serving
import Storage

/// The part of a list that a request asks for: keyset pagination by id, newest first, as in Mastodon.
package struct PageRequest: Sendable, Hashable {
    /// The most rows.
    package var limit: Int
    /// The id that all rows have to be older than.
    package var olderThan: Int64?
    /// The id that all rows have to be newer than; the newest of them are returned.
    package var newerThan: Int64?
    /// The id that all rows have to be newer than; the oldest of them are returned: the page right above.
    package var rightAbove: Int64?

    static let defaultLimit = 20
    package static let maximumLimit = 40

    package init(
        limit: Int = PageRequest.defaultLimit, olderThan: Int64? = nil, rightAbove: Int64? = nil
    ) {
        self.limit = limit
        self.olderThan = olderThan
        self.rightAbove = rightAbove
    }

    /// Reads `limit`, `max_id`, `since_id` and `min_id`. Zero and an empty value count as absent, and a limit out of
    /// bounds is brought into them (Documentation/Interface.md, "Lists").
    ///
    /// - Throws: ``Refusal`` (422) for an id that isn't a number.
    package init(_ input: Input) throws {
        limit = min(max(input.integer("limit") ?? Self.defaultLimit, 1), Self.maximumLimit)
        olderThan = try Self.id("max_id", input)
        newerThan = try Self.id("since_id", input)
        rightAbove = try Self.id("min_id", input)
    }

    private static func id(_ name: String, _ input: Input) throws -> Int64? {
        guard let text = input.string(name), !text.isEmpty else { return nil }
        guard text.utf8.count <= 19, text.isDigits else {
            throw Refusal.invalid(name, "ERR_INVALID", "\(name) is not an id.")
        }
        // Nothing is newer than the largest number.
        let value = Int64(text) ?? .max
        return value == 0 ? nil : value
    }

    /// The ids between which all rows are, both excluded.
    package var bounds: (lower: Int64, upper: Int64) { (rightAbove ?? newerThan ?? 0, olderThan ?? .max) }

    /// Runs `select`, a statement that ends in its WHERE clause, for this page; rows come newest first.
    ///
    /// - Parameters:
    ///   - idColumn: the column by which the list is ordered, with an index that fits the statement.
    ///   - whole: returns the statement to run, given `select` with the page's bounds; nil for `select` itself. For a
    ///     database that would otherwise look up everything about all rows before it takes the page.
    ///   - arguments: the arguments of `select`; the page's own are numbered after them.
    package func rows<T>(
        idColumn: String, _ select: String, in whole: ((_ page: String) -> String)? = nil,
        arguments: [(any SQLConvertible)?], _ transaction: Transaction, map: (Row) throws -> T
    ) throws -> [T] {
        var sql = select
        var arguments = arguments
        if let olderThan {
            arguments.append(olderThan)
            sql += " AND \(idColumn) < $\(arguments.count)"
        }
        if let newer = rightAbove ?? newerThan {
            arguments.append(newer)
            sql += " AND \(idColumn) > $\(arguments.count)"
        }
        arguments.append(limit)
        let order = " ORDER BY \(idColumn) \(rightAbove == nil ? "DESC" : "ASC")"
        sql += "\(order) LIMIT $\(arguments.count)"
        if let whole { sql = whole(sql) + order }
        let rows = try transaction.rows(sql, arguments: arguments, map: map)
        return rightAbove == nil ? rows : rows.reversed()
    }

    /// Returns the page of two lists together, given the page of each.
    package func merged<T>(_ one: [T], _ other: [T], by id: (T) -> Int64) -> [T] {
        guard !other.isEmpty else { return one }
        let all = (one + other).sorted { id($0) > id($1) }
        return Array(rightAbove == nil ? all.prefix(limit) : all.suffix(limit))
    }

    /// Returns the `Link` header (RFC 8288) for a page whose rows have these ids: `next` first, absolute, without
    /// commas (Documentation/Interface.md, "What apps need"); nil when the page is empty.
    package func link(
        _ request: Request, publicURL: String, first: Int64?, last: Int64?, isFull: Bool
    ) -> String? {
        guard let first, let last else { return nil }
        let kept = (request.uri.query ?? "").split(separator: "&").filter { pair in
            !["max_id=", "since_id=", "min_id=", "limit="].contains { pair.hasPrefix($0) }
        }
        let query = (["limit=\(limit)"] + kept).joined(separator: "&").replacingOccurrences(
            of: ",", with: "%2C")
        let base = publicURL + request.uri.path + "?" + query
        let next = isFull ? ["<\(base)&max_id=\(last)>; rel=\"next\""] : []
        return (next + ["<\(base)&min_id=\(first)>; rel=\"prev\""]).joined(separator: ", ")
    }
}
