import CSQLite
import Foundation

/// The errors of the database, for every engine.
public enum DatabaseError: Error, Sendable, Hashable {
    /// A row with this key already exists. `constraint` names the columns (`account.username`), or the index
    /// if it is one over an expression.
    case uniqueViolation(constraint: String)
    /// A row refers to a row that doesn't exist, or a deleted row is still referred to.
    case foreignKeyViolation
    /// A value violates a `CHECK` constraint.
    case checkViolation
    /// A text has a NUL character, which PostgreSQL doesn't store and SQLite does.
    case nulCharacter
    /// The disk is full. The transaction was rolled back.
    case full
    /// Too many transactions are waiting, or another process holds the write lock for longer than the time
    /// limit. The caller may try again.
    case busy
    /// The disk failed while the transaction was being committed. Only the next start shows whether the
    /// transaction was kept, so the files that it names must not be erased.
    case unsettled
    /// The file is damaged, or is not a database.
    case corrupt
    /// Any other error, described for the log. Usually a mistake in a statement.
    case other(message: String)
}

extension DatabaseError: CustomStringConvertible {
    /// A sentence for the log.
    public var description: String {
        switch self {
        case .uniqueViolation(let constraint): "\(constraint) must be unique"
        case .foreignKeyViolation: "a row refers to one that isn't there"
        case .checkViolation: "a value breaks a check"
        case .nulCharacter: "a text has a NUL character"
        case .full: "the disk is full"
        case .busy: "the database is busy"
        case .unsettled: "the disk failed during a commit, which may have been kept"
        case .corrupt: "the database file is damaged"
        case .other(let message): message
        }
    }
}

extension DatabaseError {
    /// The error of every call after `close()`.
    static let closed = DatabaseError.other(message: "the database is closed")

    /// Converts an extended SQLite result code.
    ///
    /// - Parameters:
    ///   - code: the extended result code, see https://www.sqlite.org/rescode.html.
    ///   - systemError: the `errno` of an input or output error.
    init(code: CInt, message: String, systemError: CInt = 0) {
        let isDiskFull = systemError == ENOSPC || systemError == EDQUOT
        // The primary result code is the lowest byte.
        switch (code, code & 0xff) {
        case (tintype_sqlite_constraint_unique, _), (tintype_sqlite_constraint_primary_key, _),
            (tintype_sqlite_constraint_rowid, _):
            self = .uniqueViolation(constraint: Self.constraint(in: message))
        case (tintype_sqlite_constraint_foreign_key, _): self = .foreignKeyViolation
        case (tintype_sqlite_constraint_check, _): self = .checkViolation
        case (_, SQLITE_FULL): self = .full
        case (_, SQLITE_IOERR) where isDiskFull, (_, SQLITE_CANTOPEN) where isDiskFull: self = .full
        case (_, SQLITE_BUSY), (_, SQLITE_LOCKED): self = .busy
        case (_, SQLITE_CORRUPT), (_, SQLITE_NOTADB): self = .corrupt
        default: self = .other(message: "SQLite error \(code): \(message)")
        }
    }

    /// Converts an error of a file or a queue. Errors of the database are kept.
    init(_ error: any Error) {
        switch error {
        case let error as DatabaseError: self = error
        case let error as SystemError: self = error.isFull ? .full : .other(message: "\(error)")
        case JobQueueRefusal.full: self = .busy
        case JobQueueRefusal.closed: self = .closed
        default: self = .other(message: "\(error)")
        }
    }

    /// Returns `account.username` from "UNIQUE constraint failed: account.username".
    private static func constraint(in message: String) -> String {
        guard let colon = message.range(of: "failed: ") else { return message }
        let columns = message[colon.upperBound...]
        guard columns.hasPrefix("index '"), columns.hasSuffix("'") else { return String(columns) }
        return String(columns.dropFirst(7).dropLast())
    }
}
