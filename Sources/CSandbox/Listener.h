#pragma once

#include <linux/seccomp.h>

/// The descriptor by which the kernel asks the warm process whether a job may start a thread; -1 if it can't ask.
extern int tintype_listener;

// Room for the kernel's question and for the answer, whose structures may become larger in later kernels.
typedef union {
    struct seccomp_notif notice;
    char room[512];
} TintypeQuestion;
typedef union {
    struct seccomp_notif_resp response;
    char room[256];
} TintypeAnswer;
