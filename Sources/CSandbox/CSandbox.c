#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

const char *tintype_cage_check_threads(void) {
    struct stat tasks;
    if (stat("/proc/self/task", &tasks)) {
        return "stat /proc/self/task";
    }
    // One folder for each thread, beside the two links that every folder has.
    if (tasks.st_nlink != 3) {
        errno = EBUSY;
        return "one thread";
    }
    return NULL;
}

static int limit(__rlimit_resource_t resource, rlim_t value) {
    struct rlimit limit = {value, value};
    return setrlimit(resource, &limit);
}

const char *tintype_cage_limit(void) {
    if (limit(RLIMIT_CORE, 0) || limit(RLIMIT_NOFILE, 64) || limit(RLIMIT_FSIZE, 64 << 20)
        || limit(RLIMIT_CPU, 600)) {
        return "setrlimit";
    }
    // A file that grows too large is an error of writing, not an end.
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    // Swift's handlers would look for other threads and start a program, which the filter ends as if it were an attack.
    static const int crashes[] = {SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
    for (size_t index = 0; index < COUNT(crashes); index++) {
        signal(crashes[index], SIG_DFL);
    }
    struct __user_cap_header_struct version = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3];
    memset(none, 0, sizeof none);
    if (syscall(SYS_capset, &version, none)) {
        return "capset";
    }
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) {
        return "PR_SET_NO_NEW_PRIVS";
    }
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)) {
        return "PR_SET_DUMPABLE";
    }
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)) {
        return "PR_SET_PDEATHSIG";
    }
    return NULL;
}

// As in linux/landlock.h of Linux 6.12, whose older versions lack the later fields.
struct landlock_ruleset {
    uint64_t files;
    uint64_t network;
    uint64_t scopes;
};

const char *tintype_cage_restrict(void) {
#ifdef SYS_landlock_create_ruleset
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, 1U);
    if (version <= 0) {
        return NULL;
    }
    // The rights of version 1, then REFER, TRUNCATE, and IOCTL_DEV with version 5: handled, and granted nowhere.
    int rights = version == 1 ? 13 : version == 2 ? 14 : version < 5 ? 15 : 16;
    struct landlock_ruleset handled = {
        .files = (UINT64_C(1) << rights) - 1,
        // TCP: bind and connect.
        .network = version >= 4 ? 3 : 0,
        // Abstract Unix sockets, and signals.
        .scopes = version >= 6 ? 3 : 0,
    };
    size_t length = version >= 6   ? sizeof handled
                    : version >= 4 ? offsetof(struct landlock_ruleset, scopes)
                                   : offsetof(struct landlock_ruleset, network);
    long ruleset = syscall(SYS_landlock_create_ruleset, &handled, length, 0U);
    if (ruleset < 0) {
        return "landlock_create_ruleset";
    }
    if (syscall(SYS_landlock_restrict_self, (int)ruleset, 0U)) {
        return "landlock_restrict_self";
    }
    close((int)ruleset);
#endif
    return NULL;
}

// Memory, threads, time, and descriptors that are open already.
static const int allowed[] = {
    SCMP_SYS(read), SCMP_SYS(write), SCMP_SYS(pread64), SCMP_SYS(readv), SCMP_SYS(writev), SCMP_SYS(lseek),
    SCMP_SYS(fstat), SCMP_SYS(close), SCMP_SYS(dup),
    SCMP_SYS(mmap), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(mprotect), SCMP_SYS(madvise), SCMP_SYS(brk),
    SCMP_SYS(futex), SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(sched_yield), SCMP_SYS(sched_getaffinity),
    SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(getcpu), SCMP_SYS(sysinfo), SCMP_SYS(getrusage),
    SCMP_SYS(clock_gettime), SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep), SCMP_SYS(gettimeofday), SCMP_SYS(time),
    SCMP_SYS(getrandom), SCMP_SYS(umask), SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sigaltstack), SCMP_SYS(restart_syscall), SCMP_SYS(exit), SCMP_SYS(exit_group),
};

// Libraries look for settings, processors, temporary files and terminals, and go on without.
static const int refused[] = {
    SCMP_SYS(open), SCMP_SYS(openat), SCMP_SYS(openat2), SCMP_SYS(stat), SCMP_SYS(lstat), SCMP_SYS(statx),
    SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(readlink),
    SCMP_SYS(readlinkat), SCMP_SYS(getcwd), SCMP_SYS(unlink), SCMP_SYS(unlinkat), SCMP_SYS(ioctl), SCMP_SYS(uname),
    SCMP_SYS(sched_getattr), SCMP_SYS(sched_setattr),
};

static int add_rules(scmp_filter_ctx filter) {
    int failure = 0;
    for (size_t index = 0; index < COUNT(allowed) && !failure; index++) {
        failure = seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[index], 0);
    }
    for (size_t index = 0; index < COUNT(refused) && !failure; index++) {
        failure = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EACCES), refused[index], 0);
    }
    // How the library asks for the length of an open file. A filter can't see the path, so that a process that is taken
    // over can learn the size and times of a file whose name it knows.
    if (!failure) {
        failure = seccomp_rule_add(
            filter, SCMP_ACT_ALLOW, SCMP_SYS(newfstatat), 1, SCMP_A3(SCMP_CMP_EQ, AT_EMPTY_PATH));
    }
    if (!failure) {
        failure = seccomp_rule_add(
            filter, SCMP_ACT_ERRNO(EACCES), SCMP_SYS(newfstatat), 1, SCMP_A3(SCMP_CMP_NE, AT_EMPTY_PATH));
    }
    if (failure) {
        return failure;
    }
    // The frames go over descriptor 3.
    const int frames[] = {SCMP_SYS(sendmsg), SCMP_SYS(recvmsg)};
    for (size_t index = 0; index < COUNT(frames) && !failure; index++) {
        failure = seccomp_rule_add(filter, SCMP_ACT_ALLOW, frames[index], 1, SCMP_A0(SCMP_CMP_EQ, 3));
    }
    const int commands[] = {F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC};
    for (size_t index = 0; index < COUNT(commands) && !failure; index++) {
        failure = seccomp_rule_add(
            filter, SCMP_ACT_ALLOW, SCMP_SYS(fcntl), 1, SCMP_A1(SCMP_CMP_EQ, (scmp_datum_t)commands[index]));
    }
    if (failure) {
        return failure;
    }
    // Threads, but no processes. What clone3 is asked for lies in memory, where no filter sees it; without it the
    // library takes clone.
    failure = seccomp_rule_add(
        filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD));
    if (!failure) {
        failure = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    }
    if (!failure) {
        failure = seccomp_rule_add(
            filter, SCMP_ACT_ALLOW, SCMP_SYS(prctl), 1, SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME));
    }
    // abort(3) sends a signal to the process itself.
    if (!failure) {
        failure = seccomp_rule_add(
            filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1, SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid()));
    }
    // Limits may be read, not set.
    if (!failure) {
        failure = seccomp_rule_add(
            filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 2, SCMP_A0(SCMP_CMP_EQ, 0), SCMP_A2(SCMP_CMP_EQ, 0));
    }
    return failure;
}

const char *tintype_cage_filter(void) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
    if (!filter) {
        errno = ENOMEM;
        return "seccomp_init";
    }
    int failure = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    if (!failure) {
        // A binary tree instead of a list.
        failure = seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    }
    if (!failure) {
        failure = add_rules(filter);
    }
    if (!failure) {
        failure = seccomp_load(filter);
    }
    seccomp_release(filter);
    if (failure) {
        errno = -failure;
        return "seccomp";
    }
    return NULL;
}
