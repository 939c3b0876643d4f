#pragma once

#include <stdint.h>
#include <sys/types.h>

// What the cage is made of. A warm process gives up all it can, and then forks a process for each job, which gives up
// the rest before it sees a file. A function that returns a text takes something away from the calling process, for good,
// and returns NULL, or the name of the call that failed, with errno.

// MARK: The warm process, in this order

/// Fails unless the process has one thread alone, since a fork copies no other, and Landlock and seccomp hold for the
/// calling thread and those that it starts. Works behind the walls too, once it was called before them.
const char *tintype_cage_check_threads(void);

/// Takes away core dumps, more than 64 descriptors, files above 64 MiB, more than 60 seconds of processor time for the
/// warm process and 600 for a job, more threads of a job than decoders need, all capabilities, new privileges, being traced by processes of the same user, and a
/// life longer than that of the thread that started the process. SIGTERM, SIGINT and SIGHUP are ignored: the process that
/// started this one ends it. A crash has no handler.
const char *tintype_cage_limit(void);

/// Takes away the whole file system, TCP, and abstract sockets and signals to processes outside, as far as the
/// kernel's Landlock reaches; nothing where it has none. A job that calls it once more can't reach the warm process
/// either.
const char *tintype_cage_restrict(void);

/// Compiles the filter of jobs, and takes away all system calls but those of decoding, forking, and putting up a job's
/// walls: any other fails with EPERM. The threads of jobs are counted from then on, where the kernel can.
const char *tintype_warm_filter(void);

/// Whether the threads of jobs are counted, and bounded.
int tintype_warm_counts_threads(void);

/// Forks a job's process, which dies with the warm one. Its descriptor 3 is `socket`; of the others it keeps the standard
/// ones, and `socket` itself, which both processes should close.
///
/// Returns the number of the new process, with its pidfd in `handle`; 0 in the new process; -1 for a failure, after which
/// the warm process must end.
pid_t tintype_warm_fork(int socket, int *handle);

/// Waits for the end of a job's process, lets it start threads meanwhile, and refuses those beyond the bound. `status` is
/// that of waitpid(2), and `microseconds` is its processor time. Returns 0, or an errno: EPIPE when nobody is left at the
/// other end of `server`.
int tintype_warm_wait(int server, pid_t job, int handle, int *status, int64_t *microseconds);

// MARK: A job, in this order, beside `tintype_cage_restrict`

/// Gives the job its own processor time.
const char *tintype_cage_limit_job(void);

/// Takes away all system calls but those that decoding needs. Calls that libraries make to look for something fail;
/// any other ends the process with SIGSYS.
const char *tintype_cage_filter(void);
