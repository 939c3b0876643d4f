#define _GNU_SOURCE
#include "CSandbox.h"
#include "Listener.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

int tintype_listener = -1;

/// The filter of a job, which the warm process compiles.
static struct sock_fprog job_filter;

// Memory, threads, time, and descriptors that are open already.
static const int allowed[] = {
    SCMP_SYS(read), SCMP_SYS(write), SCMP_SYS(pread64), SCMP_SYS(readv), SCMP_SYS(writev), SCMP_SYS(lseek),
    SCMP_SYS(fstat), SCMP_SYS(close), SCMP_SYS(dup), SCMP_SYS(ftruncate),
    SCMP_SYS(mmap), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(mprotect), SCMP_SYS(madvise), SCMP_SYS(brk),
    SCMP_SYS(futex), SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(sched_yield), SCMP_SYS(sched_getaffinity),
    SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(getcpu), SCMP_SYS(sysinfo), SCMP_SYS(getrusage),
    SCMP_SYS(clock_gettime), SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep), SCMP_SYS(gettimeofday), SCMP_SYS(time),
    SCMP_SYS(getrandom), SCMP_SYS(umask), SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sigaltstack), SCMP_SYS(restart_syscall), SCMP_SYS(exit_group),
};

// Libraries look for settings, processors, temporary files and terminals, and go on without; abort(3) ends the process
// in another way when it can't send a signal. Without signals a thread that exits is gone, and threads can be counted.
static const int refused[] = {
    SCMP_SYS(open), SCMP_SYS(openat), SCMP_SYS(openat2), SCMP_SYS(stat), SCMP_SYS(lstat), SCMP_SYS(statx),
    SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(readlink),
    SCMP_SYS(readlinkat), SCMP_SYS(getcwd), SCMP_SYS(unlink), SCMP_SYS(unlinkat), SCMP_SYS(ioctl), SCMP_SYS(uname),
    SCMP_SYS(sched_getattr), SCMP_SYS(sched_setattr), SCMP_SYS(tgkill),
};

// What the warm process also needs: to fork, to set up a job's cage, and to wait for its end.
static const int allowed_before[] = {
    SCMP_SYS(sendmsg), SCMP_SYS(recvmsg), SCMP_SYS(poll), SCMP_SYS(ppoll), SCMP_SYS(ioctl),
    SCMP_SYS(dup2), SCMP_SYS(dup3), SCMP_SYS(getppid), SCMP_SYS(wait4), SCMP_SYS(pidfd_open),
    SCMP_SYS(landlock_create_ruleset), SCMP_SYS(landlock_restrict_self),
};

static int add(scmp_filter_ctx filter, uint32_t action, const int *calls, size_t count) {
    int failure = 0;
    for (size_t index = 0; index < count && !failure; index++) {
        failure = seccomp_rule_add(filter, action, calls[index], 0);
    }
    return failure;
}

/// Adds a rule for calls whose argument has a value.
static int add_value(scmp_filter_ctx filter, int call, unsigned argument, uint64_t value) {
    struct scmp_arg_cmp comparison = {argument, SCMP_CMP_EQ, value, 0};
    return seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call, 1, &comparison);
}

/// Adds the rules that both filters share.
static int add_shared(scmp_filter_ctx filter) {
    int failure = add(filter, SCMP_ACT_ALLOW, allowed, COUNT(allowed));
    // How the library asks for the length of an open file. A filter can't see the path, so that a process that is taken
    // over can learn the size and times of a file whose name it knows.
    if (!failure) {
        failure = add_value(filter, SCMP_SYS(newfstatat), 3, AT_EMPTY_PATH);
    }
    static const uint64_t commands[] = {F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC};
    for (size_t index = 0; index < COUNT(commands) && !failure; index++) {
        failure = add_value(filter, SCMP_SYS(fcntl), 1, commands[index]);
    }
    // What clone3 is asked for lies in memory, where no filter sees it; without it the library takes clone.
    if (!failure) {
        failure = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    }
    if (!failure) {
        failure = add_value(filter, SCMP_SYS(prctl), 0, PR_SET_NAME);
    }
    return failure;
}

