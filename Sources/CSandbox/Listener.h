#pragma once

#include <linux/seccomp.h>

/// Where the kernel asks the warm process whether a job may start a thread; -1 when it can't.
extern int tintype_listener;

// Room for what the kernel says and is told, whose structures may grow.
typedef union {
    struct seccomp_notif notice;
    char room[512];
} TintypeQuestion;
typedef union {
    struct seccomp_notif_resp response;
    char room[256];
} TintypeAnswer;
