#pragma once

#include <sqlite3.h>

// What Swift can't take from SQLite's header: functions with a varying number of arguments, and macros made of others.

/// Lets a connection distrust the file, and take text in double quotes for names alone.
///
/// Statements can't write to the schema or to the file's own pages (`SQLITE_DBCONFIG_DEFENSIVE`), and views, triggers and
/// other parts of the schema call no function that could do harm (`SQLITE_DBCONFIG_TRUSTED_SCHEMA`,
/// https://www.sqlite.org/security.html). A name that doesn't exist is an error and not a text
/// (`SQLITE_DBCONFIG_DQS_DDL`, `SQLITE_DBCONFIG_DQS_DML`, https://www.sqlite.org/quirks.html, section 8).
///
/// Returns SQLite's result code, 0 for success.
static inline int tintype_sqlite_distrust(sqlite3 *connection) {
    static const struct {
        int setting, value;
    } settings[] = {
        {SQLITE_DBCONFIG_DEFENSIVE, 1},
        {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
        {SQLITE_DBCONFIG_DQS_DDL, 0},
        {SQLITE_DBCONFIG_DQS_DML, 0},
    };
    for (int index = 0; index < (int)(sizeof settings / sizeof *settings); index++) {
        int code = sqlite3_db_config(connection, settings[index].setting, settings[index].value, (int *)0);
        if (code != SQLITE_OK) return code;
    }
    return SQLITE_OK;
}

/// Extended result codes, https://www.sqlite.org/rescode.html.
static const int tintype_sqlite_constraint_unique = SQLITE_CONSTRAINT_UNIQUE;
static const int tintype_sqlite_constraint_primary_key = SQLITE_CONSTRAINT_PRIMARYKEY;
static const int tintype_sqlite_constraint_rowid = SQLITE_CONSTRAINT_ROWID;
static const int tintype_sqlite_constraint_foreign_key = SQLITE_CONSTRAINT_FOREIGNKEY;
static const int tintype_sqlite_constraint_check = SQLITE_CONSTRAINT_CHECK;
