import Storage
import Testing

@Suite("Portable SQL")
struct PortableSQLTests {
    @Test(
        "Placeholders become SQLite's, but not in literals, quoted names, comments and names",
        arguments: [
            ("SELECT $1, $22", "SELECT ?1, ?22"),
            ("SELECT '$1', \"$1\", $1", "SELECT '$1', \"$1\", ?1"),
            ("SELECT 'it''s $1' || $2", "SELECT 'it''s $1' || ?2"),
            ("SELECT 1 -- $1\n, $1", "SELECT 1 -- $1\n, ?1"),
            ("SELECT /* $1 * / $2 */ $3", "SELECT /* $1 * / $2 */ ?3"),
            ("SELECT a$1 FROM t WHERE b=$1", "SELECT a$1 FROM t WHERE b=?1"),
            ("SELECT '$1", "SELECT '$1"),
            ("SELECT '😀$1', $1", "SELECT '😀$1', ?1"),
            ("SELECT 1", "SELECT 1"),
        ])
    func placeholders(portable: String, sqlite: String) {
        #expect(PortableSQL.sqlite(statement: portable) == sqlite)
    }

    @Test(
        "Migrations get SQLite's types and strict tables",
        arguments: [
            ("CREATE TABLE a (id BIGINT, b BYTEA);", "CREATE TABLE a (id INTEGER, b BLOB) STRICT;"),
            ("create table a (b boolean)", "create table a (b INTEGER) STRICT"),
            (
                "CREATE TABLE a (x DOUBLE PRECISION, y SMALLINT)\n;",
                "CREATE TABLE a (x REAL , y INTEGER) STRICT\n;"
            ),
            (
                "CREATE TABLE a (b TEXT, PRIMARY KEY (b)) WITHOUT ROWID; -- end",
                "CREATE TABLE a (b TEXT, PRIMARY KEY (b)) WITHOUT ROWID, STRICT; -- end"
            ),
            ("CREATE INDEX i ON a (b);", "CREATE INDEX i ON a (b);"),
            (
                "INSERT INTO a VALUES ('BIGINT; CREATE TABLE')",
                "INSERT INTO a VALUES ('BIGINT; CREATE TABLE')"
            ),
            (
                "-- BIGINT\nCREATE TABLE a (precision REAL)",
                "-- BIGINT\nCREATE TABLE a (precision REAL) STRICT"
            ),
        ])
    func migrations(portable: String, sqlite: String) {
        #expect(PortableSQL.sqlite(migration: portable) == sqlite)
    }
}