/// Adds the rules of a job's filter. A call that it doesn't name ends the process.
static int add_job(scmp_filter_ctx filter) {
    int failure = add_shared(filter);
    if (!failure) {
        failure = add(filter, SCMP_ACT_ERRNO(EACCES), refused, COUNT(refused));
    }
    if (!failure) {
        failure = seccomp_rule_add(
            filter, SCMP_ACT_ERRNO(EACCES), SCMP_SYS(newfstatat), 1, SCMP_A3(SCMP_CMP_NE, AT_EMPTY_PATH));
    }
    // The frames go over descriptor 3.
    if (!failure) {
        failure = add_value(filter, SCMP_SYS(sendmsg), 0, 3);
    }
    if (!failure) {
        failure = add_value(filter, SCMP_SYS(recvmsg), 0, 3);
    }
    // Threads, but no processes.
    if (!failure) {
        failure = seccomp_rule_add(
            filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD));
    }
    if (!failure) {
        failure = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(exit), 0);
    }
    // Limits may be read, not set.
    if (!failure) {
        failure = seccomp_rule_add(
            filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 2, SCMP_A0(SCMP_CMP_EQ, 0), SCMP_A2(SCMP_CMP_EQ, 0));
    }
    return failure;
}

/// Adds the rules of the warm process's filter, which its jobs have beneath their own. The stricter of two answers
/// counts, so a call that this filter doesn't name fails, but doesn't end a job that may try it in vain.
static int add_warm(scmp_filter_ctx filter, uint32_t start_and_end) {
    int failure = add_shared(filter);
    if (!failure) {
        failure = add(filter, SCMP_ACT_ALLOW, allowed_before, COUNT(allowed_before));
    }
    static const uint64_t settings[] = {PR_SET_PDEATHSIG, PR_SET_SECCOMP};
    for (size_t index = 0; index < COUNT(settings) && !failure; index++) {
        failure = add_value(filter, SCMP_SYS(prctl), 0, settings[index]);
    }
    if (!failure) {
        failure = add_value(filter, SCMP_SYS(prlimit64), 0, 0);
    }
    if (!failure) {
        failure = seccomp_rule_add(
            filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
    }
    if (!failure) {
        failure = seccomp_rule_add(
            filter, start_and_end, SCMP_SYS(clone), 1, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD));
    }
    if (!failure) {
        failure = seccomp_rule_add(filter, start_and_end, SCMP_SYS(exit), 0);
    }
    return failure;
}

static scmp_filter_ctx new_filter(uint32_t otherwise) {
    scmp_filter_ctx filter = seccomp_init(otherwise);
    // The second is a binary tree instead of a list.
    if (filter
        && (seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS)
            || seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2))) {
        seccomp_release(filter);
        return NULL;
    }
    return filter;
}

/// Compiles the filter of a job. 0 for success, or a negative errno.
static int compile(void) {
    scmp_filter_ctx filter = new_filter(SCMP_ACT_KILL_PROCESS);
    int file = memfd_create("filter", MFD_CLOEXEC);
    int failure = filter && file >= 0 ? add_job(filter) : -ENOMEM;
    if (!failure) {
        failure = seccomp_export_bpf(filter, file);
    }
    off_t length = failure ? 0 : lseek(file, 0, SEEK_END);
    if (!failure) {
        job_filter.len = (unsigned short)(length / (off_t)sizeof(struct sock_filter));
        job_filter.filter = malloc((size_t)length);
        if (!job_filter.filter || pread(file, job_filter.filter, (size_t)length, 0) != length) {
            failure = -EIO;
        }
    }
    if (file >= 0) {
        close(file);
    }
    if (filter) {
        seccomp_release(filter);
    }
    return failure;
}

/// Loads the filter of the warm process. 0 for success, or a negative errno.
static int load_warm(uint32_t start_and_end) {
    scmp_filter_ctx filter = new_filter(SCMP_ACT_ERRNO(EPERM));
    int failure = filter ? add_warm(filter, start_and_end) : -ENOMEM;
    if (!failure) {
        failure = seccomp_load(filter);
    }
    if (!failure && start_and_end == SCMP_ACT_NOTIFY) {
        tintype_listener = seccomp_notify_fd(filter);
    }
    if (filter) {
        seccomp_release(filter);
    }
    return failure;
}

const char *tintype_warm_filter(void) {
    int failure = compile();
    // From Linux 5.7 on a listener may let a call go on, and libseccomp knows it (its level 6). A container whose own
    // calls are watched may have no second listener.
    struct seccomp_notif_sizes sizes = {0, 0, 0};
    if (!failure && seccomp_api_get() >= 6 && !syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes)
        && sizes.seccomp_notif <= sizeof(TintypeQuestion) && sizes.seccomp_notif_resp <= sizeof(TintypeAnswer)) {
        failure = load_warm(SCMP_ACT_NOTIFY);
    }
    if (tintype_listener < 0 && (!failure || failure == -EBUSY)) {
        failure = load_warm(SCMP_ACT_ALLOW);
    }
    if (failure) {
        errno = -failure;
        return "seccomp";
    }
    return NULL;
}

int tintype_warm_counts_threads(void) {
    return tintype_listener >= 0;
}

const char *tintype_cage_filter(void) {
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &job_filter, 0, 0) ? "seccomp" : NULL;
}
