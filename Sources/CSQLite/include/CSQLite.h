#pragma once

// Calls of SQLite that Swift can't make, since they take a varying number of arguments.

/// Lets a connection distrust the file: statements can't write to the schema or to the file's own pages
/// (`SQLITE_DBCONFIG_DEFENSIVE`), and views, triggers and other parts of the schema call no function that could do harm
/// (`SQLITE_DBCONFIG_TRUSTED_SCHEMA`, https://www.sqlite.org/security.html).
///
/// `connection` is a `sqlite3 *`. Returns SQLite's result code, 0 for success.
int tintype_sqlite_distrust(void *connection);
