#define _GNU_SOURCE
#include "CSandbox.h"
#include "Listener.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { most_descriptors = 64, most_seconds = 600, most_seconds_warm = 60 };

// The state of the warm process, which no job uses.

/// The folder of the warm process' threads in /proc.
static int tasks = -1;
/// The number of threads that the current job has, and the most it may have.
static long threads, most_threads;

const char *tintype_cage_check_threads(void) {
    if (tasks < 0) {
        tasks = open("/proc/self/task", O_PATH | O_DIRECTORY | O_CLOEXEC);
    }
    struct stat folder;
    if (fstat(tasks, &folder)) {
        return "fstat /proc/self/task";
    }
    // One folder for each thread, beside the two links that every folder has.
    if (folder.st_nlink != 3) {
        errno = EBUSY;
        return "one thread";
    }
    return NULL;
}

static int limit(__rlimit_resource_t resource, rlim_t now, rlim_t most) {
    struct rlimit limit = {now, most};
    return setrlimit(resource, &limit);
}

const char *tintype_cage_limit(void) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    // Measured: three threads of libvips, one of libde265, one of dav1d for each processor; libheif decodes up to four
    // tiles at once, each with a decoder of its own.
    most_threads = 16 + 4 * (processors > 1 ? processors : 1);
    if (limit(RLIMIT_CORE, 0, 0) || limit(RLIMIT_NOFILE, most_descriptors, most_descriptors)
        || limit(RLIMIT_FSIZE, 64 << 20, 64 << 20) || limit(RLIMIT_CPU, most_seconds_warm, most_seconds)) {
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

pid_t tintype_warm_fork(int socket, int *handle) {
    pid_t self = getpid();
    if (tintype_cage_check_threads()) {
        return -1;
    }
    threads = 1;
    pid_t job = fork();
    if (job < 0) {
        return -1;
    }
    if (job > 0) {
        *handle = (int)syscall(SYS_pidfd_open, job, 0);
        return *handle < 0 ? -1 : job;
    }
    // A warm process that has ended already sends no signal.
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) || getppid() != self || dup2(socket, 3) != 3) {
        _exit(1);
    }
    for (int descriptor = 4; descriptor < most_descriptors; descriptor++) {
        if (descriptor != socket) {
            close(descriptor);
        }
    }
    tasks = -1;
    tintype_listener = -1;
    return 0;
}

/// Answers a job that asks to start or end a thread.
static void answer_job(void) {
    TintypeQuestion question;
    TintypeAnswer answer;
    memset(&question, 0, sizeof question);
    memset(&answer, 0, sizeof answer);
    if (ioctl(tintype_listener, SECCOMP_IOCTL_NOTIF_RECV, &question)) {
        return;
    }
    int is_end = question.notice.data.nr == SYS_exit;
    answer.response.id = question.notice.id;
    if (is_end || threads < most_threads) {
        answer.response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    } else {
        answer.response.error = -EAGAIN;
    }
    // A thread that was killed meanwhile needs no answer.
    if (!ioctl(tintype_listener, SECCOMP_IOCTL_NOTIF_SEND, &answer) && !answer.response.error) {
        threads += is_end ? -1 : 1;
    }
}

int tintype_warm_wait(int server, pid_t job, int handle, int *status, int64_t *microseconds) {
    struct pollfd watched[] = {{handle, POLLIN, 0}, {tintype_listener, POLLIN, 0}, {server, 0, 0}};
    for (;;) {
        if (poll(watched, COUNT(watched), -1) < 0) {
            if (errno == EINTR) {
                continue;
            }
            return errno;
        }
        if (watched[2].revents) {
            return EPIPE;
        }
        if (watched[1].revents & POLLIN) {
            answer_job();
        }
        if (watched[0].revents) {
            struct rusage used;
            if (wait4(job, status, 0, &used) != job) {
                return errno;
            }
            *microseconds = (int64_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000
                            + used.ru_utime.tv_usec + used.ru_stime.tv_usec;
            return 0;
        }
    }
}

const char *tintype_cage_limit_job(void) {
    return limit(RLIMIT_CPU, most_seconds, most_seconds) ? "setrlimit" : NULL;
}
