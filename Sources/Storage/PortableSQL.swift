/// The SQL in which this program is written, as each engine takes it. The program uses PostgreSQL's spelling of what both
/// engines understand.
///
/// String literals, quoted names and comments are not changed.
package enum PortableSQL {
    /// Replaces placeholders such as `$1` by `?1`.
    ///
    /// SQLite reads `$1` as a name and numbers names by their first appearance, so `SELECT $2, $1` would
    /// silently swap its arguments.
    package static func sqlite(statement: String) -> String {
        guard statement.utf8.contains(UInt8(ascii: "$")) else { return statement }
        var output: [UInt8] = []
        output.reserveCapacity(statement.utf8.count)
        for token in Tokens(statement) {
            if token.kind == .placeholder {
                output.append(UInt8(ascii: "?"))
                output += token.bytes.dropFirst()
            } else {
                output += token.bytes
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Translates the dialect words of a migration, and makes its tables strict like PostgreSQL's.
    ///
    /// The words are the types `BIGINT`, `SMALLINT` and `BOOLEAN` (`INTEGER`), `DOUBLE PRECISION` (`REAL`)
    /// and `BYTEA` (`BLOB`). Tables may end in `WITHOUT ROWID`, which PostgreSQL doesn't need. Strict tables
    /// refuse values of another type, see https://www.sqlite.org/stricttables.html.
    package static func sqlite(migration: String) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(migration.utf8.count + 256)
        // The words that show whether a statement creates a table, and how it ends.
        var words: [String] = []
        var last: Token?
        var lastEnd = 0

        func finishStatement() {
            guard words.starts(with: ["CREATE", "TABLE"]), let end = last else { return }
            if end.bytes.elementsEqual(")".utf8) {
                output.insert(contentsOf: " STRICT".utf8, at: lastEnd)
            } else if words.suffix(2) == ["WITHOUT", "ROWID"] {
                output.insert(contentsOf: ", STRICT".utf8, at: lastEnd)
            }
        }

        for token in Tokens(migration) {
            switch token.kind {
            case .blank:
                output += token.bytes
                continue
            case .word:
                let word = String(decoding: token.bytes, as: UTF8.self).uppercased()
                if word == "PRECISION" && words.last == "DOUBLE" { continue }
                words.append(word)
                output += types[word].map { ArraySlice($0.utf8) } ?? token.bytes
            case .symbol where token.bytes.elementsEqual(";".utf8):
                finishStatement()
                output += token.bytes
                words = []
                last = nil
                continue
            case .symbol, .placeholder, .quoted:
                output += token.bytes
            }
            last = token
            lastEnd = output.count
        }
        finishStatement()
        return String(decoding: output, as: UTF8.self)
    }

    /// Drops the words of a migration that only SQLite understands: `WITHOUT ROWID` at the end of a table.
    package static func postgres(migration: String) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(migration.utf8.count)
        // Where the last word began, if it was WITHOUT.
        var start: Int?
        for token in Tokens(migration) {
            switch token.kind {
            case .blank: break
            case .word:
                let word = String(decoding: token.bytes, as: UTF8.self).uppercased()
                if word == "ROWID", let start {
                    output.removeSubrange(start...)
                    continue
                }
                start = word == "WITHOUT" ? output.count : nil
            case .symbol, .placeholder, .quoted: start = nil
            }
            output += token.bytes
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// SQLite's types. Of `DOUBLE PRECISION`, the second word is dropped.
    private static let types = [
        "BIGINT": "INTEGER", "SMALLINT": "INTEGER", "BOOLEAN": "INTEGER", "DOUBLE": "REAL", "BYTEA": "BLOB",
    ]
}

/// A piece of SQL that is kept or replaced as a whole.
private struct Token {
    enum Kind {
        /// White space or a comment.
        case blank
        /// A string literal or a quoted name.
        case quoted
        /// `$1`.
        case placeholder
        /// A keyword, a name or a number.
        case word
        /// Any other single byte.
        case symbol
    }

    let kind: Kind
    let bytes: ArraySlice<UInt8>
}

/// The tokens of an SQL text. Together they are the whole text.
private struct Tokens: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>

    init(_ sql: String) {
        rest = ArraySlice(sql.utf8)
    }

    mutating func next() -> Token? {
        guard let byte = rest.first else { return nil }
        let following = rest.dropFirst()
        switch byte {
        case UInt8(ascii: "'"), UInt8(ascii: "\""):
            // A doubled quote inside a literal is read as the end of one literal and the beginning of
            // another.
            return token(.quoted, until: following.firstIndex(of: byte).map { $0 + 1 })
        case UInt8(ascii: "-") where following.first == UInt8(ascii: "-"):
            return token(.blank, until: following.firstIndex(of: UInt8(ascii: "\n")))
        case UInt8(ascii: "/") where following.first == UInt8(ascii: "*"):
            return token(.blank, until: endOfComment(following.dropFirst()))
        case UInt8(ascii: "$") where following.first.map(isDigit) == true:
            return token(.placeholder, until: following.firstIndex { !isDigit($0) })
        case _ where isWord(byte):
            // A name may contain a `$` after its first letter, in both engines.
            return token(.word, until: following.firstIndex { !isWord($0) && $0 != UInt8(ascii: "$") })
        case _ where isSpace(byte):
            return token(.blank, until: following.firstIndex { !isSpace($0) })
        default:
            return token(.symbol, until: following.startIndex)
        }
    }

    /// Takes the bytes before an index, or all remaining bytes.
    private mutating func token(_ kind: Token.Kind, until end: Int?) -> Token {
        let end = end ?? rest.endIndex
        defer { rest = rest[end...] }
        return Token(kind: kind, bytes: rest[..<end])
    }

    private func endOfComment(_ bytes: ArraySlice<UInt8>) -> Int? {
        var star = false
        for index in bytes.indices {
            if star && bytes[index] == UInt8(ascii: "/") { return index + 1 }
            star = bytes[index] == UInt8(ascii: "*")
        }
        return nil
    }

    private func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }

    private func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }

    private func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || UInt8(ascii: "\t")...UInt8(ascii: "\r") ~= byte
    }
}
