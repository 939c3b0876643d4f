#define _GNU_SOURCE
#include "CSQLite.h"

#include <sys/uio.h>
#include <unistd.h>

/// The read in place of this thread.
static _Thread_local struct {
    int is_active, has_refused, steps;
} in_place;

/// Reads as pread(2) does; in place, only what the system has in memory (`RWF_NOWAIT`, preadv2(2)).
static ssize_t read_file(int file, void *bytes, size_t count, off_t offset) {
    if (!in_place.is_active) return pread(file, bytes, count, offset);
    struct iovec part = {bytes, count};
    ssize_t result = preadv2(file, &part, 1, offset, RWF_NOWAIT);
    // Other failures are the file's, and come again when it is read on a thread that may wait.
    if (result < 0) in_place.has_refused = 1;
    return result;
}

int tintype_sqlite_prepare_in_place(void) {
    sqlite3_vfs *files = sqlite3_vfs_find("unix");
    if (!files || files->iVersion < 3) return 0;
    // SQLite uses one of the two, as it was built; the other has no function then.
    int is_prepared = 0;
    for (const char *const *name = (const char *const[]){"pread", "pread64", NULL}; *name; name++) {
        if (!files->xGetSystemCall(files, *name)) continue;
        is_prepared |= files->xSetSystemCall(files, *name, (sqlite3_syscall_ptr)read_file) == SQLITE_OK;
    }
    return is_prepared;
}

void tintype_sqlite_begin_in_place(int steps) {
    in_place.is_active = 1;
    in_place.has_refused = 0;
    in_place.steps = steps;
}

int tintype_sqlite_end_in_place(void) {
    in_place.is_active = 0;
    return in_place.has_refused;
}

/// Counts a thousand steps. Returns whether the statement has to end.
static int count(void *nothing) {
    (void)nothing;
    if (!in_place.is_active || in_place.steps-- > 0) return 0;
    in_place.has_refused = 1;
    return 1;
}

void tintype_sqlite_limit(sqlite3 *connection) { sqlite3_progress_handler(connection, 1000, count, NULL); }
