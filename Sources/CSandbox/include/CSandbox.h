#pragma once

#include <stdint.h>
#include <sys/types.h>

// The parts of the cage. A warm process gives up all the rights it can, and then forks a process for each job, which
// gives up the rest before it reads a file. A function that returns a text takes rights away from the calling process,
// for good, and returns NULL, or the name of the call that failed, with errno.

// MARK: The warm process, in this order

/// Fails unless the process has exactly one thread: a fork copies only one, and Landlock and seccomp apply to the
/// calling thread and those that it starts. Works inside the cage too, if it was called before.
const char *tintype_cage_check_threads(void);

/// Sets the limits of the warm process and its jobs: no core dumps, at most 64 descriptors, files of at most 64 MiB, 60
/// seconds of processor time for the warm process and 600 for a job, only as many threads of a job as decoders need, no
/// capabilities, no new privileges, and no tracing by processes of the same user. The process ends with the thread that
/// started it. SIGTERM, SIGINT and SIGHUP are ignored, since the parent ends this process. Crashes have no handler.
const char *tintype_cage_limit(void);

/// Takes away the whole file system, TCP, and abstract sockets and signals to other processes, as far as the kernel's
/// Landlock supports it; without Landlock, nothing. A job that calls it again can't reach the warm process either.
const char *tintype_cage_restrict(void);

/// Compiles the filter of jobs, and takes away all system calls but those for decoding, forking, and setting up a job's
/// cage: any other fails with EPERM. The threads of jobs are counted from then on, if the kernel supports it.
const char *tintype_warm_filter(void);

/// Returns whether the threads of jobs are counted and limited.
int tintype_warm_counts_threads(void);

/// Forks a job's process, which ends with the warm one. Its descriptor 3 is `socket`. It also keeps the standard
/// descriptors and `socket` itself, which both processes should close.
///
/// Returns the number of the new process, with its pidfd in `handle`; 0 in the new process; -1 for a failure, after which
/// the warm process must end.
pid_t tintype_warm_fork(int socket, int *handle);

/// Waits for the end of a job's process, and lets it start threads meanwhile, up to the limit. `status` is
/// that of waitpid(2), and `microseconds` is its processor time. Returns 0, or an errno: EPIPE when nobody is left at the
/// other end of `server`.
int tintype_warm_wait(int server, pid_t job, int handle, int *status, int64_t *microseconds);

// MARK: A job, in this order, beside `tintype_cage_restrict`

/// Gives the job its own processor time.
const char *tintype_cage_limit_job(void);

/// Takes away all system calls but those that decoding needs. Calls that libraries make to look for something fail;
/// any other ends the process with SIGSYS.
const char *tintype_cage_filter(void);
