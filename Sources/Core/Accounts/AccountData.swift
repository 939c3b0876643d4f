import Foundation
import Serving
import Storage

/// The data that a feature keeps of a person: given to them when they ask for it, erased when they leave.
package protocol AccountData: Sendable {
    /// The feature's texts, as lists that become one JSON file each. No list contains pictures that may be seen once.
    var lists: [AccountDataList] { get }

    /// The feature's pictures, unchanged.
    var files: [AccountDataFiles] { get }

    /// Erases a batch of the person's rows, schedules the erasure of their files, and updates the counts of other
    /// people.
    ///
    /// The function is called again, in a new transaction, until nothing is left, so that no transaction takes long.
    /// - Returns: whether nothing is left.
    func erase(_ account: Account.ID, _ transaction: Transaction) throws -> Bool
}

extension AccountData {
    package var files: [AccountDataFiles] { [] }
}

/// Pictures of a person that go into the download, read one after the other.
package struct AccountDataFiles: Sendable {
    private let sql: String

    /// - Parameter sql: a statement with the columns `place`, an ascending id by which the rows are ordered, `file`,
    ///   the name in the download, and `key`, `byte_count` and `sha256` of the file. Its arguments are the account
    ///   (`$1`) and the place of the row before (`$2`).
    package init(_ sql: String) {
        self.sql = sql
    }

    /// Returns the next file after a place, which is 0 for the first; nil at the end.
    package func next(
        of account: Account.ID, after place: Int64, _ transaction: Transaction
    ) throws -> (place: Int64, name: String, blob: StoredBlob)? {
        try transaction.row("\(sql) LIMIT 1", account, place) { row in
            (
                try row.int64("place"), try row.string("file"),
                StoredBlob(
                    key: try row.get("key"), byteCount: try row.int("byte_count"),
                    sha256: try row.bytes("sha256"))
            )
        }
    }

    /// Returns the total bytes of all files.
    package func byteCount(of account: Account.ID, _ transaction: Transaction) throws -> Int {
        try transaction.value(
            "SELECT COALESCE(CAST(sum(byte_count) AS BIGINT), 0) FROM (\(sql)) AS files", account, Int64(0))
            ?? 0
    }
}

/// One list of a person's texts, read page by page.
package struct AccountDataList: Sendable {
    /// How a column of the statement is written in JSON.
    package enum Kind: Sendable {
        case id, text, integer, decimal, date, flag
        /// The time in an id.
        case timeOfID
    }

    /// The file's name without `.json`.
    package let name: String
    private let columns: [(name: String, kind: Kind)]
    private let sql: String

    private static let pageLength = 200

    /// - Parameters:
    ///   - columns: the members of each object; the statement's columns have the same names.
    ///   - sql: a statement with those columns, and with an ascending column `place` by which the rows are ordered. Its
    ///     arguments are the account (`$1`), the place of the last row of the page before (`$2`) and the most rows
    ///     (`$3`).
    package init(_ name: String, _ columns: [(name: String, kind: Kind)], _ sql: String) {
        self.name = name
        self.columns = columns
        self.sql = sql
    }

    /// Returns a page of the list.
    ///
    /// - Parameter place: the place of the last row of the page before; 0 for the first page.
    /// - Returns: JSON objects, and the place of the last one; empty at the end.
    package func page(
        of account: Account.ID, after place: Int64, _ transaction: Transaction
    ) throws -> (rows: [[UInt8]], last: Int64) {
        var last = place
        let rows = try transaction.rows(sql, account, place, Self.pageLength) { row in
            last = try row.int64("place")
            return try object(row)
        }
        return (rows, last)
    }

    private func object(_ row: Row) throws -> [UInt8] {
        // Read first, since the writer's closures don't throw.
        let values = try columns.map { try value($0.kind, row, $0.name) }
        var json = JSONWriter(capacity: 256)
        json.object { json in
            for (column, value) in zip(columns, values) {
                json.key(computed: column.name)
                value(&json)
            }
        }
        return json.bytes
    }

    private func value(_ kind: Kind, _ row: Row, _ column: String) throws -> (inout JSONWriter) -> Void {
        guard !row.isNull(column) else { return { $0.null() } }
        switch kind {
        case .id:
            let id = try row.int64(column)
            return { $0.value(String(id)) }
        case .text:
            let text = try row.string(column)
            return { $0.value(text) }
        case .integer:
            let number = try row.int(column)
            return { $0.value(number) }
        case .decimal:
            let number = try row.double(column)
            return { $0.value(number) }
        case .flag:
            let flag = try row.bool(column)
            return { $0.value(flag) }
        case .date:
            let date = try row.date(column)
            return { $0.value(Timestamp.iso8601(date)) }
        case .timeOfID:
            let date = ID<Account>(rawValue: try row.int64(column)).createdAt
            return { $0.value(Timestamp.iso8601(date)) }
        }
    }
}

/// The data of the account itself: profile, blocks, invitations, portrait and banner.
struct AccountsData: AccountData {
    let lists = [
        AccountDataList(
            "account",
            [
                ("id", .id), ("created_at", .timeOfID), ("username", .text), ("name", .text), ("bio", .text),
                ("asks_before_followed", .flag),
                ("fields", .text), ("discoverable", .flag),
            ],
            """
            SELECT id AS place, id, id AS created_at, username, display_name AS name, bio,
                approves_followers AS asks_before_followed, fields, is_discoverable AS discoverable
            FROM accounts WHERE id = $1 AND id > $2 LIMIT $3
            """),
        AccountDataList.people("blocked", "blocks", own: "blocker_id", other: "blocked_id", "1"),
        AccountDataList(
            "invitations",
            [
                ("code", .text), ("made_at", .timeOfID), ("used_at", .date), ("used_by", .text),
                ("revoked_at", .date),
            ],
            """
            SELECT i.id AS place, i.code, i.id AS made_at, i.used_at, a.username AS used_by, i.revoked_at
            FROM invitations i LEFT JOIN accounts a ON a.id = i.used_by
            WHERE i.creator_id = $1 AND i.id > $2 ORDER BY i.id LIMIT $3
            """),
    ]

    func erase(_ account: Account.ID, _ transaction: Transaction) throws -> Bool {
        let portraits = try PortraitStore(transaction).portraits(of: account)
        for id in portraits { try PortraitStore(transaction).delete(id) }
        return portraits.isEmpty
    }
}

extension AccountDataList {
    /// Returns a list of the people at the other end of a table's rows, such as those whom a person follows.
    ///
    /// - Parameter accepted: an expression over the row `x`.
    package static func people(
        _ name: String, _ table: String, own: String, other: String, _ accepted: String
    ) -> AccountDataList {
        AccountDataList(
            name, [("username", .text), ("name", .text), ("since", .timeOfID), ("accepted", .flag)],
            """
            SELECT x.id AS place, a.username, a.display_name AS name, x.id AS since, \(accepted) AS accepted
            FROM \(table) x JOIN accounts a ON a.id = x.\(other)
            WHERE x.\(own) = $1 AND x.id > $2 ORDER BY x.id LIMIT $3
            """)
    }
}
