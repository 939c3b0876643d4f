#pragma once

// What the cage is made of. Each function takes something away from the calling process, for good, and returns NULL,
// or the name of the call that failed, with errno.

/// Fails unless the process has one thread alone, since Landlock and seccomp hold for the calling thread and those
/// that it starts.
const char *tintype_cage_check_threads(void);

/// Takes away core dumps, more than 64 descriptors, files above 32 MB, more than 600 seconds of
/// processor time, all capabilities, new privileges, being traced by processes of the same user, and a life longer
/// than that of the thread that started the process. SIGTERM, SIGINT
/// and SIGHUP are ignored: the process that started this one ends it. A crash has no handler.
const char *tintype_cage_limit(void);

/// Takes away the whole file system, TCP, and abstract sockets and signals to processes outside, as far as the
/// kernel's Landlock reaches; nothing where it has none.
const char *tintype_cage_restrict(void);

/// Takes away all system calls but those that decoding needs. Calls that libraries make to look for something fail;
/// any other ends the process with SIGSYS.
const char *tintype_cage_filter(void);
