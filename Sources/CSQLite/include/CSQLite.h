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

/// Lets SQLite read files by a function of ours, so that reads in place are possible (`tintype_sqlite_begin_in_place`). To be
/// called before files are opened. It may be called more than once.
///
/// Returns 0 where this SQLite can't be told to.
int tintype_sqlite_prepare_in_place(void);

/// Begins a read in place on this thread: one that never waits for a disk, and ends after a number of steps.
///
/// Until `tintype_sqlite_end_in_place`, what would have to be fetched from a disk fails with `SQLITE_IOERR_READ` and what
/// takes longer with `SQLITE_INTERRUPT`. Only connections that were limited (`tintype_sqlite_limit`) count their steps.
///
/// `steps` is the number of instructions of SQLite's virtual machine (https://www.sqlite.org/opcode.html), in thousands.
void tintype_sqlite_begin_in_place(int steps);

/// Ends a read in place on this thread. Returns whether something was refused since its begin.
int tintype_sqlite_end_in_place(void);

/// Lets a connection's statements count their steps while they are run in place.
void tintype_sqlite_limit(sqlite3 *connection);
