#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Calls of Linux that Swift's Glibc module lacks. Those that return int return 0 for success or an errno, unless
// they say otherwise.

/// Starts a program with an empty environment, in a process group of its own. Its descriptors 0, 1 and 2 are
/// /dev/null, 3 is `socket`, and it has no others.
int tintype_spawn(const char *path, int socket, pid_t *pid);

/// Limits the bytes of address space of a child.
int tintype_limit_memory(pid_t child, uint64_t bytes);

/// Sends one packet, with descriptors; never waits.
int tintype_send(int socket, const void *bytes, size_t length, const int *descriptors, size_t count);

/// Waits for one packet, with descriptors. `count` is the room for descriptors before and their number after the
/// call. Descriptors for which there is no room are closed; with none, nothing of a packet can stay open.
///
/// Returns the length of the packet, also when it is more than `capacity` and so cut; 0 when the other end is
/// closed; -1 with errno.
ssize_t tintype_receive(int socket, void *bytes, size_t capacity, int *descriptors, size_t *count);

/// Opens a new file in memory, without a name, that can't become longer than `most` bytes, its length now. It takes
/// memory where something was written. Returns a descriptor, or -1 with errno.
int tintype_memory_file(size_t most);

/// Makes a file in memory unchangeable, for all who have it open: EBUSY when a process could still write to it as memory.
int tintype_seal(int file);

/// Kills a process by a pidfd, which never names another one.
int tintype_kill(int process);

/// The version of Landlock that the kernel has; 0 for none.
int tintype_landlock_version(void);

/// Lets the allocator return large buffers to the system, and share its heaps between threads.
void tintype_return_buffers(void);

/// Lets the allocator keep what was freed, for a process that ends soon.
void tintype_keep_buffers(void);

/// Returns to the system what is free in the allocator's heaps.
void tintype_trim_buffers(void);
