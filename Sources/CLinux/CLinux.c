#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { most_descriptors = 64 };

int tintype_spawn(const char *path, int socket, pid_t *pid) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int failure = posix_spawn_file_actions_init(&files);
    if (failure) {
        return failure;
    }
    failure = posix_spawnattr_init(&attributes);
    if (failure) {
        posix_spawn_file_actions_destroy(&files);
        return failure;
    }
    // A group of its own, so that Ctrl-C in a terminal reaches the server alone, which finishes what it has begun.
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    failure = posix_spawn_file_actions_adddup2(&files, socket, 3);
    for (int standard = 0; standard < 3 && !failure; standard++) {
        failure = posix_spawn_file_actions_addopen(&files, standard, "/dev/null", O_RDWR, 0);
    }
    if (!failure) {
        failure = posix_spawn_file_actions_addclosefrom_np(&files, 4);
    }
    if (!failure) {
        char *const arguments[] = {"tintype-pictures", NULL};
        char *const environment[] = {NULL};
        failure = posix_spawn(pid, path, &files, &attributes, arguments, environment);
    }
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return failure;
}

int tintype_limit_memory(pid_t child, uint64_t bytes) {
    struct rlimit limit = {bytes, bytes};
    return prlimit(child, RLIMIT_AS, &limit, NULL) ? errno : 0;
}

int tintype_send(int socket, const void *bytes, size_t length, const int *descriptors, size_t count) {
    if (count > most_descriptors) {
        return EINVAL;
    }
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int) * most_descriptors)];
    } control;
    struct iovec part = {(void *)bytes, length};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (count > 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * count);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int) * count);
        memcpy(CMSG_DATA(header), descriptors, sizeof(int) * count);
    }
    ssize_t sent;
    do {
        sent = sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (sent < 0 && errno == EINTR);
    return sent < 0 ? errno : 0;
}

ssize_t tintype_receive(int socket, void *bytes, size_t capacity, int *descriptors, size_t *count) {
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int) * most_descriptors)];
    } control;
    size_t room = *count < most_descriptors ? *count : most_descriptors;
    struct iovec part = {bytes, capacity};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    *count = 0;
    if (room > 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * room);
    }
    ssize_t length;
    do {
        length = recvmsg(socket, &message, MSG_TRUNC | MSG_CMSG_CLOEXEC);
    } while (length < 0 && errno == EINTR);
    if (length < 0 || room == 0) {
        return length;
    }
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) {
            continue;
        }
        size_t arrived = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        const unsigned char *numbers = CMSG_DATA(header);
        for (size_t index = 0; index < arrived; index++) {
            int descriptor;
            memcpy(&descriptor, numbers + index * sizeof(int), sizeof(int));
            if (*count < room) {
                descriptors[(*count)++] = descriptor;
            } else {
                close(descriptor);
            }
        }
    }
    return length;
}

int tintype_memory_file(size_t most) {
    int file = memfd_create("rendition", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file >= 0 && (ftruncate(file, (off_t)most) || fcntl(file, F_ADD_SEALS, F_SEAL_GROW))) {
        int failure = errno;
        close(file);
        errno = failure;
        return -1;
    }
    return file;
}

int tintype_seal(int file) {
    return fcntl(file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) ? errno : 0;
}

int tintype_kill(int process) {
    return syscall(SYS_pidfd_send_signal, process, SIGKILL, NULL, 0U) ? errno : 0;
}

int tintype_landlock_version(void) {
#ifdef SYS_landlock_create_ruleset
    // LANDLOCK_CREATE_RULESET_VERSION, see landlock_create_ruleset(2).
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, 1U);
    return version > 0 ? (int)version : 0;
#else
    return 0;
#endif
}

// glibc raises the size from which it returns a buffer to the system with each one freed, and gives threads heaps
// of their own, so that a process kept 290 MB after some HEIC photos. With fixed limits, and a trim after each
// picture, it keeps 10 MB, for 5 % more CPU time.
void tintype_return_buffers(void) {
#ifdef __GLIBC__
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    mallopt(M_ARENA_MAX, cores > 2 ? (int)cores : 2);
    mallopt(M_MMAP_THRESHOLD, 256 * 1024);
    // A page takes some buffers for a moment: their memory isn't given back and fetched again for each.
    mallopt(M_TRIM_THRESHOLD, 4 * 1024 * 1024);
    mallopt(M_TOP_PAD, 512 * 1024);
#endif
}

// The process of a job ends soon. One heap for all threads that grows by megabytes and hardly shrinks takes 4 % less
// processor time for a photo than glibc's defaults. Buffers larger than those of a photo go back at once, so that the
// largest pictures hold no more than estimated.
void tintype_keep_buffers(void) {
#ifdef __GLIBC__
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_TOP_PAD, 1024 * 1024);
    mallopt(M_MMAP_THRESHOLD, 8 * 1024 * 1024);
    mallopt(M_TRIM_THRESHOLD, 64 * 1024 * 1024);
#endif
}

void tintype_trim_buffers(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
